// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BruteForce.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// Calls \p visit for every warp, with the most that \p expr is for a lane.
void forEachWarp(const LaunchShape &shape, const Expr &expr,
                 llvm::function_ref<void(int64_t)> visit) {
  for (int64_t block = 0; block < shape.grid.count(); ++block)
    for (int64_t first = 0; first < shape.block.count(); first += 32) {
      int64_t most = 0;
      for (int64_t thread = first;
           thread < std::min(first + 32, shape.block.count()); ++thread) {
        auto index = shape.threadIndex(thread);
        llvm::StringMap<int64_t> values{
            {"ctaid.x", block % shape.grid.x},
            {"ctaid.y", block / shape.grid.x % shape.grid.y},
            {"ctaid.z", block / (shape.grid.x * shape.grid.y)},
            {"tid.x", index[0]},
            {"tid.y", index[1]},
            {"tid.z", index[2]}};
        most = std::max(most, *expr.evaluate([&](llvm::StringRef name) {
          return std::optional(values.lookup(name));
        }));
      }
      visit(most);
    }
}

TEST(IterationDomain, GuardOfOneDimensionMakesTwoPieces) {
  LaunchShape shape{{1'000'000, 1, 1}, {256, 1, 1}};
  auto domain = IterationDomain::create(
      shape, {}, parse("[256*ctaid.x + tid.x < 255999990]"));
  ASSERT_TRUE(domain);
  EXPECT_TRUE(domain->isExact());
  EXPECT_EQ(domain->pieces().size(), 2u);
  EXPECT_EQ(domain->warpExecutions(), 8e6);
  EXPECT_EQ(domain->laneExecutions(), 255999990);
}

// As the compiler writes tid.x % 3 in 16 bits: no thread comes near the 65,536
// turns that there might be.
TEST(IterationDomain, RemaindersInFewBitsAreBounds) {
  auto domain = IterationDomain::create(
      {{4, 1, 1}, {64, 1, 1}},
      {{"i0", parse("mod(tid.x - 3*floordiv(mod(tid.x, 65536), 3), 65536)")}},
      Expr(1));
  ASSERT_TRUE(domain);
  EXPECT_TRUE(domain->isExact());
  EXPECT_EQ(domain->range("i0"), (Interval{0, 1}));
  EXPECT_EQ(domain->laneExecutions(), 4 * (21 + 2 * 21));
}

// Of the threads, those that a guard lets through.
TEST(IterationDomain, RangesAreOfActiveThreads) {
  auto domain = IterationDomain::create(
      {{4, 1, 1}, {16, 8, 1}}, {}, parse("min([tid.x < 3], [tid.y >= 2])"));
  ASSERT_TRUE(domain);
  EXPECT_EQ(domain->range("tid.x"), (Interval{0, 2}));
  EXPECT_EQ(domain->range("tid.y"), (Interval{2, 7}));
  EXPECT_EQ(domain->range("tid.z"), (Interval{0, 0}));
}

TEST(LaunchShape, TheLargestGridHasItsWarps) {
  LaunchShape shape{{INT32_MAX, 65535, 65535}, {1024, 1, 1}};
  EXPECT_DOUBLE_EQ(shape.warps(), 32.0 * INT32_MAX * 65535 * 65535);
}

TEST(IterationDomain, HaloInThreeDimensionsStaysSmall) {
  LaunchShape shape{{16, 128, 512}, {32, 4, 1}};
  auto domain = IterationDomain::create(
      shape, {},
      parse("min([4 <= 32*ctaid.x + tid.x], [32*ctaid.x + tid.x < 508], "
            "[4 <= 4*ctaid.y + tid.y], [4*ctaid.y + tid.y < 508], "
            "[4 <= ctaid.z], [ctaid.z < 508])"));
  ASSERT_TRUE(domain);
  EXPECT_TRUE(domain->isExact());
  EXPECT_LE(domain->pieces().size(), 27u);
  EXPECT_EQ(domain->laneExecutions(), 504.0 * 504 * 504);
}

// Of 27 neighbours, in one loop, those inside of the grid: a box of blocks for
// each at most.
TEST(IterationDomain, BoxesAreNotCutMoreThanTheyDiffer) {
  auto domain = IterationDomain::create(
      {{64, 16, 8}, {128, 1, 1}}, {{"i0", Expr(27)}},
      parse("min([1 <= ctaid.x + mod(i0, 3)], [ctaid.x + mod(i0, 3) < 65], "
            "[1 <= ctaid.y + mod(floordiv(i0, 3), 3)], "
            "[ctaid.y + mod(floordiv(i0, 3), 3) < 17], "
            "[1 <= ctaid.z + floordiv(i0, 9)], "
            "[ctaid.z + floordiv(i0, 9) < 9])"));
  ASSERT_TRUE(domain);
  EXPECT_TRUE(domain->isExact());
  EXPECT_LE(domain->pieces().size(), 27u);
  EXPECT_EQ(domain->laneExecutions(),
            128.0 * (3 * 64 - 2) * (3 * 16 - 2) * (3 * 8 - 2));
}

TEST(IterationDomain, WarpRunsAsLongAsItsLongestLane) {
  LaunchShape shape{{1, 1, 1}, {64, 1, 1}};
  auto domain =
      IterationDomain::create(shape, {{"i0", parse("tid.x")}}, Expr(1));
  ASSERT_TRUE(domain);
  EXPECT_EQ(domain->warpExecutions(), 31 + 63);
  EXPECT_EQ(domain->laneExecutions(), 63 * 64 / 2);
}

// Elimination in a block: turn i0 is for the threads behind it, and shortens
// the loop inside.
TEST(IterationDomain, TrianglesUnderAGuardOfLanesAreExact) {
  LaunchShape shape{{7, 1, 1}, {32, 1, 1}};
  for (int64_t size : {5, 17, 31, 60}) {
    auto domain = IterationDomain::create(
        shape, {{"i0", Expr(size)}, {"i1", Expr(size) - Expr::symbol("i0")}},
        parse("[i0 < tid.x]"));
    ASSERT_TRUE(domain);
    double executions = 0, lanes = 0;
    for (int64_t turn = 0; turn < std::min<int64_t>(size, 31); ++turn) {
      executions += 7.0 * (size - turn);
      lanes += 7.0 * (size - turn) * (31 - turn);
    }
    EXPECT_TRUE(domain->isExact()) << size;
    EXPECT_EQ(domain->warpExecutions(), executions) << size;
    EXPECT_EQ(domain->laneExecutions(), lanes) << size;
  }
}

// One block goes around far more often than the others.
TEST(IterationDomain, ChoicesInTripCountsAreCutOut) {
  LaunchShape shape{{64, 1, 1}, {128, 1, 1}};
  auto domain = IterationDomain::create(
      shape, {{"i0", parse("99990*[ctaid.x == 7] + 10")}}, Expr(1));
  ASSERT_TRUE(domain);
  EXPECT_TRUE(domain->isExact());
  EXPECT_LE(domain->pieces().size(), 6u);
  EXPECT_EQ(domain->blockExecutions(), 63 * 10 + 100'000);
  std::array<int64_t, 3> seventh{7, 0, 0};
  EXPECT_EQ(domain->busiestBlock(), seventh);
  EXPECT_EQ(domain->blockExecutions(seventh), 100'000);
  EXPECT_EQ(domain->blockExecutions({8, 0, 0}), 10);
}

// Windows around each of many threads, which end at the array's ends.
TEST(IterationDomain, ClampedWindowsAreExact) {
  LaunchShape shape{{4096, 1, 1}, {256, 1, 1}};
  std::string first = "max(0, 256*ctaid.x + tid.x - 10)",
              last = "min(1048575, 256*ctaid.x + tid.x + 10)";
  auto domain = IterationDomain::create(
      shape, {{"i0", parse(last + " - " + first + " + 1")}},
      parse("[" + first + " <= " + last + "]"));
  ASSERT_TRUE(domain);
  EXPECT_TRUE(domain->isExact());
  // 10 + 9 + ... + 1 are missing at either end.
  EXPECT_EQ(domain->laneExecutions(), 21.0 * (1 << 20) - 110);
  EXPECT_EQ(domain->range("i0").high, 20);
}

TEST(IterationDomain, BlocksHaveTheirShares) {
  LaunchShape shape{{4, 3, 1}, {64, 2, 1}};
  auto domain =
      IterationDomain::create(shape, {{"i0", parse("ctaid.x + 2*ctaid.y")}},
                              parse("[tid.x < i0 + 40]"));
  ASSERT_TRUE(domain);
  ASSERT_TRUE(domain->isExact());
  double all = 0;
  for (int64_t y = 0; y < 3; ++y)
    for (int64_t x = 0; x < 4; ++x) {
      EXPECT_EQ(domain->blockExecutions({x, y, 0}), x + 2 * y);
      all += static_cast<double>(x + 2 * y);
    }
  EXPECT_EQ(domain->blockExecutions(), all);
  EXPECT_EQ(domain->blockExecutions(*domain->busiestBlock()), 3 + 2 * 2);
}

TEST(IterationDomain, RunsOfABlockAreThoseWithSomeWarp) {
  // A reduction in a block of 256: the first 4, 2, 1, 1 ... warps, 8 times.
  LaunchShape shape{{5, 1, 1}, {256, 1, 1}};
  Expr half = Expr::floorDiv(Expr(128), Expr::pow2(Expr::symbol("i0")));
  Expr takesPart = Expr::isLess(Expr::symbol("tid.x"), half);
  auto domain = IterationDomain::create(shape, {{"i0", Expr(8)}}, takesPart);
  ASSERT_TRUE(domain);
  EXPECT_EQ(domain->warpExecutions(), 5 * (4 + 2 + 6));
  EXPECT_EQ(domain->blockExecutions(), 5 * 8);
}

TEST(IterationDomain, LoopInsideIsCutAsWhatIsAround) {
  LaunchShape shape{{7, 3, 1}, {8, 4, 1}};
  for (const char *text :
       {"1", "[8*ctaid.x + tid.x + i0 < 41]", "[tid.y < i0]", "[i0 >= 5]"}) {
    auto around =
        IterationDomain::create(shape, {{"i0", Expr(5)}}, parse(text));
    auto whole = IterationDomain::create(
        shape, {{"i0", Expr(5)}, {"i1", Expr(9)}}, parse(text));
    ASSERT_TRUE(around && whole);
    IterationDomain made = around->withLoop("i1", 9);
    EXPECT_EQ(made.symbols(), whole->symbols());
    EXPECT_EQ(made.isExact(), whole->isExact());
    EXPECT_EQ(made.warpExecutions(), whole->warpExecutions()) << text;
    EXPECT_EQ(made.laneExecutions(), whole->laneExecutions()) << text;
    EXPECT_EQ(made.blockExecutions(), whole->blockExecutions()) << text;
    EXPECT_EQ(made.range("i1"), whole->range("i1")) << text;
    ASSERT_EQ(made.pieces().size(), whole->pieces().size()) << text;
    for (auto [piece, other] : llvm::zip(made.pieces(), whole->pieces())) {
      EXPECT_EQ(piece.box, other.box);
      EXPECT_EQ(piece.points, other.points);
      EXPECT_EQ(*piece.masks, *other.masks);
    }
  }
}

TEST(IterationDomain, UnboundedLoopHasNoDomain) {
  LaunchShape shape;
  EXPECT_FALSE(IterationDomain::create(shape, {{"i0", parse("arg0")}}, 1));
}

TEST(IterationDomain, NothingActiveIsEmpty) {
  LaunchShape shape{{4, 1, 1}, {128, 1, 1}};
  auto domain =
      IterationDomain::create(shape, {{"i0", Expr(0)}}, parse("[tid.x < 3]"));
  ASSERT_TRUE(domain);
  EXPECT_EQ(domain->warpExecutions(), 0);
  EXPECT_TRUE(domain->pieces().empty());
}

TEST(IterationDomain, GivesUpWithASampleAndSaysSo) {
  LaunchShape shape{{1'000'000, 1, 1}, {32, 1, 1}};
  auto domain = IterationDomain::create(shape, {},
                                        parse("[mod(ctaid.x*ctaid.x, 7) < 3]"));
  ASSERT_TRUE(domain);
  EXPECT_FALSE(domain->isExact());
  // Squares modulo 7 are 0, 1, 2 or 4: 0 (1 of 7), 1 (2 of 7), 2 (2 of 7).
  EXPECT_NEAR(domain->warpExecutions(), 5e6 / 7, 1e5);
}

TEST(IterationDomain, ConditionsWithoutAValueAreNotExact) {
  LaunchShape shape{{4, 1, 1}, {32, 1, 1}};
  auto domain =
      IterationDomain::create(shape, {}, parse("[floordiv(64, tid.x) > 3]"));
  ASSERT_TRUE(domain);
  EXPECT_FALSE(domain->isExact());
  EXPECT_EQ(domain->laneExecutions(), 4 * 16); // 1 to 16, thread 0 is left out
  // Who is off before does not count.
  domain = IterationDomain::create(
      shape, {}, parse("min([tid.x > 0], [floordiv(64, tid.x) > 3])"));
  ASSERT_TRUE(domain);
  EXPECT_TRUE(domain->isExact());
}

// Rows of 1024 points, 8 blocks each: points up to the diagonal of a square.
TEST(IterationDomain, SamplesDoNotFallIntoStepWithRows) {
  LaunchShape shape{{1 << 20, 1, 1}, {128, 1, 1}};
  auto domain = IterationDomain::create(
      shape, {},
      parse("[mod(128*ctaid.x + tid.x, 1024) < "
            "mod(floordiv(128*ctaid.x + tid.x, 1024), 1024) + 1]"));
  ASSERT_TRUE(domain);
  EXPECT_FALSE(domain->isExact());
  double threads = 128.0 * (1 << 20);
  EXPECT_NEAR(domain->laneExecutions() / threads, 0.5005, 0.01);
}

// Windows of a pooling, whose ends hang on the row of the thread, so that they
// are few turns of the many that each end alone has room for: as many for
// thousands of images as for one.
TEST(IterationDomain, SamplesFindTheFewTurnsThereAre) {
  constexpr int side = 224, threads = 256, images = 1024;
  constexpr int blocks = side * side / threads;
  Expr row = parse("floordiv(256*ctaid.x + tid.x, 224) - "
                   "224*floordiv(floordiv(256*ctaid.x + tid.x, 224), 224)");
  Expr isInside = Expr::isLess(10, row);
  DomainLoop loop{"i0", Expr::min(Expr::floorDiv(row, 4) + 1, 54) -
                            isInside * (Expr::floorDiv(row - 11, 4) + 1)};
  auto turnsOf = [&](int64_t grid) {
    LaunchShape shape{{grid, 1, 1}, {threads, 1, 1}};
    auto domain = IterationDomain::create(shape, {loop}, 1);
    EXPECT_TRUE(domain);
    EXPECT_EQ(domain->isExact(), grid == blocks);
    return domain->laneExecutions() / static_cast<double>(grid * threads);
  };
  double sum = 0;
  for (int y = 0; y < side; ++y)
    sum += std::min(y / 4 + 1, 54) - (y > 10 ? (y - 11) / 4 + 1 : 0);
  EXPECT_NEAR(turnsOf(blocks), sum / side, 1e-9);
  EXPECT_NEAR(turnsOf(blocks * images), sum / side, 0.2);
}

// As indices of 32 bits that are extended: a remainder that never wraps.
TEST(IterationDomain, RemaindersThatItDecidesAreNone) {
  LaunchShape shape{{1 << 20, 1, 1}, {32, 1, 1}};
  auto domain = IterationDomain::create(shape, {}, parse("[ctaid.x < 100000]"));
  EXPECT_EQ(domain->simplify(parse(
                "4*mod(33*ctaid.x + tid.x + 4194304, 8388608) - 16777216")),
            parse("132*ctaid.x + 4*tid.x"));
  // One that wraps cannot be left out, nor one of what is not known.
  for (llvm::StringRef kept :
       {"4*mod(33*ctaid.x + tid.x, 1048576)", "4*mod(arg0 + tid.x, 64)"})
    EXPECT_EQ(domain->simplify(parse(kept)), parse(kept));
}

// A warp of which some lane does t turns does t / size groups of them.
TEST(IterationDomainProperty, GroupsOfTurnsAreWhole) {
  RandomKernel make(11);
  for (unsigned round = 0; round < 100; ++round) {
    LaunchShape shape = make.shape();
    Expr trips =
        Expr::max(Expr(0), Expr::min(Expr(make.number(1, 9)),
                                     make.affine(make.symbols({}), 2)));
    auto domain = IterationDomain::create(shape, {{"i0", trips}}, Expr(1));
    ASSERT_TRUE(domain && domain->isExact());
    std::vector<int64_t> turns;
    forEachWarp(shape, trips, [&](int64_t most) { turns.push_back(most); });
    for (int64_t size : {1, 2, 4, 7}) {
      int64_t groups = 0;
      for (int64_t most : turns)
        groups += most / size;
      EXPECT_EQ(domain->groupsOfTurns("i0", size), groups) << trips.str();
    }
  }
  EXPECT_EQ(IterationDomain::create({}, {}, Expr(1))->groupsOfTurns("i0", 2),
            std::nullopt);
}

TEST(IterationDomainProperty, EqualsEnumeration) {
  RandomKernel make(11);
  for (int round = 0; round < 400; ++round) {
    LaunchShape shape = make.shape();
    std::vector<DomainLoop> loops = make.loops();
    Expr condition = make.condition(loops);
    auto domain = IterationDomain::create(shape, loops, condition);
    ASSERT_TRUE(domain);
    double warps = 0, lanes = 0;
    forEachRequest(shape, loops, condition, Expr(0),
                   [&](uint32_t mask, const auto &) {
                     ++warps;
                     lanes += llvm::popcount(mask);
                   });
    ASSERT_TRUE(domain->isExact()) << condition.str();
    EXPECT_EQ(domain->warpExecutions(), warps) << condition.str();
    EXPECT_EQ(domain->laneExecutions(), lanes) << condition.str();
  }
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/RequestCounts.h"
#include "BruteForce.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace auspex;
using namespace auspex::test;

namespace {

RequestCounts countWarp(llvm::StringRef offset, unsigned bytesPerLane) {
  LaunchShape shape{{1, 1, 1}, {32, 1, 1}};
  auto domain = IterationDomain::create(shape, {}, Expr(1));
  return *countRequests(*domain, parse(offset), bytesPerLane, {});
}

TEST(RequestCounts, Sectors) {
  EXPECT_EQ(countWarp("4*tid.x", 4).sectors, 4);
  EXPECT_EQ(countWarp("4*tid.x + 4", 4).sectors, 5);
  EXPECT_EQ(countWarp("0", 4).sectors, 1);
  EXPECT_EQ(countWarp("128*tid.x", 4).sectors, 32);
  EXPECT_EQ(countWarp("16*tid.x", 16).sectors, 16);
  EXPECT_EQ(countWarp("-4*tid.x", 4).sectors, 5);
  EXPECT_EQ(countWarp("4*tid.x", 4).fewestSectors, 4);
  EXPECT_EQ(countWarp("4096*tid.x", 4).lines, 32);
}

TEST(RequestCounts, StridedCopiesOfEveryWidth) {
  for (unsigned bytes : {4, 8, 16})
    for (int64_t stride = 1; stride <= 33; ++stride) {
      std::set<int64_t> sectors;
      for (int64_t lane = 0; lane < 32; ++lane)
        for (unsigned byte = 0; byte < bytes; ++byte)
          sectors.insert((lane * stride * bytes + byte) / 32);
      Expr offset = Expr(stride * bytes) * Expr::symbol("tid.x");
      EXPECT_EQ(countWarp(offset.str(), bytes).sectors, sectors.size());
    }
}

TEST(RequestCounts, BankPasses) {
  EXPECT_EQ(countWarp("4*tid.x", 4).bankPasses, 1);
  EXPECT_EQ(countWarp("128*tid.x", 4).bankPasses, 32);
  EXPECT_EQ(countWarp("132*tid.x", 4).bankPasses, 1) << "padded";
  EXPECT_EQ(countWarp("8*tid.x", 4).bankPasses, 2);
  EXPECT_EQ(countWarp("0", 4).bankPasses, 1) << "broadcast";
  EXPECT_EQ(countWarp("8*tid.x", 8).bankPasses, 2) << "two halves";
  EXPECT_EQ(countWarp("16*tid.x", 16).bankPasses, 4) << "four quarters";
  EXPECT_EQ(countWarp("tid.x", 1).bankPasses, 1);
  EXPECT_EQ(countWarp("0", 8).bankPasses, 1) << "two halves that agree";
  EXPECT_EQ(countWarp("0", 16).bankPasses, 2) << "quarters that agree";
  EXPECT_EQ(countWarp("0", 16).fewestBankPasses, 2);
  EXPECT_EQ(countWarp("8*floordiv(tid.x, 2)", 8).bankPasses, 1);
  EXPECT_EQ(countWarp("16*mod(tid.x, 2)", 16).bankPasses, 2) << "after next";
  EXPECT_EQ(countWarp("16*floordiv(tid.x, 8)", 16).bankPasses, 2);
  EXPECT_EQ(countWarp("16*mod(tid.x, 8)", 16).bankPasses, 4) << "no pairs";
  EXPECT_EQ(countWarp("128*floordiv(tid.x, 2)", 8).bankPasses, 16)
      << "served together, on one bank";
  EXPECT_EQ(countWarp("8*tid.x", 8).fewestBankPasses, 2);
}

TEST(RequestCounts, SameAddress) {
  EXPECT_EQ(countWarp("0", 4).sameAddress, 32);
  EXPECT_EQ(countWarp("4*mod(tid.x, 8)", 4).sameAddress, 4);
}

TEST(RequestCounts, LanesOnBank) {
  EXPECT_EQ(countWarp("4*tid.x", 4).lanesOnBank, 1);
  EXPECT_EQ(countWarp("0", 4).lanesOnBank, 32) << "no broadcast";
  EXPECT_EQ(countWarp("8*tid.x", 4).lanesOnBank, 2);
  EXPECT_EQ(countWarp("128*mod(tid.x, 2)", 4).lanesOnBank, 32) << "two words";
  EXPECT_EQ(countWarp("8*tid.x", 8).lanesOnBank, 2) << "two halves";
  EXPECT_EQ(countWarp("8*mod(tid.x, 8)", 8).lanesOnBank, 4);
  EXPECT_EQ(countWarp("0", 8).lanesOnBank, 32);
}

double l1Cycles(L1Rule rule, llvm::StringRef offset, unsigned bytesPerLane) {
  LaunchShape shape{{1, 1, 1}, {32, 1, 1}};
  auto domain = IterationDomain::create(shape, {}, Expr(1));
  MemoryGranularity granularity;
  granularity.l1Rule = rule;
  return countRequests(*domain, parse(offset), bytesPerLane, granularity)
      ->l1Cycles;
}

// A quarter of the lines and three more, of more than two lines, or the passes
// through the banks.
TEST(RequestCounts, L1CyclesByTags) {
  auto cycles = [](llvm::StringRef offset, unsigned bytes) {
    return l1Cycles(L1Rule::Tags, offset, bytes);
  };
  EXPECT_EQ(cycles("0", 4), 1);
  EXPECT_EQ(cycles("4*tid.x", 4), 1);
  EXPECT_EQ(cycles("4*tid.x + 4", 4), 1) << "one pass, two lines";
  EXPECT_EQ(cycles("12*tid.x", 4), (3 + 3) / 4.0) << "one pass, three lines";
  EXPECT_EQ(cycles("8*tid.x", 4), 2) << "two passes, two lines";
  EXPECT_EQ(cycles("132*tid.x", 4), (32 + 3) / 4.0) << "one pass";
  EXPECT_EQ(cycles("128*tid.x", 4), 32) << "one bank";
  EXPECT_EQ(cycles("8*tid.x", 8), 2) << "a pass a half, two lines";
  EXPECT_EQ(cycles("24*tid.x", 8), (6 + 3) / 4.0);
}

// Every half warp by itself where elements have 8 bytes.
TEST(RequestCounts, L1CyclesByWindows) {
  auto cycles = [](llvm::StringRef offset, unsigned bytes) {
    return l1Cycles(L1Rule::Windows, offset, bytes);
  };
  EXPECT_EQ(cycles("8*tid.x", 8), 1 + 1);
  EXPECT_EQ(cycles("64*tid.x", 8), 8 + 8) << "two banks of 16, a window";
  EXPECT_EQ(cycles("72*tid.x", 8), 2 + 2) << "all banks, 1088 bytes";
  EXPECT_EQ(cycles("1032*tid.x", 8), 16 + 16) << "all banks, 16 windows";
  EXPECT_EQ(cycles("8*tid.x + 960", 8), 2 + 1) << "across a window's end";
  EXPECT_EQ(cycles("4*tid.x", 4), 1) << "one group of 32 lanes";
  EXPECT_EQ(cycles("36*tid.x", 4), 2) << "all banks, 1120 bytes";
  EXPECT_EQ(cycles("128*tid.x", 4), 32);
}

TEST(RequestCounts, L1CyclesByLines) {
  auto cycles = [](llvm::StringRef offset, unsigned bytes) {
    return l1Cycles(L1Rule::Lines, offset, bytes);
  };
  EXPECT_EQ(cycles("4*tid.x", 4), 1);
  EXPECT_EQ(cycles("12*tid.x", 4), 3);
  EXPECT_EQ(cycles("132*tid.x", 4), 32);
  EXPECT_EQ(cycles("4*tid.x + 64", 4), 2) << "one pass";
  EXPECT_EQ(cycles("8*tid.x", 8), 2);
}

// What is linear in the block index needs no look at every block, whatever the
// offset is in a loop counter.
TEST(RequestCounts, OnlyWhatIsNotLinearIsEnumerated) {
  LaunchShape shape{{1 << 20, 1, 1}, {32, 1, 1}};
  auto domain = IterationDomain::create(shape, {{"i0", Expr(5)}}, Expr(1));
  auto counts =
      countRequests(*domain, parse("128*ctaid.x + 4*tid.x*pow2(i0)"), 4, {});
  ASSERT_TRUE(counts);
  EXPECT_TRUE(counts->exact);
  EXPECT_EQ(counts->requests, 5.0 * (1 << 20));
  EXPECT_EQ(counts->sectors, (4 + 8 + 16 + 32 + 32.0) * (1 << 20));
  EXPECT_EQ(counts->bankPasses, (1 + 2 + 4 + 8 + 16.0) * (1 << 20));
}

// Nor does what repeats itself from block to block: of more blocks and
// iterations than are looked at, all count.
TEST(RequestCounts, OnePeriodStandsForAll) {
  LaunchShape shape{{1 << 20, 1, 1}, {32, 1, 1}};
  auto domain = IterationDomain::create(shape, {{"i0", Expr(6000)}}, Expr(1));
  auto counts = countRequests(
      *domain, parse("4*mod(256*ctaid.x + i0 + tid.x, 32) + 128*i0"), 4, {});
  ASSERT_TRUE(counts);
  EXPECT_TRUE(counts->exact);
  EXPECT_EQ(counts->requests, 6000.0 * (1 << 20));
  EXPECT_EQ(counts->lines, counts->requests);
}

// Of a domain in thousands of pieces so many points are looked at as of one
// piece, and they stand for all.
TEST(RequestCounts, ManyPiecesShareTheirSamples) {
  constexpr int64_t Blocks = 4000;
  LaunchShape shape{{Blocks, 1, 1}, {32, 1, 1}};
  auto domain = IterationDomain::create(
      shape, {{"i0", parse("ctaid.x")}, {"i1", Expr(4000)}}, Expr(1));
  ASSERT_GT(domain->pieces().size(), 1000u);
  auto counts = countRequests(
      *domain, parse("4*tid.x + 4*mod(i0 * i1 + i1 * i1, 7919)"), 4, {});
  ASSERT_TRUE(counts);
  EXPECT_FALSE(counts->exact);
  double requests = 4000.0 * Blocks * (Blocks - 1) / 2;
  EXPECT_NEAR(counts->requests, requests, 1e-9 * requests);
  EXPECT_NEAR(counts->sectors, (4 + 7 / 8.0) * requests, 0.01 * requests);
}

// A row of 224 does not divide the pieces, and a sample stands for more or
// fewer of its periods.
TEST(RequestCounts, SamplesStandForAllPoints) {
  LaunchShape shape{{12544, 1, 1}, {256, 1, 1}};
  for (int64_t width : {224, 1000, 4099}) {
    std::string index = "(256*ctaid.x + tid.x)", row = std::to_string(width);
    auto domain = IterationDomain::create(
        shape, {{"i0", Expr(3)}},
        parse("[i0 + mod(" + index + ", " + row + ") >= 1]"));
    ASSERT_TRUE(domain);
    auto counts = countRequests(*domain,
                                parse("4*mod(" + index + ", " + row +
                                      ") + 4*i0 + 1000*floordiv(" + index +
                                      ", " + row + ")"),
                                4, {});
    ASSERT_TRUE(counts);
    EXPECT_NEAR(counts->requests / domain->warpExecutions(), 1, 1e-9);
    EXPECT_NEAR(counts->lanes / domain->laneExecutions(), 1, 1e-9);
  }
}

// At the edges of an image bounds matter, inside it they do not: of millions of
// blocks all count.
TEST(RequestCounts, BoundsMatterAtEdgesAlone) {
  constexpr int64_t Blocks = 4096;
  LaunchShape shape{{Blocks, Blocks, 1}, {16, 16, 1}};
  auto domain = IterationDomain::create(shape, {}, Expr(1));
  auto counts =
      countRequests(*domain,
                    parse("4*min(max(16*ctaid.x + tid.x - 1, 0), 65535) + "
                          "262144*mod(16*ctaid.y + tid.y + 1, 65536)"),
                    4, {});
  ASSERT_TRUE(counts);
  EXPECT_TRUE(counts->exact);
  double warps = Blocks * 8.0 * Blocks;
  EXPECT_EQ(counts->requests, warps);
  // Two rows of 16 words, one before a sector begins: 3 sectors each, but 2
  // where a row begins.
  EXPECT_EQ(counts->sectors, 6 * warps - 2 * (warps / Blocks));
}

TEST(RequestCounts, UnknownSymbolsAreRefused) {
  auto domain = IterationDomain::create({}, {}, Expr(1));
  EXPECT_FALSE(countRequests(*domain, parse("4*arg3"), 4, {}));
  EXPECT_FALSE(countRequests(*domain, Expr::invalid(), 4, {}));
}

/// The first lane of those served together with \p lane: 16 lanes of 8 bytes
/// and 8 of 16, twice as many where all have the address of a neighbour.
static int servedWith(int lane, uint32_t mask,
                      const std::array<int64_t, 32> &offsets, unsigned bytes) {
  int group = 32 / std::max(1u, bytes / 4), pair = 2 * group;
  if (pair > 32)
    return 0;
  int first = lane / pair * pair;
  for (int distance : {1, 2}) {
    bool agree = true;
    for (int i = first; i < first + pair; ++i)
      if ((mask >> i & 1) && (mask >> (i ^ distance) & 1))
        agree &= offsets[i] == offsets[i ^ distance];
    if (agree)
      return first;
  }
  return lane / group * group;
}

TEST(RequestCountsProperty, EqualsEnumeration) {
  RandomKernel make(5);
  for (int round = 0; round < 300; ++round) {
    LaunchShape shape = make.shape();
    std::vector<DomainLoop> loops = make.loops();
    Expr condition = make.condition(loops);
    Expr offset = make.offset(loops);
    unsigned bytes = make.pick<int64_t>({1, 2, 4, 8, 16});
    auto domain = IterationDomain::create(shape, loops, condition);
    ASSERT_TRUE(domain);
    auto counts = countRequests(*domain, offset, bytes, {});
    ASSERT_TRUE(counts);
    double requests = 0, sectors = 0, lines = 0, same = 0, onBank = 0;
    forEachRequest(shape, loops, condition, offset,
                   [&](uint32_t mask, const std::array<int64_t, 32> &offsets) {
                     ++requests;
                     std::set<int64_t> sectorSet, lineSet;
                     std::map<int64_t, int> lanesAt;
                     int most = 0;
                     std::map<std::pair<int, int64_t>, int> lanesOn;
                     std::map<int, int> mostOf;
                     for (int lane = 0; lane < 32; ++lane) {
                       if (!(mask >> lane & 1))
                         continue;
                       most = std::max(most, ++lanesAt[offsets[lane]]);
                       int64_t bank = floorMod(floorDiv(offsets[lane], 4), 32);
                       int served = servedWith(lane, mask, offsets, bytes);
                       mostOf[served] =
                           std::max(mostOf[served], ++lanesOn[{served, bank}]);
                       for (unsigned byte = 0; byte < bytes; ++byte) {
                         sectorSet.insert(floorDiv(offsets[lane] + byte, 32));
                         lineSet.insert(floorDiv(offsets[lane] + byte, 128));
                       }
                     }
                     sectors += sectorSet.size();
                     lines += lineSet.size();
                     same += most;
                     for (auto [served, lanes] : mostOf)
                       onBank += lanes;
                   });
    ASSERT_TRUE(counts->exact);
    EXPECT_EQ(counts->requests, requests);
    EXPECT_EQ(counts->sectors, sectors) << offset.str();
    EXPECT_EQ(counts->lines, lines) << offset.str();
    EXPECT_EQ(counts->sameAddress, same) << offset.str();
    EXPECT_EQ(counts->lanesOnBank, onBank) << offset.str();
  }
}

TEST(RequestCountsProperty, PeriodsEqualEnumeration) {
  RandomKernel make(7);
  for (int round = 0; round < 12; ++round) {
    LaunchShape shape{{make.number(4097, 5000), 1, 1}, {32, 1, 1}};
    auto linear = [&] { return make.affine({"tid.x", "ctaid.x"}, 40); };
    // Of which the least common multiple is less than the samples.
    auto divisor = [&] { return Expr(make.number(2, 8)); };
    Expr offset = Expr(4) * Expr::mod(linear(), divisor()) +
                  Expr(4) * Expr::floorDiv(linear(), divisor());
    if (round % 3 == 0)
      offset = offset + Expr(8) * Expr::mod(Expr::floorDiv(linear(), divisor()),
                                            divisor());
    if (round % 3 == 1)
      offset = offset + Expr(4) * Expr::bitXor(Expr::symbol("tid.x"),
                                               Expr::mod(linear(), 8));
    auto domain = IterationDomain::create(shape, {}, Expr(1));
    RequestCounts expected;
    forEachRequest(shape, {}, Expr(1), offset,
                   [&](uint32_t mask, const std::array<int64_t, 32> &offsets) {
                     expected.add(countRequest(offsets, mask, 4, {}), 1);
                   });
    auto counts = countRequests(*domain, offset, 4, {});
    EXPECT_TRUE(counts == expected) << offset.str();
  }
}

TEST(RequestCountsProperty, BoundsEqualEnumeration) {
  RandomKernel make(11);
  for (int round = 0; round < 150; ++round) {
    LaunchShape shape{{make.number(1, 40), make.number(1, 6), 1},
                      {make.number(1, 20), make.number(1, 4), 1}};
    std::vector<DomainLoop> loops = make.loops();
    std::vector<std::string> symbols = {"tid.x", "tid.y", "ctaid.x", "ctaid.y"};
    for (const DomainLoop &loop : loops)
      symbols.push_back(loop.counter);
    auto linear = [&] { return make.affine(symbols, 20); };
    auto bounded = [&]() -> Expr {
      Expr low(make.number(-50, 50)), high(make.number(0, 400));
      switch (make.number(0, 4)) {
      case 0:
        return Expr::min(Expr::max(linear(), low), high);
      case 1:
        return Expr::mod(linear(), Expr(make.number(100, 900)));
      case 2:
        return Expr::select(Expr::isLess(linear(), high), linear(), low);
      case 3:
        return Expr::select(Expr::isEqual(linear(), high), low, linear());
      default:
        return Expr::max(linear(), linear());
      }
    };
    Expr offset = Expr(4) * bounded() + Expr(make.number(1, 60)) * bounded();
    Expr condition = make.condition(loops);
    auto domain = IterationDomain::create(shape, loops, condition);
    RequestCounts expected;
    forEachRequest(shape, loops, condition, offset,
                   [&](uint32_t mask, const std::array<int64_t, 32> &offsets) {
                     expected.add(countRequest(offsets, mask, 4, {}), 1);
                   });
    auto counts = countRequests(*domain, offset, 4, {});
    ASSERT_TRUE(counts);
    if (counts->exact)
      EXPECT_TRUE(*counts == expected) << offset.str();
    EXPECT_EQ(counts->requests, expected.requests) << offset.str();
  }
}

// Accesses that differ by a constant, aligned or not, by every rule.
TEST(RequestCountsProperty, FamiliesEqualTheirAccesses) {
  RandomKernel make(6);
  for (int round = 0; round < 40; ++round) {
    LaunchShape shape = make.shape();
    std::vector<DomainLoop> loops = make.loops();
    Expr condition = make.condition(loops);
    Expr offset = make.offset(loops);
    unsigned bytes = make.pick<int64_t>({1, 2, 4, 8, 16});
    MemoryGranularity granularity;
    granularity.l1Rule =
        make.pick<L1Rule>({L1Rule::Lines, L1Rule::Windows, L1Rule::Tags});
    auto domain = IterationDomain::create(shape, loops, condition);
    ASSERT_TRUE(domain);
    RequestFamily family(*domain, offset, bytes, granularity);
    for (int access = 0; access < 3; ++access) {
      int64_t constant = make.number(-300, 300) * make.pick<int64_t>({1, 4, 8});
      RequestCounts expected;
      forEachRequest(
          shape, loops, condition, offset + Expr(constant),
          [&](uint32_t mask, const std::array<int64_t, 32> &offsets) {
            expected.add(countRequest(offsets, mask, bytes, granularity), 1);
          });
      // The family of another one of them gives the same.
      int64_t by = access * 20;
      auto counts = family.movedBy(by).countsAt(constant - by);
      ASSERT_TRUE(counts);
      std::string what = offset.str() + " at " + std::to_string(constant);
      EXPECT_EQ(counts->requests, expected.requests) << what;
      EXPECT_EQ(counts->lanes, expected.lanes) << what;
      EXPECT_EQ(counts->sectors, expected.sectors) << what;
      EXPECT_EQ(counts->lines, expected.lines) << what;
      EXPECT_EQ(counts->fewestSectors, expected.fewestSectors) << what;
      EXPECT_EQ(counts->bankPasses, expected.bankPasses) << what;
      EXPECT_EQ(counts->l1Cycles, expected.l1Cycles) << what;
      EXPECT_EQ(counts->sameAddress, expected.sameAddress) << what;
      EXPECT_EQ(counts->lanesOnBank, expected.lanesOnBank) << what;
    }
  }
}

} // namespace

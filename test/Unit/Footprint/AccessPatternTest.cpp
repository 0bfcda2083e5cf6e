// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/AccessPattern.h"
#include "BruteForce.h"

#include "gtest/gtest.h"

#include <set>

using namespace auspex;
using namespace auspex::test;

namespace {

struct Case {
  LaunchShape shape;
  std::vector<DomainLoop> loops;
  Expr condition, offset;
  unsigned bytes = 4;

  std::optional<AccessPattern> pattern() const {
    auto domain = IterationDomain::create(shape, loops, condition);
    if (!domain)
      return std::nullopt;
    return AccessPattern::create(
        std::make_shared<const AccessDomain>(
            std::make_shared<const IterationDomain>(std::move(*domain)), loops,
            condition),
        offset, bytes);
  }

  std::string str() const {
    std::string text = shape.grid.str() + " of " + shape.block.str() + ", if " +
                       condition.str() + ": " + offset.str();
    for (const DomainLoop &loop : loops)
      text += ", " + loop.counter + " < " + loop.tripCount.str();
    return text;
  }
};

/// Some blocks, in launch order.
struct Part {
  int64_t first = 0, count = 0;

  std::string str() const {
    return "blocks " + std::to_string(first) + " + " + std::to_string(count);
  }
};

/// The sectors that some blocks touch in some iterations, one by one.
std::set<int64_t> sectorsOf(const Case &kernel, Part part,
                            llvm::ArrayRef<Interval> iterations) {
  std::set<int64_t> sectors;
  const LaunchShape &shape = kernel.shape;
  llvm::StringMap<int64_t> values;
  auto value = [&](llvm::StringRef name) -> std::optional<int64_t> {
    return values.lookup(name);
  };
  std::function<void(size_t)> visit = [&](size_t loop) {
    if (loop < kernel.loops.size()) {
      int64_t trips = *kernel.loops[loop].tripCount.evaluate(value);
      for (int64_t i = 0; i < trips; ++i) {
        values[kernel.loops[loop].counter] = i;
        if (iterations[loop].contains(i))
          visit(loop + 1);
      }
      return;
    }
    if (*kernel.condition.evaluate(value) == 0)
      return;
    int64_t at = *kernel.offset.evaluate(value);
    for (unsigned byte = 0; byte < kernel.bytes; ++byte)
      sectors.insert(floorDiv(at + byte, 32));
  };
  for (int64_t block = part.first;
       block < std::min(part.first + part.count, shape.grid.count()); ++block)
    for (int64_t thread = 0; thread < shape.block.count(); ++thread) {
      values["ctaid.x"] = block % shape.grid.x;
      values["ctaid.y"] = block / shape.grid.x % shape.grid.y;
      values["ctaid.z"] = block / (shape.grid.x * shape.grid.y);
      auto index = shape.threadIndex(thread);
      values["tid.x"] = index[0];
      values["tid.y"] = index[1];
      values["tid.z"] = index[2];
      visit(0);
    }
  return sectors;
}

std::optional<int64_t> countSectors(const AccessPattern &pattern,
                                    const LaunchShape &shape, Part part,
                                    llvm::ArrayRef<Interval> iterations) {
  AddressSet set;
  for (const BlockBox &blocks :
       blocksInOrder(shape.grid, part.first, part.count))
    if (!pattern.append(blocks, iterations, set))
      return std::nullopt;
  return countUnits(set, 32);
}

Part randomPart(RandomKernel &make, const LaunchShape &shape) {
  int64_t blocks = shape.grid.count();
  return {make.number(0, blocks - 1), make.number(1, blocks)};
}

/// What is counted, if it is, has to be what is enumerated; \p counted is how
/// often that was so.
void checkCount(const AccessPattern &pattern, const Case &kernel, Part part,
                llvm::ArrayRef<Interval> iterations, unsigned &counted) {
  auto sectors = countSectors(pattern, kernel.shape, part, iterations);
  if (!sectors)
    return;
  ++counted;
  ASSERT_EQ(*sectors,
            static_cast<int64_t>(sectorsOf(kernel, part, iterations).size()))
      << kernel.str() << "; " << part.str();
}

TEST(AccessPattern, BlocksInLaunchOrder) {
  Dim3 grid{4, 3, 5};
  for (int64_t first = -2; first < 62; ++first)
    for (int64_t count = 0; count < 64; ++count) {
      auto boxes = blocksInOrder(grid, first, count);
      EXPECT_LE(boxes.size(), 5u);
      std::set<int64_t> numbers;
      size_t total = 0;
      for (const BlockBox &box : boxes)
        for (int64_t z = box[2].low; z <= box[2].high; ++z)
          for (int64_t y = box[1].low; y <= box[1].high; ++y)
            for (int64_t x = box[0].low; x <= box[0].high; ++x, ++total)
              numbers.insert(x + grid.x * (y + grid.y * z));
      int64_t low = std::max<int64_t>(first, 0);
      int64_t high = std::min<int64_t>(first + count, 60);
      ASSERT_EQ(total, numbers.size()) << "disjoint";
      ASSERT_EQ(static_cast<int64_t>(total), std::max<int64_t>(0, high - low));
      if (total > 0) {
        ASSERT_EQ(*numbers.begin(), low);
        ASSERT_EQ(*numbers.rbegin(), high - 1);
      }
    }
}

TEST(AccessPattern, GuardsOnGlobalCoordinatesNeedNoLookAtThreads) {
  Case stencil{{{1 << 20, 1 << 10, 1}, {256, 4, 1}},
               {},
               parse("min([256*ctaid.x + tid.x >= 5], "
                     "[256*ctaid.x + tid.x < 268435450], "
                     "[4*ctaid.y + tid.y < 4000])"),
               parse("1024*ctaid.x + 4*tid.x + 8589934592*ctaid.y + "
                     "2147483648*tid.y"),
               4};
  auto pattern = stencil.pattern();
  ASSERT_TRUE(pattern);
  EXPECT_EQ(countSectors(*pattern, stencil.shape, {0, int64_t(1) << 30}, {}),
            4000 * ((int64_t(268435450) * 4 + 31) / 32));
}

// By the sanitizers: the address itself does not fit 64 bits.
TEST(AccessPattern, AddressesBeyondTheRangeOfNumbersAreNotCounted) {
  int64_t stride = int64_t(1) << 55;
  Case far{{{1000, 1, 1}, {32, 1, 1}},
           {},
           Expr(1),
           Expr::symbol("ctaid.x") * Expr(stride) +
               Expr::symbol("tid.x") * Expr(4)};
  auto pattern = far.pattern();
  ASSERT_TRUE(pattern);
  EXPECT_EQ(countSectors(*pattern, far.shape, {0, 1}, {}), 4);
  EXPECT_EQ(countSectors(*pattern, far.shape, {900, 1}, {}), std::nullopt);
}

// What is too far apart for a linear offset begins where it begins.
TEST(AccessPattern, RowsFarApartBeginWhereTheyBegin) {
  Case far{{{1, 1, 1}, {32, 2, 1}},
           {},
           Expr(1),
           Expr::symbol("tid.y") * Expr(int64_t(1) << 55) +
               Expr::symbol("tid.x") * Expr(4) + Expr(16)};
  auto pattern = far.pattern();
  ASSERT_TRUE(pattern);
  EXPECT_EQ(countSectors(*pattern, far.shape, {0, 1}, {}), 10);
}

TEST(AccessPattern, EqualsEnumeration) {
  RandomKernel make(3);
  unsigned counted = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Case kernel;
    kernel.shape = make.shape();
    kernel.loops = make.loops();
    kernel.condition = make.condition(kernel.loops);
    kernel.offset = make.offset(kernel.loops);
    kernel.bytes = 1u << make.number(0, 4);
    auto pattern = kernel.pattern();
    if (!pattern)
      continue;
    Part part = randomPart(make, kernel.shape);
    std::vector<Interval> iterations;
    for (size_t i = 0; i < kernel.loops.size(); ++i) {
      int64_t low = make.number(0, 3);
      iterations.push_back({low, make.number(low, 12)});
    }
    ASSERT_NO_FATAL_FAILURE(
        checkCount(*pattern, kernel, part, iterations, counted));
  }
  EXPECT_GT(counted, 2500u);
}

// Of two arrays that are chosen between, by row and by thread.
TEST(AccessPattern, OffsetsThatChooseAreTwo) {
  RandomKernel random(11);
  for (int i = 0; i < 100; ++i) {
    Case kernel;
    kernel.shape = {{random.number(60, 90), 1, 1}, {128, 1, 1}};
    std::string index = "(128*ctaid.x + tid.x)";
    int64_t period = random.number(2, 6), border = random.number(0, 12000);
    std::string choice =
        random.number(0, 1)
            ? "[mod(" + index + ", " + std::to_string(period) + ") == 0]"
            : "[" + index + " < " + std::to_string(border) + "]";
    kernel.offset = parse("12*" + index + " + 1048576*" + choice + " - 8*" +
                          index + "*" + choice);
    auto pattern = kernel.pattern();
    ASSERT_TRUE(pattern) << kernel.str();
    Part part = randomPart(random, kernel.shape);
    ASSERT_EQ(countSectors(*pattern, kernel.shape, part, {}),
              static_cast<int64_t>(sectorsOf(kernel, part, {}).size()))
        << kernel.str() << "; " << part.str();
  }
}

// Indices that are kept within bounds, in loops of any length, as rows and as
// columns.
TEST(AccessPattern, ClampedIndicesEqualEnumeration) {
  RandomKernel random(17);
  unsigned counted = 0;
  for (int i = 0; i < 200; ++i) {
    Case kernel;
    kernel.shape = {{random.number(1, 6), random.number(1, 3), 1},
                    {random.number(1, 40), random.number(1, 4), 1}};
    int64_t trips = random.number(1, 300), width = random.number(1, 200);
    kernel.loops = {{"i0", Expr(trips)}};
    std::string reach = std::to_string(random.number(0, 20));
    // Steps of loops may leave gaps.
    std::string x = std::to_string(random.number(1, 60)) + "*i0 + " +
                    std::to_string(random.number(0, 2)) + "*tid.x + " +
                    std::to_string(random.number(0, 40)) + "*ctaid.x - " +
                    reach;
    std::string row =
        "max(0, min(" + std::to_string(width - 1) + ", " + x + "))";
    std::string column = "min(" + std::to_string(random.number(0, 9)) +
                         ", max(2, tid.y + 2*ctaid.y))";
    kernel.offset = parse("4*" + row + " + 1024*" + column);
    kernel.bytes = 4;
    if (random.number(0, 1))
      kernel.condition = parse("[tid.x < " + reach + "]");
    auto pattern = kernel.pattern();
    if (!pattern)
      continue;
    Part part = randomPart(random, kernel.shape);
    int64_t first = random.number(0, 40);
    std::vector<Interval> iterations = {{first, random.number(first, 300)}};
    ASSERT_NO_FATAL_FAILURE(
        checkCount(*pattern, kernel, part, iterations, counted));
  }
  EXPECT_GT(counted, 150u);
}

/// Guards as kernels have them: on global coordinates along any axis.
TEST(AccessPattern, GlobalGuardsEqualEnumeration) {
  RandomKernel make(4);
  for (int trial = 0; trial < 2000; ++trial) {
    Case kernel;
    kernel.shape = make.shape();
    kernel.bytes = 1u << make.number(0, 4);
    kernel.offset = Expr(make.number(-100, 100));
    kernel.condition = Expr(1);
    static const char *const axes[] = {"x", "y", "z"};
    for (unsigned axis = 0; axis < 3; ++axis) {
      Expr thread = Expr::symbol(std::string("tid.") + axes[axis]);
      Expr block = Expr::symbol(std::string("ctaid.") + axes[axis]);
      int64_t extent = kernel.shape.block[axis];
      Expr global = block * Expr(extent) + thread;
      int64_t all = extent * kernel.shape.grid[axis];
      kernel.offset = kernel.offset + Expr(make.number(-200, 200)) * global;
      if (make.number(0, 1))
        kernel.condition = Expr::conjunction(
            kernel.condition,
            Expr::isLess(global, Expr(make.number(0, all + 1))));
      if (make.number(0, 1))
        kernel.condition = Expr::conjunction(
            kernel.condition, Expr::isLess(Expr(make.number(-2, all)), global));
      if (make.number(0, 5) == 0)
        kernel.condition = Expr::conjunction(
            kernel.condition, Expr::isLess(thread, Expr(make.number(0, 8))));
    }
    auto pattern = kernel.pattern();
    ASSERT_TRUE(pattern);
    Part part = randomPart(make, kernel.shape);
    ASSERT_EQ(countSectors(*pattern, kernel.shape, part, {}),
              static_cast<int64_t>(sectorsOf(kernel, part, {}).size()))
        << kernel.str() << "; " << part.str();
  }
}

// Threads that take their index apart: what they touch is counted exactly, how
// ever the blocks of a part lie to the rows.
TEST(AccessPattern, DigitsOfAGlobalIndexAgreeWithBruteForce) {
  RandomKernel random(21);
  unsigned counted = 0;
  for (int i = 0; i < 400; ++i) {
    int64_t threads = 32 * random.number(1, 4);
    int64_t width = random.number(3, 90), height = random.number(2, 9);
    std::string index = std::to_string(threads) + "*ctaid.x + tid.x";
    auto text = [](int64_t number) { return std::to_string(number); };
    std::string column = "((" + index + ") % " + text(width) + ")";
    std::string row =
        "((" + index + ") / " + text(width) + " % " + text(height) + ")";
    std::string plane = "((" + index + ") / " + text(width * height) + ")";
    Case kernel;
    kernel.shape = {{random.number(140, 180), 1, 1}, {threads, 1, 1}};
    kernel.offset =
        parse(text(4 * random.number(1, 3)) + "*" + column + " + " +
              text(4 * random.number(90, 400)) + "*" + row + " + " +
              text(4 * random.number(4000, 9000)) + "*" + plane + " + 64");
    int64_t all = kernel.shape.grid.x * threads - random.number(0, 100);
    kernel.condition =
        parse("min([" + index + " < " + text(all) + "], [" + column + " < " +
              text(width - random.number(0, 2)) + "], [" + row +
              " >= " + text(random.number(0, 1)) + "])");
    auto pattern = kernel.pattern();
    ASSERT_TRUE(pattern) << kernel.str();
    Part part{random.number(0, 100), random.number(1, 60)};
    auto sectors = countSectors(*pattern, kernel.shape, part, {});
    ASSERT_TRUE(sectors) << kernel.str();
    ++counted;
    ASSERT_EQ(*sectors,
              static_cast<int64_t>(sectorsOf(kernel, part, {}).size()))
        << kernel.str() << ", " << part.str();
  }
  EXPECT_EQ(counted, 400u);
}

// Blocks that come back in a grid-stride loop, and parts of the index that the
// compiler has made of tid and ctaid alone.
TEST(AccessPattern, PartsOfAnIndexAreFoundInItsSymbols) {
  Case turns{{{64, 1, 1}, {128, 1, 1}},
             {{"i0", parse("(1000000 - 128*ctaid.x - tid.x + 8191) / 8192")}},
             parse("1"),
             parse("4*((128*ctaid.x + 8192*i0 + tid.x) % 100) + "
                   "512*((128*ctaid.x + 8192*i0 + tid.x) / 100)")};
  auto pattern = turns.pattern();
  ASSERT_TRUE(pattern);
  Interval all[] = {{0, 122}}, two[] = {{3, 4}};
  // 10 000 rows of 400 B in 512 B, from the start of one on.
  EXPECT_EQ(countSectors(*pattern, turns.shape, {0, 64}, all), 10000 * 13);
  EXPECT_EQ(countSectors(*pattern, turns.shape, {5, 9}, two),
            static_cast<int64_t>(sectorsOf(turns, {5, 9}, two).size()));

  Case parts{{{100000, 1, 1}, {128, 1, 1}},
             {},
             parse("[128*ctaid.x + tid.x < 12700000]"),
             parse("2048*ctaid.x + 8*tid.x + 512*floordiv(tid.x, 64) - "
                   "65536*floordiv(2*ctaid.x + floordiv(tid.x, 64), 64) + "
                   "65536*floordiv(128*ctaid.x + tid.x, 4096)")};
  pattern = parts.pattern();
  ASSERT_TRUE(pattern);
  Part some{70001, 100};
  EXPECT_EQ(countSectors(*pattern, parts.shape, some, {}),
            static_cast<int64_t>(sectorsOf(parts, some, {}).size()));
}

// Tiles of a row by the number of the warp, in which the index is divided
// first.
TEST(AccessPattern, ANumberOfWarpsIsAPartOfTheIndex) {
  Case tiles{{{500, 1, 1}, {256, 1, 1}},
             {},
             parse("1"),
             parse("70000*floordiv(8*ctaid.x + floordiv(tid.x, 32), 48) + "
                   "512*mod(8*ctaid.x + floordiv(tid.x, 32), 48) + "
                   "4*mod(tid.x, 32)")};
  auto pattern = tiles.pattern();
  ASSERT_TRUE(pattern);
  for (Part part : {Part{0, 500}, Part{3, 40}})
    EXPECT_EQ(countSectors(*pattern, tiles.shape, part, {}),
              static_cast<int64_t>(sectorsOf(tiles, part, {}).size()));
}

// Tiles by a number of the block, whose threads are numbered too: thread,
// block and a loop's counter are divided each by itself.
TEST(AccessPattern, IndicesOfThreadsAndBlocksAreDividedApart) {
  RandomKernel random(23);
  unsigned counted = 0;
  auto text = [](int64_t number) { return std::to_string(number); };
  for (int i = 0; i < 300; ++i) {
    int64_t threads = 32 * random.number(1, 4);
    int64_t inRow = 1 << random.number(2, 5), tiles = random.number(2, 9);
    int64_t trips = random.number(1, 12), turns = random.number(2, 5);
    Case kernel;
    kernel.shape = {{random.number(30, 80), 1, 1}, {threads, 1, 1}};
    kernel.loops = {{"i0", Expr(trips)}};
    kernel.bytes = 4;
    kernel.offset = parse("4*(tid.x % " + text(inRow) + ") + " +
                          text(4 * random.number(32, 300)) + "*(tid.x / " +
                          text(inRow) + ") + 65536*(ctaid.x / " + text(tiles) +
                          ") + " + text(4 * random.number(1, 99)) +
                          "*(ctaid.x % " + text(tiles) + ") + 1048576*(i0 / " +
                          text(turns) + ") + 64*(i0 % " + text(turns) + ")");
    kernel.condition = parse("[ctaid.x < " + text(random.number(20, 80)) + "]");
    auto pattern = kernel.pattern();
    ASSERT_TRUE(pattern) << kernel.str();
    Part part{random.number(0, 20), random.number(1, 30)};
    int64_t first = random.number(0, trips - 1);
    std::vector<Interval> turn = {{first, random.number(first, trips - 1)}};
    ASSERT_NO_FATAL_FAILURE(checkCount(*pattern, kernel, part, turn, counted));
  }
  EXPECT_GT(counted, 290u);
}

// Hashes and numbers near the ends of 64 bits are no digits, and no overflow.
TEST(AccessPattern, NumbersBeyondAnyIndexAreRefused) {
  for (llvm::StringRef offset :
       {"4*((2654435761*ctaid.x + 9223372036854775783*tid.x) % 1000)",
        "4611686018427387904*((128*ctaid.x + tid.x) % 7) + 4*tid.x",
        "9223372036854775807*tid.x + ((128*ctaid.x + tid.x) / 3)",
        "4*((128*ctaid.x + tid.x + 9223372036854775000) % 7)"}) {
    Case kernel{{{100000, 1, 1}, {128, 1, 1}},
                {},
                parse("[9223372036854775807*((128*ctaid.x + tid.x) % 7) >= "
                      "-9223372036854775807]"),
                parse(offset)};
    auto pattern = kernel.pattern();
    AddressSet set;
    EXPECT_FALSE(pattern &&
                 pattern->append({Interval{0, 99999}, {0, 0}, {0, 0}}, {}, set))
        << offset.str();
  }
}

// Clamps at the edges of a large grid are left out; so is a guard that nearly
// all threads pass, for the share of them that does not.
TEST(AccessPattern, EdgesOfALargeGridAreLeftOut) {
  Case clamped{{{512, 512, 1}, {32, 8, 1}},
               {},
               parse("1"),
               parse("4*max(0, min(16383, 32*ctaid.x + tid.x + 2)) + "
                     "65536*max(0, min(4095, 8*ctaid.y + tid.y - 1))")};
  auto pattern = clamped.pattern();
  ASSERT_TRUE(pattern);
  Part middle{512 * 256 + 100, 64};
  EXPECT_EQ(countSectors(*pattern, clamped.shape, middle, {}),
            static_cast<int64_t>(sectorsOf(clamped, middle, {}).size()));

  // A halo on either side, in two turns of which the second is for few threads.
  for (const char *wrapped :
       {"max(0, min(16383, 32*ctaid.x + tid.x + 32*i0 - 2))",
        "mod(32*ctaid.x + tid.x + 32*i0 + 16382, 16384)"}) {
    Case halo{{{512, 512, 1}, {32, 8, 1}},
              {{"i0", Expr(2)}},
              parse("[tid.x + 32*i0 < 36]"),
              parse(wrapped) * Expr(4) + parse("65536*(8*ctaid.y + tid.y)")};
    pattern = halo.pattern();
    ASSERT_TRUE(pattern) << wrapped;
    EXPECT_EQ(countSectors(*pattern, halo.shape, middle, {{0, 1}}),
              static_cast<int64_t>(sectorsOf(halo, middle, {{0, 1}}).size()))
        << wrapped;
  }

  Case guarded{{{4096, 1, 1}, {128, 1, 1}},
               {},
               parse("[(128*ctaid.x + tid.x)*(128*ctaid.x + tid.x) % 7 >= 1]"),
               parse("512*ctaid.x + 4*tid.x")};
  pattern = guarded.pattern();
  ASSERT_TRUE(pattern);
  AddressSet set;
  auto executions =
      pattern->append({Interval{0, 4095}, {0, 0}, {0, 0}}, {}, set);
  ASSERT_TRUE(executions);
  EXPECT_NEAR(*executions, 4096 * 128 * 6 / 7.0, 0.02 * 4096 * 128);
  EXPECT_EQ(countUnits(set, 32), 4096 * 128 * 4 / 32);
}

} // namespace

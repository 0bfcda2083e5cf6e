// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/AddressSet.h"
#include "auspex/Expr/Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <set>

using namespace auspex;

namespace {

void addUnits(const StridedAccess &access, size_t dimension, int64_t at,
              int64_t unit, std::set<int64_t> &units) {
  if (dimension < access.dimensions.size()) {
    auto [stride, count] = access.dimensions[dimension];
    for (int64_t i = 0; i < count; ++i)
      addUnits(access, dimension + 1, at + i * stride, unit, units);
    return;
  }
  for (int64_t byte = 0; byte < access.bytes; ++byte)
    units.insert(floorDiv(at + byte, unit));
}

std::set<int64_t> allUnits(llvm::ArrayRef<StridedAccess> set, int64_t unit) {
  std::set<int64_t> units;
  for (const StridedAccess &access : set)
    addUnits(access, 0, access.first, unit, units);
  return units;
}

std::string str(llvm::ArrayRef<StridedAccess> set) {
  std::string text;
  for (const StridedAccess &access : set) {
    text += "{" + std::to_string(access.first) + ", " +
            std::to_string(access.bytes) + ", {";
    for (auto [stride, count] : access.dimensions)
      text += "{" + std::to_string(stride) + ", " + std::to_string(count) + "}";
    text += "}} ";
  }
  return text;
}

/// A star of loads over a box of threads of a field.
AddressSet star(int64_t radius, int64_t bytes, std::array<int64_t, 3> block,
                int64_t pitch, int64_t plane, int64_t fold = 1) {
  AddressSet set;
  auto add = [&](int64_t x, int64_t y, int64_t z) {
    set.push_back(
        {(x * bytes) + y * pitch + z * plane,
         bytes,
         {{bytes, block[0]}, {fold * pitch, block[1]}, {plane, block[2]}}});
  };
  for (int64_t f = 0; f < fold; ++f) {
    add(0, f, 0);
    for (int64_t r = 1; r <= radius; ++r)
      for (int64_t sign : {-1, 1}) {
        add(sign * r, f, 0);
        add(0, f + sign * r, 0);
        add(0, f, sign * r);
      }
  }
  return set;
}

TEST(AddressSet, OneAccess) {
  EXPECT_EQ(countUnits({}, 32), 0);
  EXPECT_EQ(countUnits({{0, 4, {{4, 256}}}}, 32), 32);
  EXPECT_EQ(countUnits({{28, 8, {}}}, 32), 2);
  EXPECT_EQ(countUnits({{0, 4, {{-4, 256}}}}, 32), 33);
  EXPECT_EQ(countUnits({{0, 4, {{128, 10}}}}, 32), 10);
  EXPECT_EQ(countUnits({{0, 4, {{35, 10}}}}, 32), 10);
  EXPECT_EQ(countUnits({{0, 4, {{36, 10}}}}, 32), 10) << "256 to 287 is a gap";
  EXPECT_EQ(countUnits({{0, 4, {{4, 0}}}}, 32), 0) << "no thread";
  EXPECT_EQ(countUnits({{0, 4, {{0, 100}}}}, 32), 1) << "one address";
}

TEST(AddressSet, StencilOfAnySize) {
  // 32 x 8 x 4 threads of 8 bytes: rows of 8 sectors, 10 with the halo in x; 8
  // more rows in y for each of 4 planes, 8 more planes of 8 rows.
  auto set = star(4, 8, {32, 8, 4}, 8192, 8192 * 512);
  EXPECT_EQ(countUnits(set, 32), 8 * 4 * 10 + 8 * 4 * 8 + 8 * 8 * 8);
  // Time does not grow with the threads.
  EXPECT_EQ(countUnits(star(4, 8, {1 << 20, 1 << 20, 1 << 10}, 1 << 24,
                            int64_t(1) << 45),
                       32),
            (int64_t(1) << 30) * ((1 << 18) + 2) +
                (int64_t(1) << 10) * 8 * (1 << 18) +
                8 * (int64_t(1) << 20) * (1 << 18));
}

TEST(AddressSet, FoldsAreFilled) {
  auto folded = star(2, 8, {32, 4, 2}, 4096, 1 << 20, 2);
  auto plain = star(2, 8, {32, 8, 2}, 4096, 1 << 20);
  EXPECT_EQ(countUnits(folded, 32), countUnits(plain, 32));
  EXPECT_LE(simplify(folded, 32)->size(), 4u);
}

TEST(AddressSet, TooLarge) {
  EXPECT_EQ(countUnits({{0, 4, {{int64_t(1) << 62, 5}}}}, 32), std::nullopt);
  EXPECT_EQ(countUnits({{INT64_MAX, 4, {}}}, 32), std::nullopt);
  // Strides with nothing in common, so that each row has to be looked at.
  EXPECT_EQ(countUnits({{0, 4, {{1000003, 10000}, {1000033, 10000}}}}, 32),
            std::nullopt);
}

/// Sets of every kind, small enough to be enumerated.
class RandomSets {
public:
  explicit RandomSets(unsigned seed) : random(seed) {}

  AddressSet next() {
    // Few strides, so that accesses have some in common.
    std::array<int64_t, 4> strides;
    int64_t pitch = pick(1, 700);
    for (int64_t &stride : strides)
      stride = pick(0, 3) == 0   ? pick(-300, 300)
               : pick(0, 1) == 0 ? pick(1, 4) * pitch
                                 : pick(1, 16) * 4;
    AddressSet set(pick(1, 6));
    for (StridedAccess &access : set) {
      access.first = pick(-3, 3) * pitch + pick(-10, 10) * 4 + pick(0, 1);
      access.bytes = int64_t(1) << pick(0, 4);
      for (int64_t stride : strides)
        if (pick(0, 2))
          access.dimensions.push_back({stride, pick(1, 5)});
    }
    return set;
  }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

private:
  std::mt19937 random;
};

TEST(AddressSet, EqualsEnumeration) {
  for (unsigned seed = 0; seed < 20000; ++seed) {
    RandomSets sets(seed);
    AddressSet set = sets.next();
    int64_t unit = int64_t(1) << sets.pick(0, 8);
    auto expected = static_cast<int64_t>(allUnits(set, unit).size());
    ASSERT_EQ(countUnits(set, unit), expected)
        << "seed " << seed << ", unit " << unit << ": " << str(set);
  }
}

TEST(AddressSet, RulersCountTogether) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    RandomSets sets(seed);
    AddressSet set = sets.next();
    int64_t unit = int64_t(1) << sets.pick(0, 6);
    std::vector<Ruler> rulers(sets.pick(1, 5));
    for (Ruler &ruler : rulers)
      ruler = {unit << sets.pick(0, 2), sets.pick(-300, 300)};
    auto counts = countNormalized(*simplify(set, unit), rulers);
    for (auto [ruler, count] : llvm::zip(rulers, counts)) {
      AddressSet moved = set;
      for (StridedAccess &access : moved)
        access.first += ruler.shift;
      ASSERT_EQ(count, static_cast<int64_t>(allUnits(moved, ruler.unit).size()))
          << "seed " << seed << ", unit " << ruler.unit << ", shift "
          << ruler.shift << ": " << str(set);
    }
  }
}

// More boxes than a word has bits.
TEST(AddressSet, ManyBoxes) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    RandomSets sets(seed);
    AddressSet set;
    for (int64_t i = sets.pick(65, 150); i > 0; --i)
      set.push_back({sets.pick(0, 4000) * 4 + sets.pick(0, 3) * 65536,
                     4,
                     {{4, sets.pick(1, 9)}, {65536, sets.pick(1, 4)}}});
    ASSERT_EQ(countUnits(set, 32),
              static_cast<int64_t>(allUnits(set, 32).size()))
        << "seed " << seed;
  }
}

TEST(AddressSet, SimplifyingKeepsTheUnits) {
  for (unsigned seed = 0; seed < 5000; ++seed) {
    RandomSets sets(seed);
    AddressSet set = sets.next();
    int64_t unit = int64_t(1) << sets.pick(0, 8);
    auto simple = simplify(set, unit);
    ASSERT_TRUE(simple);
    ASSERT_EQ(allUnits(*simple, unit), allUnits(set, unit))
        << "seed " << seed << ", unit " << unit << ": " << str(set);
    ASSERT_LE(simple->size(), set.size());
  }
}

TEST(AddressSet, StencilsEqualEnumeration) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomSets sets(seed);
    int64_t bytes = 4 << sets.pick(0, 1);
    int64_t width = sets.pick(20, 60), height = sets.pick(10, 20);
    auto set = star(sets.pick(0, 3), bytes,
                    {sets.pick(1, width), sets.pick(1, 8), sets.pick(1, 4)},
                    width * bytes, width * height * bytes, sets.pick(1, 3));
    for (int64_t unit : {32, 64, 128})
      ASSERT_EQ(countUnits(set, unit),
                static_cast<int64_t>(allUnits(set, unit).size()))
          << "seed " << seed;
  }
}

// The layer condition of Ernst et al. 2022, figure 23. A wave of so many layers
// of a star of radius 4 in double precision loads four layers above and below
// too, unless the wave before has left them in the cache; the arms in x and y
// are a rim that vanishes beside a large layer.
/// An image whose borders are cut off: of each row three pieces of different
/// lengths, the rows of the borders one by one in blocks of eight.
TEST(AddressSet, PiecesOfAnImage) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 200; ++round) {
    int64_t width = pick(60, 160), left = pick(5, 25),
            right = width - pick(5, 25);
    AddressSet set{{left, right - left, {{width, 24}}}};
    for (int64_t row = 0; row < 8; ++row) {
      int64_t begin = row * width;
      set.push_back({begin + pick(0, 2), left - 2, {{8 * width, 3}}});
      set.push_back(
          {begin + right, width - right - pick(0, 2), {{8 * width, 3}}});
    }
    std::shuffle(set.begin(), set.end(), random);
    for (StridedAccess &access : set)
      ASSERT_TRUE(normalize(access, 32));
    auto counts = countNormalized(set, {{32, 0}, {64, 32}});
    EXPECT_EQ(counts[0], static_cast<int64_t>(allUnits(set, 32).size()))
        << str(set);
    for (StridedAccess &access : set)
      access.first += 32;
    EXPECT_EQ(counts[1], static_cast<int64_t>(allUnits(set, 64).size()))
        << str(set);
  }
}

// Triangles of a batch, whose diagonals are on no lattice with their rows, and
// what goes through several of them without a gap.
TEST(AddressSet, TrianglesOfABatch) {
  constexpr int64_t Pitch = 128, Matrix = 8 * Pitch;
  for (unsigned seed = 0; seed < 500; ++seed) {
    RandomSets sets(seed);
    AddressSet set;
    for (int64_t i = sets.pick(1, 5); i > 0; --i) {
      int64_t batch = sets.pick(0, 3), batches = sets.pick(1, 4);
      int64_t row = sets.pick(0, 4);
      int64_t first = batch * Matrix + row * (Pitch + 4);
      set.push_back({first,
                     4,
                     {{Pitch, sets.pick(1, 3)},
                      {2 * Pitch + 8, sets.pick(1, 2)},
                      {Matrix, batches}}});
      set.push_back({first, 4, {{Pitch, sets.pick(8, 40)}}});
    }
    for (int64_t unit : {4, 32, 256})
      ASSERT_EQ(countUnits(set, unit),
                static_cast<int64_t>(allUnits(set, unit).size()))
          << "seed " << seed << ", unit " << unit << ": " << str(set);
  }
  // As many as would take too long one by one.
  constexpr int64_t Size = 1024;
  auto triangles = [](int64_t batches) {
    AddressSet set;
    for (int64_t row : {0, 8, 16})
      set.push_back({row * 4 * Size,
                     4,
                     {{4 * Size, 512 - row},
                      {32 * (Size + 1), 64},
                      {4 * Size * Size, batches}}});
    return set;
  };
  auto one = countUnits(triangles(1), 32),
       many = countUnits(triangles(500), 32);
  ASSERT_TRUE(one && many);
  EXPECT_EQ(*many, 500 * *one);
}

// Rows of a pitch that is no multiple of a unit, in batches of any pitch, from
// more of them than are looked at one by one.
TEST(AddressSet, BatchesThatLieUnlikeToUnits) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomSets sets(seed);
    int64_t pitch = sets.pick(1, 80) * sets.pick(1, 4);
    AddressSet set;
    for (int64_t i = sets.pick(1, 4); i > 0; --i) {
      int64_t stride = sets.pick(1, 9) * sets.pick(1, 3);
      int64_t inRow = sets.pick(1, std::max<int64_t>(1, pitch / stride));
      set.push_back({sets.pick(0, 5) * pitch + sets.pick(0, pitch / 2),
                     int64_t(1) << sets.pick(0, 3),
                     {{stride, inRow}, {pitch, sets.pick(1, 400)}}});
    }
    for (int64_t unit : {4, 32, 256})
      ASSERT_EQ(countUnits(set, unit),
                static_cast<int64_t>(allUnits(set, unit).size()))
          << "seed " << seed << ", unit " << unit << ": " << str(set);
  }
  // As many as would take too long one by one: pieces of 1000 columns, 50257
  // words apart.
  AddressSet set;
  for (int64_t i = 0; i < 8; ++i)
    set.push_back(
        {4 * 1013 * i, 4, {{4 * 8192, 6}, {4, 1000}, {4 * 50257, 1 << 21}}});
  auto units = countUnits(set, 32);
  ASSERT_TRUE(units);
  EXPECT_NEAR(*units, 8 * 6 * 126.0 * (1 << 21), 1e9);
}

TEST(AddressSet, LayersOfAStar) {
  constexpr int64_t Bytes = 8, Radius = 4, X = 4096, Y = 2048;
  constexpr int64_t Pitch = Bytes * (X + 2 * Radius);
  constexpr int64_t Plane = Pitch * (Y + 2 * Radius);
  struct Case {
    int64_t layers;
    double bytesPerUpdate;
  };
  for (auto [layers, bytesPerUpdate] :
       {Case{1, 72}, {2, 40}, {4, 24}, {8, 16}, {16, 12}, {32, 10}}) {
    SCOPED_TRACE(layers);
    AddressSet before = star(Radius, Bytes, {X, Y, layers}, Pitch, Plane);
    AddressSet now = before;
    for (StridedAccess &access : now)
      access.first += layers * Plane;
    int64_t cells = X * Y * layers, rim = 2 * Radius * (X + Y) * layers;
    auto alone = countUnits(now, Bytes);
    EXPECT_EQ(alone, X * Y * (layers + 2 * Radius) + rim);
    double perUpdate =
        static_cast<double>(*alone - rim) * Bytes / static_cast<double>(cells);
    EXPECT_EQ(perUpdate, bytesPerUpdate);
    // What fits is loaded once.
    AddressSet both = before;
    both.append(now.begin(), now.end());
    EXPECT_EQ(*countUnits(both, Bytes) - *countUnits(before, Bytes),
              cells + rim);
  }
}

} // namespace

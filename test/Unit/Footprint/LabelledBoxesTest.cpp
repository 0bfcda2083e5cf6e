// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/LabelledBoxes.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <vector>

using namespace auspex;

namespace {

TEST(LabelledBoxes, CountsDifferencesAndIntersections) {
  std::array<int64_t, 4> counts{};
  // [0, 9] and [5, 19] in x, the same two rows.
  countByLabels(
      {{{{{0, 9}, {0, 1}, {0, 0}}}, 1}, {{{{5, 19}, {0, 1}, {0, 0}}}, 2}},
      counts);
  EXPECT_EQ(counts, (std::array<int64_t, 4>{0, 10, 20, 10}));
}

TEST(LabelledBoxes, AddsAndIgnoresEmptyBoxes) {
  std::array<int64_t, 2> counts{7, 5};
  countByLabels({}, counts);
  countByLabels({{{{{0, 9}, {1, 0}, {0, 0}}}, 1}}, counts);
  EXPECT_EQ(counts, (std::array<int64_t, 2>{7, 5}));
  countByLabels({{{{{0, 9}, {0, 0}, {0, 0}}}, 1}}, counts);
  EXPECT_EQ(counts, (std::array<int64_t, 2>{7, 15}));
}

TEST(LabelledBoxes, IsExactForHugeBoxes) {
  constexpr int64_t Side = int64_t(1) << 20;
  std::array<int64_t, 4> counts{};
  LabelledBox cube{{{{0, Side - 1}, {0, Side - 1}, {0, Side - 1}}}, 1};
  LabelledBox moved{{{{1, Side}, {0, Side - 1}, {0, Side - 1}}}, 2};
  countByLabels({cube, moved}, counts);
  EXPECT_EQ(counts[1], Side * Side);
  EXPECT_EQ(counts[2], Side * Side);
  EXPECT_EQ(counts[3], Side * Side * (Side - 1));
}

TEST(LabelledBoxes, EqualsEnumeration) {
  std::mt19937 random(1);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 3000; ++round) {
    std::vector<LabelledBox> boxes(pick(0, 8));
    std::map<std::array<int64_t, 3>, unsigned> points;
    for (LabelledBox &box : boxes) {
      box.labels = pick(1, 15);
      for (Interval &range : box.range) {
        range.low = pick(-4, 4);
        range.high = range.low + pick(-1, 5);
      }
      for (int64_t x = box.range[0].low; x <= box.range[0].high; ++x)
        for (int64_t y = box.range[1].low; y <= box.range[1].high; ++y)
          for (int64_t z = box.range[2].low; z <= box.range[2].high; ++z)
            points[{x, y, z}] |= box.labels;
    }
    std::array<int64_t, 16> counts{}, expected{};
    for (const auto &[point, labels] : points)
      ++expected[labels];
    countByLabels(boxes, counts);
    ASSERT_EQ(counts, expected) << "round " << round;
  }
}

} // namespace

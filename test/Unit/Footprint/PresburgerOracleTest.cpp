// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A third opinion on what sets of accesses touch: MLIR's Presburger library
/// says of every unit in range whether some thread touches it.
#include "auspex/Footprint/AddressSet.h"

#include "gtest/gtest.h"

#include "mlir/Analysis/Presburger/PresburgerRelation.h"
#include "llvm/ADT/STLExtras.h"

#include <random>

using namespace auspex;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSet;
using mlir::presburger::PresburgerSpace;

namespace {

/// { [s] : exists (b, i0, i1, ...): 0 <= b < bytes and 0 <= i0 < count ... and
///   unit*s <= first + stride0*i0 + ... + b < unit*s + unit }
IntegerPolyhedron unitsOf(const StridedAccess &access, int64_t unit) {
  size_t locals = 1 + access.dimensions.size();
  IntegerPolyhedron set(PresburgerSpace::getSetSpace(1, 0, locals));
  std::vector<int64_t> offset(2 + locals);
  offset[0] = -unit;
  offset.back() = access.first;
  auto between = [&](size_t variable, int64_t count) {
    std::vector<int64_t> low(2 + locals), high(2 + locals);
    low[variable] = 1;
    high[variable] = -1;
    high.back() = count - 1;
    set.addInequality(low);
    set.addInequality(high);
  };
  offset[1] = 1;
  between(1, access.bytes);
  for (auto [i, dimension] : llvm::enumerate(access.dimensions)) {
    offset[2 + i] = dimension.stride;
    between(2 + i, dimension.count);
  }
  set.addInequality(offset);
  for (int64_t &coefficient : offset)
    coefficient = -coefficient;
  offset.back() += unit - 1;
  set.addInequality(offset);
  return set;
}

/// The lowest and the highest unit that may be touched.
std::pair<int64_t, int64_t> rangeOf(const StridedAccess &access, int64_t unit) {
  int64_t low = access.first, high = access.first + access.bytes - 1;
  for (const auto &dimension : access.dimensions) {
    int64_t reach = dimension.stride * (dimension.count - 1);
    (reach < 0 ? low : high) += reach;
  }
  return {low / unit - 1, high / unit + 1};
}

int64_t countByPresburger(llvm::ArrayRef<StridedAccess> set, int64_t unit) {
  PresburgerSet units(unitsOf(set.front(), unit));
  auto [low, high] = rangeOf(set.front(), unit);
  for (const StridedAccess &access : set.drop_front()) {
    units = units.unionSet(PresburgerSet(unitsOf(access, unit)));
    auto [least, most] = rangeOf(access, unit);
    low = std::min(low, least);
    high = std::max(high, most);
  }
  int64_t count = 0;
  for (int64_t s = low; s <= high; ++s)
    count += units.containsPoint({s});
  return count;
}

TEST(PresburgerOracle, CountsTheSame) {
  std::mt19937 random(2);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int trial = 0; trial < 40; ++trial) {
    int64_t pitch = pick(20, 200);
    AddressSet set(pick(1, 3));
    for (StridedAccess &access : set) {
      access.first = pick(-2, 2) * pitch + pick(-5, 5) * 4;
      access.bytes = int64_t(1) << pick(0, 4);
      access.dimensions.push_back({pick(-12, 12), pick(1, 6)});
      access.dimensions.push_back({pick(1, 2) * pitch, pick(1, 4)});
    }
    int64_t unit = int64_t(1) << pick(4, 7);
    ASSERT_EQ(countUnits(set, unit), countByPresburger(set, unit)) << trial;
  }
}

/// A star of 13 points over a box of threads, with a fold.
TEST(PresburgerOracle, Stencil) {
  AddressSet set;
  constexpr int64_t Pitch = 200, Plane = 4000;
  for (int64_t fold = 0; fold < 2; ++fold)
    for (int64_t step : {int64_t(8), Pitch, Plane})
      for (int64_t r = -2; r <= 2; ++r)
        set.push_back(
            {r * step + fold * Pitch, 8, {{8, 8}, {2 * Pitch, 2}, {Plane, 2}}});
  EXPECT_EQ(countUnits(set, 64), countByPresburger(set, 64));
}

} // namespace

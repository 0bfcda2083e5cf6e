// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A third opinion on what sets of accesses touch: MLIR's Presburger library
/// says of every unit in range whether some thread touches it.
#include "SmallSets.h"

#include "gtest/gtest.h"

#include "mlir/Analysis/Presburger/PresburgerRelation.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;
using namespace auspex::test;
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
  for (int trial = 0; trial < 40; ++trial) {
    auto [set, unit] = RandomSet(random);
    ASSERT_EQ(countUnits(set, unit), countByPresburger(set, unit)) << trial;
  }
}

TEST(PresburgerOracle, Stencil) {
  AddressSet set = foldedStar(2);
  EXPECT_EQ(countUnits(set, 64), countByPresburger(set, 64));
}

} // namespace

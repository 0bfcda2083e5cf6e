// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A second opinion on what sets of accesses touch: isl counts the integer
/// points of the same set, written as a formula. It takes milliseconds to
/// seconds, so the sets are small.
#include "auspex/Footprint/AddressSet.h"

#include "gtest/gtest.h"

#include "llvm/ADT/STLExtras.h"

#include <isl/ctx.h>
#include <isl/set.h>
#include <isl/val.h>
#include <random>

using namespace auspex;

namespace {

/// "exists (i0, i1, b: 0 <= i0 < 4 and ... )" for the units of an access.
std::string formulaOf(const StridedAccess &access, int64_t unit) {
  std::string names = "b", bounds, address = std::to_string(access.first);
  for (auto [i, dimension] : llvm::enumerate(access.dimensions)) {
    std::string name = "i" + std::to_string(i);
    names += ", " + name;
    bounds += " and 0 <= " + name + " < " + std::to_string(dimension.count);
    address += " + " + std::to_string(dimension.stride) + "*" + name;
  }
  std::string size = std::to_string(unit);
  return "(exists " + names + ": 0 <= b < " + std::to_string(access.bytes) +
         bounds + " and " + size + "*s <= " + address + " + b < " + size +
         "*s + " + size + ")";
}

int64_t countByIsl(llvm::ArrayRef<StridedAccess> set, int64_t unit) {
  std::string text;
  for (const StridedAccess &access : set)
    text += (text.empty() ? "" : " or ") + formulaOf(access, unit);
  isl_ctx *context = isl_ctx_alloc();
  isl_set *units =
      isl_set_read_from_str(context, ("{ [s] : " + text + " }").c_str());
  isl_val *count = isl_set_count_val(units);
  int64_t result = isl_val_get_num_si(count);
  isl_val_free(count);
  isl_set_free(units);
  isl_ctx_free(context);
  return result;
}

TEST(IslOracle, CountsTheSame) {
  std::mt19937 random(1);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int trial = 0; trial < 60; ++trial) {
    int64_t pitch = pick(20, 300);
    AddressSet set(pick(1, 3));
    for (StridedAccess &access : set) {
      access.first = pick(-2, 2) * pitch + pick(-5, 5) * 4;
      access.bytes = int64_t(1) << pick(0, 3);
      access.dimensions.push_back({pick(-12, 12), pick(1, 6)});
      access.dimensions.push_back({pick(1, 2) * pitch, pick(1, 4)});
    }
    int64_t unit = int64_t(1) << pick(3, 7);
    ASSERT_EQ(countUnits(set, unit), countByIsl(set, unit))
        << formulaOf(set.front(), unit);
  }
}

/// A star of 13 points over a box of threads, with a fold.
TEST(IslOracle, Stencil) {
  AddressSet set;
  constexpr int64_t Pitch = 200, Plane = 4000;
  for (int64_t fold = 0; fold < 2; ++fold)
    for (int64_t step : {int64_t(8), Pitch, Plane})
      for (int64_t r = -2; r <= 2; ++r)
        set.push_back(
            {r * step + fold * Pitch, 8, {{8, 8}, {2 * Pitch, 4}, {Plane, 2}}});
  for (int64_t unit : {32, 128})
    EXPECT_EQ(countUnits(set, unit), countByIsl(set, unit));
}

} // namespace

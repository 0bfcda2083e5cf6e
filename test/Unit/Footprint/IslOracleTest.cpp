// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A second opinion on what sets of accesses touch: isl counts the integer
/// points of the same set, written as a formula. It takes milliseconds to
/// seconds, so the sets are small.
#include "SmallSets.h"

#include "gtest/gtest.h"

#include "llvm/ADT/STLExtras.h"

#include <isl/ctx.h>
#include <isl/set.h>
#include <isl/val.h>

using namespace auspex;
using namespace auspex::test;

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
  for (int trial = 0; trial < 60; ++trial) {
    auto [set, unit] = RandomSet(random);
    ASSERT_EQ(countUnits(set, unit), countByIsl(set, unit))
        << formulaOf(set.front(), unit);
  }
}

TEST(IslOracle, Stencil) {
  AddressSet set = foldedStar(4);
  for (int64_t unit : {32, 128})
    EXPECT_EQ(countUnits(set, unit), countByIsl(set, unit));
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sets of accesses that are small enough for libraries that take milliseconds
/// to count one.
#ifndef AUSPEX_TEST_UNIT_FOOTPRINT_SMALLSETS_H
#define AUSPEX_TEST_UNIT_FOOTPRINT_SMALLSETS_H

#include "auspex/Footprint/AddressSet.h"

#include <random>

namespace auspex::test {

/// One to three accesses of rows and columns, and a unit to count them by.
struct RandomSet {
  AddressSet set;
  int64_t unit = 0;

  explicit RandomSet(std::mt19937 &random) {
    auto pick = [&](int64_t low, int64_t high) {
      return std::uniform_int_distribution<int64_t>(low, high)(random);
    };
    int64_t pitch = pick(20, 300);
    set.resize(pick(1, 3));
    for (StridedAccess &access : set) {
      access.first = pick(-2, 2) * pitch + pick(-5, 5) * 4;
      access.bytes = int64_t(1) << pick(0, 4);
      access.dimensions.push_back({pick(-12, 12), pick(1, 6)});
      access.dimensions.push_back({pick(1, 2) * pitch, pick(1, 4)});
    }
    unit = int64_t(1) << pick(3, 7);
  }
};

/// A star of 13 points over a box of threads, with a fold.
inline AddressSet foldedStar(int64_t rows) {
  AddressSet set;
  constexpr int64_t Pitch = 200, Plane = 4000;
  for (int64_t fold = 0; fold < 2; ++fold)
    for (int64_t step : {int64_t(8), Pitch, Plane})
      for (int64_t r = -2; r <= 2; ++r)
        set.push_back({r * step + fold * Pitch,
                       8,
                       {{8, 8}, {2 * Pitch, rows}, {Plane, 2}}});
  return set;
}

} // namespace auspex::test

#endif

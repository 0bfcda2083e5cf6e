// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic of intervals, which are the sides of boxes, and what strided
/// accesses have of them.
#ifndef AUSPEX_LIB_FOOTPRINT_INTERVALS_H
#define AUSPEX_LIB_FOOTPRINT_INTERVALS_H

#include "auspex/Expr/Expr.h"
#include "auspex/Footprint/AddressSet.h"

#include <algorithm>

namespace auspex {

inline Interval intersect(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

inline bool isEmpty(Interval interval) { return interval.low > interval.high; }

inline int64_t sizeOf(Interval interval) {
  return isEmpty(interval) ? 0 : interval.high - interval.low + 1;
}

/// sum += slope * side; false on overflow.
inline bool addProduct(int64_t slope, Interval side, Interval &sum) {
  int64_t a, b;
  return !__builtin_mul_overflow(slope, side.low, &a) &&
         !__builtin_mul_overflow(slope, side.high, &b) &&
         !__builtin_add_overflow(sum.low, std::min(a, b), &sum.low) &&
         !__builtin_add_overflow(sum.high, std::max(a, b), &sum.high);
}

/// The access for every value of \p side, \p slope bytes apart; false on
/// overflow.
inline bool addSide(StridedAccess &access, int64_t slope, Interval side) {
  int64_t start;
  if (slope != 0)
    access.dimensions.push_back({slope, sizeOf(side)});
  return !__builtin_mul_overflow(slope, side.low, &start) &&
         !__builtin_add_overflow(access.first, start, &access.first);
}

/// The numbers n with slope * n + rest >= 0, or == 0.
inline Interval boundOf(int64_t slope, int64_t rest, bool isEqual) {
  if (isEqual)
    return rest % slope ? Interval{1, 0}
                        : Interval{-rest / slope, -rest / slope};
  return slope > 0 ? Interval{ceilDiv(-rest, slope), Interval::Max}
                   : Interval{Interval::Min, floorDiv(rest, -slope)};
}

} // namespace auspex

#endif

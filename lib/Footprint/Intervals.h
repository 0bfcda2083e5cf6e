// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic of intervals, which are the sides of boxes.
#ifndef AUSPEX_LIB_FOOTPRINT_INTERVALS_H
#define AUSPEX_LIB_FOOTPRINT_INTERVALS_H

#include "auspex/Expr/Expr.h"

#include <algorithm>

namespace auspex {

inline Interval intersect(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

inline bool isEmpty(Interval interval) { return interval.low > interval.high; }

inline int64_t sizeOf(Interval interval) {
  return isEmpty(interval) ? 0 : interval.high - interval.low + 1;
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Overlaps of unions of boxes, all at once. Boxes carry labels (which set they
/// belong to); every point of their union is counted under the labels of the
/// boxes that cover it. For the sets A = label 1 and B = label 2, |A \ B|,
/// |B \ A| and |A & B| are the counts of 1, 2 and 3.
///
/// Time is in the number of boxes, not in their sizes.
#ifndef AUSPEX_FOOTPRINT_LABELLEDBOXES_H
#define AUSPEX_FOOTPRINT_LABELLEDBOXES_H

#include "auspex/Expr/Expr.h"
#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>

namespace auspex {

/// The integer points of a box; no point if an interval ends before it begins.
struct LabelledBox {
  std::array<Interval, 3> range;
  /// A set of bits.
  unsigned labels = 0;
};

/// Adds to counts[m] the number of points whose boxes have the labels m
/// together. \p counts has room for every union of labels; its entry 0 is left
/// alone. The total number of points has to fit into 63 bits.
void countByLabels(llvm::ArrayRef<LabelledBox> boxes,
                   llvm::MutableArrayRef<int64_t> counts);

} // namespace auspex

#endif

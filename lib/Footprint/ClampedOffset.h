// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Offsets with indices that are kept within bounds, as filters do at the edges
/// of what they filter: max(0, min(n - 1, i + tid.x - 16)).
#ifndef AUSPEX_LIB_FOOTPRINT_CLAMPEDOFFSET_H
#define AUSPEX_LIB_FOOTPRINT_CLAMPEDOFFSET_H

#include "auspex/Expr/Expr.h"
#include "llvm/ADT/STLExtras.h"

namespace auspex {

/// A sum of symbols, by number, kept within \c bounds and multiplied by
/// \c scale.
struct ClampedIndex {
  int64_t scale = 1;
  /// The symbols of the sum, and their slopes there.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> slopes;
  int64_t first = 0;
  Interval bounds;

  /// What the index is, unscaled, while the symbols are in \p box: each number
  /// of the interval, and no other. None if it leaves some out, or if numbers
  /// are too large.
  std::optional<Interval> valuesIn(llvm::ArrayRef<Interval> box) const;
  /// Whether it has no gaps in \p box, or no bound matters there.
  bool isPlainIn(llvm::ArrayRef<Interval> box) const;

private:
  bool isFreeIn(llvm::ArrayRef<Interval> box) const;
};

struct ClampedOffset {
  /// No two of them have a symbol in common.
  llvm::SmallVector<ClampedIndex, 2> indices;
  int64_t constant = 0;

  /// What each index is while the symbols are in \p box; none if one of them
  /// has gaps.
  std::optional<llvm::SmallVector<Interval, 2>>
  valuesIn(llvm::ArrayRef<Interval> box) const;

  /// Whether every index is plain in \p box.
  bool isPlainIn(llvm::ArrayRef<Interval> box) const {
    return llvm::all_of(indices, [&](const ClampedIndex &index) {
      return index.isPlainIn(box);
    });
  }

  /// Parts of \p box in each of which every index is plain; none if there are
  /// many of them.
  std::optional<llvm::SmallVector<llvm::SmallVector<Interval, 8>, 8>>
  partsOf(llvm::ArrayRef<Interval> box) const;

  /// None if \p offset, in \p symbols, is made in another way.
  static std::optional<ClampedOffset> of(const Expr &offset,
                                         llvm::ArrayRef<std::string> symbols);
};

} // namespace auspex

#endif

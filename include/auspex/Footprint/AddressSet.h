// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sets of addresses that accesses touch while their indices run through boxes,
/// and how many sectors, lines, bursts or pages such a set has.
///
/// A set is a list of strided accesses; the union of two sets is their lists
/// one after the other, and the size of an intersection follows from the sizes
/// of unions: |A & B| = |A| + |B| - |A | B|.
///
/// Counting is exact. It takes time in the number of accesses where their rows
/// lie apart (a stencil over a box of threads, however large), and in the
/// number of rows where they do not.
#ifndef AUSPEX_FOOTPRINT_ADDRESSSET_H
#define AUSPEX_FOOTPRINT_ADDRESSSET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace auspex {

/// The bytes [a, a + bytes) for every a = first + sum of stride * index, where
/// each index runs over [0, count).
struct StridedAccess {
  struct Dimension {
    /// In bytes; any sign.
    int64_t stride = 0;
    /// No byte is touched if it is not positive.
    int64_t count = 1;

    auto operator<=>(const Dimension &) const = default;
  };

  int64_t first = 0;
  int64_t bytes = 1;
  llvm::SmallVector<Dimension, 4> dimensions;
};

using AddressSet = llvm::SmallVector<StridedAccess, 8>;

/// What would have more accesses is not counted.
constexpr size_t MostAccesses = 1 << 16;

/// Brings an access into the normal form for units of \p unit bytes: dimensions
/// with positive strides in ascending order, none that the one below or the
/// bytes can take in. It touches the same units; those it touches only in gaps
/// it had before are none. False if addresses pass 2^60.
bool normalize(StridedAccess &access, int64_t unit);

/// A set with the same units of \p unit bytes, of as few accesses as joining
/// neighbours gives; its dimensions are positive and ascend. Units that it
/// touches only in gaps of the old set are none. None if addresses pass 2^60.
std::optional<AddressSet> simplify(llvm::ArrayRef<StridedAccess> set,
                                   int64_t unit);

/// The distinct units of \p unit bytes, aligned to it, that the set touches.
/// None if addresses pass 2^60, or if more than 2^24 rows had to be looked at
/// one by one.
std::optional<int64_t> countUnits(llvm::ArrayRef<StridedAccess> set,
                                  int64_t unit);

/// What to count: units of \p unit bytes, aligned to it, after every address
/// has been moved by \p shift.
struct Ruler {
  int64_t unit = 1, shift = 0;
};

/// The distinct units that the set touches, by ruler, as countUnits. The
/// accesses are in normal form for units of which all rulers have multiples.
/// Counting by several rulers at once costs little more than by one.
llvm::SmallVector<std::optional<int64_t>, 8>
countNormalized(llvm::ArrayRef<StridedAccess> set,
                llvm::ArrayRef<Ruler> rulers);

} // namespace auspex

#endif

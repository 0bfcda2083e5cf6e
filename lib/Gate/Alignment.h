// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What of one list became what of another, as a person reads a diff.
#ifndef AUSPEX_LIB_GATE_ALIGNMENT_H
#define AUSPEX_LIB_GATE_ALIGNMENT_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <vector>

namespace auspex {

/// Two positions; None where there is no counterpart.
struct AlignedPair {
  static constexpr size_t None = ~size_t(0);
  size_t base = None, head = None;
};

/// Pairs the items of two lists so that the distances of pairs, and half a
/// unit for each item alone, add up to the least. \p distance is 0 for equal
/// items; from 1 on two items are no pair. Pairs stand in the order of both
/// lists; what moved is paired afterwards if it is near, and stands where it is
/// in head.
std::vector<AlignedPair>
align(size_t baseSize, size_t headSize,
      llvm::function_ref<double(size_t base, size_t head)> distance);

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Offsets that are linear in threads, blocks and loop counters, as most are.
#ifndef AUSPEX_LIB_FOOTPRINT_LINEAROFFSET_H
#define AUSPEX_LIB_FOOTPRINT_LINEAROFFSET_H

#include "auspex/Footprint/IterationDomain.h"

namespace auspex {

/// An offset taken apart by some symbols: its slopes in those in which it is
/// linear, and the rest, which depends on the others among them and on symbols
/// that are not among them.
struct SeparatedOffset {
  Expr rest;
  /// Per symbol; 0 where it is not linear.
  llvm::SmallVector<int64_t, 8> slopes;
  /// The symbols, by number, in which it is not linear.
  llvm::SmallVector<unsigned, 3> mixed;

  SeparatedOffset(const Expr &offset, llvm::ArrayRef<std::string> symbols);
};

/// The slopes of an offset that is linear in everything: those of tid, then
/// those of the domain's symbols; and where it begins.
struct LinearOffset {
  std::vector<int64_t> slopes;
  int64_t first = 0;
};

/// Beyond it there is no memory, and sums might overflow.
constexpr int64_t MaxOffset = int64_t(1) << 60;

/// The offset if it is linear in everything and stays within MaxOffset.
std::optional<LinearOffset> linearOffset(const Expr &offset,
                                         const IterationDomain &domain);

} // namespace auspex

#endif

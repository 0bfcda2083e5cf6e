// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Offsets that are linear in threads, blocks and loop counters, as most are.
#ifndef AUSPEX_LIB_FOOTPRINT_LINEAROFFSET_H
#define AUSPEX_LIB_FOOTPRINT_LINEAROFFSET_H

#include "auspex/Footprint/IterationDomain.h"

namespace auspex {

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Offsets that are kept within bounds, as at the edges of an image: inside no
/// bound matters, and outside they are what is left.
#ifndef AUSPEX_LIB_FOOTPRINT_SETTLEDBOUNDS_H
#define AUSPEX_LIB_FOOTPRINT_SETTLEDBOUNDS_H

#include "auspex/Footprint/IterationDomain.h"

namespace auspex {

/// Pieces of a domain in which an offset is the same expression.
struct SettledPieces {
  Expr offset;
  std::vector<IterationDomain::Piece> pieces;
};

/// The pieces of \p domain cut by blocks and iterations, such that in most of
/// them minima, maxima, conditions and wraps around in \p offset are decided
/// for all threads and gone from it. If that makes many, or there is nothing
/// to decide, the pieces as they are.
std::vector<SettledPieces> settleBounds(const IterationDomain &domain,
                                        const Expr &offset);

} // namespace auspex

#endif

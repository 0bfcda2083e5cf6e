// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What only happens at the edges of a grid, or of the field that an index over
/// the launch is taken apart in: clamps and wraps of a halo.
#ifndef AUSPEX_LIB_FOOTPRINT_GRIDEDGES_H
#define AUSPEX_LIB_FOOTPRINT_GRIDEDGES_H

#include "auspex/Footprint/AccessPattern.h"

namespace auspex {

/// \p offset as it is in the middle of the grid and of the digits of an index,
/// without what happens at their edges alone, if that is how it is at most
/// points of \p domain; else \p offset.
Expr awayFromEdges(const Expr &offset, const AccessDomain &domain);

} // namespace auspex

#endif

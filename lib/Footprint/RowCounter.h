// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Counts the units of strided accesses as boxes of rows: the strides of all
/// accesses span a lattice, and at each of its points lie some rows. Where rows
/// at different points never share a unit, the units are those of one point of
/// each region that the same boxes cover, times its points. Space is cut into
/// such regions one dimension after the other, so that time is in the number of
/// accesses, not in their extents.
#ifndef AUSPEX_LIB_FOOTPRINT_ROWCOUNTER_H
#define AUSPEX_LIB_FOOTPRINT_ROWCOUNTER_H

#include "auspex/Footprint/AddressSet.h"

namespace auspex {

/// Accesses in normal form, in any order.
using AccessRefs = llvm::ArrayRef<const StridedAccess *>;

/// Adds to \p counts what the accesses touch, by ruler; false, and nothing is
/// added, if their rows do not lie apart.
bool addBoxesOfRows(AccessRefs set, llvm::ArrayRef<Ruler> rulers,
                    llvm::MutableArrayRef<int64_t> counts);

/// The rows of all accesses together, which may be more than 64 bits count.
double countRows(AccessRefs set);

/// What the accesses touch by a look at every row; none if there are too many.
std::optional<int64_t> countEachRow(AccessRefs set, Ruler ruler);

} // namespace auspex

#endif

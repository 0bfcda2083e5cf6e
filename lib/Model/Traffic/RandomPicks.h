// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What caches have of places that are picked in no order.
#ifndef AUSPEX_LIB_MODEL_RANDOMPICKS_H
#define AUSPEX_LIB_MODEL_RANDOMPICKS_H

#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// Accesses to sectors of \p bytes in places of \p reach bytes, each as likely,
/// which is infinite if nobody knows how much there is. A cache gives a line to
/// what it has a sector of: the lines of the places have \p linesInBytes, and
/// those of a pick \p linesPerByte as much as its sectors.
struct RandomPicks {
  double bytes = 0, reach = 0, linesInBytes = 0, linesPerByte = 1;
};

/// What \p all are together, in bytes.
double bytesOf(llvm::ArrayRef<RandomPicks> all);

/// The share of the picks before one that a cache of \p capacity still has:
/// those after which it is full (the characteristic time of Che, Tung and Wang,
/// "Hierarchical Web caching systems", IEEE JSAC 20, 2002). Infinite if all
/// fits.
double shareKept(llvm::ArrayRef<RandomPicks> all, double capacity);

/// Leaves of \p picks what \p caches pass on that have the share \p kept: what
/// each sees for the first time, and of the rest what it has dropped.
void throughCaches(std::vector<RandomPicks> &picks, double kept, double caches);

/// The turns of the search that ends in \p access of an object of \p reach
/// bytes, in sectors of \p sector and lines of \p line bytes. Those that come
/// to one sector find it.
std::vector<RandomPicks> turnsOfSearch(const Access &access,
                                       const BoundAccess &bound, double reach,
                                       double sector, double line);

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that run as often for all threads, or in all blocks, in place of those
/// that cut a domain into too many pieces.
#ifndef AUSPEX_LIB_FOOTPRINT_EVENLOOPS_H
#define AUSPEX_LIB_FOOTPRINT_EVENLOOPS_H

#include "auspex/Footprint/AccessPattern.h"

namespace auspex {

/// \p domain, if it has more than \p most pieces, where loops run as often as
/// in the middle of a block, if how often hangs on thread and block together,
/// or where that leaves too many, as in the middle of the grid. Null if there
/// are few, or too many in any way.
std::shared_ptr<const AccessDomain> withEvenLoops(const AccessDomain &domain,
                                                  size_t most);

/// \p domain where all threads run its loops as often as the one in the middle,
/// in the middle of the loops around. Null if they do so anyway.
std::shared_ptr<const AccessDomain>
withConstantLoops(const AccessDomain &domain);

} // namespace auspex

#endif

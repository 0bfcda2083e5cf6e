// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// UncoalescedAccess and MisalignedAccess say the same thing of different
/// sizes.
#ifndef AUSPEX_LIB_MODEL_REMARKS_COALESCING_H
#define AUSPEX_LIB_MODEL_REMARKS_COALESCING_H

#include "Common.h"

namespace auspex::remarks {

/// Adds a finding for every place of accesses whose sectors are at least \p low
/// and less than \p high times the fewest. Of those whose addresses hang on
/// arguments that are not stated only what is uncoalesced is certain enough.
void findWastedSectors(const RemarkContext &context, double low, double high,
                       llvm::StringRef cause, std::vector<Finding> &findings);

} // namespace auspex::remarks

#endif

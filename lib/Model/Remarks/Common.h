// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What several remark rules share.
#ifndef AUSPEX_LIB_MODEL_REMARKS_COMMON_H
#define AUSPEX_LIB_MODEL_REMARKS_COMMON_H

#include "auspex/Model/Remark.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace auspex::remarks {

/// Calls \p visit for every access to memory of \p space that runs, with its
/// counts over the launch.
void forEachAccess(
    const RemarkContext &context, MemorySpace space,
    llvm::function_ref<void(const Access &, const BoundAccess &)> visit);

/// "load of 4 B a lane", "atomic add of 8 B a lane".
std::string describe(const Access &access);

/// "; 12.3 us (45 %) less without it", or that nothing would be gained.
std::string describeGain(const RemarkContext &context, double gainInUs);

} // namespace auspex::remarks

#endif

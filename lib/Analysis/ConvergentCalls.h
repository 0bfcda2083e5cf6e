// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What warps do together, while loops are unrolled.
#ifndef AUSPEX_LIB_ANALYSIS_CONVERGENTCALLS_H
#define AUSPEX_LIB_ANALYSIS_CONVERGENTCALLS_H

#include "llvm/IR/PassInstrumentation.h"

namespace auspex {

/// nvcc unrolls what warps do together, barriers, shuffles and inline assembly,
/// where LLVM would have to leave a rest to another loop and does not: so that
/// it does, LLVM is told nothing of it while it unrolls. It must know again
/// then: branches around a barrier are not joined at the price of another one.
void unrollWhatWarpsDoTogether(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace auspex

#endif

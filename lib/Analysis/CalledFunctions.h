// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a function may call.
#ifndef AUSPEX_LIB_ANALYSIS_CALLEDFUNCTIONS_H
#define AUSPEX_LIB_ANALYSIS_CALLEDFUNCTIONS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"

namespace auspex {

using CalledFunctions = llvm::SmallSetVector<const llvm::Function *, 8>;

/// The functions that \p function calls, itself or through others, as far as
/// calls name them; \p function too if it comes to call itself.
CalledFunctions calledFunctions(const llvm::Function &function);

} // namespace auspex

#endif

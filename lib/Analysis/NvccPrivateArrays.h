// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc lays out private arrays. Found by trying nvcc 13.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCPRIVATEARRAYS_H
#define AUSPEX_LIB_ANALYSIS_NVCCPRIVATEARRAYS_H

#include "llvm/IR/Function.h"

namespace auspex {

/// Aligns private arrays to 16 bytes, as far as they are that large, and states
/// of every access what follows from it, such as that of an index that a loop
/// counts by four: the code generator joins neighbours then.
void alignPrivateArrays(llvm::Function &kernel);

} // namespace auspex

#endif

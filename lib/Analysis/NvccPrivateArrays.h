// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc lays out private arrays. Found by trying nvcc 13.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCPRIVATEARRAYS_H
#define AUSPEX_LIB_ANALYSIS_NVCCPRIVATEARRAYS_H

#include "llvm/IR/Function.h"

namespace auspex {

/// Aligns private arrays to the power of 2 that their size is a multiple of, up
/// to 16 bytes, and states of every access what follows from it, such as that
/// of an index that a loop counts by four: the code generator joins neighbours
/// then.
void alignPrivateArrays(llvm::Function &kernel);

} // namespace auspex

#endif

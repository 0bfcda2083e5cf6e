// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that nvcc unrolls twice: its optimiser by up to four, and ptxas what
/// is still short then by four again. It does so where it can tell the trip
/// count: strength reduction has left a counter of its own, which it does where
/// addresses are pointers that are counted on, too. Found by trying nvcc 13.
#ifndef AUSPEX_LIB_ANALYSIS_UNROLLEDTWICE_H
#define AUSPEX_LIB_ANALYSIS_UNROLLEDTWICE_H

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace auspex {

/// Marks these loops of \p kernel, which is still to be unrolled. Those for
/// which the source says how are none of them.
void markUnrolledTwice(llvm::Function &kernel,
                       llvm::FunctionAnalysisManager &functions);

/// Whether \p block ends a loop that was marked, before or after unrolling.
bool isUnrolledTwice(const llvm::BasicBlock &block);

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc unrolls loops, where LLVM does otherwise. Found by trying nvcc 13.
///
/// Its optimiser unrolls by four, but longer loops, and those whose counter is
/// signed and goes on by anything, as those that go over a grid; further only
/// where the trip count is known and leaves no rest. And it is not the last:
/// ptxas unrolls what is still short by four again, if it can tell the count.
/// Strength reduction has left a counter of its own then, which it does where
/// addresses are pointers that are counted on, too.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCUNROLLING_H
#define AUSPEX_LIB_ANALYSIS_NVCCUNROLLING_H

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace auspex {

/// Has LLVM unroll the loops of \p kernel as nvcc's optimiser would, and marks
/// those that are unrolled twice. Where the source says how often, it stays.
void unrollAsNvcc(llvm::Function &kernel,
                  llvm::FunctionAnalysisManager &functions);

/// Whether \p block ends a loop that is unrolled twice, before or after the
/// first time.
bool isUnrolledTwice(const llvm::BasicBlock &block);

} // namespace auspex

#endif

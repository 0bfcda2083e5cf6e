// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc unswitches loops, where LLVM does not for a GPU: of a condition
/// that does not change in a loop and is the same for all threads of a block,
/// arguments of the kernel mostly, it makes a branch around two loops. Found by
/// trying nvcc 13. A condition that threads may see otherwise stays inside.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCUNSWITCHING_H
#define AUSPEX_LIB_ANALYSIS_NVCCUNSWITCHING_H

#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace auspex {

/// Unswitches a loop of a kernel as nvcc's optimiser does.
class UnswitchAsNvcc : public llvm::PassInfoMixin<UnswitchAsNvcc> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses,
                              llvm::LPMUpdater &);
};

} // namespace auspex

#endif

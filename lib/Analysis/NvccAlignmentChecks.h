// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Code that asks whether its pointers are aligned before it takes a vector at
/// once, as CUB's block loads do. LLVM makes one load of those on both ways,
/// with the alignment of the elements; nvcc keeps both ways.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCALIGNMENTCHECKS_H
#define AUSPEX_LIB_ANALYSIS_NVCCALIGNMENTCHECKS_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Answers such questions with yes where a pointer is a multiple of what is
/// asked for away from an array, as those begin at multiples of 256 bytes, and
/// leaves what follows as an assumption. To be run after inlining.
class AnswerAlignmentChecks
    : public llvm::PassInfoMixin<AnswerAlignmentChecks> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace auspex

#endif

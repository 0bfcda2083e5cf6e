// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc sets memory to a constant, where LLVM does otherwise. Found by
/// trying nvcc 13.
///
/// Of `for (k ...) row[k] = 0` LLVM makes one fill, and of a fill of 128 B and
/// more a loop that stores byte by byte. For nvcc they stay the stores they
/// are, which become as wide as their addresses are aligned, 16 B at most.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCFILLS_H
#define AUSPEX_LIB_ANALYSIS_NVCCFILLS_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Has no fills made of stores. To be run before anything else.
class KeepStores : public llvm::PassInfoMixin<KeepStores> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Stores what is a fill with a constant: all but long ones and those of open
/// length.
void storeFills(llvm::Module &module, llvm::FunctionAnalysisManager &functions);

} // namespace auspex

#endif

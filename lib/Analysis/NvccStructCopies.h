// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc copies structs, where LLVM does otherwise. Found by trying nvcc 13.
///
/// Of `m = choice ? a : b` LLVM copies one of both from where it is, which
/// keeps them in memory. nvcc chooses each member.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCSTRUCTCOPIES_H
#define AUSPEX_LIB_ANALYSIS_NVCCSTRUCTCOPIES_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Copies a struct that is one of two private variables member by member. To
/// be run before variables become registers.
class CopyChosenStructs : public llvm::PassInfoMixin<CopyChosenStructs> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pointers that stay a constant apart from one turn of a loop to the next.
#ifndef AUSPEX_LIB_ANALYSIS_POINTERSINSTEP_H
#define AUSPEX_LIB_ANALYSIS_POINTERSINSTEP_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Of pointers that are the same constant apart on all ways into a block,
/// leaves one, and offsets from it. LLVM moves loads from two blocks into the
/// next one and makes a pointer of each address, also where offsets from one
/// would do; nvcc does not, nor does ptxas keep them apart.
class JoinPointersInStep : public llvm::PassInfoMixin<JoinPointersInStep> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &functions);
};

} // namespace auspex

#endif

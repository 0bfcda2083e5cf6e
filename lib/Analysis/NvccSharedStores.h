// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which stores to shared memory nvcc's assembler joins. Found by trying nvcc
/// 13: neighbours with no other access to shared memory between them.
///
/// Of `for (k ...) { a[k] = x; b[k] = y; }` LLVM stores vectors to both arrays,
/// which lie apart; the assembler leaves every store as it is.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCSHAREDSTORES_H
#define AUSPEX_LIB_ANALYSIS_NVCCSHAREDSTORES_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Lets stores to shared memory be aligned to no more than those of a row make
/// together. To be run before they are joined, behind what aligns them.
class KeepStoresInTurn : public llvm::PassInfoMixin<KeepStoresInTurn> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

} // namespace auspex

#endif

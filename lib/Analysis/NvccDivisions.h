// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc divides, where LLVM does otherwise. Found by trying nvcc 13.
///
/// LLVM knows that a number that begins as a power of two and is doubled from
/// one turn of a loop to the next stays one, and takes a mask or shifts. nvcc's
/// optimiser for GPUs before Blackwell does not, and divides.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCDIVISIONS_H
#define AUSPEX_LIB_ANALYSIS_NVCCDIVISIONS_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Makes divisions by such a number calls, which LLVM leaves alone. To be run
/// on variables in registers, before instructions are first combined.
class HideDivisions : public llvm::PassInfoMixin<HideDivisions> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Makes the calls of HideDivisions divisions again.
class RestoreDivisions : public llvm::PassInfoMixin<RestoreDivisions> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
  /// Nothing else knows the calls.
  static bool isRequired() { return true; }
};

} // namespace auspex

#endif

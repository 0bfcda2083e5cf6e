// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc chooses between cases, where LLVM does otherwise. Found by trying
/// nvcc 11.8 and 13.
///
/// A switch becomes a tree of comparisons and branches, of any number of cases:
/// never a table of code to jump to, nor one of values.
///
/// Comparisons of one value, `c == 'A' ? 0 : c == 'C' ? 1 : ...` or
/// `c == ' ' || c == '\n' || ...`, stay a chain of comparisons. LLVM makes a
/// switch of them.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCSWITCHES_H
#define AUSPEX_LIB_ANALYSIS_NVCCSWITCHES_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Marks what the source has as a switch, and has no tables made. To be run
/// before anything else.
class MarkSwitches : public llvm::PassInfoMixin<MarkSwitches> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Makes comparisons again of each switch that is not marked: values are
/// selected where little is done for a case but to give them.
void compareInChains(llvm::Module &module);

} // namespace auspex

#endif

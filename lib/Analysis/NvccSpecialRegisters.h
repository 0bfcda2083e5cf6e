// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What nvcc knows of special registers before 10.0, where LLVM knows more.
/// Found by trying nvcc 11.8 and 13.
///
/// warpSize is a name of which ptxas alone knows that it is 32, where clang's
/// header has a constant: `threadIdx.x / warpSize` stays a division, by way of
/// a reciprocal, and a loop over `offset = warpSize / 2; offset > 0; offset /=
/// 2` stays a loop.
///
/// Indices of threads and blocks, and what is counted on from there, may have a
/// sign: of `int i = threadIdx.x` the quotient i / 32 and the remainder i % 32
/// are put right for numbers below 0.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCSPECIALREGISTERS_H
#define AUSPEX_LIB_ANALYSIS_NVCCSPECIALREGISTERS_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Makes what is loaded from the variable of HiddenWarpSize a read of the
/// special register, and hides the ranges of all. To be run after the target's
/// own first passes, which state them.
class HideSpecialRegisters : public llvm::PassInfoMixin<HideSpecialRegisters> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
};

/// Has LLVM not know what nvcc does not of the values of special registers. A
/// module that is read from bitcode states them again.
void hideRanges(llvm::Module &module, unsigned arch);

} // namespace auspex

#endif

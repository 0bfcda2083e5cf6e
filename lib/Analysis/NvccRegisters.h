// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What nvcc knows of special registers before 10.0, where clang's headers
/// state ranges and a constant. Found by trying nvcc 11.8 and 13.
///
/// While it simplifies code, the indices of threads and blocks may be anything:
/// `i / 64` and `i % 64` of an `int i = threadIdx.x` round towards zero, with
/// instructions for an i below it. When it makes addresses it knows their
/// ranges: `p[threadIdx.x + 256]` is p[threadIdx.x] and a constant.
///
/// The size of a warp is never known to be 32: `threadIdx.x / warpSize` stays a
/// division, by way of a reciprocal, and a loop over `offset = warpSize / 2;
/// offset > 0; offset /= 2` stays a loop.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCREGISTERS_H
#define AUSPEX_LIB_ANALYSIS_NVCCREGISTERS_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Makes what is loaded from the variable of HiddenWarpSize a read of the
/// special register, and hides what registers hold. To be run after the
/// target's own first passes, which state it.
class ReadRegisters : public llvm::PassInfoMixin<ReadRegisters> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
};

/// Has LLVM not know which values the special registers have.
void hideRegisters(llvm::Module &module, unsigned arch);

/// Has it know their ranges again. The size of a warp stays hidden, which a
/// module that is read from bitcode states.
void stateRegisters(llvm::Module &module, unsigned arch);

/// The same, and marks operations and extensions with what follows.
void markRegisters(llvm::Module &module, unsigned arch);

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The size of a warp as nvcc has it before 10.0, where clang's header has a
/// constant: code is optimised without knowing that it is 32. Found by trying
/// nvcc 11.8 and 13.
///
/// `threadIdx.x / warpSize` stays a division, by way of a reciprocal, and a
/// loop over `offset = warpSize / 2; offset > 0; offset /= 2` stays a loop.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCWARPSIZE_H
#define AUSPEX_LIB_ANALYSIS_NVCCWARPSIZE_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Makes what is loaded from the variable of HiddenWarpSize a read of the
/// special register. To be run after the target's own first passes, which state
/// its value.
class ReadWarpSize : public llvm::PassInfoMixin<ReadWarpSize> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
};

/// Has LLVM not know the value that the register has. A module that is read
/// from bitcode states it again.
void hideWarpSize(llvm::Module &module, unsigned arch);

} // namespace auspex

#endif

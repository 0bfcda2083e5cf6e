// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which neighbours nvcc joins to wide accesses, where LLVM joins others too.
/// Found by trying nvcc 13.
///
/// Stores to shared memory are joined if no other access to shared memory
/// stands between them: of `for (k ...) { a[k] = x; b[k] = y; }` every store
/// stays as it is.
///
/// Loads of two words of four with a gap between them stay two, as `v.x * v.z`
/// of a float4; of three, and of parts of words, the gap is loaded too.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCJOINS_H
#define AUSPEX_LIB_ANALYSIS_NVCCJOINS_H

#include "llvm/IR/PassManager.h"

namespace auspex {

/// Lets accesses be aligned to no more than what they are to be joined to. To
/// be run before they are joined, behind what aligns them.
class KeepApartAsNvcc : public llvm::PassInfoMixin<KeepApartAsNvcc> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that nvcc unrolls whole, and ptxas after it (NvccUnrolling.h).
#ifndef AUSPEX_LIB_ANALYSIS_NVCCWHOLELOOPS_H
#define AUSPEX_LIB_ANALYSIS_NVCCWHOLELOOPS_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

#include <functional>

namespace auspex {

/// Keeps LLVM, if it is told to unroll as far as 3000 instructions, from
/// unrolling whole what nvcc's optimiser does not. To be run just before.
class KeepLoopsAsNvcc : public llvm::PassInfoMixin<KeepLoopsAsNvcc> {
public:
  /// \p isUnhinted says of where a loop begins whether nvcc does not listen to
  /// how often the source has it unrolled.
  explicit KeepLoopsAsNvcc(
      std::function<bool(const llvm::DILocation &)> isUnhinted)
      : isUnhinted(std::move(isUnhinted)) {}

  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses,
                              llvm::LPMUpdater &);

private:
  std::function<bool(const llvm::DILocation &)> isUnhinted;
};

/// What nvcc takes \p instruction to cost when it unrolls whole loops: an
/// address that is next to another one nothing, a product that is added to
/// something nothing.
unsigned costInWholeLoop(const llvm::Instruction &instruction);

/// Has LLVM unroll whole what ptxas does of \p kernel. To be run before loops
/// are unrolled whole.
void unrollWholeAsPtxas(llvm::Function &kernel, unsigned arch,
                        llvm::FunctionAnalysisManager &functions);

} // namespace auspex

#endif

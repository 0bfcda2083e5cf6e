// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc unrolls loops, where LLVM does otherwise. Found by trying nvcc 13.
///
/// Its optimiser unrolls loops of a known trip count whole if that gives no
/// more than 400 instructions, or 3000 where a private array is indexed, which
/// is kept in registers then. Of others, those with no loop inside, it makes
/// four copies; more only where the trip count is known and leaves no rest. It
/// takes longer ones than LLVM does, and those whose counter is signed and goes
/// on by anything, as those that go over a grid; before 10.0 none whose counter
/// may wrap, as with `int i += blockDim.x`. And it is not the last: ptxas
/// unrolls what is still short by four again, if it can tell the count.
/// Strength reduction has left a counter of its own then, which it does where
/// addresses are pointers that are counted on, too. Before 9.0 it also unrolls
/// whole, as far as some 4800 instructions go, a loop of a known trip count
/// that is all that branches in the loop around it: the products of a tile,
/// between two barriers. And before 10.0 `#pragma unroll` without a number says
/// nothing of a loop whose trip count is unknown.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCUNROLLING_H
#define AUSPEX_LIB_ANALYSIS_NVCCUNROLLING_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

#include <functional>

namespace auspex {

/// Marks loops before 10.0 whose trip count nvcc's optimiser cannot tell, since
/// their counter may wrap: one that goes on by more than 1 without a sign, or
/// by a number without a sign that is widened, or is compared without a sign.
/// LLVM has learnt since then to see that most do not. To be run on variables
/// in registers, before instructions are first combined.
class MarkWrappingCounters : public llvm::PassInfoMixin<MarkWrappingCounters> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &functions);
};

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

/// Has LLVM unroll whole what ptxas does of \p kernel before 9.0. To be run
/// before loops are unrolled whole.
void unrollTilesAsPtxas(llvm::Function &kernel, unsigned arch,
                        llvm::FunctionAnalysisManager &functions);

/// Has LLVM unroll the loops of \p kernel as nvcc's optimiser would, and marks
/// those that are unrolled twice. Where the source says how often, it stays.
void unrollAsNvcc(llvm::Function &kernel,
                  llvm::FunctionAnalysisManager &functions);

/// Whether \p block ends a loop that is unrolled twice, before or after the
/// first time.
bool isUnrolledTwice(const llvm::BasicBlock &block);

/// Whether \p block ends a loop that is nothing for ptxas to unroll: the source
/// says so, or it cannot tell the trip count either, since the counter may wrap
/// and neither begins nor ends with a constant.
bool isNeverUnrolled(const llvm::BasicBlock &block);

/// nvcc unrolls what warps do together, barriers, shuffles and inline assembly,
/// where LLVM would have to leave a rest to another loop and does not: so that
/// it does, LLVM is told nothing of it while it unrolls. It must know again
/// then: branches around a barrier are not joined at the price of another one.
void unrollWhatWarpsDoTogether(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace auspex

#endif

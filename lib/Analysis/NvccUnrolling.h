// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc unrolls loops, where LLVM does otherwise. Found by trying nvcc 11.8
/// and 13.
///
/// Its optimiser unrolls loops of a known trip count whole if that gives no
/// more than 400 instructions, or 3000 where a private array is indexed, which
/// is kept in registers then. Of others, those with no loop inside, it makes
/// four copies; more only where the trip count is known and leaves no rest. It
/// takes longer ones than LLVM does, and those whose counter is signed and goes
/// on by anything, as those that go over a grid; before 10.0 none whose counter
/// may wrap, as with `int i += blockDim.x`, and none that goes on by a variable
/// and has inline assembly or something that warps do together. What is left of
/// four turns is copies too, with a test between them, if the loop is in
/// another one, and a loop if it is not.
///
/// And it is not the last: ptxas unrolls what is still short by four again, if
/// it can tell the count. Strength reduction has left a counter of its own
/// then, unless addresses, which go on by one long step from what is no
/// constant, have taken its place. If it does not know the count it has
/// versions of four, two and one of its turns, and tests before each.
///
/// It also unrolls whole what has a known trip count, the further the more of
/// it loads from constant memory, and before 9.0 from shared memory, at places
/// that are constants then: filters, and the products of a tile
/// (NvccWholeLoops.cpp). And before 10.0 `#pragma unroll` without a number says
/// nothing of a loop whose trip count is unknown.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCUNROLLING_H
#define AUSPEX_LIB_ANALYSIS_NVCCUNROLLING_H

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

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

/// Has LLVM unroll the loops of \p kernel as nvcc's optimiser would, and marks
/// those that are unrolled twice. Where the source says how often, it stays.
void unrollAsNvcc(llvm::Function &kernel, unsigned arch,
                  llvm::FunctionAnalysisManager &functions);

/// Has LLVM forget how many turns the loops of \p kernel have at most of which
/// nvcc makes as many copies: LLVM would make a chain of them, with a test
/// behind each. And how many those have of which nvcc cannot tell. To be run
/// when nobody asks for the trip count any more.
void hideMostTurns(llvm::Function &kernel,
                   llvm::FunctionAnalysisManager &functions);

/// Has the turns that are left of groups of copies be copies too, one after the
/// other, with a test between them. To be run after loops are unrolled.
class CopyRests : public llvm::PassInfoMixin<CopyRests> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Whether \p block ends as one of those copies.
bool isOfCopiedRest(const llvm::BasicBlock &block);

/// How often the optimiser has a turn of \p length, which runs \p trips times
/// (0 if that is not known): as often as fits and leaves no rest, or by four.
unsigned nvccCopies(unsigned length, unsigned trips);

/// Whether \p block ends a loop that is unrolled twice, before or after the
/// first time.
bool isUnrolledTwice(const llvm::BasicBlock &block);
/// Whether it ends a loop whose trip count is known, which is unrolled twice
/// too.
bool isCounted(const llvm::BasicBlock &block);

/// Whether \p block ends a loop that is nothing for ptxas to unroll: the source
/// says so, or it cannot tell the trip count either, since the counter may wrap
/// and neither begins nor ends with a constant.
bool isNeverUnrolled(const llvm::BasicBlock &block);

} // namespace auspex

#endif

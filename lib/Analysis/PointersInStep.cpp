// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PointersInStep.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <optional>

using namespace auspex;

/// How far \p pointer is from \p other, which is in the same block, in bytes;
/// none if that is not the same on all ways into it.
static std::optional<int64_t> distance(const llvm::PHINode &pointer,
                                       const llvm::PHINode &other,
                                       llvm::ScalarEvolution &evolution) {
  std::optional<int64_t> result;
  if (pointer.getType() != other.getType())
    return std::nullopt;
  for (unsigned i = 0; i < pointer.getNumIncomingValues(); ++i) {
    auto *bytes = llvm::dyn_cast<llvm::SCEVConstant>(
        evolution.getMinusSCEV(evolution.getSCEV(pointer.getIncomingValue(i)),
                               evolution.getSCEV(other.getIncomingValueForBlock(
                                   pointer.getIncomingBlock(i)))));
    if (!bytes || (result && *result != bytes->getAPInt().getSExtValue()))
      return std::nullopt;
    result = bytes->getAPInt().getSExtValue();
  }
  return result;
}

/// Leaves one of the pointers that \p block begins with where others are in
/// step with it.
static bool joinPointers(llvm::BasicBlock &block,
                         llvm::ScalarEvolution &evolution) {
  llvm::SmallVector<llvm::PHINode *> kept;
  bool joins = false;
  for (llvm::PHINode &pointer : llvm::make_early_inc_range(block.phis())) {
    if (!pointer.getType()->isPointerTy())
      continue;
    std::optional<int64_t> bytes;
    auto other = llvm::find_if(kept, [&](const llvm::PHINode *before) {
      bytes = distance(pointer, *before, evolution);
      return bytes.has_value();
    });
    if (other == kept.end()) {
      kept.push_back(&pointer);
      continue;
    }
    llvm::IRBuilder<> builder(&block, block.getFirstInsertionPt());
    llvm::Type *index = block.getDataLayout().getIndexType(pointer.getType());
    evolution.forgetValue(&pointer);
    pointer.replaceAllUsesWith(builder.CreatePtrAdd(
        *other, llvm::ConstantInt::getSigned(index, *bytes)));
    pointer.eraseFromParent();
    joins = true;
  }
  return joins;
}

llvm::PreservedAnalyses
JoinPointersInStep::run(llvm::Function &function,
                        llvm::FunctionAnalysisManager &functions) {
  auto &evolution =
      functions.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool joins = false;
  for (llvm::BasicBlock &block : function)
    joins |= joinPointers(block, evolution);
  if (!joins)
    return llvm::PreservedAnalyses::all();
  auto preserved = llvm::PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

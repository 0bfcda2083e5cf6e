// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccUnswitching.h"

#include "SpecialRegisters.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"

using namespace auspex;

/// Whether \p instruction reads what the launch says of a block.
static bool isOfBlock(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  llvm::StringRef name = call ? specialRegister(call->getIntrinsicID()) : "";
  return !name.empty() && !isThreadIndex(name);
}

/// Whether all threads of a block have the same \p value of a kernel, as far as
/// that shows in how it is computed.
static bool isUniform(const llvm::Value &value, unsigned depth = 0) {
  constexpr unsigned Deepest = 8;
  if (llvm::isa<llvm::Constant, llvm::Argument>(value))
    return true;
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth == Deepest)
    return false;
  return isOfBlock(*instruction) ||
         (llvm::isa<llvm::UnaryOperator, llvm::BinaryOperator, llvm::CastInst,
                    llvm::CmpInst, llvm::SelectInst, llvm::FreezeInst,
                    llvm::GetElementPtrInst, llvm::LoadInst>(instruction) &&
          llvm::all_of(instruction->operands(), [&](const llvm::Use &operand) {
            return isUniform(*operand, depth + 1);
          }));
}

/// Adds the conditions that do not change in \p loop, of \p condition those
/// that it joins.
static void addInvariant(llvm::Value &condition, const llvm::Loop &loop,
                         llvm::SmallVectorImpl<llvm::Value *> &conditions) {
  using namespace llvm::PatternMatch;
  llvm::Value *one = nullptr, *other = nullptr;
  if (llvm::isa<llvm::Constant>(condition))
    return;
  if (loop.isLoopInvariant(&condition)) {
    conditions.push_back(&condition);
  } else if (match(&condition, m_LogicalAnd(m_Value(one), m_Value(other))) ||
             match(&condition, m_LogicalOr(m_Value(one), m_Value(other)))) {
    addInvariant(*one, loop, conditions);
    addInvariant(*other, loop, conditions);
  }
}

/// What LLVM may make two loops of \p loop for.
static llvm::SmallVector<llvm::Value *>
invariantConditions(const llvm::Loop &loop) {
  llvm::SmallVector<llvm::Value *> conditions;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block) {
      auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
      if (branch && branch->isConditional())
        addInvariant(*branch->getCondition(), loop, conditions);
      if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
        addInvariant(*choice->getCondition(), loop, conditions);
      auto *selection = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      if (selection && !selection->getType()->isIntOrIntVectorTy(1))
        addInvariant(*selection->getCondition(), loop, conditions);
    }
  return conditions;
}

llvm::PreservedAnalyses
UnswitchAsNvcc::run(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
                    llvm::LoopStandardAnalysisResults &analyses,
                    llvm::LPMUpdater &updater) {
  const llvm::Function &function = *loop.getHeader()->getParent();
  if (!isKernel(function))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::Value *> conditions = invariantConditions(loop);
  if (conditions.empty() ||
      !llvm::all_of(conditions, [](const llvm::Value *condition) {
        return isUniform(*condition);
      }))
    return llvm::PreservedAnalyses::all();
  // LLVM leaves loops alone where threads may take different branches. A target
  // of which nothing is known has no such threads.
  llvm::TargetTransformInfo plain(function.getDataLayout());
  llvm::LoopStandardAnalysisResults asOneThread{
      analyses.AA, analyses.AC,  analyses.DT, analyses.LI,
      analyses.SE, analyses.TLI, plain,       analyses.MSSA};
  return llvm::SimpleLoopUnswitchPass(/*NonTrivial=*/true,
                                      /*Trivial=*/false)
      .run(loop, manager, asOneThread, updater);
}

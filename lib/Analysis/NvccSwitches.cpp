// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccSwitches.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace auspex;

static constexpr llvm::StringLiteral Mark = "auspex.switch";

llvm::PreservedAnalyses MarkSwitches::run(llvm::Function &function,
                                          llvm::FunctionAnalysisManager &) {
  function.addFnAttr("no-jump-tables", "true");
  for (llvm::BasicBlock &block : function)
    if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator()))
      choice->setMetadata(Mark, llvm::MDNode::get(function.getContext(), {}));
  return llvm::PreservedAnalyses::all();
}

namespace {
/// A switch as comparisons, one after another.
class Chain {
public:
  explicit Chain(llvm::SwitchInst &choice)
      : choice(choice), from(*choice.getParent()), builder(&choice) {
    for (const auto &handle : choice.cases())
      if (handle.getCaseSuccessor() != choice.getDefaultDest())
        values[handle.getCaseSuccessor()].push_back(handle.getCaseValue());
  }

  void make() {
    if (llvm::BasicBlock *join = commonJoin())
      select(*join);
    else
      branch();
    choice.eraseFromParent();
  }

private:
  /// Where \p to goes on to if it does no more than a few instructions that
  /// may as well be done for all cases; \p to itself otherwise.
  llvm::BasicBlock *past(llvm::BasicBlock *to) const {
    constexpr unsigned Few = 2; // as LLVM's -phi-node-folding-threshold
    auto *jump = llvm::dyn_cast<llvm::BranchInst>(to->getTerminator());
    if (!jump || !jump->isUnconditional() || to->size() > Few + 1)
      return to;
    for (llvm::Instruction &instruction : llvm::drop_end(*to))
      if (to->getUniquePredecessor() != &from ||
          !llvm::isSafeToSpeculativelyExecute(&instruction))
        return to;
    return jump->getSuccessor(0);
  }

  /// Where all cases meet if they do little or nothing; null if there is no
  /// such place.
  llvm::BasicBlock *commonJoin() const {
    llvm::BasicBlock *first = choice.getDefaultDest();
    for (llvm::BasicBlock *join : {past(first), first})
      if (llvm::all_of(values, [&](const auto &entry) {
            return entry.first == join || past(entry.first) == join;
          }))
        return join;
    return nullptr;
  }

  llvm::Value *isOneOf(llvm::ArrayRef<llvm::ConstantInt *> some) {
    llvm::Value *is = nullptr;
    for (llvm::ConstantInt *value : some) {
      llvm::Value *equal = builder.CreateICmpEQ(choice.getCondition(), value);
      is = is ? builder.CreateOr(is, equal) : equal;
    }
    return is;
  }

  void select(llvm::BasicBlock &join) {
    for (llvm::BasicBlock *to : llvm::successors(&from))
      if (to != &join)
        while (&to->front() != to->getTerminator())
          to->front().moveBefore(choice.getIterator());
    llvm::SmallVector<llvm::Value *> conditions;
    for (const auto &[to, some] : values)
      conditions.push_back(isOneOf(some));
    auto valueThrough = [&](llvm::PHINode &phi, llvm::BasicBlock *to) {
      return phi.getIncomingValueForBlock(to == &join ? &from : to);
    };
    for (llvm::PHINode &phi : join.phis()) {
      llvm::Value *value = valueThrough(phi, choice.getDefaultDest());
      for (auto [entry, condition] :
           llvm::reverse(llvm::zip_equal(values, conditions)))
        value = builder.CreateSelect(condition, valueThrough(phi, entry.first),
                                     value);
      setIncoming(phi, *value, from);
    }
    builder.CreateBr(&join);
  }

  void branch() {
    llvm::BasicBlock *block = &from;
    for (const auto &[to, some] : values) {
      llvm::BasicBlock *next = llvm::BasicBlock::Create(
          from.getContext(), "", from.getParent(), block->getNextNode());
      builder.CreateCondBr(isOneOf(some), to, next);
      comeFrom(*block, *to);
      block = next;
      builder.SetInsertPoint(block);
    }
    builder.CreateBr(choice.getDefaultDest());
    comeFrom(*block, *choice.getDefaultDest());
  }

  /// Has \p to come from \p block, once, instead of from the switch.
  void comeFrom(llvm::BasicBlock &block, llvm::BasicBlock &to) {
    for (llvm::PHINode &phi : to.phis())
      setIncoming(phi, *phi.getIncomingValueForBlock(&from), block);
  }

  /// Has \p phi be \p value from \p block on, and nothing from the switch.
  void setIncoming(llvm::PHINode &phi, llvm::Value &value,
                   llvm::BasicBlock &block) {
    phi.removeIncomingValueIf(
        [&](unsigned i) { return phi.getIncomingBlock(i) == &from; },
        /*DeletePHIIfEmpty=*/false);
    phi.addIncoming(&value, &block);
  }

  llvm::SwitchInst &choice;
  llvm::BasicBlock &from;
  llvm::IRBuilder<> builder;
  /// The values of the cases that go there, in the order of the first of each.
  llvm::MapVector<llvm::BasicBlock *, llvm::SmallVector<llvm::ConstantInt *>>
      values;
};
} // namespace

void auspex::compareInChains(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::SwitchInst *> choices;
    for (llvm::BasicBlock &block : function)
      if (auto *choice =
              llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator()))
        if (!choice->hasMetadata(Mark))
          choices.push_back(choice);
    for (llvm::SwitchInst *choice : choices)
      Chain(*choice).make();
    if (!choices.empty())
      llvm::removeUnreachableBlocks(function);
  }
}

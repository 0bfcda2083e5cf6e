// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects, and phis where ways meet: which of several values it is.
#include "ValueTranslator.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace auspex;

namespace {
/// The conditions under which control comes from one block to those below it,
/// in a part of the code that no loop closes.
class WaysDown {
public:
  WaysDown(ValueTranslator &values, const llvm::LoopInfo &loops,
           const llvm::BasicBlock *top)
      : values(values), top(top), loop(loops.getLoopFor(top)), loops(loops) {}

  /// Invalid if it cannot be told.
  Expr condition(llvm::BasicBlock *block) {
    if (block == top)
      return Expr(1);
    if (auto found = known.find(block); found != known.end())
      return found->second;
    constexpr unsigned MostBlocks = 32;
    if (known.size() >= MostBlocks || loops.getLoopFor(block) != loop)
      return Expr::invalid();
    known[block] = Expr::invalid();
    Expr any(0);
    llvm::SmallPtrSet<llvm::BasicBlock *, 4> seen;
    for (llvm::BasicBlock *before : llvm::predecessors(block))
      if (seen.insert(before).second)
        any = Expr::disjunction(any, edge(before, block));
    known[block] = any;
    return any;
  }

  Expr edge(llvm::BasicBlock *from, llvm::BasicBlock *to) {
    Expr comes = condition(from);
    if (!comes.isValid())
      return comes;
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
    if (!branch)
      return Expr::conjunction(comes, switchCondition(*from, to));
    if (!branch->isConditional() ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      return comes;
    Expr taken = values.translateCondition(branch->getCondition(), from);
    return Expr::conjunction(
        comes, branch->getSuccessor(0) == to ? taken : Expr::negate(taken));
  }

private:
  ValueTranslator &values;
  const llvm::BasicBlock *top;
  const llvm::Loop *loop;
  const llvm::LoopInfo &loops;
  llvm::DenseMap<llvm::BasicBlock *, Expr> known;

  Expr switchCondition(llvm::BasicBlock &from, llvm::BasicBlock *to) {
    auto *choice = llvm::dyn_cast<llvm::SwitchInst>(from.getTerminator());
    constexpr unsigned MostCases = 16;
    if (!choice || choice->getNumCases() > MostCases)
      return Expr::invalid();
    bool isDefault = choice->getDefaultDest() == to;
    Expr any(0);
    Expr value = values.translateNumber(choice->getCondition(), &from,
                                        /*isSigned=*/true);
    for (const auto &item : choice->cases())
      if ((item.getCaseSuccessor() == to) != isDefault)
        any = Expr::disjunction(
            any,
            Expr::isEqual(value, Expr(item.getCaseValue()->getSExtValue())));
    return isDefault ? Expr::negate(any) : any;
  }
};
} // namespace

/// True if both calculate the same: optimisers move a calculation to each of
/// several ways, and join them again.
static bool isSameCalculation(const llvm::Value *a, const llvm::Value *b,
                              unsigned depth = 0) {
  if (a == b)
    return true;
  constexpr unsigned Deepest = 8;
  auto *one = llvm::dyn_cast<llvm::Instruction>(a);
  auto *other = llvm::dyn_cast<llvm::Instruction>(b);
  return one && other && depth < Deepest && !llvm::isa<llvm::PHINode>(one) &&
         !one->mayReadOrWriteMemory() && one->isSameOperationAs(other) &&
         llvm::equal(
             one->operands(), other->operands(),
             [&](const llvm::Use &x, const llvm::Use &y) {
               return isSameCalculation(x, y, depth + 1);
             });
}

static bool isOneCalculation(const llvm::PHINode &phi) {
  return llvm::all_of(phi.incoming_values(), [&](const llvm::Use &value) {
    return isSameCalculation(phi.getIncomingValue(0), value);
  });
}

/// The two arms of the branch that the phi's block is the end of, where each
/// edge of it dominates one arm.
static std::optional<std::pair<llvm::Value *, llvm::Value *>>
armsOfBranch(llvm::PHINode &phi, llvm::BranchInst &branch,
             const llvm::DominatorTree &dominators) {
  if (!branch.isConditional() || phi.getNumIncomingValues() != 2)
    return std::nullopt;
  llvm::BasicBlockEdge taken(branch.getParent(), branch.getSuccessor(0));
  llvm::BasicBlockEdge notTaken(branch.getParent(), branch.getSuccessor(1));
  llvm::Value *arms[2] = {nullptr, nullptr};
  for (unsigned i = 0; i < 2; ++i) {
    const llvm::Use &use = phi.getOperandUse(i);
    if (dominators.dominates(taken, use))
      arms[0] = use.get();
    else if (dominators.dominates(notTaken, use))
      arms[1] = use.get();
  }
  if (!arms[0] || !arms[1])
    return std::nullopt;
  return std::pair(arms[0], arms[1]);
}

static auto waysTo(const llvm::PHINode &phi, const llvm::Value *value) {
  return llvm::count(phi.incoming_values(), value);
}

/// The arm of a select or phi with only one that anything sets: the compiler
/// may take it for the others too. Null if there are none or several.
static llvm::Value *onlySetArm(llvm::Instruction &choice) {
  bool isSelect = llvm::isa<llvm::SelectInst>(choice);
  llvm::Value *only = nullptr;
  bool isAnyUnset = false;
  for (llvm::Value *arm :
       llvm::drop_begin(choice.operand_values(), isSelect ? 1 : 0)) {
    if (llvm::isa<llvm::UndefValue>(arm))
      isAnyUnset = true;
    else if (only && only != arm)
      return nullptr;
    else
      only = arm;
  }
  return isAnyUnset ? only : nullptr;
}

std::optional<ValueTranslator::Choice>
ValueTranslator::choiceOf(llvm::Instruction &instruction) {
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
  if (phi && loopInfo.isLoopHeader(phi->getParent()))
    return std::nullopt;
  if (llvm::Value *arm = onlySetArm(instruction))
    return Choice{{}, arm};
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    if (!select->getCondition()->getType()->isIntegerTy(1))
      return std::nullopt;
    return Choice{
        {{translateCondition(select->getCondition(), select->getParent()),
          select->getTrueValue()}},
        select->getFalseValue()};
  }
  if (!phi)
    return std::nullopt;
  if (isOneCalculation(*phi))
    return Choice{{}, phi->getIncomingValue(0)};
  llvm::DomTreeNode *node = dominators.getNode(phi->getParent());
  llvm::BasicBlock *decides =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!decides)
    return std::nullopt;
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(decides->getTerminator()))
    if (auto arms = armsOfBranch(*phi, *branch, dominators))
      return Choice{
          {{translateCondition(branch->getCondition(), decides), arms->first}},
          arms->second};
  WaysDown ways(*this, loopInfo, decides);
  llvm::SmallMapVector<llvm::Value *, Expr, 4> conditions;
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> seen;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    if (!seen.insert(phi->getIncomingBlock(i)).second)
      continue; // a switch comes several times
    if (llvm::isa<llvm::UndefValue>(phi->getIncomingValue(i)))
      continue; // any other arm will do
    Expr way = ways.edge(phi->getIncomingBlock(i), phi->getParent());
    Expr &any =
        conditions.insert({phi->getIncomingValue(i), Expr(0)}).first->second;
    any = Expr::disjunction(any, way);
  }
  constexpr unsigned MostArms = 8;
  if (conditions.size() > MostArms)
    return std::nullopt;
  // What remains is the one that most ways lead to, whose condition is the
  // longest; of several the last.
  llvm::Value *otherwise = nullptr;
  for (const auto &[value, condition] : conditions)
    if (!otherwise || waysTo(*phi, value) >= waysTo(*phi, otherwise))
      otherwise = value;
  Choice choice{{}, otherwise};
  for (auto &[value, condition] : conditions) {
    if (!condition.isValid())
      return std::nullopt;
    if (value != otherwise)
      choice.arms.emplace_back(condition, value);
  }
  return choice;
}

Expr ValueTranslator::foldChoice(
    const Choice &choice, llvm::function_ref<Expr(llvm::Value *)> value) {
  Expr result = value(choice.otherwise);
  for (const auto &[condition, arm] : llvm::reverse(choice.arms))
    result = Expr::select(condition, value(arm), result);
  return result;
}

/// Why a phi where ways meet has no expression.
llvm::StringRef ValueTranslator::reasonOfJoin(const llvm::PHINode &phi) const {
  const llvm::Loop *loop = loopInfo.getLoopFor(phi.getParent());
  for (const llvm::BasicBlock *from : phi.blocks())
    if (loopInfo.getLoopFor(from) != loop)
      return "early-exit";
  return "phi";
}

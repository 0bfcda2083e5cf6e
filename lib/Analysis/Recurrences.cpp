// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phis: what changes around a loop in another way than scalar evolution knows,
// and choices between values.
#include "ValueTranslator.h"

#include "MachineIntegers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace auspex;
namespace PM = llvm::PatternMatch;

/// i = start; i shifted by a constant each time round: start / 2^(c*iv) or
/// start * 2^(c*iv).
std::optional<Expr> ValueTranslator::translateGeometric(llvm::PHINode &phi) {
  const llvm::Loop *loop = loopInfo.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopLatch() ||
      !loop->getLoopPredecessor())
    return std::nullopt;
  llvm::Value *next = phi.getIncomingValueForBlock(loop->getLoopLatch());
  const llvm::APInt *factor;
  bool grows =
      PM::match(next, PM::m_Shl(PM::m_Specific(&phi), PM::m_APInt(factor)));
  bool shrinks =
      PM::match(next, PM::m_Shr(PM::m_Specific(&phi), PM::m_APInt(factor)));
  uint64_t shift = grows || shrinks ? factor->getZExtValue() : 0;
  if (!grows && !shrinks) {
    // x / 2 of a signed number is a division, x + x a sum.
    shrinks = PM::match(next, PM::m_IDiv(PM::m_Specific(&phi),
                                         PM::m_APInt(factor))) &&
              factor->isPowerOf2();
    grows =
        PM::match(next, PM::m_Mul(PM::m_Specific(&phi), PM::m_APInt(factor))) &&
        factor->isPowerOf2();
    if (!grows && !shrinks)
      return std::nullopt;
    shift = factor->logBase2();
  }
  llvm::BasicBlock *before = loop->getLoopPredecessor();
  Expr start = translate(phi.getIncomingValueForBlock(before), before);
  Expr power = Expr::pow2(Expr(static_cast<int64_t>(shift)) *
                          Expr::symbol(counterName(loop)));
  return grows ? start * power : Expr::floorDiv(start, power);
}

Expr ValueTranslator::translatePhi(llvm::PHINode &phi) {
  if (std::optional<Expr> geometric = translateGeometric(phi))
    return *geometric;
  const llvm::Loop *loop = loopInfo.getLoopFor(phi.getParent());
  if (loop && loop->getHeader() == phi.getParent())
    return addDataSymbol("phi", &phi);
  // One value, or a choice between two by the branch that decides.
  if (phi.getNumIncomingValues() == 1 || phi.hasConstantValue())
    return translate(phi.getIncomingValue(0), phi.getParent());
  llvm::DomTreeNode *node = dominators.getNode(phi.getParent());
  llvm::BasicBlock *decides =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  auto *branch =
      decides ? llvm::dyn_cast<llvm::BranchInst>(decides->getTerminator())
              : nullptr;
  if (!branch || !branch->isConditional() || phi.getNumIncomingValues() != 2)
    return addDataSymbol("phi", &phi);
  llvm::BasicBlockEdge taken(decides, branch->getSuccessor(0));
  llvm::BasicBlockEdge notTaken(decides, branch->getSuccessor(1));
  llvm::Value *arms[2] = {nullptr, nullptr};
  for (unsigned i = 0; i < 2; ++i) {
    const llvm::Use &use = phi.getOperandUse(i);
    if (dominators.dominates(taken, use))
      arms[0] = use.get();
    else if (dominators.dominates(notTaken, use))
      arms[1] = use.get();
  }
  if (!arms[0] || !arms[1])
    return addDataSymbol("phi", &phi);
  return Expr::select(translateCondition(branch->getCondition()),
                      translate(arms[0], phi.getParent()),
                      translate(arms[1], phi.getParent()));
}

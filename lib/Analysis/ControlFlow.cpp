// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ControlFlow.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace auspex;

ControlFlow::ControlFlow(llvm::Function &function, ValueTranslator &values,
                         llvm::ScalarEvolution &evolution,
                         llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                         llvm::PostDominatorTree &postDominators,
                         llvm::BranchProbabilityInfo &probabilities)
    : function(function), values(values), evolution(evolution), loopInfo(loops),
      dominators(dominators), postDominators(postDominators),
      probabilities(probabilities) {
  computeGuards();
}

//===----------------------------------------------------------------------===//
// Trip counts
//===----------------------------------------------------------------------===//

/// What the launch guarantees about symbols: indices are not negative and sizes
/// are positive. Arguments are taken to be sizes.
static Interval launchRange(llvm::StringRef symbol) {
  if (symbol.starts_with("ntid") || symbol.starts_with("nctaid") ||
      symbol.starts_with("arg"))
    return {1, INT32_MAX};
  if (symbol.starts_with("data"))
    return {};
  return {0, INT32_MAX};
}

static int signOf(const Expr &expr) {
  Interval range = expr.range(launchRange);
  return range.low > 0 ? 1 : range.high < 0 ? -1 : 0;
}

/// Trips of `for (i = start; i REL bound; i += step)`, with the comparison at
/// the end of the body if \p rotated says that i is the value after the step.
static std::optional<Expr> tripsOfComparison(llvm::CmpInst::Predicate stay,
                                             Expr start, Expr step,
                                             Expr bound) {
  switch (stay) {
  case llvm::CmpInst::ICMP_SLE:
  case llvm::CmpInst::ICMP_ULE:
    bound = bound + Expr(1);
    break;
  case llvm::CmpInst::ICMP_SGE:
  case llvm::CmpInst::ICMP_UGE:
    bound = bound - Expr(1);
    break;
  default:
    break;
  }
  bool up = signOf(step) > 0;
  if (signOf(step) == 0)
    return std::nullopt;
  bool wantsUp =
      stay == llvm::CmpInst::ICMP_SLT || stay == llvm::CmpInst::ICMP_ULT ||
      stay == llvm::CmpInst::ICMP_SLE || stay == llvm::CmpInst::ICMP_ULE;
  if (stay != llvm::CmpInst::ICMP_NE && wantsUp != up)
    return std::nullopt;
  // ceil((bound - start) / step), towards the bound.
  Expr distance = up ? bound - start : start - bound;
  Expr size = up ? step : -step;
  return Expr::max(0, Expr::floorDiv(distance + size - Expr(1), size));
}

/// Trips of a loop whose counter is halved or doubled: start * 2^(c*i) or
/// floordiv(start, 2^(c*i)) compared with a constant or another bound.
static std::optional<Expr> tripsOfGeometric(llvm::CmpInst::Predicate stay,
                                            const Expr &value,
                                            llvm::StringRef counter,
                                            const Expr &bound) {
  // Halving: floordiv(start, pow2(c*i + k)) > 0, or != 0.
  const Atom *atom = value.asAtom();
  if (atom && atom->kind == Atom::Kind::FloorDiv) {
    const Atom *power = atom->operands[1].asAtom();
    if (!power || power->kind != Atom::Kind::Pow2 ||
        atom->operands[0].uses(counter))
      return std::nullopt;
    auto linear = power->operands[0].linearIn(counter);
    if (!linear || !linear->factor->constant())
      return std::nullopt;
    Expr least = bound; // stays while value >= least
    if (stay == llvm::CmpInst::ICMP_SGT || stay == llvm::CmpInst::ICMP_UGT ||
        (stay == llvm::CmpInst::ICMP_NE && bound.isZero()))
      least = bound + Expr(1);
    else if (stay != llvm::CmpInst::ICMP_SGE && stay != llvm::CmpInst::ICMP_UGE)
      return std::nullopt;
    if (signOf(least) <= 0)
      return std::nullopt;
    // start / 2^s >= least while s <= log2(start / least).
    Expr quotient = Expr::floorDiv(atom->operands[0], least);
    Expr last = Expr::floorDiv(
        Expr::log2(Expr::max(1, quotient)) - *linear->rest, *linear->factor);
    return Expr::select(Expr::isLess(0, quotient), Expr::max(0, last + Expr(1)),
                        0);
  }
  // Doubling: start * pow2(c*i + k) < bound.
  for (const Expr::Term &term : value.sum())
    for (const Expr::Factor &factor : term.factors) {
      if (value.sum().size() != 1 || factor.atom->kind != Atom::Kind::Pow2)
        continue;
      auto linear = factor.atom->operands[0].linearIn(counter);
      if (!linear || !linear->factor->constant() || factor.power != 1)
        continue;
      Expr start(term.coefficient);
      for (const Expr::Factor &other : term.factors)
        if (&other != &factor) {
          if (other.atom->kind != Atom::Kind::Symbol)
            return std::nullopt;
          start = start * Expr::symbol(other.atom->name);
        }
      Expr least = bound - Expr(1); // stays while value <= least
      if (stay == llvm::CmpInst::ICMP_SLE || stay == llvm::CmpInst::ICMP_ULE)
        least = bound;
      else if (stay != llvm::CmpInst::ICMP_SLT &&
               stay != llvm::CmpInst::ICMP_ULT)
        return std::nullopt;
      if (signOf(start) <= 0)
        return std::nullopt;
      Expr quotient = Expr::floorDiv(least, start);
      Expr last = Expr::floorDiv(
          Expr::log2(Expr::max(1, quotient)) - *linear->rest, *linear->factor);
      return Expr::select(Expr::isLess(0, quotient),
                          Expr::max(0, last + Expr(1)), 0);
    }
  return std::nullopt;
}

/// How often control comes to the exiting block before it leaves there; for
/// comparisons that scalar evolution gives up on because a step is not constant
/// or the counter is halved or doubled.
std::optional<Expr> ControlFlow::tripCountFromExit(const llvm::Loop &loop,
                                                   llvm::BasicBlock &exiting) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  auto *comparison =
      branch && branch->isConditional()
          ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
          : nullptr;
  if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  llvm::CmpInst::Predicate stay = loop.contains(branch->getSuccessor(0))
                                      ? comparison->getPredicate()
                                      : comparison->getInversePredicate();
  std::string counter = values.counterName(&loop);
  Expr left = values.translate(comparison->getOperand(0));
  Expr right = values.translate(comparison->getOperand(1));
  if (right.uses(counter)) {
    std::swap(left, right);
    stay = llvm::CmpInst::getSwappedPredicate(stay);
  }
  auto unknown = [&](const Expr &expr) {
    bool found = false;
    expr.forEachSymbol(
        [&](llvm::StringRef name) { found |= name.starts_with("data"); });
    return found || !expr.isValid();
  };
  if (right.uses(counter) || !left.uses(counter) || unknown(left) ||
      unknown(right))
    return std::nullopt;
  auto linear = left.linearIn(counter);
  return linear ? tripsOfComparison(stay, *linear->rest, *linear->factor, right)
                : tripsOfGeometric(stay, left, counter, right);
}

static bool usesData(const Expr &expr, const ValueTranslator &values,
                     std::string &reason) {
  expr.forEachSymbol([&](llvm::StringRef name) {
    if (const DataSymbol *symbol = values.findDataSymbol(name))
      if (reason.empty())
        reason = symbol->reason;
  });
  return !reason.empty();
}

MaybeExpr ControlFlow::tripCount(const llvm::Loop &loop) {
  const llvm::SCEV *backEdges = evolution.getBackedgeTakenCount(&loop);
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(backEdges)) {
    Expr trips = values.translate(backEdges) + Expr(1);
    std::string reason;
    if (usesData(trips, values, reason))
      return MaybeExpr::unknown(reason);
    return trips.isValid() ? MaybeExpr{trips, ""}
                           : MaybeExpr::unknown("complex");
  }
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.size() != 1)
    return MaybeExpr::unknown("early-exit");
  std::optional<Expr> stays = tripCountFromExit(loop, *exiting.front());
  if (!stays)
    return MaybeExpr::unknown("indirect");
  // Leaving at the end of the body, the header has run once more than the
  // branch stayed; leaving at the header, as well (its last run leaves).
  Expr trips = *stays + Expr(1);
  return trips.isValid() ? MaybeExpr{trips, ""} : MaybeExpr::unknown("complex");
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

Expr ControlFlow::branchCondition(llvm::BranchInst &branch) {
  auto [entry, isNew] = conditions.try_emplace(&branch);
  if (!isNew)
    return entry->second;
  Expr condition = values.translateCondition(branch.getCondition());
  entry->second = condition;
  // An unknown condition carries the compiler's estimate.
  if (auto name = condition.asSymbol())
    if (values.findDataSymbol(*name))
      values.setProbability(
          *name, static_cast<double>(
                     probabilities.getEdgeProbability(branch.getParent(), 0u)
                         .getNumerator()) /
                     llvm::BranchProbability::getDenominator());
  return condition;
}

Expr ControlFlow::edgeCondition(llvm::BasicBlock *from, llvm::BasicBlock *to) {
  llvm::Instruction *terminator = from->getTerminator();
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(terminator)) {
    if (!branch->isConditional() ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      return Expr(1);
    Expr condition = branchCondition(*branch);
    return branch->getSuccessor(0) == to ? condition : Expr::negate(condition);
  }
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(terminator)) {
    Expr value = values.translate(choice->getCondition());
    Expr any(0), none(1);
    for (const auto &item : choice->cases()) {
      Expr matches =
          Expr::isEqual(value, Expr(item.getCaseValue()->getSExtValue()));
      none = Expr::conjunction(none, Expr::negate(matches));
      if (item.getCaseSuccessor() == to)
        any = Expr::disjunction(any, matches);
    }
    return choice->getDefaultDest() == to ? Expr::disjunction(any, none) : any;
  }
  return values.addDataSymbol("complex", terminator);
}

Expr ControlFlow::computeGuard(llvm::BasicBlock *block) {
  if (block->isEntryBlock())
    return Expr(1);
  llvm::Loop *loop = loopInfo.getLoopFor(block);
  llvm::DomTreeNode *node = dominators.getNode(block);
  llvm::BasicBlock *above = node->getIDom()->getBlock();
  // Whoever comes to the dominator comes here: the end of an if, or of a loop.
  if (postDominators.dominates(block, above)) {
    llvm::Loop *aboveLoop = loopInfo.getLoopFor(above);
    if (aboveLoop == loop || (loop && loop->getHeader() == block))
      return guards.lookup(above);
    if (aboveLoop && !aboveLoop->contains(block)) {
      while (aboveLoop->getParentLoop() &&
             !aboveLoop->getParentLoop()->contains(block))
        aboveLoop = aboveLoop->getParentLoop();
      return guards.lookup(aboveLoop->getHeader());
    }
  }
  Expr result(0);
  for (llvm::BasicBlock *from : llvm::predecessors(block)) {
    if (!dominators.isReachableFromEntry(from) ||
        dominators.dominates(block, from))
      continue; // a back edge
    Expr before = guards.lookup(from);
    llvm::Loop *fromLoop = loopInfo.getLoopFor(from);
    Expr edge(1);
    if (fromLoop && !fromLoop->contains(block)) {
      // Leaving a loop: with one way out everybody takes it.
      before = guards.lookup(fromLoop->getHeader());
      if (!fromLoop->getUniqueExitBlock())
        edge = values.addDataSymbol("early-exit", from->getTerminator());
    } else {
      edge = edgeCondition(from, block);
    }
    result = Expr::disjunction(result, Expr::conjunction(before, edge));
  }
  return result.isValid() ? result : values.addDataSymbol("complex", nullptr);
}

void ControlFlow::computeGuards() {
  for (llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<llvm::Function *>(&function))
    guards[block] = computeGuard(block);
}

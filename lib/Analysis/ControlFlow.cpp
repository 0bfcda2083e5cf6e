// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ControlFlow.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
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

/// The sign of a step or size; arguments are taken to be sizes.
static int signOf(const Expr &expr) {
  Interval range = expr.range([](llvm::StringRef symbol) {
    return symbol.starts_with("arg") ? Interval{1, INT32_MAX}
                                     : launchRange(symbol);
  });
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

namespace {
/// factor * 2^(slope * counter), with a factor that is free of the counter.
struct Geometric {
  Expr factor;
  int64_t slope;

  static std::optional<Geometric> match(const Expr &expr,
                                        llvm::StringRef counter) {
    if (expr.sum().size() != 1)
      return std::nullopt;
    Geometric result{Expr(expr.sum()[0].coefficient), 0};
    for (const Expr::Factor &factor : expr.sum()[0].factors) {
      const Atom &atom = *factor.atom;
      if (atom.kind == Atom::Kind::Symbol && atom.name != counter) {
        for (unsigned i = 0; i < factor.power; ++i)
          result.factor = result.factor * Expr::symbol(atom.name);
        continue;
      }
      if (atom.kind != Atom::Kind::Pow2 || factor.power != 1)
        return std::nullopt;
      auto linear = atom.operands[0].linearIn(counter);
      auto slope = linear ? linear->factor->constant() : std::nullopt;
      if (!slope || *slope <= 0 || !linear->rest->isZero())
        return std::nullopt;
      result.slope = *slope;
    }
    return result.slope ? std::optional(result) : std::nullopt;
  }
};
} // namespace

/// How many s >= 0 in a row have 2^(slope*s) <= limit.
static Expr stepsUpTo(const Expr &limit, int64_t slope) {
  Expr last = Expr::floorDiv(Expr::log2(Expr::max(1, limit)), Expr(slope));
  return Expr::select(Expr::isLess(0, limit), last + Expr(1), 0);
}

/// Trips of a loop whose counter is halved or doubled each time.
static std::optional<Expr> tripsOfGeometric(llvm::CmpInst::Predicate stay,
                                            const Expr &value,
                                            llvm::StringRef counter,
                                            const Expr &bound) {
  using llvm::CmpInst;
  const Atom *atom = value.asAtom();
  if (atom && atom->kind == Atom::Kind::FloorDiv &&
      !atom->operands[0].uses(counter)) {
    // start / (f * 2^(c*s)) >= least as long as 2^(c*s) <= start / (f * least).
    auto divisor = Geometric::match(atom->operands[1], counter);
    bool strict = stay == CmpInst::ICMP_SGT || stay == CmpInst::ICMP_UGT ||
                  (stay == CmpInst::ICMP_NE && bound.isZero());
    bool orEqual = stay == CmpInst::ICMP_SGE || stay == CmpInst::ICMP_UGE;
    Expr least = strict ? bound + Expr(1) : bound;
    if (!divisor || !(strict || orEqual) || signOf(least) <= 0)
      return std::nullopt;
    return stepsUpTo(Expr::floorDiv(atom->operands[0], divisor->factor * least),
                     divisor->slope);
  }
  // f * 2^(c*s) <= most as long as 2^(c*s) <= most / f.
  auto product = Geometric::match(value, counter);
  bool strict = stay == CmpInst::ICMP_SLT || stay == CmpInst::ICMP_ULT;
  bool orEqual = stay == CmpInst::ICMP_SLE || stay == CmpInst::ICMP_ULE;
  if (!product || !(strict || orEqual) || signOf(product->factor) <= 0)
    return std::nullopt;
  Expr most = strict ? bound - Expr(1) : bound;
  return stepsUpTo(Expr::floorDiv(most, product->factor), product->slope);
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
  auto sides =
      comparison ? values.translateSides(*comparison, &exiting) : std::nullopt;
  if (!sides)
    return std::nullopt;
  llvm::CmpInst::Predicate stay = loop.contains(branch->getSuccessor(0))
                                      ? comparison->getPredicate()
                                      : comparison->getInversePredicate();
  std::string counter = values.counterName(&loop);
  auto &[left, right] = *sides;
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

/// Why the trip count of a loop with one exit is not known: the word for what
/// the exit depends on.
std::string ControlFlow::reasonOfExit(llvm::BasicBlock &exiting) {
  std::string reason;
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator()))
    usesData(branchCondition(*branch), values, reason);
  return reason.empty() ? "complex" : reason;
}

MaybeExpr ControlFlow::tripCount(const llvm::Loop &loop) {
  const llvm::SCEV *backEdges = evolution.getBackedgeTakenCount(&loop);
  std::string reason;
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(backEdges)) {
    Expr trips = values.translate(backEdges) + Expr(1);
    if (!usesData(trips, values, reason))
      return trips.isValid() ? MaybeExpr{trips, ""}
                             : MaybeExpr::unknown("complex");
  }
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.empty())
    return MaybeExpr::unknown("infinite");
  if (exiting.size() == 1)
    // Leaving at the end of the body, the header has run once more than the
    // branch stayed; leaving at the header, as well (its last run leaves).
    if (std::optional<Expr> stays = tripCountFromExit(loop, *exiting.front())) {
      Expr trips = *stays + Expr(1);
      return trips.isValid() ? MaybeExpr{trips, ""}
                             : MaybeExpr::unknown("complex");
    }
  if (!reason.empty())
    return MaybeExpr::unknown(reason);
  return MaybeExpr::unknown(exiting.size() == 1 ? reasonOfExit(*exiting.front())
                                                : "early-exit");
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// Tables that only the slow paths of the device library read: the reduction of
/// huge arguments of sine and cosine.
static bool readsSlowPathTable(const llvm::BasicBlock &block) {
  for (const llvm::Instruction &instruction : block)
    for (const llvm::Value *operand : instruction.operands()) {
      const llvm::Value *object = operand->stripInBoundsOffsets();
      if (operand->getType()->isPointerTy() &&
          object->getName().starts_with("__cudart_i2opi"))
        return true;
    }
  return false;
}

/// How likely the first successor of a branch is taken: by the compiler's
/// estimate, except towards slow paths, which it does not know.
double ControlFlow::takenProbability(llvm::BranchInst &branch) {
  for (unsigned arm = 0; arm < 2; ++arm) {
    llvm::BasicBlockEdge edge(branch.getParent(), branch.getSuccessor(arm));
    if (llvm::any_of(slowPaths, [&](const llvm::BasicBlock *slow) {
          return dominators.dominates(edge, slow);
        }))
      return arm == 0 ? 0 : 1;
  }
  // Numbers that were computed are rarely equal.
  constexpr double Equal = 0.05;
  if (auto *comparison = llvm::dyn_cast<llvm::FCmpInst>(branch.getCondition()))
    if (comparison->isEquality()) {
      llvm::CmpInst::Predicate predicate = comparison->getPredicate();
      bool equality = predicate == llvm::CmpInst::FCMP_OEQ ||
                      predicate == llvm::CmpInst::FCMP_UEQ;
      return equality ? Equal : 1 - Equal;
    }
  llvm::BranchProbability taken =
      probabilities.getEdgeProbability(branch.getParent(), 0u);
  return static_cast<double>(taken.getNumerator()) /
         llvm::BranchProbability::getDenominator();
}

Expr ControlFlow::branchCondition(llvm::BranchInst &branch) {
  auto [entry, isNew] = conditions.try_emplace(&branch);
  if (!isNew)
    return entry->second;
  Expr condition = values.translateCondition(branch.getCondition());
  entry->second = condition;
  // An unknown condition carries the estimate: [data3 != 0].
  const Atom *bracket = condition.asAtom();
  auto name = bracket && bracket->operands.size() == 1
                  ? bracket->operands[0].asSymbol()
                  : std::nullopt;
  if (name && values.findDataSymbol(*name)) {
    double taken = takenProbability(branch);
    values.setProbability(
        *name, bracket->kind == Atom::Kind::NotZero ? taken : 1 - taken);
  }
  return condition;
}

Expr ControlFlow::switchCondition(llvm::SwitchInst &choice,
                                  llvm::BasicBlock *to) {
  bool isDefault = choice.getDefaultDest() == to;
  llvm::SmallVector<llvm::ConstantInt *> cases;
  for (const auto &item : choice.cases())
    if ((item.getCaseSuccessor() == to) != isDefault)
      cases.push_back(item.getCaseValue());
  // Conditions that no expression has room for need not be joined first.
  if (cases.size() > Expr::MaxTerms)
    return values.addUnknownCondition("complex", &choice);
  auto numberOf = [&](llvm::Value *value) {
    return values.translateNumber(value, choice.getParent(),
                                  /*isSigned=*/true);
  };
  Expr value = numberOf(choice.getCondition()), any(0);
  for (llvm::ConstantInt *number : cases)
    any = Expr::disjunction(any, Expr::isEqual(value, numberOf(number)));
  return isDefault ? Expr::negate(any) : any;
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
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(terminator))
    return switchCondition(*choice, to);
  return values.addUnknownCondition("complex", terminator);
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
  // A switch is a predecessor once for every case.
  llvm::SmallSetVector<llvm::BasicBlock *, 4> before(llvm::from_range,
                                                     llvm::predecessors(block));
  for (llvm::BasicBlock *from : before) {
    if (!dominators.isReachableFromEntry(from) ||
        dominators.dominates(block, from))
      continue; // a back edge
    Expr guard = guards.lookup(from);
    llvm::Loop *fromLoop = loopInfo.getLoopFor(from);
    Expr edge(1);
    if (fromLoop && !fromLoop->contains(block)) {
      // Leaving a loop: with one way out everybody takes it.
      guard = guards.lookup(fromLoop->getHeader());
      if (!fromLoop->getUniqueExitBlock())
        edge = values.addUnknownCondition("early-exit", from->getTerminator());
    } else {
      edge = edgeCondition(from, block);
    }
    result = Expr::disjunction(result, Expr::conjunction(guard, edge));
  }
  return result.isValid() ? result
                          : values.addUnknownCondition("complex", nullptr);
}

void ControlFlow::computeGuards() {
  for (llvm::BasicBlock &block : function)
    if (readsSlowPathTable(block))
      slowPaths.push_back(&block);
  for (llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<llvm::Function *>(&function))
    guards[block] = computeGuard(block);
}

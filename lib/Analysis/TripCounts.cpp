// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TripCounts.h"

#include "ControlFlow.h"
#include "auspex/Expr/Minima.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace auspex;
namespace PM = llvm::PatternMatch;

static MaybeExpr knownOrComplex(const Expr &expr) {
  return expr.isValid() ? MaybeExpr{expr, ""} : MaybeExpr::unknown("complex");
}

static bool isPositive(const Expr &expr) {
  return expr.range(sizeRange).low > 0;
}

/// The sign of a step, or 0 if it is not known. A step is never 0 itself: the
/// loop would not end.
static int directionOf(const Expr &step) {
  Interval range = step.range(sizeRange);
  if (range == Interval{0, 0})
    return 0;
  return range.low >= 0 ? 1 : range.high <= 0 ? -1 : 0;
}

/// Trips of `for (i = start; i REL bound; i += step)`.
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
  int direction = directionOf(step);
  if (direction == 0)
    return std::nullopt;
  bool up = direction > 0;
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

Expr auspex::stepsUpTo(const Expr &limit, int64_t slope) {
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
    if (!divisor || !(strict || orEqual) || !isPositive(least))
      return std::nullopt;
    return stepsUpTo(Expr::floorDiv(atom->operands[0], divisor->factor * least),
                     divisor->slope);
  }
  // f * 2^(c*s) <= most as long as 2^(c*s) <= most / f.
  auto product = Geometric::match(value, counter);
  bool strict = stay == CmpInst::ICMP_SLT || stay == CmpInst::ICMP_ULT;
  bool orEqual = stay == CmpInst::ICMP_SLE || stay == CmpInst::ICMP_ULE;
  if (!product || !(strict || orEqual) || !isPositive(product->factor))
    return std::nullopt;
  Expr most = strict ? bound - Expr(1) : bound;
  return stepsUpTo(Expr::floorDiv(most, product->factor), product->slope);
}

/// For comparisons that scalar evolution gives up on because a step is not
/// constant or the counter is halved or doubled. The loop goes on while \p left
/// is as \p stay says to \p right.
std::optional<Expr> TripCounts::countSides(const llvm::Loop &loop, Expr left,
                                           llvm::CmpInst::Predicate stay,
                                           Expr right) {
  std::string counter = values.counterName(&loop);
  if (right.uses(counter)) {
    std::swap(left, right);
    stay = llvm::CmpInst::getSwappedPredicate(stay);
  }
  if (!left.isValid() || !right.isValid() || right.uses(counter) ||
      !left.uses(counter) || !values.dataReason(left).empty() ||
      !values.dataReason(right).empty())
    return std::nullopt;
  auto linear = left.linearIn(counter);
  return linear ? tripsOfComparison(stay, *linear->rest, *linear->factor, right)
                : tripsOfGeometric(stay, left, counter, right);
}

std::optional<Expr> TripCounts::countComparison(const llvm::Loop &loop,
                                                llvm::BasicBlock &exiting,
                                                llvm::ICmpInst &comparison,
                                                bool holds) {
  auto sides = values.translateSides(comparison, &exiting);
  if (!sides)
    return std::nullopt;
  return countSides(loop, sides->first,
                    holds ? comparison.getPredicate()
                          : comparison.getInversePredicate(),
                    sides->second);
}

std::optional<Expr>
TripCounts::countFloatComparison(const llvm::Loop &loop,
                                 const llvm::FCmpInst &comparison, bool holds) {
  auto sides = values.translateSides(comparison);
  llvm::CmpInst::Predicate stay = ofIntegers(
      holds ? comparison.getPredicate() : comparison.getInversePredicate());
  if (!sides || stay == llvm::CmpInst::BAD_ICMP_PREDICATE)
    return std::nullopt;
  return countSides(loop, sides->first, stay, sides->second);
}

/// The word for what \p condition depends on.
std::string TripCounts::reasonOf(llvm::Value *condition,
                                 const llvm::BasicBlock &exiting) {
  std::string reason =
      values.dataReason(values.translateCondition(condition, &exiting));
  return reason.empty() ? "complex" : reason;
}

/// How many times in a row \p condition is as \p holds says.
MaybeExpr TripCounts::countWhile(const llvm::Loop &loop,
                                 llvm::BasicBlock &exiting,
                                 llvm::Value *condition, bool holds) {
  llvm::Value *a, *b;
  if (PM::match(condition, PM::m_Not(PM::m_Value(a))))
    return countWhile(loop, exiting, a, !holds);
  bool isAnd =
      PM::match(condition, PM::m_LogicalAnd(PM::m_Value(a), PM::m_Value(b)));
  if (isAnd ||
      PM::match(condition, PM::m_LogicalOr(PM::m_Value(a), PM::m_Value(b)))) {
    MaybeExpr first = countWhile(loop, exiting, a, holds),
              second = countWhile(loop, exiting, b, holds);
    // Both have to hold, or one of them.
    bool ends = isAnd == holds;
    if (ends)
      return earliest({first, second}, condition);
    if (!first.isKnown())
      return first;
    return second.isKnown() ? knownOrComplex(Expr::max(first.expr, second.expr))
                            : second;
  }
  if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(condition))
    for (auto rule : {&TripCounts::countComparison, &TripCounts::countHalving})
      if (auto stays = (this->*rule)(loop, exiting, *comparison, holds))
        return knownOrComplex(*stays);
  if (auto *comparison = llvm::dyn_cast<llvm::FCmpInst>(condition))
    if (auto stays = countFloatComparison(loop, *comparison, holds))
      return knownOrComplex(*stays);
  return MaybeExpr::unknown(reasonOf(condition, exiting));
}

/// The first of several exits; one that is not known leaves a symbol.
MaybeExpr TripCounts::earliest(llvm::ArrayRef<MaybeExpr> exits,
                               llvm::Value *place) {
  Expr first = Expr::invalid();
  std::string reason;
  for (const MaybeExpr &exit : exits) {
    if (!exit.isKnown())
      reason = reason.empty() ? exit.reason : reason;
    else
      first = first.isValid() ? Expr::min(first, exit.expr) : exit.expr;
  }
  if (!first.isValid() || values.isTrying())
    return first.isValid() && reason.empty()
               ? MaybeExpr{first, ""}
               : MaybeExpr::unknown(reason.empty() ? "complex" : reason);
  if (!reason.empty())
    first = Expr::min(first, values.addDataSymbol(reason, place));
  return knownOrComplex(first);
}

/// How often control stays in the loop at one of its exits.
MaybeExpr TripCounts::countExit(const llvm::Loop &loop,
                                llvm::BasicBlock &exiting) {
  const llvm::SCEV *stays = evolution.getExitCount(&loop, &exiting);
  std::string reason;
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(stays)) {
    Expr count = values.translate(stays, loop.getHeader());
    reason = values.dataReason(count);
    if (reason.empty())
      return knownOrComplex(count);
    auto isKnown = [&](const Expr &expr) {
      return values.dataReason(expr).empty();
    };
    if (auto most = boundByMinima(count, isKnown))
      return knownOrComplex(Expr::min(*most, count));
  }
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  if (!branch || !branch->isConditional())
    return MaybeExpr::unknown(reason.empty() ? "complex" : reason);
  // Where control does not come in every iteration, it may stay for longer.
  llvm::BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !dominators.dominates(&exiting, latch))
    return MaybeExpr::unknown(
        reasonOf(branch->getCondition(), *branch->getParent()));
  MaybeExpr count = countWhile(loop, exiting, branch->getCondition(),
                               loop.contains(branch->getSuccessor(0)));
  if (!count.isKnown() && !reason.empty())
    count.reason = reason;
  return count;
}

static llvm::Value *conditionOf(llvm::BasicBlock &exiting) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  return branch && branch->isConditional() ? branch->getCondition() : nullptr;
}

/// Whether \p loop can end in \p block without the program.
static bool isLeft(const llvm::Loop &loop, const llvm::BasicBlock &block) {
  return llvm::any_of(llvm::successors(&block),
                      [&](const llvm::BasicBlock *to) {
                        return !loop.contains(to) && !endsProgram(*to);
                      });
}

MaybeExpr TripCounts::count(const llvm::Loop &loop) {
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  llvm::erase_if(exiting, [&](const llvm::BasicBlock *block) {
    return !isLeft(loop, *block);
  });
  if (exiting.empty())
    return MaybeExpr::unknown("infinite");
  // Leaving at the end of the body, the header has run once more than the
  // branch stayed; leaving at the header, as well (its last run leaves).
  llvm::SmallVector<MaybeExpr, 4> exits;
  for (llvm::BasicBlock *block : exiting)
    exits.push_back(countExit(loop, *block));
  llvm::Value *condition = conditionOf(*exiting.front());
  MaybeExpr stays = earliest(exits, condition);
  if (!stays.isKnown() && !values.isTrying() && waitsForOthers(loop))
    stays = MaybeExpr{values.addDataSymbol("wait", condition), ""};
  return stays.isKnown() ? knownOrComplex(stays.expr + Expr(1)) : stays;
}

MaybeExpr TripCounts::of(const llvm::Loop &loop) {
  if (auto found = known.find(&loop); found != known.end())
    return found->second;
  if (llvm::is_contained(active, &loop))
    return MaybeExpr::unknown("phi");
  active.push_back(&loop);
  MaybeExpr result = count(loop);
  active.pop_back();
  if (!values.isTrying() && active.empty())
    known[&loop] = result;
  return result;
}

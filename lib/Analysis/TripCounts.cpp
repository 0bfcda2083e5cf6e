// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TripCounts.h"

#include "ControlFlow.h"
#include "MachineIntegers.h"
#include "auspex/Expr/Minima.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
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

/// Trips of `for (i = start; i REL bound; i += step)`. If \p mayPass, they are
/// below 0 where i never meets a bound that it is to be equal to.
static std::optional<Expr> tripsOfComparison(llvm::CmpInst::Predicate stay,
                                             Expr start, Expr step, Expr bound,
                                             bool mayPass) {
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
  bool wantsUp =
      stay == llvm::CmpInst::ICMP_SLT || stay == llvm::CmpInst::ICMP_ULT ||
      stay == llvm::CmpInst::ICMP_SLE || stay == llvm::CmpInst::ICMP_ULE;
  bool isOrdered = wantsUp || stay == llvm::CmpInst::ICMP_SGT ||
                   stay == llvm::CmpInst::ICMP_UGT ||
                   stay == llvm::CmpInst::ICMP_SGE ||
                   stay == llvm::CmpInst::ICMP_UGE;
  int direction = directionOf(step);
  if (direction == 0 && !isOrdered)
    return std::nullopt;
  // A step of a sign that is not known, blockDim.x - 32, leads to the bound:
  // the loop would not end.
  bool up = direction == 0 ? wantsUp : direction > 0;
  if (stay != llvm::CmpInst::ICMP_NE && wantsUp != up)
    return std::nullopt;
  // ceil((bound - start) / step), towards the bound.
  Expr distance = up ? bound - start : start - bound;
  Expr size = up ? step : -step;
  if (direction == 0)
    size = Expr::max(1, size);
  if (stay == llvm::CmpInst::ICMP_NE && mayPass)
    return Expr::select(Expr::isEqual(Expr::mod(distance, size), 0),
                        Expr::floorDiv(distance, size), -1);
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
std::optional<Expr> TripCounts::countSides(const Exit &exit, Expr left,
                                           llvm::CmpInst::Predicate stay,
                                           Expr right) {
  std::string counter = values.counterName(&exit.loop);
  if (right.uses(counter)) {
    std::swap(left, right);
    stay = llvm::CmpInst::getSwappedPredicate(stay);
  }
  if (!left.isValid() || !right.isValid() || right.uses(counter) ||
      !left.uses(counter) || !values.dataReason(left).empty() ||
      !values.dataReason(right).empty())
    return std::nullopt;
  auto linear = left.linearIn(counter);
  return linear ? tripsOfComparison(stay, *linear->rest, *linear->factor, right,
                                    /*mayPass=*/!exit.isOnly)
                : tripsOfGeometric(stay, left, counter, right);
}

std::optional<Expr> TripCounts::countComparison(const Exit &exit,
                                                llvm::ICmpInst &comparison,
                                                bool holds) {
  auto sides = values.translateSides(comparison, &exit.block);
  if (!sides)
    return std::nullopt;
  return countSides(exit, sides->first,
                    holds ? comparison.getPredicate()
                          : comparison.getInversePredicate(),
                    sides->second);
}

std::optional<Expr>
TripCounts::countFloatComparison(const Exit &exit,
                                 const llvm::FCmpInst &comparison, bool holds) {
  auto sides = values.translateSides(comparison);
  llvm::CmpInst::Predicate stay = ofIntegers(
      holds ? comparison.getPredicate() : comparison.getInversePredicate());
  if (!sides || stay == llvm::CmpInst::BAD_ICMP_PREDICATE)
    return std::nullopt;
  return countSides(exit, sides->first, stay, sides->second);
}

/// The word for what \p condition depends on.
std::string TripCounts::reasonOf(llvm::Value *condition,
                                 const llvm::BasicBlock &exiting) {
  std::string reason =
      values.dataReason(values.translateCondition(condition, &exiting));
  return reason.empty() ? "complex" : reason;
}

/// Whether what goes on while \p condition is as \p holds says ends where two
/// values are equal.
static bool leavesAtEqual(const llvm::Value &condition, bool holds) {
  auto *comparison = llvm::dyn_cast<llvm::CmpInst>(&condition);
  if (!comparison)
    return false;
  llvm::CmpInst::Predicate leave =
      holds ? comparison->getInversePredicate() : comparison->getPredicate();
  return leave == llvm::CmpInst::ICMP_EQ || leave == llvm::CmpInst::FCMP_OEQ ||
         leave == llvm::CmpInst::FCMP_UEQ;
}

/// How many times in a row \p fixed and \p other are both as \p holds says, if
/// the former is what it is before the loop: never, or as often as the latter.
std::optional<TripCounts::Stays> TripCounts::countUnder(const Exit &exit,
                                                        llvm::Value *fixed,
                                                        llvm::Value *other,
                                                        bool holds) {
  if (!exit.loop.isLoopInvariant(fixed))
    return std::nullopt;
  Expr isMet = values.translateCondition(fixed, &exit.block);
  if (!isMet.isValid() || !values.dataReason(isMet).empty())
    return std::nullopt;
  Stays stays = countWhile(exit, other, holds);
  if (!stays.count.isKnown())
    return std::nullopt;
  const Expr &count = stays.count.expr;
  stays.count = knownOrComplex(holds ? Expr::select(isMet, count, Expr(0))
                                     : Expr::select(isMet, Expr(0), count));
  return stays;
}

/// How many times in a row \p condition is as \p holds says.
TripCounts::Stays TripCounts::countWhile(const Exit &exit,
                                         llvm::Value *condition, bool holds) {
  llvm::Value *a, *b;
  if (PM::match(condition, PM::m_Not(PM::m_Value(a))))
    return countWhile(exit, a, !holds);
  bool isAnd =
      PM::match(condition, PM::m_LogicalAnd(PM::m_Value(a), PM::m_Value(b)));
  if (isAnd ||
      PM::match(condition, PM::m_LogicalOr(PM::m_Value(a), PM::m_Value(b)))) {
    // Both have to hold, or one of them.
    bool ends = isAnd == holds;
    if (ends)
      for (auto [fixed, other] : {std::pair(a, b), std::pair(b, a)})
        if (auto stays = countUnder(exit, fixed, other, holds))
          return *stays;
    Exit part = {exit.loop, exit.block, /*isOnly=*/false};
    Stays left = countWhile(part, a, holds), right = countWhile(part, b, holds);
    if (ends)
      return earliest({left, right}, condition);
    if (!left.count.isKnown())
      return left;
    return right.count.isKnown() ? Stays{knownOrComplex(Expr::max(
                                       left.count.expr, right.count.expr))}
                                 : right;
  }
  if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(condition)) {
    bool mayPass = !exit.isOnly && comparison->isEquality();
    if (auto stays = countComparison(exit, *comparison, holds))
      return {knownOrComplex(*stays), mayPass};
    if (auto stays = countHalving(exit, *comparison, holds))
      return {knownOrComplex(*stays), mayPass, /*isHalving=*/true};
  }
  if (auto *comparison = llvm::dyn_cast<llvm::FCmpInst>(condition))
    if (auto stays = countFloatComparison(exit, *comparison, holds))
      return {knownOrComplex(*stays)};
  Stays result = {MaybeExpr::unknown(reasonOf(condition, exit.block))};
  result.isAtEqual = leavesAtEqual(*condition, holds);
  return result;
}

/// The first of two exits.
TripCounts::Stays TripCounts::first(const Stays &a, const Stays &b) {
  if (!a.count.isKnown())
    return b;
  if (!b.count.isKnown())
    return a;
  auto orElse = [](const Stays &one, const Stays &other) {
    const Expr &count = one.count.expr;
    return one.mayPass
               ? Expr::select(Expr::isLess(count, 0), other.count.expr, count)
               : count;
  };
  return {{Expr::min(orElse(a, b), orElse(b, a)), ""}, a.mayPass && b.mayPass};
}

/// The first of several exits; one that is not known leaves a symbol.
TripCounts::Stays TripCounts::earliest(llvm::ArrayRef<Stays> exits,
                                       llvm::Value *place) {
  Stays earliest = {MaybeExpr::unknown("")};
  std::string reason;
  bool isSearch =
      llvm::any_of(exits, [](const Stays &exit) { return exit.isHalving; });
  for (const Stays &exit : exits) {
    if (!exit.count.isKnown() && reason.empty())
      reason = isSearch && exit.isAtEqual ? "match" : exit.count.reason;
    earliest = first(earliest, exit);
  }
  bool isKnown = earliest.count.isKnown();
  if (!isKnown || values.isTrying())
    return isKnown && reason.empty()
               ? earliest
               : Stays{MaybeExpr::unknown(reason.empty() ? "complex" : reason)};
  if (!reason.empty())
    earliest = first(earliest, {{values.addDataSymbol(reason, place), ""}});
  return {knownOrComplex(earliest.count.expr), earliest.mayPass};
}

/// Whether \p block goes on or leaves by whether two integers are equal.
static bool endsInEquality(const llvm::BasicBlock &block) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  auto *comparison =
      branch && branch->isConditional()
          ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
          : nullptr;
  return comparison && comparison->isEquality();
}

/// What \p stays, an exit count of scalar evolution, is as a number: it is
/// unsigned in its own type. If \p mayPass, a counter may be past its bound.
TripCounts::Stays TripCounts::exitCount(const llvm::Loop &loop,
                                        const llvm::SCEV *stays, bool mayPass) {
  if (llvm::isa<llvm::SCEVUMinExpr, llvm::SCEVSequentialUMinExpr>(stays)) {
    Stays earliest = {MaybeExpr::unknown("")};
    for (const llvm::SCEV *one : stays->operands())
      earliest = first(earliest, exitCount(loop, one, /*mayPass=*/true));
    return earliest;
  }
  Expr count = values.translate(stays, loop.getHeader());
  uint64_t bits = evolution.getTypeSizeInBits(stays->getType());
  if (count.isValid() && !isNaturalWidth(bits))
    return {knownOrComplex(asUnsigned(count, bits))};
  mayPass =
      mayPass && count.isValid() && count.range(sizeRange).low < 0 &&
      !evolution.isKnownNonNegative(stays) &&
      !evolution.isLoopEntryGuardedByCond(&loop, llvm::CmpInst::ICMP_SGE, stays,
                                          evolution.getZero(stays->getType()));
  return {knownOrComplex(count), mayPass};
}

/// How often control stays in the loop at one of its exits.
TripCounts::Stays TripCounts::countExit(const Exit &exit) {
  const auto &[loop, exiting, isOnly] = exit;
  const llvm::SCEV *stays = evolution.getExitCount(&loop, &exiting);
  std::string reason;
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(stays)) {
    Stays known = exitCount(loop, stays, !isOnly && endsInEquality(exiting));
    const Expr &count = known.count.expr;
    reason = values.dataReason(count);
    if (reason.empty())
      return known;
    auto isKnown = [&](const Expr &expr) {
      return values.dataReason(expr).empty();
    };
    if (auto most = boundByMinima(count, isKnown))
      return {knownOrComplex(Expr::min(*most, count)), known.mayPass};
  }
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  if (!branch || !branch->isConditional())
    return {MaybeExpr::unknown(reason.empty() ? "complex" : reason)};
  // Where control does not come in every iteration, it may stay for longer.
  llvm::BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !dominators.dominates(&exiting, latch))
    return {MaybeExpr::unknown(
        reasonOf(branch->getCondition(), *branch->getParent()))};
  Stays result = countWhile(exit, branch->getCondition(),
                            loop.contains(branch->getSuccessor(0)));
  if (!result.count.isKnown() && !reason.empty())
    result.count.reason = reason;
  return result;
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

/// Whether \p loop is that of a floating-point remainder, which finds some bits
/// of the quotient a turn: the device library's code stands where clang's
/// headers call it.
static bool shortensQuotient(const llvm::Loop &loop) {
  for (const llvm::Instruction &instruction : *loop.getHeader())
    for (const llvm::DILocation *place = instruction.getDebugLoc(); place;
         place = place->getInlinedAt())
      if (place->getFilename().contains("__clang_cuda_") &&
          llvm::is_contained(
              {"fmodf", "fmod", "remainderf", "remainder", "remquof", "remquo"},
              place->getScope()->getSubprogram()->getName()))
        return true;
  return false;
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
  llvm::SmallVector<Stays, 4> exits;
  for (llvm::BasicBlock *block : exiting)
    exits.push_back(countExit({loop, *block, /*isOnly=*/exiting.size() == 1}));
  llvm::Value *condition = conditionOf(*exiting.front());
  MaybeExpr stays = earliest(exits, condition).count;
  if (!stays.isKnown() && !values.isTrying() && waitsForOthers(loop))
    stays = MaybeExpr{values.addDataSymbol("wait", condition), ""};
  if (!stays.isKnown() && !values.isTrying() && shortensQuotient(loop))
    stays = MaybeExpr{values.addDataSymbol("quotient", condition), ""};
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

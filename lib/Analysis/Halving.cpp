// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binary searches: loops that halve a range, whichever half data choose, or
// always the same one. The length after an iteration is floor((length + s) / 2)
// - s with an s for each half; length + s is halved, and the larger half gives
// the most trips, the smaller one the fewest. They differ by one at most.
#include "TripCounts.h"

#include "auspex/Expr/Minima.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

#include <array>

using namespace auspex;

static constexpr llvm::StringLiteral Length = "length", Low = "low";

/// s if \p expr is floor((length + s) / 2) - s.
static std::optional<int64_t> shiftOfHalf(const Expr &expr) {
  for (const Expr::Term &term : expr.sum()) {
    if (term.factors.size() != 1 || term.factors[0].power != 1 ||
        std::abs(term.coefficient) != 1)
      continue;
    const Atom &atom = *term.factors[0].atom;
    if (atom.kind != Atom::Kind::FloorDiv || atom.operands[1] != Expr(2))
      continue;
    // floor((length + a) / 2) + b, or length - floor(...) - b, which is the
    // same of what is left.
    Expr half = Expr::floorDiv(atom.operands[0], 2);
    auto a = (atom.operands[0] - Expr::symbol(Length)).constant();
    auto b = (term.coefficient == 1 ? expr - half
                                    : expr - Expr::symbol(Length) + half)
                 .constant();
    if (a && b)
      return -(term.coefficient == 1 ? *a : 1 - *a) - 2 * *b;
  }
  return std::nullopt;
}

namespace {
/// The bounds of a range that a loop carries around; of one that starts at 0,
/// the upper bound only.
struct CarriedRange {
  llvm::SmallVector<ValueTranslator::CarriedValue, 2> bounds;
  llvm::SmallVector<llvm::PHINode *, 2> phis;
  /// Carried beside the bounds: how far they are apart.
  llvm::PHINode *distance = nullptr;
  /// The comparison is of what the iteration leaves, not of what it found.
  bool isOfNext = false;

  /// Looks for carried values in what \p value is made of.
  bool collect(llvm::Value *value, const llvm::Loop &loop,
               ValueTranslator &values, unsigned depth = 0) {
    for (llvm::PHINode &phi : loop.getHeader()->phis()) {
      auto carried = values.carriedValue(phi);
      if (!carried || (value != &phi && value != carried->next))
        continue;
      bool isNext = value == carried->next;
      if (auto ends = endsOf(phi, *carried, loop, values)) {
        distance = &phi;
        return llvm::all_of(*ends, [&](llvm::PHINode *end) {
          llvm::Value *next = values.carriedValue(*end)->next;
          return collect(isNext ? next : end, loop, values, depth + 1);
        });
      }
      if (!phis.empty() && isNext != isOfNext)
        return false;
      isOfNext = isNext;
      if (!llvm::is_contained(phis, &phi)) {
        phis.push_back(&phi);
        bounds.push_back(*carried);
      }
      return phi.getType()->isIntegerTy() && phis.size() <= 2;
    }
    if (loop.isLoopInvariant(value))
      return true;
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return operation && depth < 2 &&
           collect(operation->getOperand(0), loop, values, depth + 1) &&
           collect(operation->getOperand(1), loop, values, depth + 1);
  }

  using Bounds = llvm::SmallVector<llvm::Value *, 2>;
  /// What the bounds can be next: those that belong together. What leaves the
  /// range as it is leaves the loop too, or would never end.
  llvm::SmallVector<Bounds, 4> nextBounds(const llvm::Loop &loop) const {
    llvm::SmallVector<Bounds, 4> result;
    Bounds next, same(phis.begin(), phis.end());
    for (const ValueTranslator::CarriedValue &bound : bounds)
      next.push_back(bound.next);
    llvm::SmallVector<Bounds, 4> open{next};
    constexpr size_t Most = 16;
    while (!open.empty() && open.size() + result.size() <= Most) {
      Bounds values = open.pop_back_val();
      if (!split(values, loop, open) && values != same)
        result.push_back(values);
    }
    return open.empty() ? result : llvm::SmallVector<Bounds, 4>();
  }

private:
  /// Of which two carried values \p phi is the difference, if it is one.
  static std::optional<std::array<llvm::PHINode *, 2>>
  endsOf(llvm::PHINode &phi, const ValueTranslator::CarriedValue &carried,
         const llvm::Loop &loop, ValueTranslator &values) {
    auto *difference = llvm::dyn_cast<llvm::BinaryOperator>(carried.next);
    if (!difference || difference->getOpcode() != llvm::Instruction::Sub)
      return std::nullopt;
    std::array<llvm::PHINode *, 2> ends = {};
    std::array<llvm::Value *, 2> starts = {};
    for (llvm::PHINode &other : loop.getHeader()->phis())
      for (unsigned i = 0; i < ends.size(); ++i)
        if (auto end = values.carriedValue(other);
            end && end->next == difference->getOperand(i)) {
          ends[i] = &other;
          starts[i] = end->start;
        }
    if (!ends[0] || !ends[1] || ends[0] == ends[1])
      return std::nullopt;
    auto start = [&](llvm::Value *value) {
      return values.translate(value, carried.before);
    };
    if (start(carried.start) != start(starts[0]) - start(starts[1]))
      return std::nullopt;
    return ends;
  }

  /// Whether the condition of \p other holds if that of \p select does, or does
  /// not; nothing if that leaves it open. `a < b` rules out that not `a <= b`.
  static std::optional<bool> impliedBy(const llvm::SelectInst &select,
                                       bool isTaken,
                                       const llvm::SelectInst &other) {
    return llvm::isImpliedCondition(select.getCondition(), other.getCondition(),
                                    select.getDataLayout(), isTaken);
  }

  /// Whether control that comes from \p block to \p next leaves \p loop there,
  /// by the same condition.
  static bool leavesFrom(const llvm::BasicBlock &block,
                         const llvm::BasicBlock &next, const llvm::Loop &loop) {
    auto *from = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    auto *to = llvm::dyn_cast<llvm::BranchInst>(next.getTerminator());
    if (!from || !to || !from->isConditional() || !to->isConditional() ||
        from->getCondition() != to->getCondition() ||
        from->getSuccessor(0) == from->getSuccessor(1))
      return false;
    return !loop.contains(to->getSuccessor(from->getSuccessor(0) != &next));
  }

  /// Adds what \p values are on each side of a select or join.
  static bool split(const Bounds &values, const llvm::Loop &loop,
                    llvm::SmallVectorImpl<Bounds> &sides) {
    for (llvm::Value *value : values) {
      auto *select = llvm::dyn_cast<llvm::SelectInst>(value);
      auto *join = llvm::dyn_cast<llvm::PHINode>(value);
      if (join && (join->getParent() == loop.getHeader() ||
                   !loop.contains(join->getParent())))
        join = nullptr;
      unsigned count = select ? 2 : join ? join->getNumIncomingValues() : 0;
      for (unsigned i = 0; i < count; ++i) {
        if (join &&
            leavesFrom(*join->getIncomingBlock(i), *join->getParent(), loop))
          continue;
        Bounds &side = sides.emplace_back(values);
        for (llvm::Value *&other : side)
          if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(other);
              select && choice) {
            if (auto holds = impliedBy(*select, /*isTaken=*/i == 0, *choice))
              other = *holds ? choice->getTrueValue() : choice->getFalseValue();
          } else if (auto *way = llvm::dyn_cast<llvm::PHINode>(other);
                     join && way && way->getParent() == join->getParent())
            other = way->getIncomingValueForBlock(join->getIncomingBlock(i));
      }
      if (count)
        return true;
    }
    return false;
  }
};
} // namespace

/// c if \p left REL \p right is length > c.
static std::optional<int64_t> boundOfLength(llvm::CmpInst::Predicate stay,
                                            const Expr &left,
                                            const Expr &right) {
  auto distance = [&]() -> std::optional<Expr> {
    switch (stay) {
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::ICMP_ULT:
      return right - left;
    case llvm::CmpInst::ICMP_SLE:
    case llvm::CmpInst::ICMP_ULE:
      return right - left + Expr(1);
    case llvm::CmpInst::ICMP_SGT:
    case llvm::CmpInst::ICMP_UGT:
      return left - right;
    case llvm::CmpInst::ICMP_SGE:
    case llvm::CmpInst::ICMP_UGE:
      return left - right + Expr(1);
    case llvm::CmpInst::ICMP_NE:
      // A length is never negative.
      if (left - right == Expr::symbol(Length))
        return left - right;
      return right - left;
    default:
      return std::nullopt;
    }
  }();
  auto rest =
      distance ? (*distance - Expr::symbol(Length)).constant() : std::nullopt;
  bool isAtEnd = stay != llvm::CmpInst::ICMP_NE || rest == 0;
  return rest && isAtEnd ? std::optional(-*rest) : std::nullopt;
}

std::optional<Expr> TripCounts::countHalving(const Exit &exit,
                                             llvm::ICmpInst &comparison,
                                             bool holds) {
  CarriedRange range;
  if (!range.collect(comparison.getOperand(0), exit.loop, values) ||
      !range.collect(comparison.getOperand(1), exit.loop, values) ||
      range.phis.empty())
    return std::nullopt;
  auto arms = range.nextBounds(exit.loop);
  if (arms.empty())
    return std::nullopt;
  llvm::CmpInst::Predicate stay =
      holds ? comparison.getPredicate() : comparison.getInversePredicate();
  Expr low = Expr::symbol(Low), length = Expr::symbol(Length);
  // Either bound may be the lower one.
  for (unsigned upper = 0; upper < range.phis.size(); ++upper) {
    unsigned lower = range.phis.size() == 2 ? 1 - upper : upper;
    auto stands = [&](bool isOfNext) {
      ValueTranslator::StandIns result;
      for (unsigned i = 0; i < range.phis.size(); ++i) {
        llvm::Value *value = isOfNext ? range.bounds[i].next : range.phis[i];
        Expr stand = range.phis.size() == 1 ? length
                     : i == upper           ? low + length
                                            : low;
        result.push_back({value, stand});
      }
      if (range.distance && !isOfNext)
        result.push_back({range.distance, length});
      return result;
    };
    auto lengthOf = [&](llvm::ArrayRef<llvm::Value *> bounds,
                        const llvm::BasicBlock *block) {
      Expr end = values.translate(bounds[upper], block);
      return range.phis.size() == 1
                 ? end
                 : end - values.translate(bounds[lower], block);
    };
    std::optional<int64_t> bound;
    llvm::SmallVector<int64_t, 4> shifts;
    values.tryWith(stands(range.isOfNext), [&] {
      if (auto sides = values.translateSides(comparison, &exit.block))
        bound = boundOfLength(stay, sides->first, sides->second);
    });
    if (!bound)
      continue;
    values.tryWith(stands(false), [&] {
      for (const auto &arm : arms)
        if (auto shift = shiftOfHalf(lengthOf(arm, exit.loop.getLoopLatch())))
          shifts.push_back(*shift);
    });
    auto [least, most] = std::minmax_element(shifts.begin(), shifts.end());
    if (shifts.size() != arms.size() || *bound + *least < 0)
      continue;
    Expr start = lengthOf({range.bounds[0].start, range.bounds.back().start},
                          range.bounds[0].before);
    auto tripsWith = [&](int64_t shift) {
      Expr groups = Expr::floorDiv(start + Expr(shift), *bound + shift + 1);
      // Who comes to the end has been let in by the same comparison.
      return range.isOfNext ? Expr::log2(Expr::max(1, groups))
                            : stepsUpTo(groups, 1);
    };
    Expr fewest = tripsWith(*most), atMost = tripsWith(*least);
    auto isKnown = [&](const Expr &expr) {
      return values.dataReason(expr).empty();
    };
    if (!isKnown(start)) {
      auto bounded = boundByMinima(start, isKnown);
      if (!bounded)
        return std::nullopt;
      start = *bounded;
      fewest = Expr(0);
      atMost = tripsWith(*least);
    }
    if (fewest == atMost)
      return fewest;
    if (values.isTrying())
      return std::nullopt;
    return fewest +
           Expr::min(atMost - fewest,
                     values.addDataSymbol(reasonOf(&comparison, exit.block),
                                          &comparison));
  }
  return std::nullopt;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phis at the entry of a loop: what changes around it in another way than
// scalar evolution knows. The value after the next iteration is translated with
// a symbol in the place of the phi; its form tells the value after any number
// of them.
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

static constexpr llvm::StringLiteral Self = "self";

Expr ValueTranslator::selfSymbol() { return Expr::symbol(Self); }

std::optional<Expr> ValueTranslator::tryWith(
    llvm::PHINode &phi, const Expr &stand,
    llvm::function_ref<std::optional<Expr>()> translateNext,
    std::string &reason) {
  // Nothing of it may stay: not the symbol in caches, nor data symbols.
  constexpr unsigned MostTrials = 128, MostNested = 2;
  if (activePhis.size() >= MostNested || ++trials > MostTrials)
    return std::nullopt;
  auto savedKnown = std::exchange(known, decltype(known)());
  auto savedConditions =
      std::exchange(knownConditions, decltype(knownConditions)());
  auto savedOpaque = std::exchange(opaque, decltype(opaque)());
  auto savedPointers = std::exchange(knownPointers, decltype(knownPointers)());
  size_t symbolCount = symbols.size();
  for (llvm::PHINode *active : activePhis)
    opaque[active] = Expr::invalid();
  activePhis.push_back(&phi);
  opaque[&phi] = stand;
  std::optional<Expr> next = translateNext();
  if (next && !next->isValid())
    next.reset();
  if (next)
    reason = dataReason(*next);
  if (!reason.empty())
    next.reset();
  symbols.resize(symbolCount);
  activePhis.pop_back();
  known = std::move(savedKnown);
  knownConditions = std::move(savedConditions);
  opaque = std::move(savedOpaque);
  knownPointers = std::move(savedPointers);
  return next;
}

static bool isNotNegative(const Expr &expr) {
  return expr.range([](llvm::StringRef symbol) {
               return symbol.starts_with("arg") ? Interval{0, INT32_MAX}
                                                : launchRange(symbol);
             })
             .low >= 0;
}

/// Whether a position is one of a ring. A ring has a position 0 at least.
static bool isInside(const Expr &position, const Expr &size) {
  return position.isZero() ||
         (isNotNegative(position) && isNotNegative(size - position - Expr(1)));
}

namespace {
/// A value that is \p start before the first iteration and \p next, an
/// expression of Self, after each.
struct Recurrence {
  Expr start, next, counter;
  std::string counterName;

  std::optional<Expr> solve() const;

private:
  bool isInvariant(const Expr &expr) const {
    return expr.isValid() && !expr.uses(Self) && !expr.uses(counterName);
  }
  /// Whether Self + step is all that \p expr is.
  std::optional<Expr> stepOf(const Expr &expr) const {
    Expr step = expr - Expr::symbol(Self);
    return isInvariant(step) ? std::optional(step) : std::nullopt;
  }
  /// \p value, which need not hold before the first iteration.
  Expr afterFirst(const Expr &value) const {
    Expr first = value.substitute([&](llvm::StringRef name) {
      return name == counterName ? std::optional(Expr(0)) : std::nullopt;
    });
    return first == start
               ? value
               : Expr::select(Expr::isEqual(counter, 0), start, value);
  }
  std::optional<Expr> solveLinear() const;
  std::optional<Expr> solveFunction() const;
  std::optional<Expr> solveWrapping() const;
  std::optional<Expr> inRing(const Expr &step, const Expr &size) const;
};
} // namespace

std::optional<Expr> Recurrence::solve() const {
  if (!start.isValid() || !next.isValid() || !isInvariant(start))
    return std::nullopt;
  // What the iteration before had.
  if (!next.uses(Self))
    return afterFirst(
        next.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
          return name == counterName ? std::optional(counter - Expr(1))
                                     : std::nullopt;
        }));
  if (auto linear = solveLinear())
    return linear;
  if (auto function = solveFunction())
    return function;
  return solveWrapping();
}

/// a * Self + b.
std::optional<Expr> Recurrence::solveLinear() const {
  auto linear = next.linearIn(Self);
  if (!linear || !isInvariant(*linear->rest) || !linear->factor->isConstant())
    return std::nullopt;
  int64_t factor = *linear->factor->constant();
  const Expr &rest = *linear->rest;
  if (factor == 1)
    return start + counter * rest;
  if (factor == -1) // there and back
    return start + Expr::mod(counter, 2) * (rest - start - start);
  if (factor == 2)
    return (start + rest) * Expr::pow2(counter) - rest;
  return std::nullopt;
}

/// A function that is applied to Self plus a step, plus a constant: swaps by
/// xor, positions in a ring, clamps.
std::optional<Expr> Recurrence::solveFunction() const {
  // next = function(Self + before, other) + behind.
  const Atom *atom = nullptr;
  Expr behind = next.filterTerms([&](const Expr &term) {
    if (!term.uses(Self))
      return true;
    atom = atom ? nullptr : term.asAtom();
    return false;
  });
  if (!atom || atom->operands.size() != 2 || !isInvariant(behind))
    return std::nullopt;
  Expr inner = atom->operands[0], other = atom->operands[1];
  bool isSwapped = other.uses(Self);
  if (isSwapped)
    std::swap(inner, other);
  auto before = stepOf(inner);
  if (!before || !isInvariant(other))
    return std::nullopt;
  Expr step = *before + behind, sum = start + *before;
  // Every application but the first finds a value that is clamped already.
  Expr clamped = sum + (counter - Expr(1)) * step;
  switch (atom->kind) {
  case Atom::Kind::Xor:
    if (!step.isZero() || !behind.isZero())
      return std::nullopt;
    return Expr::select(Expr::isEqual(Expr::mod(counter, 2), 0), start,
                        Expr::bitXor(start, other));
  case Atom::Kind::Mod:
    if (isSwapped || !behind.isZero())
      return std::nullopt;
    return inRing(step, other);
  case Atom::Kind::Min:
    if (!isNotNegative(step))
      return std::nullopt;
    return afterFirst(Expr::min(clamped, other) + behind);
  case Atom::Kind::Max:
    if (!isNotNegative(-step))
      return std::nullopt;
    return afterFirst(Expr::max(clamped, other) + behind);
  default:
    return std::nullopt;
  }
}

/// start + step * counter in a ring of size positions.
std::optional<Expr> Recurrence::inRing(const Expr &step,
                                       const Expr &size) const {
  if (!isNotNegative(step) || !isNotNegative(start))
    return std::nullopt;
  Expr position = Expr::mod(start + counter * step, size);
  return isInside(start, size) ? position : afterFirst(position);
}

/// A position in a ring, as a choice: `Self + 1 == size ? 0 : Self + 1`, or
/// `Self + step < size ? Self + step : Self + step - size`; or as a remainder
/// that scalar evolution has taken apart.
std::optional<Expr> Recurrence::solveWrapping() const {
  Expr self = Expr::symbol(Self), after = self + Expr(1);
  for (const Expr::Term &term : next.sum())
    for (const Expr::Factor &factor : term.factors) {
      const Atom &atom = *factor.atom;
      const Expr &inside = atom.operands.empty() ? self : atom.operands[0];
      if (!inside.uses(Self))
        continue;
      if (atom.kind == Atom::Kind::FloorDiv) {
        const Expr &size = atom.operands[1];
        auto step = stepOf(inside);
        if (step && isInvariant(size) &&
            next == inside - size * Expr::floorDiv(inside, size))
          return inRing(*step, size);
        continue;
      }
      if (atom.operands.size() != 1)
        continue;
      for (const Expr &size :
           {after - inside, after + inside, after + inside + Expr(1)}) {
        if (!isInvariant(size) || !isInside(start, size))
          continue;
        if (next == Expr::isNotEqual(after, size) * after ||
            next == after - Expr::isEqual(after, size) * after ||
            next == Expr::isLess(after, size) * after ||
            next == after - Expr::isLessOrEqual(size, after) * after)
          return inRing(1, size);
      }
      // The bracket's coefficient is the size, or its negative.
      if (term.factors.size() != 1 || term.coefficient == INT64_MIN)
        continue;
      Expr size = std::abs(term.coefficient);
      auto step = stepOf(inside + size);
      if (!step)
        step = stepOf(size - Expr(1) - inside);
      if (!step || !isNotNegative(size - *step) || !isInside(start, size))
        continue;
      Expr sum = self + *step;
      if (next == sum - size * Expr::isLessOrEqual(size, sum) ||
          next == sum - size + size * Expr::isLess(sum, size))
        return inRing(*step, size);
    }
  return std::nullopt;
}

/// The entry and the end of the loop that \p phi is carried around; nothing if
/// there are several.
std::optional<ValueTranslator::CarriedValue>
ValueTranslator::carriedValue(llvm::PHINode &phi) {
  const llvm::Loop *loop = loopInfo.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopLatch() ||
      !loop->getLoopPredecessor())
    return std::nullopt;
  return CarriedValue{loop, loop->getLoopPredecessor(), loop->getLoopLatch(),
                      phi.getIncomingValueForBlock(loop->getLoopPredecessor()),
                      phi.getIncomingValueForBlock(loop->getLoopLatch())};
}

std::optional<Expr>
ValueTranslator::solveRecurrence(const CarriedValue &carried, const Expr &start,
                                 const Expr &next) {
  std::string counter = counterName(carried.loop);
  auto value = Recurrence{start, next, Expr::symbol(counter), counter}.solve();
  return value && value->isValid() ? value : std::nullopt;
}

Expr ValueTranslator::translateCarried(llvm::PHINode &phi) {
  std::string reason;
  auto carried = carriedValue(phi);
  if (carried && !llvm::is_contained(activePhis, &phi)) {
    auto translateNext = [&] {
      return std::optional(translate(carried->next, carried->latch));
    };
    auto next = tryWith(phi, selfSymbol(), translateNext, reason);
    Expr start = translate(carried->start, carried->before);
    if (next)
      if (auto value = solveRecurrence(*carried, start, *next))
        return *value;
    if (reason.empty())
      reason = dataReason(start);
  }
  return addDataSymbol(reason.empty() ? "phi" : reason, &phi);
}

Expr ValueTranslator::translateCarriedCondition(llvm::PHINode &phi) {
  std::string reason;
  auto carried = carriedValue(phi);
  if (carried && !llvm::is_contained(activePhis, &phi)) {
    auto translateNext = [&] {
      knownConditions[&phi] = Expr::isNotEqual(selfSymbol(), 0);
      return std::optional(translateCondition(carried->next, carried->latch));
    };
    if (auto next = tryWith(phi, selfSymbol(), translateNext, reason)) {
      Expr start = translateCondition(carried->start, carried->before);
      if (auto value = solveRecurrence(*carried, start, *next);
          value && !next->uses(Self))
        return *value;
    }
  }
  return addUnknownCondition(reason.empty() ? "phi" : reason, &phi);
}

Expr ValueTranslator::translatePhi(llvm::PHINode &phi) {
  if (std::optional<Expr> geometric = translateGeometric(phi))
    return *geometric;
  const llvm::Loop *loop = loopInfo.getLoopFor(phi.getParent());
  if (loop && loop->getHeader() == phi.getParent())
    return translateCarried(phi);
  auto choice = choiceOf(phi);
  if (!choice)
    return addDataSymbol(reasonOfJoin(phi), &phi);
  return foldChoice(*choice, [&](llvm::Value *arm) {
    return translate(arm, phi.getParent());
  });
}

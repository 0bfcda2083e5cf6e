// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Expr/Recurrence.h"

#include "Builder.h"
#include "llvm/Support/MathExtras.h"

using namespace auspex;
using Builder = ExprBuilder;

namespace {
class Solver {
public:
  Solver(const Recurrence &recurrence,
         llvm::function_ref<Interval(llvm::StringRef)> symbols)
      : start(recurrence.start), next(recurrence.next),
        self(Expr::symbol(recurrence.self)),
        counter(Expr::symbol(recurrence.counter)), selfName(recurrence.self),
        counterName(recurrence.counter), startsUnset(recurrence.startsUnset),
        symbols(symbols) {}

  std::optional<Expr> solve() const;

private:
  const Expr &start, &next;
  Expr self, counter;
  const std::string &selfName, &counterName;
  bool startsUnset;
  llvm::function_ref<Interval(llvm::StringRef)> symbols;

  bool isNotNegative(const Expr &expr) const {
    return expr.isValid() && expr.range(symbols).low >= 0;
  }
  bool isPositive(const Expr &expr) const {
    return isNotNegative(expr - Expr(1));
  }
  bool isInvariant(const Expr &expr) const {
    return expr.isValid() && !expr.uses(selfName) && !expr.uses(counterName);
  }
  /// What \p expr is more than self, if that is always the same.
  std::optional<Expr> stepOf(const Expr &expr) const {
    Expr step = expr - self;
    return isInvariant(step) ? std::optional(step) : std::nullopt;
  }
  Expr withCounter(const Expr &expr, const Expr &value) const {
    return expr.substitute([&](llvm::StringRef name) {
      return name == counterName ? std::optional(value) : std::nullopt;
    });
  }
  /// \p value, which need not hold before the first iteration.
  Expr afterFirst(const Expr &value) const {
    return withCounter(value, 0) == start
               ? value
               : Expr::select(Expr::isEqual(counter, 0), start, value);
  }

  std::optional<Expr> solveLinear() const;
  std::optional<Expr> solveKept() const;
  std::optional<Expr> solveFunction() const;
  std::optional<Expr> solveRing() const;
  std::optional<Expr> inRing(const Expr &from, const Expr &step,
                             const Expr &size) const;
  std::optional<Expr> solveReset() const;
  Expr startAgain(const Expr &step, const Expr &again, const Expr &first,
                  const Expr &period) const;
  std::optional<Expr> iterationsWith(const Atom &bracket) const;
  std::optional<Expr> solveSum() const;
};
} // namespace

std::optional<Expr> Solver::solve() const {
  if (!next.isValid())
    return std::nullopt;
  if (startsUnset)
    return next.uses(selfName) ? solveKept()
                               : withCounter(next, counter - Expr(1));
  if (!isInvariant(start))
    return std::nullopt;
  // What the iteration before had.
  if (!next.uses(selfName))
    return afterFirst(withCounter(next, counter - Expr(1)));
  for (auto rule :
       {&Solver::solveLinear, &Solver::solveKept, &Solver::solveFunction,
        &Solver::solveRing, &Solver::solveReset, &Solver::solveSum})
    if (auto value = (this->*rule)())
      return value;
  return std::nullopt;
}

/// a * self + b.
std::optional<Expr> Solver::solveLinear() const {
  auto linear = next.linearIn(selfName);
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

/// A function that is applied to self plus a step, plus a constant: swaps by
/// xor, positions in a ring, clamps, halves rounded up.
std::optional<Expr> Solver::solveFunction() const {
  // next = function(self + before, other) + behind.
  const Atom *atom = nullptr;
  Expr behind = next.filterTerms([&](const Expr &term) {
    const Atom *found = term.uses(selfName) ? term.asAtom() : nullptr;
    if (found && !atom)
      atom = found;
    return !found;
  });
  if (!atom || atom->operands.size() != 2)
    return std::nullopt;
  Expr inner = atom->operands[0], other = atom->operands[1];
  // self + min(a, b - self).
  if (auto outside = stepOf(behind);
      outside &&
      (atom->kind == Atom::Kind::Min || atom->kind == Atom::Kind::Max)) {
    behind = *outside;
    inner = inner + self;
    other = other + self;
  }
  if (!isInvariant(behind))
    return std::nullopt;
  bool isSwapped = other.uses(selfName);
  if (isSwapped)
    std::swap(inner, other);
  auto before = stepOf(inner);
  if (!before || !isInvariant(other))
    return std::nullopt;
  Expr step = *before + behind;
  // Every application but the first finds a value that is clamped already.
  Expr clamped = start + *before + (counter - Expr(1)) * step;
  switch (atom->kind) {
  case Atom::Kind::Xor:
    if (!step.isZero() || !behind.isZero())
      return std::nullopt;
    return Expr::select(Expr::isEqual(Expr::mod(counter, 2), 0), start,
                        Expr::bitXor(start, other));
  case Atom::Kind::Mod:
    if (isSwapped)
      return std::nullopt;
    // self - behind is a position in the ring.
    if (auto position = inRing(start - behind, step, other))
      return *position + behind;
    return std::nullopt;
  case Atom::Kind::FloorDiv: {
    // The least number of parts, each time: ceil(ceil(x / 2) / 2).
    auto size = other.constant();
    if (isSwapped || !behind.isZero() || !size || *size < 2 ||
        !llvm::isPowerOf2_64(*size) || !isNotNegative(start) ||
        !(before->isZero() || *before == Expr(*size - 1)))
      return std::nullopt;
    Expr power = Expr::pow2(Expr(llvm::Log2_64(*size)) * counter);
    return Expr::floorDiv(before->isZero() ? start : start + power - Expr(1),
                          power);
  }
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

/// from + step * counter in a ring of \p size positions.
std::optional<Expr> Solver::inRing(const Expr &from, const Expr &step,
                                   const Expr &size) const {
  if (!isNotNegative(step) || !isNotNegative(from))
    return std::nullopt;
  Expr position = Expr::mod(from + counter * step, size);
  return from.isZero() || isPositive(size - from)
             ? position
             : Expr::select(Expr::isEqual(counter, 0), from, position);
}

/// A position in a ring, as a choice, `self + step < size ? self + step :
/// self + step - size`, or as `x - size * (x / size)`.
std::optional<Expr> Solver::solveRing() const {
  for (const Expr::Term &term : next.sum())
    for (const Expr::Factor &factor : term.factors) {
      const Atom &atom = *factor.atom;
      if (atom.operands.empty() || !atom.operands[0].uses(selfName))
        continue;
      const Expr &inside = atom.operands[0];
      if (atom.kind == Atom::Kind::FloorDiv) {
        const Expr &size = atom.operands[1];
        auto step = stepOf(inside);
        if (step && isInvariant(size) &&
            next == inside - size * Expr::floorDiv(inside, size))
          return inRing(start, *step, size);
        continue;
      }
      // The bracket's coefficient is the size, or its negative.
      if (term.factors.size() != 1)
        continue;
      Expr size = std::abs(term.coefficient);
      auto step = stepOf(inside + size);
      if (!step)
        step = stepOf(size - Expr(1) - inside);
      if (!step || !isNotNegative(size - *step) ||
          !isNotNegative(size - start - Expr(1)))
        continue;
      Expr sum = self + *step;
      if (next == sum - size * Expr::isLessOrEqual(size, sum) ||
          next == sum - size + size * Expr::isLess(sum, size))
        return inRing(start, *step, size);
    }
  return std::nullopt;
}

/// A sum of terms, once with a bracket that is 1 and once with one that is 0.
static std::pair<Expr, Expr> splitByBracket(const Expr &expr,
                                            const Atom &bracket) {
  std::vector<Expr::Term> with, without;
  for (Expr::Term term : expr.sum()) {
    size_t size = term.factors.size();
    llvm::erase_if(term.factors, [&](const Expr::Factor &factor) {
      return *factor.atom <=> bracket == 0;
    });
    if (size == term.factors.size())
      without.push_back(term);
    with.push_back(std::move(term));
  }
  return {Builder::fromTerms(std::move(with)),
          Builder::fromTerms(std::move(without))};
}

/// `bracket ? self : value` or the other way round, where the bracket is the
/// same in all iterations. What starts unset is taken to be the value.
std::optional<Expr> Solver::solveKept() const {
  for (const Expr::Term &term : next.sum())
    for (const Expr::Factor &factor : term.factors) {
      Expr bracket = Builder::fromFactor(factor);
      Interval range = bracket.range(symbols);
      if (!isInvariant(bracket) || range.low < 0 || range.high > 1)
        continue;
      auto [kept, value] = splitByBracket(next, *factor.atom);
      Expr isKept = bracket;
      if (kept != self) {
        std::swap(kept, value);
        isKept = Expr::negate(bracket);
      }
      if (kept != self || value.uses(selfName))
        continue;
      Expr before = withCounter(value, counter - Expr(1));
      return startsUnset ? before
                         : afterFirst(Expr::select(isKept, start, before));
    }
  return std::nullopt;
}

/// A counter that starts again when it meets a bound:
/// `self REL bound ? again : self + step`.
std::optional<Expr> Solver::solveReset() const {
  for (const Expr::Term &term : next.sum())
    for (const Expr::Factor &factor : term.factors) {
      const Atom &bracket = *factor.atom;
      if (bracket.kind != Atom::Kind::AtLeastZero &&
          bracket.kind != Atom::Kind::EqualZero &&
          bracket.kind != Atom::Kind::NotZero)
        continue;
      auto inside = bracket.operands[0].linearIn(selfName);
      auto sign = inside ? inside->factor->constant() : std::nullopt;
      if (!sign || std::abs(*sign) != 1 || !isInvariant(*inside->rest))
        continue;
      auto [again, steps] = splitByBracket(next, bracket);
      // The bracket says self >= bound, self <= bound, or self == bound (or
      // not).
      Expr bound = Expr(-*sign) * *inside->rest;
      bool isEquality = bracket.kind != Atom::Kind::AtLeastZero;
      bool isAbove = *sign == 1;
      if (bracket.kind == Atom::Kind::NotZero)
        std::swap(again, steps);
      auto step = stepOf(steps);
      if (!step && !isEquality) {
        // It goes on where the bracket holds: what is beyond starts again.
        std::swap(again, steps);
        step = stepOf(steps);
        bound = isAbove ? bound - Expr(1) : bound + Expr(1);
        isAbove = !isAbove;
      }
      if (!step)
        continue;
      if (isEquality)
        again = again.substitute([&](llvm::StringRef name) {
          return name == selfName ? std::optional(bound) : std::nullopt;
        });
      if (!isInvariant(again))
        continue;
      // Downwards is upwards with other signs.
      bool isUp = isPositive(*step);
      Expr direction = isUp ? 1 : -1;
      if (!isPositive(direction * *step) || (!isEquality && isUp != isAbove))
        continue;
      Expr size = direction * *step, end = direction * bound;
      // What passes the bound by does not meet it. A counter that starts at 0
      // is taken to be before it.
      auto meets = [&](const Expr &value) {
        Expr distance = end - direction * value;
        return size * Expr::floorDiv(distance, size) == distance &&
               (value.isZero() || isNotNegative(distance));
      };
      if (isEquality && !(meets(start) && meets(again)))
        continue;
      auto countFrom = [&](const Expr &value) {
        Expr hops =
            Expr::floorDiv(end - direction * value + size - Expr(1), size);
        hops = isEquality ? hops : Expr::max(0, hops);
        return (hops + Expr(1)).simplify(symbols);
      };
      return startAgain(*step, again, countFrom(start), countFrom(again));
    }
  return std::nullopt;
}

/// \p first values from start on, then \p period values from \p again on, and
/// again.
Expr Solver::startAgain(const Expr &step, const Expr &again, const Expr &first,
                        const Expr &period) const {
  // Where it starts may be a place that it comes by again.
  Expr place = Expr::floorDiv(start - again, step);
  if (place * step == start - again &&
      (place.isZero() || (isNotNegative(place) && isPositive(period - place))))
    return again + step * Expr::mod(counter + place, period);
  return Expr::select(Expr::isLess(counter, first), start + step * counter,
                      again + step * Expr::mod(counter - first, period));
}

/// How many of the first iterations fulfil \p bracket, if that is [a >= 0] or
/// so and a is the counter plus or minus something.
std::optional<Expr> Solver::iterationsWith(const Atom &bracket) const {
  if (bracket.operands.size() != 1)
    return std::nullopt;
  auto inside = bracket.operands[0].linearIn(counterName);
  auto sign = inside ? inside->factor->constant() : std::nullopt;
  if (!sign || std::abs(*sign) != 1 || !isInvariant(*inside->rest))
    return std::nullopt;
  Expr place = Expr(-*sign) * *inside->rest;
  Expr isBehind = Expr::conjunction(Expr::isLessOrEqual(0, place),
                                    Expr::isLess(place, counter));
  switch (bracket.kind) {
  case Atom::Kind::EqualZero:
    return isBehind;
  case Atom::Kind::NotZero:
    return counter - isBehind;
  case Atom::Kind::AtLeastZero:
    return *sign == 1 ? Expr::max(0, counter - Expr::max(0, place))
                      : Expr::max(0, Expr::min(counter, place + Expr(1)));
  default:
    return std::nullopt;
  }
}

/// self plus terms that count in some iterations only.
std::optional<Expr> Solver::solveSum() const {
  Expr sum = start, added = next - self;
  if (added.uses(selfName))
    return std::nullopt;
  for (const Expr::Term &term : added.sum()) {
    Expr product = term.coefficient;
    std::optional<Expr> times;
    for (const Expr::Factor &factor : term.factors) {
      Expr value = Builder::fromFactor(factor);
      if (isInvariant(value))
        product = product * value;
      else if (times || !(times = iterationsWith(*factor.atom)))
        return std::nullopt;
    }
    sum = sum + product * times.value_or(counter);
  }
  return sum;
}

std::optional<Expr>
auspex::solve(const Recurrence &recurrence,
              llvm::function_ref<Interval(llvm::StringRef)> symbols) {
  auto value = Solver(recurrence, symbols).solve();
  return value && value->isValid() ? value : std::nullopt;
}

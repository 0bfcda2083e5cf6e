// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions made of others: with values put in, without what ranges decide,
// with some of their terms.
#include "auspex/Expr/Expr.h"

#include "Builder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <limits>

using namespace auspex;

using Builder = ExprBuilder;

Expr auspex::rebuild(Atom::Kind kind, llvm::ArrayRef<Expr> operands) {
  switch (kind) {
  case Atom::Kind::Symbol:
    break;
  case Atom::Kind::FloorDiv:
    return Expr::floorDiv(operands[0], operands[1]);
  case Atom::Kind::Mod:
    return Expr::mod(operands[0], operands[1]);
  case Atom::Kind::Min:
  case Atom::Kind::Max: {
    Expr result = operands[0];
    for (const Expr &operand : operands.drop_front())
      result = kind == Atom::Kind::Min ? Expr::min(result, operand)
                                       : Expr::max(result, operand);
    return result;
  }
  case Atom::Kind::And:
    return Expr::bitAnd(operands[0], operands[1]);
  case Atom::Kind::Or:
    return Expr::bitOr(operands[0], operands[1]);
  case Atom::Kind::Xor:
    return Expr::bitXor(operands[0], operands[1]);
  case Atom::Kind::Pow2:
    return Expr::pow2(operands[0]);
  case Atom::Kind::Log2:
    return Expr::log2(operands[0]);
  case Atom::Kind::AtLeastZero:
    return Expr::isAtLeastZero(operands[0]);
  case Atom::Kind::EqualZero:
    return Expr::isEqual(operands[0], 0);
  case Atom::Kind::NotZero:
    return Expr::isNotEqual(operands[0], 0);
  }
  return Expr::invalid();
}

/// Rewrites every atom bottom-up and puts the polynomial together again.
static Expr
rewrite(const Expr &expr,
        llvm::function_ref<Expr(const std::shared_ptr<const Atom> &)> onAtom) {
  if (!expr.isValid())
    return expr;
  std::vector<Expr::Term> terms;
  for (const Expr::Term &term : expr.sum()) {
    // Mostly constants take the place of symbols: they need no expression.
    int64_t coefficient = term.coefficient;
    std::optional<Expr> product;
    for (const Expr::Factor &factor : term.factors) {
      Expr base = onAtom(factor.atom);
      std::optional<int64_t> number = base.constant();
      for (unsigned i = 0; i < factor.power; ++i)
        if (!number)
          product = product ? *product * base : base;
        else if (__builtin_mul_overflow(coefficient, *number, &coefficient))
          return Expr::invalid();
    }
    if (product && !product->isValid())
      return *product;
    if (coefficient == 0)
      continue;
    if (!product)
      terms.push_back({coefficient, {}});
    else if (!Builder::addTimes(coefficient, std::move(*product), terms))
      return Expr::invalid();
  }
  return Builder::fromTerms(std::move(terms));
}

/// Functions that were rewritten; the terms of an expression share many.
using Rewritten = llvm::SmallDenseMap<const Atom *, Expr, 8>;

/// Rewrites \p expr and the operands of its functions: \p replace gives what
/// takes the place of an atom, \p rebuild the function of new operands.
static Expr
rewriteAll(const Expr &expr,
           llvm::function_ref<std::optional<Expr>(const Atom &)> replace,
           llvm::function_ref<Expr(const Atom &, std::vector<Expr>)> rebuild,
           Rewritten &known) {
  return rewrite(expr, [&](const std::shared_ptr<const Atom> &shared) {
    const Atom &atom = *shared;
    if (atom.kind == Atom::Kind::Symbol) {
      std::optional<Expr> replacement = replace(atom);
      return replacement ? *replacement : Builder::fromFactor({shared, 1});
    }
    if (auto found = known.find(&atom); found != known.end())
      return found->second;
    if (std::optional<Expr> replacement = replace(atom))
      return known[&atom] = *replacement;
    std::vector<Expr> operands;
    for (const Expr &operand : atom.operands)
      operands.push_back(rewriteAll(operand, replace, rebuild, known));
    return known[&atom] = rebuild(atom, std::move(operands));
  });
}

static Expr rebuiltFunction(const Atom &atom, std::vector<Expr> operands) {
  return rebuild(atom.kind, operands);
}

Expr Expr::substitute(
    llvm::function_ref<std::optional<Expr>(llvm::StringRef)> value) const {
  Rewritten known;
  return rewriteAll(
      *this,
      [&](const Atom &atom) {
        return atom.kind == Atom::Kind::Symbol ? value(atom.name)
                                               : std::nullopt;
      },
      rebuiltFunction, known);
}

Expr Expr::substituteFunctions(
    llvm::function_ref<std::optional<Expr>(const Atom &)> value) const {
  Rewritten known;
  return rewriteAll(
      *this,
      [&](const Atom &atom) {
        return atom.kind == Atom::Kind::Symbol ? std::nullopt : value(atom);
      },
      rebuiltFunction, known);
}

/// Drops the operands of a minimum or maximum that never win.
static void dropLosers(Atom::Kind kind, std::vector<Expr> &operands,
                       llvm::function_ref<Interval(llvm::StringRef)> symbols) {
  if (kind != Atom::Kind::Min && kind != Atom::Kind::Max)
    return;
  std::vector<Interval> ranges;
  for (const Expr &operand : operands)
    ranges.push_back(operand.range(symbols));
  for (size_t i = 0; i < operands.size();) {
    bool loses = false;
    for (size_t k = 0; k < operands.size(); ++k)
      loses |=
          k != i && (kind == Atom::Kind::Min ? ranges[k].high <= ranges[i].low
                                             : ranges[k].low >= ranges[i].high);
    if (!loses) {
      ++i;
      continue;
    }
    operands.erase(operands.begin() + i);
    ranges.erase(ranges.begin() + i);
  }
}

static Expr
simplifyFunction(const Atom &atom, std::vector<Expr> operands,
                 llvm::function_ref<Interval(llvm::StringRef)> symbols) {
  dropLosers(atom.kind, operands, symbols);
  if (operands.size() == 1 && atom.operands.size() > 1)
    return operands[0];
  Expr result = rebuild(atom.kind, operands);
  Interval range = result.range(symbols);
  if (range.isPoint())
    return Expr(range.low);
  if (atom.kind == Atom::Kind::Mod) {
    Expr divided = operands[0].withRemainders();
    Interval inside = divided.range(symbols);
    Interval divisor = operands[1].range(symbols);
    if (inside.low >= 0 && inside.high < divisor.low)
      return divided;
    if (divisor.isPoint() && divisor.low > 0 &&
        inside.low > Interval::Min / 2) {
      int64_t period = floorDiv(inside.low, divisor.low);
      if (period == floorDiv(inside.high, divisor.low))
        return divided - Expr(period * divisor.low);
    }
  }
  return result;
}

Expr Expr::simplify(
    llvm::function_ref<Interval(llvm::StringRef)> symbols) const {
  Rewritten known;
  return rewriteAll(
      *this, [](const Atom &) { return std::nullopt; },
      [&](const Atom &atom, std::vector<Expr> operands) {
        return simplifyFunction(atom, std::move(operands), symbols);
      },
      known);
}

Expr Expr::given(const Expr &condition, bool holds) const {
  Expr negation = negate(condition);
  const Atom *atom = condition.asAtom(), *opposite = negation.asAtom();
  if (!atom || !opposite)
    return *this;
  Rewritten known;
  return rewriteAll(
      *this,
      [&](const Atom &other) -> std::optional<Expr> {
        bool isIt = (other <=> *atom) == 0;
        return isIt || (other <=> *opposite) == 0
                   ? std::optional(Expr(isIt == holds))
                   : std::nullopt;
      },
      rebuiltFunction, known);
}

std::vector<Expr> Expr::choices() const {
  std::vector<Expr> found;
  auto look = [&](const Expr &part, auto look) -> void {
    for (const Term &term : part.terms)
      for (const Factor &factor : term.factors) {
        const Atom &atom = *factor.atom;
        // The one is true where the other is not.
        bool isEquality = atom.kind == Atom::Kind::EqualZero ||
                          atom.kind == Atom::Kind::NotZero;
        if (isEquality)
          found.push_back(isEqual(atom.operands[0], 0));
        else if (atom.kind == Atom::Kind::AtLeastZero)
          found.push_back(isAtLeastZero(atom.operands[0]));
        else
          for (const Expr &operand : atom.operands)
            look(operand, look);
      }
  };
  look(*this, look);
  return found;
}

/// The function that \p term is a multiple of; null for others.
static const Atom *functionOf(const Expr::Term &term) {
  return term.factors.size() == 1 && term.factors[0].power == 1
             ? term.factors[0].atom.get()
             : nullptr;
}

/// The same if it is a minimum or a maximum.
static const Atom *extremumOf(const Expr::Term &term) {
  const Atom *atom = functionOf(term);
  return atom && (atom->kind == Atom::Kind::Min ||
                  atom->kind == Atom::Kind::Max)
             ? atom
             : nullptr;
}

/// How far its values may be apart; without end if a bound is missing.
static double widthOf(const Interval &range) {
  return range.low == Interval::Min || range.high == Interval::Max
             ? std::numeric_limits<double>::infinity()
             : static_cast<double>(range.high) - static_cast<double>(range.low);
}

/// \p more less \p less, functions of one kind, as one function; nothing if
/// neither has what the other is made of: max(a, b, c) - max(a, b) is
/// max(0, c - max(a, b)), and two quotients by one divisor are one of what
/// their numerators differ by.
static std::optional<Expr>
differenceOf(const Atom &more, const Atom &less,
             llvm::function_ref<Interval(llvm::StringRef)> symbols) {
  if (more.kind != less.kind)
    return std::nullopt;
  switch (more.kind) {
  case Atom::Kind::Min:
  case Atom::Kind::Max: {
    if (!llvm::all_of(less.operands, [&](const Expr &operand) {
          return llvm::is_contained(more.operands, operand);
        }))
      return std::nullopt;
    Expr rest = rebuild(less.kind, less.operands);
    std::vector<Expr> operands{Expr(0)};
    for (const Expr &operand : more.operands)
      if (!llvm::is_contained(less.operands, operand))
        operands.push_back((operand - rest).tighten(symbols));
    return rebuild(more.kind, operands);
  }
  case Atom::Kind::FloorDiv: {
    const Expr &numerator = less.operands[0], &divisor = less.operands[1];
    Expr apart = more.operands[0] - numerator;
    if (more.operands[1] != divisor ||
        widthOf(apart.range(symbols)) >= widthOf(numerator.range(symbols)))
      return std::nullopt;
    return Expr::floorDiv(apart + Expr::mod(numerator, divisor), divisor);
  }
  default:
    return std::nullopt;
  }
}

/// \p expr with the differences of two functions that can be one.
static Expr
joinDifferences(const Expr &expr,
                llvm::function_ref<Interval(llvm::StringRef)> symbols) {
  for (const Expr::Term &more : expr.sum())
    for (const Expr::Term &less : expr.sum()) {
      const Atom *a = functionOf(more), *b = functionOf(less);
      if (!a || !b || more.coefficient != -less.coefficient)
        continue;
      std::optional<Expr> joined = differenceOf(*a, *b, symbols);
      if (!joined || !joined->isValid())
        continue;
      Expr times(more.coefficient);
      Expr pair = times * (Builder::fromFactor(more.factors[0]) -
                           Builder::fromFactor(less.factors[0]));
      return joinDifferences(expr - pair + times * *joined, symbols);
    }
  return expr;
}

static Expr tightenSum(const Expr &expr,
                       llvm::function_ref<Interval(llvm::StringRef)> symbols);

/// The sum with what stands beside \p term, a quotient, inside of it, if there
/// are extrema that it may be taken from: (min(n, 8*i + 8) + 7) / 8 - i.
static std::optional<Expr>
insideQuotient(const Expr &sum, const Expr::Term &term,
               llvm::function_ref<Interval(llvm::StringRef)> symbols) {
  const Atom *quotient = functionOf(term);
  if (!quotient || quotient->kind != Atom::Kind::FloorDiv ||
      (term.coefficient != 1 && term.coefficient != -1))
    return std::nullopt;
  const Expr &numerator = quotient->operands[0],
             &divisor = quotient->operands[1];
  Expr sign(term.coefficient);
  Expr beside = sum - sign * Builder::fromFactor(term.factors[0]);
  if (beside.isConstant() ||
      llvm::none_of(numerator.sum(), [](const Expr::Term &part) {
        return extremumOf(part) != nullptr;
      }))
    return std::nullopt;
  Expr inside = numerator + sign * beside.withoutConstant() * divisor;
  return sign * Expr::floorDiv(tightenSum(inside, symbols), divisor) +
         Expr(beside.constantTerm());
}

/// The sum \p expr as Expr::tighten() has it, but for what its functions are
/// of.
static Expr tightenSum(const Expr &expr,
                       llvm::function_ref<Interval(llvm::StringRef)> symbols) {
  Expr joined = joinDifferences(expr, symbols).withRemainders();
  constexpr size_t Most = 64;
  /// One for each way to take the extrema looked at so far.
  std::vector<Expr> forms{joined};
  for (const Expr::Term &term : joined.sum()) {
    const Atom *extremum = extremumOf(term);
    if (!extremum || forms.size() * (extremum->operands.size() + 1) > Most)
      continue;
    Expr whole = Expr(term.coefficient) * Builder::fromFactor(term.factors[0]);
    for (size_t i = 0, size = forms.size(); i < size; ++i)
      for (const Expr &from : extremum->operands) {
        std::vector<Expr> differences;
        for (const Expr &operand : extremum->operands)
          differences.push_back(tightenSum(operand - from, symbols));
        Expr moved = from + rebuild(extremum->kind, differences);
        forms.push_back(forms[i] - whole + Expr(term.coefficient) * moved);
      }
  }
  for (const Expr::Term &term : joined.sum())
    if (auto form = insideQuotient(joined, term, symbols))
      forms.push_back(std::move(*form));
  Expr *best = &forms.front();
  double least = widthOf(best->range(symbols));
  for (Expr &form : llvm::drop_begin(forms))
    if (double width = widthOf(form.range(symbols));
        form.isValid() && width < least) {
      best = &form;
      least = width;
    }
  return std::move(*best);
}

Expr Expr::tighten(
    llvm::function_ref<Interval(llvm::StringRef)> symbols) const {
  Rewritten known;
  Expr inside = rewriteAll(
      *this, [](const Atom &) { return std::nullopt; },
      [&](const Atom &atom, std::vector<Expr> operands) {
        for (Expr &operand : operands)
          operand = tightenSum(operand, symbols);
        return rebuild(atom.kind, operands);
      },
      known);
  return tightenSum(inside, symbols);
}

/// Calls \p visit for the symbols of \p expr, but not for those of functions
/// that were \p seen: the terms of an expression share many.
static void visitSymbols(const Expr &expr,
                         llvm::function_ref<void(llvm::StringRef)> visit,
                         llvm::SmallPtrSetImpl<const Atom *> &seen) {
  for (const Expr::Term &term : expr.sum())
    for (const Expr::Factor &factor : term.factors) {
      const Atom &atom = *factor.atom;
      if (atom.kind == Atom::Kind::Symbol)
        visit(atom.name);
      else if (seen.insert(&atom).second)
        for (const Expr &operand : atom.operands)
          visitSymbols(operand, visit, seen);
    }
}

void Expr::forEachSymbol(
    llvm::function_ref<void(llvm::StringRef)> visit) const {
  llvm::SmallPtrSet<const Atom *, 16> seen;
  visitSymbols(*this, visit, seen);
}

bool Expr::uses(llvm::StringRef name) const {
  return usesAny([&](llvm::StringRef symbol) { return symbol == name; });
}

bool Expr::usesAny(llvm::function_ref<bool(llvm::StringRef)> isOfKind) const {
  bool found = false;
  forEachSymbol(
      [&](llvm::StringRef symbol) { found = found || isOfKind(symbol); });
  return found;
}

bool Expr::usesLog2() const {
  return llvm::any_of(terms, [](const Term &term) {
    return llvm::any_of(term.factors, [](const Factor &factor) {
      return factor.atom->kind == Atom::Kind::Log2 ||
             llvm::any_of(factor.atom->operands, [](const Expr &operand) {
               return operand.usesLog2();
             });
    });
  });
}

void Expr::forEachTerm(llvm::function_ref<void(const Expr &)> visit) const {
  for (const Term &term : terms) {
    Expr alone;
    alone.terms.push_back(term);
    visit(alone);
  }
}

Expr Expr::filterTerms(llvm::function_ref<bool(const Expr &)> keep) const {
  Expr result;
  result.valid = valid;
  for (const Term &term : terms) {
    Expr alone;
    alone.terms.push_back(term);
    if (keep(alone))
      result.terms.push_back(term);
  }
  return result;
}

/// The quotient if \p term is a multiple of one by a constant.
static const Atom *quotientBy(const Expr::Term &term, int64_t &divisor) {
  const Atom *atom = functionOf(term);
  if (!atom || atom->kind != Atom::Kind::FloorDiv)
    return nullptr;
  divisor = atom->operands[1].constant().value_or(0);
  return divisor > 0 ? atom : nullptr;
}

/// The sum \p expr where \p coarse, -s*b*floordiv(a, w*b), and s*floordiv(a, w)
/// are one: s*mod(floordiv(a, w), b).
static Expr withRemainderOfQuotient(const Expr &expr, const Expr &coarse) {
  int64_t divisor = 0;
  const Expr::Term &only = coarse.sum().front();
  const Atom *quotient = quotientBy(only, divisor);
  if (!quotient)
    return expr;
  bool isThere = false;
  expr.forEachTerm([&](const Expr &term) { isThere |= term == coarse; });
  if (!isThere)
    return expr;
  Expr result = expr;
  expr.forEachTerm([&](const Expr &fine) {
    int64_t weight = 0;
    const Expr::Term &other = fine.sum().front();
    const Atom *part = quotientBy(other, weight);
    if (part && weight < divisor && divisor % weight == 0 &&
        part->operands[0] == quotient->operands[0] &&
        Expr(-other.coefficient) * Expr(divisor / weight) ==
            Expr(only.coefficient))
      result = expr - coarse - fine +
               Expr(other.coefficient) *
                   Expr::mod(Expr::floorDiv(part->operands[0], weight),
                             divisor / weight);
  });
  return result;
}

Expr Expr::withRemainders() const {
  Expr result = *this;
  forEachTerm([&](const Expr &term) {
    const Expr::Term &only = term.sum().front();
    auto quotient = llvm::find_if(only.factors, [](const Factor &factor) {
      return factor.atom->kind == Atom::Kind::FloorDiv && factor.power == 1;
    });
    if (quotient == only.factors.end())
      return;
    const Expr &divided = quotient->atom->operands[0],
               &divisor = quotient->atom->operands[1];
    Expr product = divisor * Builder::fromFactor(*quotient);
    if (product.sum().size() != 1)
      return;
    int64_t ratio = only.coefficient / product.sum().front().coefficient;
    if (term != Expr(ratio) * product)
      return;
    Expr times(-ratio);
    Expr rest = result - term - times * divided;
    if (rest.isValid() && rest.sum().size() < result.sum().size())
      result = rest + times * Expr::mod(divided, divisor);
  });
  forEachTerm([&](const Expr &term) {
    result = withRemainderOfQuotient(result, term);
  });
  return result;
}

std::optional<Expr::Linear> Expr::linearIn(llvm::StringRef name) const {
  if (!valid)
    return std::nullopt;
  std::vector<Term> with, without;
  for (const Term &term : terms) {
    Term other{term.coefficient, {}};
    unsigned power = 0;
    for (const Factor &factor : term.factors) {
      if (factor.atom->kind == Atom::Kind::Symbol &&
          factor.atom->name == name) {
        power = factor.power;
        continue;
      }
      for (const Expr &operand : factor.atom->operands)
        if (operand.uses(name))
          return std::nullopt;
      other.factors.push_back(factor);
    }
    if (power > 1)
      return std::nullopt;
    (power ? with : without).push_back(std::move(other));
  }
  return Linear{std::make_shared<const Expr>(Builder::fromTerms(with)),
                std::make_shared<const Expr>(Builder::fromTerms(without))};
}

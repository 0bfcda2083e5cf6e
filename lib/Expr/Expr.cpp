// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algebra: normal form, and the rules that keep expressions small.
#include "auspex/Expr/Expr.h"

#include "Builder.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace auspex;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

std::strong_ordering auspex::compareFactors(llvm::ArrayRef<Expr::Factor> a,
                                            llvm::ArrayRef<Expr::Factor> b) {
  // The constant term has no factors and comes last.
  if (a.empty() || b.empty())
    return b.size() <=> a.size();
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].atom != b[i].atom)
      if (auto order = *a[i].atom <=> *b[i].atom; order != 0)
        return order;
    if (auto order = b[i].power <=> a[i].power; order != 0)
      return order;
  }
  return a.size() <=> b.size();
}

std::strong_ordering Atom::operator<=>(const Atom &other) const {
  if (auto order = kind <=> other.kind; order != 0)
    return order;
  if (auto order = name <=> other.name; order != 0)
    return order;
  return std::lexicographical_compare_three_way(
      operands.begin(), operands.end(), other.operands.begin(),
      other.operands.end());
}

std::strong_ordering Expr::operator<=>(const Expr &other) const {
  if (auto order = valid <=> other.valid; order != 0)
    return order;
  if (auto order = terms.size() <=> other.terms.size(); order != 0)
    return order;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (auto order = compareFactors(terms[i].factors, other.terms[i].factors);
        order != 0)
      return order;
    if (auto order = terms[i].coefficient <=> other.terms[i].coefficient;
        order != 0)
      return order;
  }
  return std::strong_ordering::equal;
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

using Builder = ExprBuilder;

Expr::Expr(int64_t constant) : valid(constant != INT64_MIN) {
  if (constant && valid)
    terms.push_back({constant, {}});
}

Expr Expr::symbol(llvm::StringRef name) {
  return Builder::fromAtom({Atom::Kind::Symbol, name.str(), {}});
}

Expr Expr::invalid() {
  Expr result;
  result.valid = false;
  return result;
}

bool Expr::isConstant() const {
  return valid &&
         (terms.empty() || (terms.size() == 1 && terms[0].isConstant()));
}

std::optional<int64_t> Expr::constant() const {
  if (!isConstant())
    return std::nullopt;
  return terms.empty() ? 0 : terms[0].coefficient;
}

std::optional<llvm::StringRef> Expr::asSymbol() const {
  if (const Atom *atom = Builder::onlyAtom(*this, Atom::Kind::Symbol))
    return atom->name;
  return std::nullopt;
}

Expr Expr::withoutConstant() const {
  Expr result = *this;
  if (constantTerm() != 0)
    result.terms.pop_back();
  return result;
}

bool Expr::differsByConstant(const Expr &other) const {
  if (!valid || !other.valid)
    return false;
  size_t count = terms.size() - (constantTerm() != 0);
  if (count != other.terms.size() - (other.constantTerm() != 0))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (terms[i].coefficient != other.terms[i].coefficient ||
        compareFactors(terms[i].factors, other.terms[i].factors) != 0)
      return false;
  return true;
}

Expr auspex::operator+(const Expr &a, const Expr &b) {
  if (!a.valid || !b.valid)
    return Expr::invalid();
  std::vector<Expr::Term> terms;
  terms.reserve(a.terms.size() + b.terms.size());
  llvm::append_range(terms, a.terms);
  llvm::append_range(terms, b.terms);
  return Builder::fromTerms(std::move(terms));
}

Expr auspex::operator-(const Expr &a, const Expr &b) {
  if (!a.valid || !b.valid)
    return Expr::invalid();
  std::vector<Expr::Term> terms;
  terms.reserve(a.terms.size() + b.terms.size());
  llvm::append_range(terms, a.terms);
  if (!Builder::addTimes(-1, b, terms))
    return Expr::invalid();
  return Builder::fromTerms(std::move(terms));
}

Expr auspex::operator*(const Expr &a, const Expr &b) {
  if (!a.valid || !b.valid)
    return Expr::invalid();
  std::vector<Expr::Term> terms;
  terms.reserve(a.terms.size() * b.terms.size());
  for (const Expr::Term &x : a.terms)
    for (const Expr::Term &y : b.terms) {
      Expr::Term product;
      if (__builtin_mul_overflow(x.coefficient, y.coefficient,
                                 &product.coefficient))
        return Expr::invalid();
      product.factors = Builder::multiplyFactors(x.factors, y.factors);
      if (product.factors.size() > Expr::MaxFactors)
        return Expr::invalid();
      terms.push_back(std::move(product));
    }
  return Builder::fromTerms(std::move(terms));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Folds constants; nothing when an operand is not constant.
static std::optional<Expr> fold(Atom::Kind kind, const Expr &a, const Expr &b) {
  if (!a.isValid() || !b.isValid())
    return Expr::invalid();
  if (!a.isConstant() || !b.isConstant())
    return std::nullopt;
  int64_t result;
  if (!applyAtom(kind, *a.constant(), *b.constant(), result))
    return Expr::invalid();
  return Expr(result);
}

/// Positive whatever the symbols are: a positive constant times powers of 2.
static bool isPositive(const Expr &expr) {
  if (expr.sum().size() != 1 || expr.sum()[0].coefficient <= 0)
    return false;
  return llvm::all_of(expr.sum()[0].factors, [](const Expr::Factor &factor) {
    return factor.atom->kind == Atom::Kind::Pow2;
  });
}

Expr Expr::floorDiv(const Expr &a, const Expr &b) {
  if (auto folded = fold(Atom::Kind::FloorDiv, a, b))
    return *folded;
  std::optional<int64_t> divisor = b.constant();
  if (!divisor) {
    // (x / d) / 2^k is x / (d * 2^k) for positive d.
    const Atom *inner = Builder::onlyAtom(a, Atom::Kind::FloorDiv);
    if (inner && isPositive(inner->operands[1]) && isPositive(b))
      return floorDiv(inner->operands[0], inner->operands[1] * b);
    return a.isZero() ? a : Builder::function(Atom::Kind::FloorDiv, {a, b});
  }
  if (*divisor == 0)
    return invalid();
  if (*divisor < 0)
    return floorDiv(-a, Expr(-*divisor));
  auto [quotient, rest] = Builder::split(a, *divisor);
  if (rest.isConstant()) // in [0, divisor)
    return quotient;
  // (g*x + k) / (g*d) is (x + k/g) / d.
  if (int64_t common = std::gcd(Builder::content(rest), *divisor); common > 1)
    return quotient + floorDiv(Builder::split(rest, common).first,
                               Expr(*divisor / common));
  if (const Atom *inner = Builder::onlyAtom(rest, Atom::Kind::FloorDiv))
    if (isPositive(inner->operands[1]))
      if (Expr product = inner->operands[1] * b; product.isValid())
        return quotient + floorDiv(inner->operands[0], product);
  return quotient + Builder::function(Atom::Kind::FloorDiv, {rest, b});
}

/// A sum that leaves the same remainder, without those remainders in it that do
/// not matter: 3*(x mod 64) is 3*x modulo 32.
static Expr dropInnerRemainders(const Expr &sum, int64_t divisor) {
  Expr result;
  for (const Expr::Term &term : sum.sum()) {
    Expr product(term.coefficient);
    for (const Expr::Factor &factor : term.factors) {
      const Atom &atom = *factor.atom;
      bool isRemainder = atom.kind == Atom::Kind::Mod && factor.power == 1;
      std::optional<int64_t> inner =
          isRemainder ? atom.operands[1].constant() : std::nullopt;
      int64_t step;
      bool drops = inner &&
                   !__builtin_mul_overflow(term.coefficient, *inner, &step) &&
                   step % divisor == 0;
      Expr base = drops ? atom.operands[0] : Builder::fromFactor(factor);
      product = product * base;
    }
    result = result + product;
  }
  return result;
}

/// \p bits modulo a power of two, if that decides some operand of what is
/// bitwise: (256*p | 256*q) mod 16 is 0.
static std::optional<Expr> lowBits(const Expr &bits, int64_t divisor) {
  const Atom *atom = bits.asAtom();
  if (!atom || !llvm::isPowerOf2_64(static_cast<uint64_t>(divisor)))
    return std::nullopt;
  auto apply = [&]() -> decltype(&Expr::bitOr) {
    switch (atom->kind) {
    case Atom::Kind::And:
      return Expr::bitAnd;
    case Atom::Kind::Or:
      return Expr::bitOr;
    case Atom::Kind::Xor:
      return Expr::bitXor;
    default:
      return nullptr;
    }
  }();
  if (!apply)
    return std::nullopt;
  Expr a = Expr::mod(atom->operands[0], Expr(divisor)),
       b = Expr::mod(atom->operands[1], Expr(divisor));
  return a.isConstant() || b.isConstant() ? std::optional(apply(a, b))
                                          : std::nullopt;
}

Expr Expr::mod(const Expr &a, const Expr &b) {
  if (auto folded = fold(Atom::Kind::Mod, a, b))
    return *folded;
  std::optional<int64_t> divisor = b.constant();
  if (!divisor)
    return a.isZero() ? a : Builder::function(Atom::Kind::Mod, {a, b});
  if (*divisor <= 0)
    return invalid();
  Expr rest = Builder::split(a, *divisor).second;
  for (Term &term : rest.terms)
    term.coefficient %= *divisor;
  if (rest.isConstant())
    return rest;
  // (g*x + k) mod (g*d) is g*((x + k/g) mod d) + k mod g.
  if (int64_t common = std::gcd(Builder::content(rest), *divisor); common > 1) {
    auto [whole, left] = Builder::split(rest, common);
    return Expr(common) * mod(whole, Expr(*divisor / common)) + left;
  }
  if (std::optional<Expr> low = lowBits(rest, *divisor))
    return *low;
  if (Expr flat = dropInnerRemainders(rest, *divisor);
      flat.isValid() && flat != rest)
    return mod(flat, b);
  return Builder::function(Atom::Kind::Mod, {rest, b});
}

/// How \p a compares with \p b if they differ by a constant; else none.
static std::optional<std::strong_ordering> compareByConstant(const Expr &a,
                                                             const Expr &b) {
  if (!a.differsByConstant(b))
    return std::nullopt;
  return a.constantTerm() <=> b.constantTerm();
}

/// Minimum and maximum share everything but the direction.
static Expr extremum(Atom::Kind kind, llvm::ArrayRef<Expr> sides) {
  std::vector<Expr> operands;
  for (const Expr &side : sides) {
    if (!side.isValid())
      return Expr::invalid();
    const Atom *inner = Builder::onlyAtom(side, kind);
    size_t before = operands.size();
    for (const Expr &operand :
         inner ? llvm::ArrayRef<Expr>(inner->operands) : llvm::ArrayRef(side)) {
      // Of two operands that differ by a constant one never counts.
      auto rival = std::find_if(
          operands.begin(), operands.begin() + before, [&](const Expr &other) {
            return compareByConstant(operand, other).has_value();
          });
      if (rival == operands.begin() + before)
        operands.push_back(operand);
      else if ((*compareByConstant(operand, *rival) < 0) ==
               (kind == Atom::Kind::Min))
        *rival = operand;
    }
  }
  if (operands.size() == 1)
    return operands[0];
  if (operands.size() > Expr::MaxTerms)
    return Expr::invalid();
  llvm::sort(operands,
             [](const Expr &x, const Expr &y) { return (x <=> y) < 0; });
  return Builder::function(kind, std::move(operands));
}

Expr Expr::min(const Expr &a, const Expr &b) {
  return extremum(Atom::Kind::Min, {a, b});
}

Expr Expr::max(const Expr &a, const Expr &b) {
  return extremum(Atom::Kind::Max, {a, b});
}

/// The two parts of \p a that bits of \p constant, at least 0, come to and do
/// not come to, multiples of a power of two; none if that is all of it.
static std::optional<std::pair<Expr, Expr>> splitAtBits(const Expr &a,
                                                        const Expr &constant) {
  std::optional<int64_t> bits = constant.constant();
  if (!bits || *bits < 0 || *bits >= INT64_MAX / 2 || !a.isValid())
    return std::nullopt;
  int64_t step =
      static_cast<int64_t>(llvm::bit_ceil(static_cast<uint64_t>(*bits) + 1));
  auto [multiple, rest] = Builder::split(a, step);
  Expr high = Expr(step) * multiple;
  if (multiple.isZero() || !high.isValid())
    return std::nullopt;
  return std::pair(rest, high);
}

static Expr bitwise(Atom::Kind kind, const Expr &a, const Expr &b) {
  if (auto folded = fold(kind, a, b))
    return *folded;
  // (x + 64*y) xor 3 is (x xor 3) + 64*y.
  for (const auto &[value, constant] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (auto parts = splitAtBits(*value, *constant)) {
      Expr low = rebuild(kind, {parts->first, *constant});
      return kind == Atom::Kind::And ? low : low + parts->second;
    }
  bool ordered = (a <=> b) <= 0;
  return Builder::function(kind, {ordered ? a : b, ordered ? b : a});
}

Expr Expr::bitAnd(const Expr &a, const Expr &b) {
  // A mask of low bits is a remainder.
  for (const auto &[value, mask] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (std::optional<int64_t> bits = mask->constant())
      if (*bits >= 0 && *bits < INT64_MAX && (*bits & (*bits + 1)) == 0)
        return mod(*value, Expr(*bits + 1));
  return bitwise(Atom::Kind::And, a, b);
}

Expr Expr::bitOr(const Expr &a, const Expr &b) {
  if (a.isZero() || b.isZero())
    return a.isZero() ? b : a;
  return bitwise(Atom::Kind::Or, a, b);
}

Expr Expr::bitXor(const Expr &a, const Expr &b) {
  if (a.isZero() || b.isZero())
    return a.isZero() ? b : a;
  return bitwise(Atom::Kind::Xor, a, b);
}

Expr Expr::pow2(const Expr &a) {
  if (auto folded = fold(Atom::Kind::Pow2, a, Expr(0)))
    return *folded;
  // 2^(x + k) is 2^k * 2^x, so that shifts by a constant merge with factors:
  // where x is a power by itself, as 32 - min(n, 32) has none.
  const Term *last = a.terms.empty() ? nullptr : &a.terms.back();
  if (last && last->isConstant() && last->coefficient > 0 &&
      last->coefficient <= 62) {
    Expr rest = a - Expr(last->coefficient);
    Interval range =
        rest.range([](llvm::StringRef) { return Interval{0, Interval::Max}; });
    if (range.low >= 0)
      return Expr(int64_t(1) << last->coefficient) * pow2(rest);
  }
  return Builder::function(Atom::Kind::Pow2, {a});
}

Expr Expr::log2(const Expr &a) {
  if (auto folded = fold(Atom::Kind::Log2, a, Expr(0)))
    return *folded;
  return Builder::function(Atom::Kind::Log2, {a});
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The bracket an expression consists of, or null.
static const Atom *asBracket(const Expr &expr) {
  for (Atom::Kind kind :
       {Atom::Kind::AtLeastZero, Atom::Kind::EqualZero, Atom::Kind::NotZero})
    if (const Atom *atom = Builder::onlyAtom(expr, kind))
      return atom;
  return nullptr;
}

/// Compilers join comparisons by bits: x|y < 64 is x < 64 && y < 64 where
/// neither is negative, x|y >= 0 is x >= 0 && y >= 0, and x&y >= 0 is either.
/// The joined one says less of each, so that it is the condition on every
/// operand if \p difference is 2^k - 1 - x|y, x|y - 2^k, x|y, -1 - x|y, or one
/// of the last two with x&y.
static std::optional<Expr> splitBits(const Expr &difference) {
  const std::vector<Expr::Term> &terms = difference.sum();
  bool hasConstant = terms.size() == 2 && terms[1].isConstant();
  if ((terms.size() != 1 && !hasConstant) || terms[0].factors.size() != 1 ||
      terms[0].factors[0].power != 1)
    return std::nullopt;
  const Atom &joined = *terms[0].factors[0].atom;
  if (joined.kind != Atom::Kind::Or && joined.kind != Atom::Kind::And)
    return std::nullopt;
  int64_t sign = terms[0].coefficient;
  int64_t constant = hasConstant ? terms[1].coefficient : 0;
  auto each = [&](size_t i) {
    return Expr::isAtLeastZero(Expr(constant) +
                               Expr(sign) * joined.operands[i]);
  };
  auto both = [&] { return Expr::conjunction(each(0), each(1)); };
  auto either = [&] { return Expr::disjunction(each(0), each(1)); };
  bool isOr = joined.kind == Atom::Kind::Or;
  if (sign == 1 && constant == 0)
    return isOr ? both() : either();
  if (sign == -1 && constant == -1)
    return isOr ? either() : both();
  if (isOr && sign == -1 && constant >= 0 && constant < INT64_MAX &&
      llvm::isPowerOf2_64(constant + 1))
    return both();
  if (isOr && sign == 1 && constant < 0 && llvm::isPowerOf2_64(-constant))
    return either();
  return std::nullopt;
}

Expr Expr::isAtLeastZero(const Expr &a) {
  if (auto folded = fold(Atom::Kind::AtLeastZero, a, Expr(0)))
    return *folded;
  // g*x + k >= 0 is x + floor(k/g) >= 0.
  auto [quotient, rest] = Builder::split(a, Builder::content(a));
  if (auto parts = splitBits(quotient))
    return *parts;
  return Builder::function(Atom::Kind::AtLeastZero, {quotient});
}

Expr Expr::isEqual(const Expr &a, const Expr &b) {
  Expr difference = a - b;
  if (auto folded = fold(Atom::Kind::EqualZero, difference, Expr(0)))
    return *folded;
  auto [quotient, rest] =
      Builder::split(difference, Builder::content(difference));
  if (!rest.isZero())
    return Expr(0);
  if (quotient.sum().front().coefficient < 0)
    quotient = -quotient;
  // Whether a condition is 0 or 1 is a condition.
  if (asBracket(quotient))
    return Expr::negate(quotient);
  if (asBracket(Expr(1) + quotient))
    return Expr(1) + quotient;
  return Builder::function(Atom::Kind::EqualZero, {quotient});
}

Expr Expr::isNotEqual(const Expr &a, const Expr &b) {
  return negate(isEqual(a, b));
}

Expr Expr::negate(const Expr &condition) {
  if (const Atom *bracket = asBracket(condition)) {
    const Expr &inner = bracket->operands[0];
    switch (bracket->kind) {
    case Atom::Kind::AtLeastZero:
      return isAtLeastZero(Expr(-1) - inner);
    case Atom::Kind::EqualZero:
      return Builder::function(Atom::Kind::NotZero, {inner});
    default:
      return Builder::function(Atom::Kind::EqualZero, {inner});
    }
  }
  for (auto [kind, dual] : {std::pair(Atom::Kind::Min, Atom::Kind::Max),
                            std::pair(Atom::Kind::Max, Atom::Kind::Min)})
    if (const Atom *joined = Builder::onlyAtom(condition, kind)) {
      std::vector<Expr> negated;
      for (const Expr &operand : joined->operands)
        negated.push_back(negate(operand));
      return extremum(dual, negated);
    }
  return Expr(1) - condition;
}

/// Conjunction (the minimum) and disjunction (the maximum) share everything but
/// which of 0 and 1 decides, and which says nothing.
static Expr joinConditions(Atom::Kind kind, const Expr &a, const Expr &b) {
  const Expr decisive(kind == Atom::Kind::Max), silent(kind == Atom::Kind::Min);
  if (a == decisive || b == decisive)
    return decisive;
  // Two invalid expressions are not each other's negation.
  if (!a.isValid() || !b.isValid())
    return Expr::invalid();
  if (a == silent || b == silent)
    return a == silent ? b : a;
  const Atom *joined = Builder::onlyAtom(a, kind);
  Expr opposite = Expr::negate(b);
  if (joined ? llvm::is_contained(joined->operands, opposite) : a == opposite)
    return decisive;
  return extremum(kind, {a, b});
}

Expr Expr::conjunction(const Expr &a, const Expr &b) {
  return joinConditions(Atom::Kind::Min, a, b);
}

Expr Expr::disjunction(const Expr &a, const Expr &b) {
  return joinConditions(Atom::Kind::Max, a, b);
}

const Atom *Expr::asAtom() const {
  if (!valid || terms.size() != 1 || terms[0].coefficient != 1 ||
      terms[0].factors.size() != 1 || terms[0].factors[0].power != 1)
    return nullptr;
  const Atom *atom = terms[0].factors[0].atom.get();
  return atom->kind == Atom::Kind::Symbol ? nullptr : atom;
}

std::vector<Expr> Expr::conjuncts() const {
  const Atom *atom = asAtom();
  return atom && atom->kind == Atom::Kind::Min ? atom->operands
                                               : std::vector<Expr>{*this};
}

Expr Expr::select(const Expr &condition, const Expr &a, const Expr &b) {
  if (std::optional<int64_t> known = condition.constant())
    return *known ? a : b;
  return a == b ? a : b + condition * (a - b);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Integer expressions over named symbols: what addresses, trip counts and
/// guards are made of.
///
/// An expression is a polynomial, kept in normal form, over atoms. An atom is a
/// symbol (tid.x, ctaid.y, ntid.x, arg2, i0 ...) or a function of expressions:
/// floordiv, mod, min, max, bitwise and, or, xor, pow2, log2, and the Iverson
/// brackets [e >= 0], [e == 0], [e != 0], which are 1 where the condition holds
/// and 0 elsewhere. Conditions are expressions made of brackets: conjunction is
/// min, disjunction max, and negation goes into the brackets.
///
/// Values are 64-bit. An operation that would overflow or grow beyond the
/// limits below gives an invalid expression, and everything made from it is
/// invalid too; callers ask isValid() once at the end. A coefficient of -2^63
/// counts as an overflow: all others can be negated.
#ifndef AUSPEX_EXPR_EXPR_H
#define AUSPEX_EXPR_EXPR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace auspex {

struct Atom;

/// An integer interval; both ends belong to it. Unbounded ends are Min and Max.
struct Interval {
  static constexpr int64_t Min = INT64_MIN, Max = INT64_MAX;
  int64_t low = Min, high = Max;

  bool isPoint() const { return low == high; }
  bool contains(int64_t value) const { return low <= value && value <= high; }
  bool operator==(const Interval &) const = default;
};

/// Whether a number is no further from 0 than \p most; of INT64_MIN too, which
/// has no magnitude.
inline bool isWithin(int64_t value, int64_t most) {
  return value >= -most && value <= most;
}

class Expr {
public:
  /// The most terms an expression may have, and the most factors a term.
  static constexpr size_t MaxTerms = 64, MaxFactors = 32;
  /// How deep functions may nest, and the most symbols, constants and functions
  /// an expression may consist of. Operands are shared, so that without a limit
  /// the text of an expression, and the time to evaluate it, could be
  /// exponential in the number of operations that made it.
  static constexpr unsigned MaxDepth = 150, MaxSize = 4096;
  /// The longest text that parse() takes, in bytes.
  static constexpr size_t MaxTextSize = 1 << 18;

  /// An atom to a power (at least 1).
  struct Factor {
    std::shared_ptr<const Atom> atom;
    unsigned power = 1;
  };
  /// A coefficient (never 0 or -2^63) times factors, which are sorted and
  /// distinct.
  struct Term {
    int64_t coefficient = 0;
    llvm::SmallVector<Factor, 2> factors;
    bool isConstant() const { return factors.empty(); }
  };

  Expr(int64_t constant = 0);
  static Expr symbol(llvm::StringRef name);
  static Expr invalid();

  bool isValid() const { return valid; }
  bool isConstant() const;
  std::optional<int64_t> constant() const;
  bool isZero() const { return valid && terms.empty(); }
  /// The symbol's name if the expression is one symbol and nothing else.
  std::optional<llvm::StringRef> asSymbol() const;
  /// The terms; factors and terms are sorted, the constant term comes last.
  const std::vector<Term> &sum() const { return terms; }

  /// The constant term; 0 if there is none.
  int64_t constantTerm() const {
    return !terms.empty() && terms.back().isConstant()
               ? terms.back().coefficient
               : 0;
  }
  /// The other terms.
  Expr withoutConstant() const;
  /// Whether the other terms of both are the same.
  bool differsByConstant(const Expr &other) const;

  friend Expr operator+(const Expr &a, const Expr &b);
  friend Expr operator-(const Expr &a, const Expr &b);
  friend Expr operator*(const Expr &a, const Expr &b);
  Expr operator-() const { return Expr(0) - *this; }

  /// Division and remainder round towards minus infinity; a divisor that is 0
  /// makes them invalid when it is known and fails evaluation when it is not.
  static Expr floorDiv(const Expr &a, const Expr &b);
  static Expr mod(const Expr &a, const Expr &b);
  static Expr min(const Expr &a, const Expr &b);
  static Expr max(const Expr &a, const Expr &b);
  /// Bitwise operations; the operands are meant to be non-negative.
  static Expr bitAnd(const Expr &a, const Expr &b);
  static Expr bitOr(const Expr &a, const Expr &b);
  static Expr bitXor(const Expr &a, const Expr &b);
  /// 2 to the power of \p a, which has to lie in [0, 62].
  static Expr pow2(const Expr &a);
  /// The integer part of the binary logarithm of \p a, which has to be > 0.
  static Expr log2(const Expr &a);

  /// Conditions.
  static Expr isAtLeastZero(const Expr &a);
  static Expr isEqual(const Expr &a, const Expr &b);
  static Expr isNotEqual(const Expr &a, const Expr &b);
  static Expr isLess(const Expr &a, const Expr &b) {
    return isAtLeastZero(b - a - Expr(1));
  }
  static Expr isLessOrEqual(const Expr &a, const Expr &b) {
    return isAtLeastZero(b - a);
  }
  /// Conditions joined; 0 and 1 disappear, and so does a condition that meets
  /// its own negation.
  static Expr conjunction(const Expr &a, const Expr &b);
  static Expr disjunction(const Expr &a, const Expr &b);
  /// The conditions that a conjunction consists of; {condition} otherwise.
  std::vector<Expr> conjuncts() const;
  /// The function if the expression is one application of a function and
  /// nothing else; null otherwise.
  const Atom *asAtom() const;
  /// The negation of a condition. Anything but brackets, min, max and constants
  /// is taken as a number that is 0 or 1.
  static Expr negate(const Expr &condition);
  /// \p condition ? \p a : \p b.
  static Expr select(const Expr &condition, const Expr &a, const Expr &b);

  /// Replaces symbols; a symbol for which \p value has nothing stays.
  Expr substitute(
      llvm::function_ref<std::optional<Expr>(llvm::StringRef)> value) const;

  /// Replaces functions; one for which \p value has nothing stays, with what is
  /// replaced inside of it.
  Expr substituteFunctions(
      llvm::function_ref<std::optional<Expr>(const Atom &)> value) const;

  /// The value under an assignment of symbols; none if a symbol has none, a
  /// divisor is 0 or a step overflows.
  std::optional<int64_t> evaluate(
      llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> value) const;

  /// An interval that holds every value the expression takes while each symbol
  /// stays in its interval.
  Interval range(llvm::function_ref<Interval(llvm::StringRef)> symbols) const;

  /// The same expression where divisions, remainders, minima, maxima and
  /// brackets that the intervals decide are gone.
  Expr simplify(llvm::function_ref<Interval(llvm::StringRef)> symbols) const;

  /// The same expression where \p condition, a bracket, is known to hold or
  /// not: [x >= 0] and its negation are 1 and 0 in it then.
  Expr given(const Expr &condition, bool holds) const;
  /// The conditions that are numbers in it, in the outermost functions that
  /// have one, with repetitions: [a] in b*[a] + c.
  std::vector<Expr> choices() const;

  /// The same expression such that range() says most: minima and maxima in the
  /// sum are taken of differences from one of their operands, min(n, i + 3) - i
  /// as min(n - i, 3), and two quotients with opposite signs are one.
  Expr tighten(llvm::function_ref<Interval(llvm::StringRef)> symbols) const;

  /// Calls \p visit for every symbol, those inside atoms too; with repetitions.
  void forEachSymbol(llvm::function_ref<void(llvm::StringRef)> visit) const;
  bool uses(llvm::StringRef symbol) const;
  /// Whether \p isOfKind holds for one of its symbols.
  bool usesAny(llvm::function_ref<bool(llvm::StringRef)> isOfKind) const;
  /// Some function in it, however deep, is a log2.
  bool usesLog2() const;

  /// Calls \p visit for each term, as an expression of its own.
  void forEachTerm(llvm::function_ref<void(const Expr &)> visit) const;
  /// The sum of those terms for which \p keep holds.
  Expr filterTerms(llvm::function_ref<bool(const Expr &)> keep) const;

  /// The same with mod(a, b) for each a - b*floordiv(a, b) in the sum, of which
  /// the range says more.
  Expr withRemainders() const;

  /// This expression as factor * symbol + rest where neither part uses the
  /// symbol; none if the symbol enters in another way.
  struct Linear {
    std::shared_ptr<const Expr> factor, rest;
  };
  std::optional<Linear> linearIn(llvm::StringRef symbol) const;

  /// "4*tid.x + 128*ctaid.x + 16". Invalid expressions print as "?".
  std::string str() const;
  /// The inverse of str(); also takes the usual infix operators, parentheses,
  /// a/b and a%b (floordiv and mod) and the functions by name.
  static llvm::Expected<Expr> parse(llvm::StringRef text);

  std::strong_ordering operator<=>(const Expr &other) const;
  bool operator==(const Expr &other) const { return (*this <=> other) == 0; }

private:
  std::vector<Term> terms;
  bool valid = true;

  friend class ExprBuilder;
};

Expr operator+(const Expr &a, const Expr &b);
Expr operator-(const Expr &a, const Expr &b);
Expr operator*(const Expr &a, const Expr &b);

/// A symbol or a function of expressions; immutable and shared.
struct Atom {
  enum class Kind {
    Symbol,
    FloorDiv,
    Mod,
    Min,
    Max,
    And,
    Or,
    Xor,
    Pow2,
    Log2,
    AtLeastZero,
    EqualZero,
    NotZero,
  };
  Kind kind;
  std::string name;
  std::vector<Expr> operands;
  /// What MaxDepth and MaxSize limit; a symbol has depth 0 and size 1.
  unsigned depth = 0, size = 1;

  std::strong_ordering operator<=>(const Atom &other) const;
};

/// Division and remainder that round towards minus infinity; b is not 0.
inline int64_t floorDiv(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}
inline int64_t floorMod(int64_t a, int64_t b) {
  int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b
                                                      : remainder;
}
/// Division that rounds towards plus infinity.
inline int64_t ceilDiv(int64_t a, int64_t b) { return -floorDiv(-a, b); }

} // namespace auspex

#endif

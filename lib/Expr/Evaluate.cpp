// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values and intervals of expressions.
#include "auspex/Expr/Expr.h"

#include "Arithmetic.h"
#include "Intervals.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace auspex;

/// Results by function; the terms of an expression share many, of which each is
/// worked out once.
template <typename Result>
using ResultOfAtom = llvm::SmallDenseMap<const Atom *, Result, 8>;

namespace {
class Evaluation {
public:
  using Symbols = llvm::function_ref<std::optional<int64_t>(llvm::StringRef)>;
  explicit Evaluation(Symbols symbols) : symbols(symbols) {}

  std::optional<int64_t> of(const Expr &expr) {
    if (!expr.isValid())
      return std::nullopt;
    int64_t sum = 0;
    for (const Expr::Term &term : expr.sum()) {
      int64_t product = term.coefficient;
      for (const Expr::Factor &factor : term.factors) {
        std::optional<int64_t> base = of(*factor.atom);
        if (!base)
          return std::nullopt;
        for (unsigned i = 0; i < factor.power; ++i)
          if (__builtin_mul_overflow(product, *base, &product))
            return std::nullopt;
      }
      if (__builtin_add_overflow(sum, product, &sum))
        return std::nullopt;
    }
    return sum;
  }

private:
  Symbols symbols;
  ResultOfAtom<std::optional<int64_t>> known;

  std::optional<int64_t> of(const Atom &atom) {
    if (atom.kind == Atom::Kind::Symbol)
      return symbols(atom.name);
    if (auto found = known.find(&atom); found != known.end())
      return found->second;
    return known[&atom] = apply(atom);
  }

  std::optional<int64_t> apply(const Atom &atom) {
    std::optional<int64_t> result = of(atom.operands[0]);
    if (arity(atom.kind) == 1) {
      if (!result || !applyAtom(atom.kind, *result, 0, *result))
        return std::nullopt;
      return result;
    }
    for (const Expr &operand : llvm::drop_begin(atom.operands)) {
      std::optional<int64_t> next = of(operand);
      if (!result || !next || !applyAtom(atom.kind, *result, *next, *result))
        return std::nullopt;
    }
    return result;
  }
};
} // namespace

std::optional<int64_t> Expr::evaluate(
    llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> value) const {
  return Evaluation(value).of(*this);
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

namespace {
class RangeOf {
public:
  using Symbols = llvm::function_ref<Interval(llvm::StringRef)>;
  explicit RangeOf(Symbols symbols) : symbols(symbols) {}

  Interval expression(const Expr &expr) {
    if (!expr.isValid())
      return {};
    Interval sum{0, 0};
    for (const Expr::Term &term : expr.sum()) {
      Interval product{term.coefficient, term.coefficient};
      for (const Expr::Factor &factor : term.factors)
        product = intervals::multiply(
            product, intervals::power(function(*factor.atom), factor.power));
      sum = intervals::add(sum, product);
    }
    return sum;
  }

private:
  Symbols symbols;
  ResultOfAtom<Interval> known;

  Interval function(const Atom &atom) {
    if (atom.kind == Atom::Kind::Symbol)
      return symbols(atom.name);
    if (auto found = known.find(&atom); found != known.end())
      return found->second;
    Interval result = expression(atom.operands[0]);
    if (arity(atom.kind) == 1)
      result = intervals::apply(atom.kind, result, result);
    for (const Expr &operand : llvm::drop_begin(atom.operands))
      result = intervals::apply(atom.kind, result, expression(operand));
    return known[&atom] = result;
  }
};
} // namespace

Interval
Expr::range(llvm::function_ref<Interval(llvm::StringRef)> symbols) const {
  return RangeOf(symbols).expression(*this);
}

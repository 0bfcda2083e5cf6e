// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Putting expressions together from terms, for the files of this room.
#ifndef AUSPEX_LIB_EXPR_BUILDER_H
#define AUSPEX_LIB_EXPR_BUILDER_H

#include "Arithmetic.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

namespace auspex {

/// The order of terms; the constant term comes last.
std::strong_ordering compareFactors(llvm::ArrayRef<Expr::Factor> a,
                                    llvm::ArrayRef<Expr::Factor> b);

/// Makes expressions from parts; the only code that touches their insides.
class ExprBuilder {
public:
  static Expr fromAtom(Atom atom) {
    if (!measure(atom))
      return Expr::invalid();
    Expr result;
    result.terms.push_back(
        {1, {{std::make_shared<const Atom>(std::move(atom)), 1}}});
    return result;
  }

  static Expr fromFactor(Expr::Factor factor) {
    Expr result;
    result.terms.push_back({1, {std::move(factor)}});
    return result;
  }

  static Expr function(Atom::Kind kind, std::vector<Expr> operands) {
    return fromAtom({kind, "", std::move(operands)});
  }

  /// The symbols, constants and functions in a sum, as its text has them.
  static uint64_t sizeOf(llvm::ArrayRef<Expr::Term> terms) {
    uint64_t size = terms.size();
    for (const Expr::Term &term : terms)
      for (const Expr::Factor &factor : term.factors)
        size += static_cast<uint64_t>(factor.atom->size) * factor.power;
    return size;
  }

  /// A coefficient without a counterpart of the other sign.
  static bool isSmallest(const Expr::Term &term) {
    return term.coefficient == INT64_MIN;
  }

  /// Sorts and merges terms; drops those whose coefficients cancel.
  static Expr fromTerms(std::vector<Expr::Term> terms) {
    auto isBefore = [](const Expr::Term &a, const Expr::Term &b) {
      return compareFactors(a.factors, b.factors) < 0;
    };
    // Mostly a constant or a few terms follow those of another expression.
    if (!llvm::is_sorted(terms, isBefore))
      llvm::sort(terms, isBefore);
    size_t kept = 0;
    auto dropCancelled = [&] {
      kept -= kept > 0 && terms[kept - 1].coefficient == 0;
    };
    for (size_t i = 0; i < terms.size(); ++i) {
      if (kept &&
          compareFactors(terms[kept - 1].factors, terms[i].factors) == 0) {
        int64_t &sum = terms[kept - 1].coefficient;
        if (__builtin_add_overflow(sum, terms[i].coefficient, &sum))
          return Expr::invalid();
        continue;
      }
      dropCancelled();
      if (kept != i)
        terms[kept] = std::move(terms[i]);
      ++kept;
    }
    dropCancelled();
    terms.resize(kept);
    if (kept > Expr::MaxTerms || sizeOf(terms) > Expr::MaxSize ||
        llvm::any_of(terms, isSmallest))
      return Expr::invalid();
    Expr result;
    result.terms = std::move(terms);
    return result;
  }

  /// Adds \p factor times \p expr, which is valid; false on overflow.
  static bool addTimes(int64_t factor, Expr expr,
                       std::vector<Expr::Term> &terms) {
    for (Expr::Term &term : expr.terms) {
      if (__builtin_mul_overflow(term.coefficient, factor, &term.coefficient))
        return false;
      terms.push_back(std::move(term));
    }
    return true;
  }

  static llvm::SmallVector<Expr::Factor, 2>
  multiplyFactors(llvm::ArrayRef<Expr::Factor> a,
                  llvm::ArrayRef<Expr::Factor> b) {
    if (a.empty() || b.empty())
      return llvm::SmallVector<Expr::Factor, 2>(a.empty() ? b : a);
    llvm::SmallVector<Expr::Factor, 2> product(a);
    for (const Expr::Factor &factor : b) {
      auto same = llvm::find_if(product, [&](const Expr::Factor &other) {
        return other.atom == factor.atom || *other.atom <=> *factor.atom == 0;
      });
      if (same != product.end())
        same->power += factor.power;
      else
        product.push_back(factor);
    }
    llvm::sort(product, [](const Expr::Factor &x, const Expr::Factor &y) {
      return (*x.atom <=> *y.atom) < 0;
    });
    return product;
  }

  /// Splits an expression into divisor * quotient + rest, term by term, with
  /// rest's coefficients not divisible (and its constant in [0, divisor)).
  static std::pair<Expr, Expr> split(const Expr &expr, int64_t divisor) {
    Expr quotient, rest;
    for (const Expr::Term &term : expr.terms) {
      int64_t left = term.isConstant() ? floorMod(term.coefficient, divisor)
                     : term.coefficient % divisor ? term.coefficient
                                                  : 0;
      int64_t whole = term.isConstant() ? floorDiv(term.coefficient, divisor)
                      : left            ? 0
                                        : term.coefficient / divisor;
      if (whole)
        quotient.terms.push_back({whole, term.factors});
      if (left)
        rest.terms.push_back({left, term.factors});
    }
    return {quotient, rest};
  }

  /// The greatest common divisor of all coefficients but the constant's.
  static int64_t content(const Expr &expr) {
    int64_t gcd = 0;
    for (const Expr::Term &term : expr.terms)
      if (!term.isConstant())
        gcd = std::gcd(gcd, term.coefficient);
    return gcd ? gcd : 1;
  }

  /// Fills in depth and size; false if they exceed the limits or an operand is
  /// invalid.
  static bool measure(Atom &atom) {
    uint64_t size = 1;
    for (const Expr &operand : atom.operands) {
      if (!operand.valid)
        return false;
      size += sizeOf(operand.terms);
      for (const Expr::Term &term : operand.terms)
        for (const Expr::Factor &factor : term.factors)
          atom.depth = std::max(atom.depth, factor.atom->depth + 1);
    }
    atom.size = static_cast<unsigned>(std::min<uint64_t>(size, UINT32_MAX));
    return size <= Expr::MaxSize && atom.depth <= Expr::MaxDepth;
  }

  /// The function if the expression is just one atom of kind \p kind.
  static const Atom *onlyAtom(const Expr &expr, Atom::Kind kind) {
    if (!expr.valid || expr.terms.size() != 1)
      return nullptr;
    const Expr::Term &term = expr.terms[0];
    if (term.coefficient != 1 || term.factors.size() != 1 ||
        term.factors[0].power != 1 || term.factors[0].atom->kind != kind)
      return nullptr;
    return term.factors[0].atom.get();
  }
};
/// Builds the function of \p kind anew, so that its rules apply.
Expr rebuild(Atom::Kind kind, llvm::ArrayRef<Expr> operands);

} // namespace auspex

#endif

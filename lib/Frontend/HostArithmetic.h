// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operators with the rules of C++ for host code: unsigned integers wrap, and
/// what is undefined (overflow, division by zero, shifts beyond the width) has
/// no value. Comparisons are in APSInt itself.
#ifndef AUSPEX_LIB_FRONTEND_HOSTARITHMETIC_H
#define AUSPEX_LIB_FRONTEND_HOSTARITHMETIC_H

#include "auspex/Expr/Expr.h"
#include "clang/AST/OperationKinds.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

#include <optional>

namespace auspex {

/// + - * / % & | ^ on integers of one type.
std::optional<llvm::APSInt> calculate(clang::BinaryOperatorKind kind,
                                      const llvm::APSInt &left,
                                      const llvm::APSInt &right);

/// << and >>.
std::optional<llvm::APSInt> shift(clang::BinaryOperatorKind kind,
                                  const llvm::APSInt &value,
                                  const llvm::APSInt &amount);

/// < > <= >= == != on integers of one type.
std::optional<bool> compare(clang::BinaryOperatorKind kind,
                            const llvm::APSInt &left,
                            const llvm::APSInt &right);

/// The same on floating-point numbers of one type.
std::optional<bool> compare(clang::BinaryOperatorKind kind,
                            const llvm::APFloat &left,
                            const llvm::APFloat &right);

/// + - * / on floating-point numbers of one type, rounded to nearest; without a
/// value if the result is not finite.
std::optional<llvm::APFloat> calculate(clang::BinaryOperatorKind kind,
                                       const llvm::APFloat &left,
                                       const llvm::APFloat &right);

/// The same operators, and shifts and comparisons, on integers of which one at
/// least is an expression: sizes, which are taken to stay within their types
/// and to be no less than 0 where they are divided. Invalid for other
/// operators.
Expr calculate(clang::BinaryOperatorKind kind, const Expr &left,
               const Expr &right);

/// A real number that hangs on such a size: numerator / denominator, which is
/// positive. For the sake of ceil(n / 256.0).
struct Fraction {
  Expr numerator;
  int64_t denominator = 1;

  Expr floor() const;
  Expr ceil() const;
};

/// * and / by a whole number.
std::optional<Fraction> calculate(clang::BinaryOperatorKind kind,
                                  const Fraction &left,
                                  const llvm::APFloat &right);

} // namespace auspex

#endif

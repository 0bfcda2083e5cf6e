// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operators with the rules of C++ for host code: unsigned integers wrap, and
/// what is undefined (overflow, division by zero, shifts beyond the width) has
/// no value. Comparisons are in APSInt itself.
#ifndef AUSPEX_LIB_FRONTEND_HOSTARITHMETIC_H
#define AUSPEX_LIB_FRONTEND_HOSTARITHMETIC_H

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

/// + - * / on floating-point numbers of one type, rounded to nearest; without a
/// value if the result is not finite.
std::optional<llvm::APFloat> calculate(clang::BinaryOperatorKind kind,
                                       const llvm::APFloat &left,
                                       const llvm::APFloat &right);

} // namespace auspex

#endif

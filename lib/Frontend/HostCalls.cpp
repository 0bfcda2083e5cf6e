// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostEvaluator.h"

#include "HostArithmetic.h"
#include "LibraryCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace auspex;
using llvm::APFloat;
using llvm::APSInt;

/// Whether \p call asks a container of the library for its size.
static bool isSize(const clang::CXXMemberCallExpr &call) {
  const clang::CXXMethodDecl *method = call.getMethodDecl();
  return method && method->getIdentifier() && method->getName() == "size" &&
         isOfLibrary(method);
}

/// The rounding that the C and C++ libraries' ceil and floor stand for.
static std::optional<llvm::RoundingMode>
roundingFunction(const clang::FunctionDecl *function) {
  if (!function->getIdentifier() || function->getNumParams() != 1 ||
      !function->getReturnType()->isRealFloatingType() ||
      !isWellKnown(*function))
    return std::nullopt;
  llvm::StringRef name = function->getName();
  name.consume_front("__builtin_");
  if (name == "ceil" || name == "ceilf")
    return llvm::RoundingMode::TowardPositive;
  if (name == "floor" || name == "floorf")
    return llvm::RoundingMode::TowardNegative;
  return std::nullopt;
}

/// What the C and C++ libraries' function \p name gives for a known number; the
/// second is 0 for functions of one. None for other functions, and where there
/// is no number.
static std::optional<double> mathFunction(llvm::StringRef name, double x,
                                          double y) {
  name.consume_front("__builtin_");
  name.consume_back("f");
  double (*function)(double) = llvm::StringSwitch<double (*)(double)>(name)
                                   .Case("sqrt", std::sqrt)
                                   .Case("cbrt", std::cbrt)
                                   .Case("log2", std::log2)
                                   .Case("log10", std::log10)
                                   .Case("log", std::log)
                                   .Case("exp2", std::exp2)
                                   .Case("round", std::round)
                                   .Cases({"nearbyint", "rint"}, std::nearbyint)
                                   .Default(nullptr);
  double result = function        ? function(x)
                  : name == "pow" ? std::pow(x, y)
                                  : std::nan("");
  return std::isfinite(result) ? std::optional(result) : std::nullopt;
}

/// A call of such a function, of one or two numbers.
HostEvaluator::Value HostEvaluator::math(const clang::CallExpr *expr,
                                         llvm::StringRef name) {
  double numbers[2] = {0, 0};
  unsigned count = expr->getNumArgs();
  if (count == 0 || count > 2 || !expr->getType()->isRealFloatingType())
    return {};
  bool losesInfo = false;
  for (unsigned i = 0; i < count; ++i) {
    Value value = evaluate(expr->getArg(i));
    if (auto *integer = std::get_if<APSInt>(&value))
      value = asReal(*integer, context.DoubleTy);
    auto *number = std::get_if<APFloat>(&value);
    if (!number)
      return {};
    number->convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    numbers[i] = number->convertToDouble();
  }
  std::optional<double> result = mathFunction(name, numbers[0], numbers[1]);
  if (!result)
    return {};
  APFloat real(*result);
  real.convert(context.getFloatTypeSemantics(expr->getType()),
               APFloat::rmNearestTiesToEven, &losesInfo);
  return real;
}

/// \p number in a floating-point type.
HostEvaluator::Value HostEvaluator::asReal(const APSInt &number,
                                           clang::QualType type) const {
  APFloat real(context.getFloatTypeSemantics(type));
  real.convertFromAPInt(number, number.isSigned(),
                        APFloat::rmNearestTiesToEven);
  return real;
}

/// The libraries' min and max of integers of one type.
HostEvaluator::Value HostEvaluator::minOrMax(const Value &left,
                                             const Value &right, bool isMin) {
  auto *a = std::get_if<APSInt>(&left), *b = std::get_if<APSInt>(&right);
  if (a && b) {
    std::optional<bool> isLess = compare(clang::BO_LT, *a, *b);
    return isLess ? *isLess == isMin ? left : right : Value();
  }
  std::optional<Expr> x = expression(left), y = expression(right);
  if (!x || !y)
    return {};
  return isMin ? Expr::min(*x, *y) : Expr::max(*x, *y);
}

/// What `min(a, b)` or `min({a, b, c})` is of; empty for other calls.
static llvm::SmallVector<const clang::Expr *, 4>
listCompared(const clang::CallExpr &call) {
  if (call.getNumArgs() == 2)
    return {call.getArg(0), call.getArg(1)};
  auto *list = call.getNumArgs() == 1
                   ? llvm::dyn_cast<clang::CXXStdInitializerListExpr>(
                         call.getArg(0)->IgnoreImplicit())
                   : nullptr;
  auto *values = list ? llvm::dyn_cast<clang::InitListExpr>(
                            list->getSubExpr()->IgnoreImplicit())
                      : nullptr;
  if (!values)
    return {};
  return {values->inits().begin(), values->inits().end()};
}

HostEvaluator::Value HostEvaluator::call(const clang::CallExpr *expr) {
  if (auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr)) {
    const clang::Expr *object = method->getImplicitObjectArgument();
    if (isSize(*method))
      return evaluate(Place({object, VariablePart::size()}, frame));
    // dim3 to uint3 keeps the members.
    if (llvm::isa_and_nonnull<clang::CXXConversionDecl>(
            method->getMethodDecl()) &&
        hasSides(expr->getType()->getAsRecordDecl()) &&
        isDim3(method->getRecordDecl()))
      return evaluate(object);
    Value text = textOf(*method);
    if (!std::holds_alternative<std::monostate>(text))
      return text;
  }
  if (auto *comparison = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr)) {
    Value result = compareTexts(*comparison);
    if (!std::holds_alternative<std::monostate>(result))
      return result;
  }
  const clang::FunctionDecl *callee = expr->getDirectCallee();
  if (!callee)
    return {};
  if (std::optional<llvm::RoundingMode> mode = roundingFunction(callee)) {
    Value value = evaluate(expr->getArg(0));
    if (auto *fraction = std::get_if<Fraction>(&value))
      return Fraction{*mode == llvm::RoundingMode::TowardPositive
                          ? fraction->ceil()
                          : fraction->floor()};
    // Of an integer it is another type's.
    if (auto *size = std::get_if<Expr>(&value))
      return Fraction{*size};
    if (auto *number = std::get_if<APSInt>(&value))
      return asReal(*number, expr->getType());
    auto *real = std::get_if<APFloat>(&value);
    if (real)
      real->roundToIntegral(*mode);
    return real ? value : Value();
  }
  if (const clang::Expr *passed = passedOn(*expr))
    return evaluate(passed);
  for (Value known :
       {lookUpArguments(*expr), callWithText(*expr), findArgument(*expr)})
    if (!std::holds_alternative<std::monostate>(known))
      return known;
  if (isWellKnown(*callee) && callee->getIdentifier() &&
      (callee->getName() == "min" || callee->getName() == "max"))
    if (auto values = listCompared(*expr); !values.empty()) {
      Value result = evaluate(values.front());
      for (const clang::Expr *next : llvm::drop_begin(values))
        result = minOrMax(result, evaluate(next), callee->getName() == "min");
      return result;
    }
  Value value = inlined(expr, callee, {});
  bool isKnown = !std::holds_alternative<std::monostate>(value);
  return isKnown || !isWellKnown(*callee) || !callee->getIdentifier()
             ? value
             : math(expr, callee->getName());
}

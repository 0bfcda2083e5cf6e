// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostEvaluator.h"

#include "HostArithmetic.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace auspex;
using llvm::APFloat;
using llvm::APSInt;

template <typename Value, typename T>
static Value toValue(const std::optional<T> &known) {
  return known ? Value(*known) : Value();
}

HostEvaluator::Value HostEvaluator::cast(const clang::CastExpr *expr) {
  if (expr->getCastKind() == clang::CK_NullToPointer)
    return APSInt(llvm::APInt(context.getTypeSize(expr->getType()), 0));
  Value value = evaluate(expr->getSubExpr());
  switch (expr->getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
  case clang::CK_FunctionToPointerDecay:
    return value;
  case clang::CK_ArrayToPointerDecay:
    return std::holds_alternative<llvm::StringRef>(value) ? value : Value();
  case clang::CK_PointerToBoolean:
    if (std::holds_alternative<llvm::StringRef>(value))
      return boolean(true, expr->getType());
    break;
  // A kernel is passed as a pointer to void.
  case clang::CK_BitCast:
    return std::holds_alternative<const clang::FunctionDecl *>(value) ||
                   std::holds_alternative<Allocation>(value)
               ? value
               : Value();
  default:
    break;
  }
  if (auto *number = std::get_if<APSInt>(&value))
    return castInteger(*number, expr);
  if (auto *real = std::get_if<APFloat>(&value))
    return castReal(*real, expr);
  if (auto *symbolic = std::get_if<Expr>(&value))
    return castSymbolic(*symbolic, expr);
  if (auto *fraction = std::get_if<Fraction>(&value))
    return expr->getCastKind() == clang::CK_FloatingCast ? value
           : expr->getCastKind() == clang::CK_FloatingToIntegral
               ? Value(fraction->floor())
               : Value();
  return {};
}

/// Sizes are taken to fit into all the types of 32 bits and more that they
/// pass.
HostEvaluator::Value HostEvaluator::castSymbolic(const Expr &size,
                                                 const clang::CastExpr *expr) {
  constexpr unsigned Least = 32;
  switch (expr->getCastKind()) {
  case clang::CK_IntegralCast:
    return context.getIntWidth(expr->getType()) >= Least ? Value(size)
                                                         : Value();
  case clang::CK_IntegralToBoolean:
    return Expr::isNotEqual(size, Expr(0));
  case clang::CK_IntegralToFloating:
    return Fraction{size};
  default:
    return {};
  }
}

HostEvaluator::Value HostEvaluator::castInteger(const APSInt &number,
                                                const clang::CastExpr *expr) {
  clang::QualType type = expr->getType();
  switch (expr->getCastKind()) {
  case clang::CK_IntegralCast: {
    APSInt result = number.extOrTrunc(context.getIntWidth(type));
    result.setIsSigned(type->isSignedIntegerOrEnumerationType());
    return result;
  }
  case clang::CK_IntegralToBoolean:
  case clang::CK_PointerToBoolean:
    return boolean(number.getBoolValue(), type);
  case clang::CK_IntegralToFloating:
    return asReal(number, type);
  default:
    return {};
  }
}

HostEvaluator::Value HostEvaluator::castReal(APFloat real,
                                             const clang::CastExpr *expr) {
  clang::QualType type = expr->getType();
  bool exact;
  switch (expr->getCastKind()) {
  case clang::CK_FloatingCast:
    real.convert(context.getFloatTypeSemantics(type),
                 APFloat::rmNearestTiesToEven, &exact);
    return real;
  case clang::CK_FloatingToIntegral: {
    APSInt result(context.getIntWidth(type), !type->isSignedIntegerType());
    if (real.convertToInteger(result, APFloat::rmTowardZero, &exact) ==
        APFloat::opInvalidOp)
      return {};
    return result;
  }
  default:
    return {};
  }
}

/// `++x` or `x--`.
HostEvaluator::Value HostEvaluator::step(const clang::UnaryOperator *expr) {
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(expr->getSubExpr()->IgnoreParens());
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (!variable || frameOf(variable) != frame)
    return {};
  Value old = from(writes.before(expr, variable, {}), variable, {});
  return expr->isPrefix() ? afterStep(expr, old) : old;
}

HostEvaluator::Value HostEvaluator::unary(const clang::UnaryOperator *expr) {
  if (expr->isIncrementDecrementOp())
    return step(expr);
  if (expr->getOpcode() == clang::UO_Deref && expr->getType()->isObjectType()) {
    Value pointer = expr->getSubExpr()->getType()->isPointerType()
                        ? evaluate(expr->getSubExpr())
                        : Value();
    if (auto *argument = std::get_if<ProgramArguments>(&pointer))
      return programArgument(APSInt::getUnsigned(argument->first));
    VariablePart pointee;
    pointee.isPointee = true;
    return evaluate(
        Place({expr->getSubExpr()->IgnoreParenImpCasts(), pointee}, frame));
  }
  Value value = evaluate(expr->getSubExpr());
  auto *number = std::get_if<APSInt>(&value);
  auto *real = std::get_if<APFloat>(&value);
  auto *symbolic = std::get_if<Expr>(&value);
  switch (expr->getOpcode()) {
  case clang::UO_Plus:
    return value;
  case clang::UO_Minus:
    if (symbolic)
      return -*symbolic;
    if (number)
      return toValue<Value>(calculate(
          clang::BO_Sub, APSInt(number->getBitWidth(), number->isUnsigned()),
          *number));
    return real ? Value(-*real) : Value();
  case clang::UO_Not:
    return number ? Value(APSInt(~*number)) : Value();
  case clang::UO_LNot:
    if (symbolic)
      return Expr::isEqual(*symbolic, Expr(0));
    return number ? boolean(!number->getBoolValue(), expr->getType()) : Value();
  case clang::UO_AddrOf:
  case clang::UO_Deref:
    return std::holds_alternative<const clang::FunctionDecl *>(value) ? value
                                                                      : Value();
  default:
    return {};
  }
}

HostEvaluator::Value HostEvaluator::logical(const clang::BinaryOperator *expr) {
  // One side alone may decide.
  bool decides = expr->getOpcode() == clang::BO_LOr;
  std::optional<APSInt> left = number(expr->getLHS());
  if (left && left->getBoolValue() == decides)
    return boolean(decides, expr->getType());
  std::optional<APSInt> right = number(expr->getRHS());
  if (right && right->getBoolValue() == decides)
    return boolean(decides, expr->getType());
  return left && right ? boolean(!decides, expr->getType()) : Value();
}

HostEvaluator::Value HostEvaluator::binary(const clang::BinaryOperator *expr) {
  if (expr->getOpcode() == clang::BO_Assign)
    return evaluate(expr->getRHS());
  if (expr->isAssignmentOp() || expr->isCommaOp())
    return {};
  clang::BinaryOperatorKind kind = expr->getOpcode();
  Value left = evaluate(expr->getLHS()), right = evaluate(expr->getRHS());
  auto *a = std::get_if<APSInt>(&left), *b = std::get_if<APSInt>(&right);
  if (std::holds_alternative<ProgramArguments>(left))
    return ofProgramArguments(kind, left, right, expr->getType());
  if (a && b && expr->isComparisonOp())
    return boolean(compare(kind, *a, *b), expr->getType());
  if (a && b)
    return toValue<Value>(expr->isShiftOp() ? shift(kind, *a, *b)
                                            : calculate(kind, *a, *b));
  if (auto *text = std::get_if<llvm::StringRef>(&left);
      text && b && kind == clang::BO_Add)
    return !b->isNegative() && *b <= text->size()
               ? Value(text->drop_front(b->getZExtValue()))
               : Value();
  auto *x = std::get_if<APFloat>(&left), *y = std::get_if<APFloat>(&right);
  if (x && y && expr->isComparisonOp())
    return boolean(compare(kind, *x, *y), expr->getType());
  return x && y ? toValue<Value>(calculate(kind, *x, *y))
                : symbolic(kind, left, right);
}

/// Of operands of which one hangs on symbols.
HostEvaluator::Value HostEvaluator::symbolic(clang::BinaryOperatorKind kind,
                                             const Value &left,
                                             const Value &right) const {
  auto *fraction = std::get_if<Fraction>(&left);
  auto *real = std::get_if<APFloat>(&right);
  if (fraction && real)
    return toValue<Value>(calculate(kind, *fraction, *real));
  std::optional<Expr> a = expression(left), b = expression(right);
  if (!a || !b)
    return {};
  Expr result = calculate(kind, *a, *b);
  return result.isValid() ? Value(result) : Value();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostEvaluator.h"

#include "HostArithmetic.h"
#include "LibraryCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace auspex;
using llvm::APFloat;
using llvm::APSInt;

/// The number or expression that an Integer or a Value is.
template <typename Variant>
static std::optional<Expr> expression(const Variant &value) {
  if (auto *expr = std::get_if<Expr>(&value))
    return *expr;
  auto *number = std::get_if<APSInt>(&value);
  std::optional<int64_t> known = number ? number->tryExtValue() : std::nullopt;
  return known ? std::optional(Expr(*known)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

void HostEvaluator::grantSteps() {
  stepsOfFile -= granted - steps;
  granted = steps = std::min<uint64_t>(MostSteps, stepsOfFile);
}

HostEvaluator::Value HostEvaluator::ask(const HostPlace &place) {
  grantSteps();
  return evaluate(Place(place, frame));
}

std::optional<int64_t> HostEvaluator::integer(const HostPlace &place) {
  Value value = ask(place);
  auto *number = std::get_if<APSInt>(&value);
  return number ? number->tryExtValue() : std::nullopt;
}

std::optional<double> HostEvaluator::floating(const HostPlace &place) {
  Value value = ask(place);
  auto *number = std::get_if<APFloat>(&value);
  if (!number)
    return std::nullopt;
  bool losesInfo = false;
  number->convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return number->isFinite() ? std::optional(number->convertToDouble())
                            : std::nullopt;
}

std::optional<std::array<Expr, 3>>
HostEvaluator::sizes(const HostPlace &place) {
  Value value = ask(place);
  auto *sides = std::get_if<Sides>(&value);
  if (!sides)
    return std::nullopt;
  std::array<Expr, 3> sizes;
  for (auto [size, side] : llvm::zip_equal(sizes, *sides)) {
    std::optional<Expr> known = expression(side);
    if (!known || !known->isValid())
      return std::nullopt;
    size = *known;
  }
  return sizes;
}

const clang::FunctionDecl *HostEvaluator::function(const clang::Expr *expr) {
  Value value = ask(expr);
  auto *function = std::get_if<const clang::FunctionDecl *>(&value);
  return function ? *function : nullptr;
}

//===----------------------------------------------------------------------===//
// Values and types
//===----------------------------------------------------------------------===//

template <typename Value, typename T>
static Value toValue(const std::optional<T> &known) {
  return known ? Value(*known) : Value();
}

HostEvaluator::Value HostEvaluator::boolean(std::optional<bool> value,
                                            clang::QualType type) const {
  if (!value)
    return {};
  return APSInt(llvm::APInt(context.getIntWidth(type), *value),
                !type->isSignedIntegerOrEnumerationType());
}

std::optional<APSInt> HostEvaluator::number(const clang::Expr *expr) {
  Value value = evaluate(expr);
  auto *number = std::get_if<APSInt>(&value);
  return number ? std::optional(*number) : std::nullopt;
}

HostEvaluator::Integer HostEvaluator::integerOf(const clang::Expr *expr) {
  Value value = evaluate(expr);
  if (auto *number = std::get_if<APSInt>(&value))
    return *number;
  auto *symbolic = std::get_if<Expr>(&value);
  return symbolic ? Integer(*symbolic) : Integer();
}

template <typename Range>
HostEvaluator::Value HostEvaluator::sides(const Range &exprs) {
  Sides sides;
  for (auto [side, expr] : llvm::zip_equal(sides, exprs))
    side = integerOf(llvm::cast<clang::Expr>(expr));
  return sides;
}

/// \p value in the integer type \p type.
HostEvaluator::Value HostEvaluator::number(const llvm::APInt &value,
                                           clang::QualType type) const {
  return APSInt(value.sextOrTrunc(context.getIntWidth(type)),
                !type->isSignedIntegerOrEnumerationType());
}

bool HostEvaluator::isSame(const Value &a, const Value &b) {
  if (a.index() != b.index())
    return false;
  if (auto *number = std::get_if<APSInt>(&a))
    return number->getBitWidth() == std::get<APSInt>(b).getBitWidth() &&
           *number == std::get<APSInt>(b);
  if (auto *real = std::get_if<APFloat>(&a))
    return real->bitwiseIsEqual(std::get<APFloat>(b));
  if (auto *expr = std::get_if<Expr>(&a))
    return *expr == std::get<Expr>(b);
  if (auto *sides = std::get_if<Sides>(&a))
    return llvm::all_of_zip(*sides, std::get<Sides>(b),
                            [](const Integer &side, const Integer &other) {
                              std::optional<Expr> known = expression(side);
                              return known && known == expression(other);
                            });
  if (auto *allocation = std::get_if<Allocation>(&a))
    return allocation->origin == std::get<Allocation>(b).origin &&
           allocation->bytes == std::get<Allocation>(b).bytes;
  if (auto *text = std::get_if<llvm::StringRef>(&a))
    return *text == std::get<llvm::StringRef>(b);
  auto *function = std::get_if<const clang::FunctionDecl *>(&a);
  return function && *function == std::get<const clang::FunctionDecl *>(b);
}

bool HostEvaluator::hasSides(const clang::RecordDecl *record) {
  if (!record || !record->isCompleteDefinition())
    return false;
  llvm::StringRef names = "xyz";
  for (const clang::FieldDecl *field : record->fields()) {
    if (names.empty() || field->getName() != names.take_front() ||
        field->isMutable() || !field->getType()->isIntegerType())
      return false;
    names = names.drop_front();
  }
  return names.empty();
}

/// CUDA's own dim3, of which the constructor is known to set x, y and z.
static bool isDim3(const clang::CXXRecordDecl *record) {
  return record->getIdentifier() && record->getName() == "dim3" &&
         record->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

HostEvaluator::Value HostEvaluator::evaluate(const clang::Expr *expr) {
  if (!expr || expr->getType().isNull() || expr->isValueDependent() ||
      expr->isTypeDependent() || expr->containsErrors())
    return {};
  // Constants are known however little is left.
  if (steps == 0 || depth > 200)
    return evaluateByClang(expr);
  --steps;
  ++depth;
  Value value = evaluateByClang(expr);
  if (std::holds_alternative<std::monostate>(value))
    value = evaluateNode(expr);
  --depth;
  return value;
}

HostEvaluator::Value HostEvaluator::evaluateByClang(const clang::Expr *expr) {
  clang::QualType type = expr->getType();
  clang::Expr::EvalResult result;
  if (type->isIntegralOrEnumerationType()) {
    if (expr->EvaluateAsInt(result, context))
      return result.Val.getInt();
    return {};
  }
  if (type->isRealFloatingType()) {
    APFloat real(0.0);
    if (expr->EvaluateAsFloat(real, context))
      return real;
    return {};
  }
  if (!expr->isPRValue() || !hasSides(type->getAsRecordDecl()) ||
      !expr->EvaluateAsRValue(result, context) || !result.Val.isStruct() ||
      result.HasSideEffects)
    return {};
  Sides sides;
  for (unsigned i = 0; i < 3; ++i)
    if (result.Val.getStructField(i).isInt())
      sides[i] = result.Val.getStructField(i).getInt();
  return sides;
}

HostEvaluator::Value HostEvaluator::evaluateNode(const clang::Expr *expr) {
  using llvm::dyn_cast;
  if (auto *e = dyn_cast<clang::ParenExpr>(expr))
    return evaluate(e->getSubExpr());
  if (auto *e = dyn_cast<clang::FullExpr>(expr))
    return evaluate(e->getSubExpr());
  if (auto *e = dyn_cast<clang::MaterializeTemporaryExpr>(expr))
    return evaluate(e->getSubExpr());
  if (auto *e = dyn_cast<clang::CXXBindTemporaryExpr>(expr))
    return evaluate(e->getSubExpr());
  if (auto *e = dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr))
    return evaluate(e->getReplacement());
  if (auto *e = dyn_cast<clang::CXXDefaultArgExpr>(expr))
    return evaluate(e->getExpr());
  if (auto *e = dyn_cast<clang::CXXDefaultInitExpr>(expr))
    return evaluate(e->getExpr());
  if (auto *e = dyn_cast<clang::CastExpr>(expr))
    return cast(e);
  if (auto *e = dyn_cast<clang::UnaryOperator>(expr))
    return unary(e);
  if (auto *e = dyn_cast<clang::BinaryOperator>(expr))
    return e->isLogicalOp() ? logical(e) : binary(e);
  if (auto *e = dyn_cast<clang::ConditionalOperator>(expr))
    return choose(e);
  if (auto *e = dyn_cast<clang::CXXOperatorCallExpr>(expr);
      e && e->getOperator() == clang::OO_Subscript)
    return evaluate(elementOf(e->getArg(0), e->getArg(1)));
  if (auto *e = dyn_cast<clang::DeclRefExpr>(expr))
    return mention(e);
  if (auto *e = dyn_cast<clang::MemberExpr>(expr))
    return member(e);
  if (auto *e = dyn_cast<clang::ArraySubscriptExpr>(expr))
    return element(*e);
  if (auto *e = dyn_cast<clang::CXXConstructExpr>(expr))
    return construct(e);
  if (auto *e = dyn_cast<clang::InitListExpr>(expr))
    return initList(e);
  if (auto *e = dyn_cast<clang::CallExpr>(expr))
    return call(e);
  if (auto *e = dyn_cast<clang::StringLiteral>(expr))
    return e->getCharByteWidth() == 1 ? Value(e->getString()) : Value();
  if (std::optional<uint64_t> bytes = callers.objectInBytes(*expr))
    return Allocation{expr, APSInt(llvm::APInt(64, *bytes))};
  return {};
}

HostEvaluator::Value
HostEvaluator::choose(const clang::ConditionalOperator *expr) {
  Value condition = evaluate(expr->getCond());
  if (auto *number = std::get_if<APSInt>(&condition))
    return evaluate(number->getBoolValue() ? expr->getTrueExpr()
                                           : expr->getFalseExpr());
  return either(condition, evaluate(expr->getTrueExpr()),
                evaluate(expr->getFalseExpr()));
}

/// One of two values, by a condition that is not known.
HostEvaluator::Value HostEvaluator::either(const Value &condition,
                                           const Value &first,
                                           const Value &second) {
  if (isSame(first, second))
    return first;
  auto *open = std::get_if<Expr>(&condition);
  std::optional<Expr> yes = expression(first), no = expression(second);
  if (!open || !yes || !no)
    return {};
  if (*open == Expr::isLess(*yes, *no) ||
      *open == Expr::isLessOrEqual(*yes, *no))
    return Expr::min(*yes, *no);
  if (*open == Expr::isLess(*no, *yes) ||
      *open == Expr::isLessOrEqual(*no, *yes))
    return Expr::max(*yes, *no);
  return Expr::select(*open, *yes, *no);
}

//===----------------------------------------------------------------------===//
// Casts and operators
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// dim3
//===----------------------------------------------------------------------===//

HostEvaluator::Value
HostEvaluator::construct(const clang::CXXConstructExpr *expr) {
  Value text = constructText(*expr);
  if (std::holds_alternative<llvm::StringRef>(text))
    return text;
  const clang::CXXConstructorDecl *constructor = expr->getConstructor();
  if (!hasSides(constructor->getParent()) ||
      !(constructor->isCopyOrMoveConstructor() ||
        isDim3(constructor->getParent())))
    return {};
  if (expr->getNumArgs() == 3)
    return sides(expr->arguments());
  // A copy, or a dim3 from a uint3.
  if (expr->getNumArgs() != 1)
    return {};
  Value value = evaluate(expr->getArg(0));
  return std::holds_alternative<Sides>(value) ? value : Value();
}

/// A braced integer, or the members of an aggregate such as uint3.
HostEvaluator::Value HostEvaluator::initList(const clang::InitListExpr *expr) {
  if (!expr->isSemanticForm())
    expr = expr->getSemanticForm();
  if (!expr)
    return {};
  if (expr->getType()->isScalarType() && expr->getNumInits() == 1)
    return evaluate(expr->getInit(0));
  if (!hasSides(expr->getType()->getAsRecordDecl()) || expr->getNumInits() != 3)
    return {};
  return sides(expr->inits());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

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
HostEvaluator::Value HostEvaluator::minOrMax(const clang::CallExpr *expr,
                                             bool isMin) {
  Value left = evaluate(expr->getArg(0)), right = evaluate(expr->getArg(1));
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
  for (Value known : {lookUpArguments(*expr), callWithText(*expr)})
    if (!std::holds_alternative<std::monostate>(known))
      return known;
  if (isWellKnown(*callee) && callee->getIdentifier() &&
      callee->getNumParams() == 2)
    if (callee->getName() == "min" || callee->getName() == "max")
      return minOrMax(expr, callee->getName() == "min");
  Value value = inlined(expr, callee, {});
  bool isKnown = !std::holds_alternative<std::monostate>(value);
  return isKnown || !isWellKnown(*callee) || !callee->getIdentifier()
             ? value
             : math(expr, callee->getName());
}

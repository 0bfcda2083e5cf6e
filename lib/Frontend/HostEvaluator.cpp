// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostEvaluator.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace auspex;
using llvm::APFloat;
using llvm::APSInt;

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

HostEvaluator::Value HostEvaluator::ask(const clang::Expr *expr) {
  steps = 20000;
  return evaluate(expr);
}

static std::optional<int64_t> toInt64(const APSInt &value) {
  return value.tryExtValue();
}

std::optional<int64_t> HostEvaluator::integer(const clang::Expr *expr) {
  Value value = ask(expr);
  if (auto *number = std::get_if<APSInt>(&value))
    return toInt64(*number);
  return std::nullopt;
}

std::optional<Dim3> HostEvaluator::dim3(const clang::Expr *expr) {
  Value value = ask(expr);
  auto *sides = std::get_if<Sides>(&value);
  if (!sides)
    return std::nullopt;
  std::array<int64_t, 3> sizes;
  for (unsigned i = 0; i < 3; ++i) {
    std::optional<int64_t> size =
        (*sides)[i] ? toInt64(*(*sides)[i]) : std::nullopt;
    if (!size)
      return std::nullopt;
    sizes[i] = *size;
  }
  return Dim3{sizes[0], sizes[1], sizes[2]};
}

const clang::FunctionDecl *HostEvaluator::function(const clang::Expr *expr) {
  Value value = ask(expr);
  auto *function = std::get_if<const clang::FunctionDecl *>(&value);
  return function ? *function : nullptr;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Whether \p record has the members x, y and z, all of integers, as dim3 and
/// uint3 do.
static bool hasSides(const clang::RecordDecl *record) {
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
         record->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         hasSides(record);
}

APSInt HostEvaluator::toType(const APSInt &value, clang::QualType type) const {
  APSInt result = value.extOrTrunc(context.getIntWidth(type));
  result.setIsSigned(type->isSignedIntegerOrEnumerationType());
  return result;
}

HostEvaluator::Value HostEvaluator::boolean(bool value,
                                            clang::QualType type) const {
  return APSInt(llvm::APInt(context.getIntWidth(type), value),
                !type->isSignedIntegerOrEnumerationType());
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

HostEvaluator::Value HostEvaluator::evaluate(const clang::Expr *expr) {
  if (!expr || expr->getType().isNull() || expr->isValueDependent() ||
      expr->isTypeDependent() || expr->containsErrors() || steps == 0 ||
      depth > 200)
    return {};
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
    APFloat number(0.0);
    if (expr->EvaluateAsFloat(number, context))
      return number;
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
  using namespace llvm;
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
  if (auto *e = dyn_cast<clang::CastExpr>(expr))
    return cast(e);
  if (auto *e = dyn_cast<clang::UnaryOperator>(expr))
    return unary(e);
  if (auto *e = dyn_cast<clang::BinaryOperator>(expr))
    return e->isLogicalOp() ? logical(e) : binary(e);
  if (auto *e = dyn_cast<clang::ConditionalOperator>(expr))
    return choose(e);
  if (auto *e = dyn_cast<clang::DeclRefExpr>(expr))
    return mention(e->getDecl());
  if (auto *e = dyn_cast<clang::MemberExpr>(expr))
    return member(e);
  if (auto *e = dyn_cast<clang::CXXConstructExpr>(expr))
    return construct(e);
  if (auto *e = dyn_cast<clang::InitListExpr>(expr))
    return initList(e);
  if (auto *e = dyn_cast<clang::CallExpr>(expr))
    return call(e);
  return {};
}

std::optional<bool> HostEvaluator::truth(const clang::Expr *expr) {
  Value value = evaluate(expr);
  if (auto *number = std::get_if<APSInt>(&value))
    return number->getBoolValue();
  return std::nullopt;
}

HostEvaluator::Value
HostEvaluator::choose(const clang::ConditionalOperator *expr) {
  std::optional<bool> condition = truth(expr->getCond());
  if (!condition)
    return {};
  return evaluate(*condition ? expr->getTrueExpr() : expr->getFalseExpr());
}

HostEvaluator::Value HostEvaluator::cast(const clang::CastExpr *expr) {
  Value value = evaluate(expr->getSubExpr());
  auto *number = std::get_if<APSInt>(&value);
  auto *real = std::get_if<APFloat>(&value);
  clang::QualType type = expr->getType();
  bool exact;
  switch (expr->getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
  case clang::CK_FunctionToPointerDecay:
    return value;
  case clang::CK_IntegralCast:
    return number ? Value(toType(*number, type)) : Value();
  case clang::CK_IntegralToBoolean:
    return number ? boolean(number->getBoolValue(), type) : Value();
  case clang::CK_IntegralToFloating: {
    if (!number)
      return {};
    APFloat result(context.getFloatTypeSemantics(type));
    result.convertFromAPInt(*number, number->isSigned(),
                            APFloat::rmNearestTiesToEven);
    return result;
  }
  case clang::CK_FloatingCast:
    if (real)
      real->convert(context.getFloatTypeSemantics(type),
                    APFloat::rmNearestTiesToEven, &exact);
    return value;
  case clang::CK_FloatingToIntegral: {
    APSInt result(context.getIntWidth(type), !type->isSignedIntegerType());
    if (!real || real->convertToInteger(result, APFloat::rmTowardZero,
                                        &exact) == APFloat::opInvalidOp)
      return {};
    return result;
  }
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

HostEvaluator::Value HostEvaluator::unary(const clang::UnaryOperator *expr) {
  if (expr->isIncrementDecrementOp())
    return {};
  Value value = evaluate(expr->getSubExpr());
  auto *number = std::get_if<APSInt>(&value);
  switch (expr->getOpcode()) {
  case clang::UO_Plus:
    return value;
  case clang::UO_Minus:
    if (number)
      return integerOperation(
          clang::BO_Sub, APSInt(number->getBitWidth(), number->isUnsigned()),
          *number, expr->getType());
    if (auto *real = std::get_if<APFloat>(&value))
      return -*real;
    return {};
  case clang::UO_Not:
    return number ? Value(APSInt(~*number)) : Value();
  case clang::UO_LNot:
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
  std::optional<bool> left = truth(expr->getLHS());
  if (!left)
    return {};
  // The left side alone may decide.
  if (*left == (expr->getOpcode() == clang::BO_LOr))
    return boolean(*left, expr->getType());
  std::optional<bool> right = truth(expr->getRHS());
  return right ? boolean(*right, expr->getType()) : Value();
}

static std::optional<APFloat> realOperation(clang::BinaryOperatorKind kind,
                                            APFloat left,
                                            const APFloat &right) {
  constexpr auto Nearest = APFloat::rmNearestTiesToEven;
  if (&left.getSemantics() != &right.getSemantics())
    return std::nullopt;
  if (kind == clang::BO_Add)
    left.add(right, Nearest);
  else if (kind == clang::BO_Sub)
    left.subtract(right, Nearest);
  else if (kind == clang::BO_Mul)
    left.multiply(right, Nearest);
  else if (kind == clang::BO_Div)
    left.divide(right, Nearest);
  else
    return std::nullopt;
  return left.isFinite() ? std::optional(left) : std::nullopt;
}

HostEvaluator::Value HostEvaluator::binary(const clang::BinaryOperator *expr) {
  if (expr->isAssignmentOp() || expr->isCommaOp())
    return {};
  Value left = evaluate(expr->getLHS()), right = evaluate(expr->getRHS());
  auto *a = std::get_if<APSInt>(&left), *b = std::get_if<APSInt>(&right);
  if (a && b) {
    if (expr->isShiftOp())
      return shift(expr->getOpcode(), *a, *b);
    return integerOperation(expr->getOpcode(), *a, *b, expr->getType());
  }
  auto *x = std::get_if<APFloat>(&left), *y = std::get_if<APFloat>(&right);
  if (x && y)
    if (std::optional<APFloat> result =
            realOperation(expr->getOpcode(), *x, *y))
      return *result;
  return {};
}

HostEvaluator::Value
HostEvaluator::integerOperation(clang::BinaryOperatorKind kind, APSInt left,
                                APSInt right, clang::QualType type) {
  if (left.getBitWidth() != right.getBitWidth() ||
      left.isSigned() != right.isSigned())
    return {};
  bool isSigned = left.isSigned(), overflow = false;
  auto result = [&](const llvm::APInt &value) -> Value {
    if (isSigned && overflow)
      return {};
    return APSInt(value, !isSigned);
  };
  switch (kind) {
  case clang::BO_Add:
    return result(left.sadd_ov(right, overflow));
  case clang::BO_Sub:
    return result(left.ssub_ov(right, overflow));
  case clang::BO_Mul:
    return result(left.smul_ov(right, overflow));
  case clang::BO_Div:
  case clang::BO_Rem:
    if (right.isZero() ||
        (isSigned && left.isMinSignedValue() && right.isAllOnes()))
      return {};
    return kind == clang::BO_Div ? left / right : left % right;
  case clang::BO_And:
    return left & right;
  case clang::BO_Or:
    return left | right;
  case clang::BO_Xor:
    return left ^ right;
  case clang::BO_LT:
    return boolean(left < right, type);
  case clang::BO_GT:
    return boolean(left > right, type);
  case clang::BO_LE:
    return boolean(left <= right, type);
  case clang::BO_GE:
    return boolean(left >= right, type);
  case clang::BO_EQ:
    return boolean(left == right, type);
  case clang::BO_NE:
    return boolean(left != right, type);
  default:
    return {};
  }
}

HostEvaluator::Value HostEvaluator::shift(clang::BinaryOperatorKind kind,
                                          const APSInt &value,
                                          const APSInt &amount) {
  if (amount.isNegative() || amount.uge(value.getBitWidth()))
    return {};
  unsigned bits = amount.getZExtValue();
  if (kind == clang::BO_Shr)
    return value >> bits;
  bool overflow = false;
  llvm::APInt result = value.sshl_ov(bits, overflow);
  if (kind != clang::BO_Shl || (value.isSigned() && overflow))
    return {};
  return value << bits;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

HostEvaluator::Value
HostEvaluator::mention(const clang::ValueDecl *declaration) {
  if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
    return function;
  auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (!variable)
    return {};
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  if (parameter)
    return parameters ? parameters->lookup(parameter) : Value();
  // A variable met again while its initial value is evaluated is unknown.
  auto [entry, isNew] = variables.try_emplace(variable);
  if (!isNew)
    return entry->second;
  Value value = this->variable(variable);
  variables[variable] = value;
  return value;
}

HostEvaluator::Value HostEvaluator::variable(const clang::VarDecl *variable) {
  clang::QualType type = variable->getType();
  if (type.isVolatileQualified() || variable->isWeak())
    return {};
  // A reference cannot be bound anew, but what it is bound to can be written
  // through it (or through its own name, which is asked there).
  bool isConst = type.getNonReferenceType().isConstQualified();
  bool isLocal = variable->isLocalVarDecl();
  bool keeps = isConst && (!isLocal || !type->isReferenceType());
  if (!keeps && !(isLocal && writes.keepsItsValue(variable)))
    return {};
  return initialValue(variable);
}

HostEvaluator::Value
HostEvaluator::initialValue(const clang::VarDecl *variable) {
  Parameters *caller = std::exchange(parameters, nullptr);
  Value value = evaluate(variable->getAnyInitializer());
  parameters = caller;
  return value;
}

HostEvaluator::Value HostEvaluator::member(const clang::MemberExpr *expr) {
  auto *field = llvm::dyn_cast<clang::FieldDecl>(expr->getMemberDecl());
  if (!field)
    return mention(expr->getMemberDecl());
  if (expr->isArrow() || !hasSides(field->getParent()))
    return {};
  Value object = evaluate(expr->getBase());
  auto *sides = std::get_if<Sides>(&object);
  if (!sides || !(*sides)[field->getFieldIndex()])
    return {};
  return *(*sides)[field->getFieldIndex()];
}

HostEvaluator::Value
HostEvaluator::construct(const clang::CXXConstructExpr *expr) {
  const clang::CXXConstructorDecl *constructor = expr->getConstructor();
  bool copies = constructor->isCopyOrMoveConstructor();
  bool fromSides = expr->getNumArgs() == 1 &&
                   hasSides(expr->getArg(0)->getType()->getAsRecordDecl());
  if (!isDim3(constructor->getParent()) &&
      !(copies && hasSides(constructor->getParent())))
    return {};
  if (copies || fromSides) {
    Value value = evaluate(expr->getArg(0));
    return std::holds_alternative<Sides>(value) ? value : Value();
  }
  if (expr->getNumArgs() != 3)
    return {};
  Sides sides;
  for (unsigned i = 0; i < 3; ++i) {
    Value value = evaluate(expr->getArg(i));
    if (auto *number = std::get_if<APSInt>(&value))
      sides[i] = *number;
  }
  return sides;
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
  Sides sides;
  for (unsigned i = 0; i < 3; ++i) {
    Value value = evaluate(expr->getInit(i));
    if (auto *number = std::get_if<APSInt>(&value))
      sides[i] = *number;
  }
  return sides;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The expression of a function that is `{ return expression; }`.
static const clang::Expr *onlyResult(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *definition = function->getDefinition();
  if (!definition || definition->isWeak() || definition->isDependentContext())
    return nullptr;
  auto *body =
      llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody());
  if (!body || body->size() != 1)
    return nullptr;
  auto *last = llvm::dyn_cast<clang::ReturnStmt>(body->body_front());
  return last ? last->getRetValue() : nullptr;
}

/// The rounding that the C and C++ libraries' ceil, floor ... stand for.
static std::optional<llvm::RoundingMode>
roundingFunction(const clang::FunctionDecl *function) {
  const clang::SourceManager &sources =
      function->getASTContext().getSourceManager();
  if (!function->getIdentifier() || function->getNumParams() != 1 ||
      !function->getReturnType()->isRealFloatingType() ||
      !(function->getBuiltinID() || function->isInStdNamespace() ||
        sources.isInSystemHeader(function->getLocation())))
    return std::nullopt;
  llvm::StringRef name = function->getName();
  name.consume_front("__builtin_");
  if (name == "ceil" || name == "ceilf")
    return llvm::RoundingMode::TowardPositive;
  if (name == "floor" || name == "floorf")
    return llvm::RoundingMode::TowardNegative;
  return std::nullopt;
}

HostEvaluator::Value HostEvaluator::call(const clang::CallExpr *expr) {
  // dim3 to uint3 keeps the members.
  if (auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr)) {
    if (!llvm::isa_and_nonnull<clang::CXXConversionDecl>(
            method->getMethodDecl()) ||
        !hasSides(expr->getType()->getAsRecordDecl()) ||
        !isDim3(method->getRecordDecl()))
      return {};
    return evaluate(method->getImplicitObjectArgument());
  }
  const clang::FunctionDecl *callee = expr->getDirectCallee();
  if (!callee)
    return {};
  if (std::optional<llvm::RoundingMode> mode = roundingFunction(callee)) {
    Value value = evaluate(expr->getArg(0));
    auto *real = std::get_if<APFloat>(&value);
    if (real)
      real->roundToIntegral(*mode);
    return real ? value : Value();
  }
  const clang::Expr *result = onlyResult(callee);
  return result ? inlined(expr, result, callee->getDefinition()) : Value();
}

HostEvaluator::Value HostEvaluator::inlined(const clang::CallExpr *expr,
                                            const clang::Expr *result,
                                            const clang::FunctionDecl *callee) {
  // The first argument of a lambda's call is the lambda.
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  bool isLambda = method && method->getParent()->isLambda() &&
                  llvm::isa<clang::CXXOperatorCallExpr>(expr);
  if (method && !method->isStatic() && !isLambda)
    return {};
  unsigned first = isLambda ? 1 : 0;
  if (callee->getNumParams() + first != expr->getNumArgs())
    return {};
  Parameters bound;
  for (unsigned i = 0; i < callee->getNumParams(); ++i)
    bound[callee->getParamDecl(i)] = evaluate(expr->getArg(i + first));
  Parameters *caller = std::exchange(parameters, &bound);
  Value value = evaluate(result);
  parameters = caller;
  return value;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostEvaluator.h"

#include "HostArithmetic.h"
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

std::optional<int64_t> HostEvaluator::integer(const clang::Expr *expr) {
  Value value = ask(expr);
  auto *number = std::get_if<APSInt>(&value);
  return number ? number->tryExtValue() : std::nullopt;
}

std::optional<Dim3> HostEvaluator::dim3(const clang::Expr *expr) {
  Value value = ask(expr);
  auto *sides = std::get_if<Sides>(&value);
  if (!sides)
    return std::nullopt;
  std::array<int64_t, 3> sizes;
  for (unsigned i = 0; i < 3; ++i) {
    const std::optional<APSInt> &side = (*sides)[i];
    std::optional<int64_t> size = side ? side->tryExtValue() : std::nullopt;
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

template <typename Range>
HostEvaluator::Value HostEvaluator::sides(const Range &exprs) {
  Sides sides;
  for (auto [side, expr] : llvm::zip_equal(sides, exprs))
    side = number(llvm::cast<clang::Expr>(expr));
  return sides;
}

bool HostEvaluator::isSame(const Value &a, const Value &b) {
  if (a.index() != b.index())
    return false;
  if (auto *number = std::get_if<APSInt>(&a))
    return number->getBitWidth() == std::get<APSInt>(b).getBitWidth() &&
           *number == std::get<APSInt>(b);
  if (auto *real = std::get_if<APFloat>(&a))
    return real->bitwiseIsEqual(std::get<APFloat>(b));
  if (auto *sides = std::get_if<Sides>(&a)) {
    auto *others = std::get_if<Sides>(&b);
    for (unsigned i = 0; i < 3; ++i)
      if (!(*sides)[i] || !(*others)[i] ||
          !APSInt::isSameValue(*(*sides)[i], *(*others)[i]))
        return false;
    return true;
  }
  auto *function = std::get_if<const clang::FunctionDecl *>(&a);
  return function && *function == std::get<const clang::FunctionDecl *>(b);
}

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
  if (auto *e = dyn_cast<clang::CastExpr>(expr))
    return cast(e);
  if (auto *e = dyn_cast<clang::UnaryOperator>(expr))
    return unary(e);
  if (auto *e = dyn_cast<clang::BinaryOperator>(expr))
    return e->isLogicalOp() ? logical(e) : binary(e);
  if (auto *e = dyn_cast<clang::ConditionalOperator>(expr))
    return choose(e);
  if (auto *e = dyn_cast<clang::DeclRefExpr>(expr))
    return mention(e);
  if (auto *e = dyn_cast<clang::MemberExpr>(expr))
    return member(e);
  if (auto *e = dyn_cast<clang::ArraySubscriptExpr>(expr))
    return element(e);
  if (auto *e = dyn_cast<clang::CXXConstructExpr>(expr))
    return construct(e);
  if (auto *e = dyn_cast<clang::InitListExpr>(expr))
    return initList(e);
  if (auto *e = dyn_cast<clang::CallExpr>(expr))
    return call(e);
  return {};
}

HostEvaluator::Value
HostEvaluator::choose(const clang::ConditionalOperator *expr) {
  std::optional<APSInt> condition = number(expr->getCond());
  if (!condition)
    return {};
  return evaluate(condition->getBoolValue() ? expr->getTrueExpr()
                                            : expr->getFalseExpr());
}

//===----------------------------------------------------------------------===//
// Casts and operators
//===----------------------------------------------------------------------===//

HostEvaluator::Value HostEvaluator::cast(const clang::CastExpr *expr) {
  Value value = evaluate(expr->getSubExpr());
  switch (expr->getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
  case clang::CK_FunctionToPointerDecay:
    return value;
  default:
    if (auto *number = std::get_if<APSInt>(&value))
      return castInteger(*number, expr);
    if (auto *real = std::get_if<APFloat>(&value))
      return castReal(*real, expr);
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
    return boolean(number.getBoolValue(), type);
  case clang::CK_IntegralToFloating: {
    APFloat result(context.getFloatTypeSemantics(type));
    result.convertFromAPInt(number, number.isSigned(),
                            APFloat::rmNearestTiesToEven);
    return result;
  }
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

HostEvaluator::Value HostEvaluator::unary(const clang::UnaryOperator *expr) {
  if (expr->isIncrementDecrementOp())
    return {};
  Value value = evaluate(expr->getSubExpr());
  auto *number = std::get_if<APSInt>(&value);
  auto *real = std::get_if<APFloat>(&value);
  switch (expr->getOpcode()) {
  case clang::UO_Plus:
    return value;
  case clang::UO_Minus:
    if (number)
      return toValue<Value>(calculate(
          clang::BO_Sub, APSInt(number->getBitWidth(), number->isUnsigned()),
          *number));
    return real ? Value(-*real) : Value();
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
  std::optional<APSInt> left = number(expr->getLHS());
  if (!left)
    return {};
  // The left side alone may decide.
  if (left->getBoolValue() == (expr->getOpcode() == clang::BO_LOr))
    return boolean(left->getBoolValue(), expr->getType());
  std::optional<APSInt> right = number(expr->getRHS());
  return right ? boolean(right->getBoolValue(), expr->getType()) : Value();
}

HostEvaluator::Value HostEvaluator::binary(const clang::BinaryOperator *expr) {
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
  auto *x = std::get_if<APFloat>(&left), *y = std::get_if<APFloat>(&right);
  return x && y ? toValue<Value>(calculate(kind, *x, *y)) : Value();
}

//===----------------------------------------------------------------------===//
// Variables and dim3
//===----------------------------------------------------------------------===//

HostEvaluator::Value
HostEvaluator::mention(const clang::ValueDecl *declaration) {
  if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
    return function;
  if (auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(declaration))
    if (parameters && parameters->contains(parameter))
      return parameters->lookup(parameter);
  auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (!variable)
    return {};
  if (auto pin = pinned.find(variable); pin != pinned.end()) {
    clang::QualType type = variable->getType();
    return APSInt(llvm::APInt(context.getIntWidth(type), pin->second,
                              /*isSigned=*/true, /*implicitTrunc=*/true),
                  !type->isSignedIntegerOrEnumerationType());
  }
  // A variable met again while its initial value is evaluated is unknown.
  auto [entry, isNew] = variables.try_emplace(variable);
  if (!isNew)
    return entry->second;
  // The initial value is the business of its own function.
  Parameters *caller = std::exchange(parameters, nullptr);
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  Value value =
      parameter ? this->parameter(parameter) : this->variable(variable);
  parameters = caller;
  variables[variable] = value;
  return value;
}

/// The value that \p call gives to a parameter of the function it calls.
HostEvaluator::Value HostEvaluator::given(const clang::CallExpr &call,
                                          const clang::ParmVarDecl *parameter) {
  const clang::Expr *argument =
      argumentFor(call, parameter->getFunctionScopeIndex());
  return argument ? evaluate(argument) : Value();
}

/// The value that the call on the path gives, or that all callers give.
HostEvaluator::Value
HostEvaluator::parameter(const clang::ParmVarDecl *parameter) {
  auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(
      parameter->getParentFunctionOrMethod());
  if (!function || parameter->getType().isVolatileQualified() ||
      !writes.keepsItsValue(parameter))
    return {};
  if (const clang::CallExpr *call = path.lookup(function->getCanonicalDecl()))
    return given(*call, parameter);
  if (!callers.areAll(*function))
    return {};
  Value common;
  llvm::ArrayRef<Call> calls = callers.here(*function);
  for (const Call &call : calls) {
    Value value = given(*call.expr, parameter);
    bool isFirst = &call == calls.begin();
    if (std::holds_alternative<std::monostate>(value) ||
        (!isFirst && !isSame(value, common)))
      return {};
    common = value;
  }
  return common;
}

HostEvaluator::Value HostEvaluator::mention(const clang::DeclRefExpr *expr) {
  Value value = mention(expr->getDecl());
  if (!std::holds_alternative<std::monostate>(value))
    return value;
  auto *variable = llvm::dyn_cast<clang::VarDecl>(expr->getDecl());
  if (!variable || variable->getType().isVolatileQualified())
    return {};
  clang::RecordDecl *record = variable->getType()->getAsRecordDecl();
  if (!hasSides(record))
    return written(expr, nullptr);
  Sides sides;
  for (const clang::FieldDecl *side : record->fields()) {
    Value value = written(expr, side);
    if (auto *number = std::get_if<APSInt>(&value))
      sides[side->getFieldIndex()] = *number;
  }
  return sides;
}

/// What the last write left in a variable, or in a member of it.
HostEvaluator::Value HostEvaluator::written(const clang::DeclRefExpr *mention,
                                            const clang::FieldDecl *member) {
  std::optional<Definition> definition = writes.definition(mention, {member});
  if (!definition)
    return {};
  Parameters *caller = std::exchange(parameters, nullptr);
  Value value = valueOf(*definition, member);
  parameters = caller;
  return value;
}

HostEvaluator::Value HostEvaluator::valueOf(const Definition &definition,
                                            const clang::FieldDecl *member) {
  if (definition.call) {
    asked = definition.call;
    std::optional<int64_t> value = supposed[definition.output];
    return value ? Value(APSInt::get(*value).trunc(32)) : Value();
  }
  Value value = evaluate(definition.value);
  if (!member || definition.part.member)
    return value;
  auto *sides = std::get_if<Sides>(&value);
  return sides ? toValue<Value>((*sides)[member->getFieldIndex()]) : Value();
}

/// What \p array is initialised with, if it never has other values.
const clang::InitListExpr *
HostEvaluator::unchangedValues(const clang::VarDecl *array) {
  bool isConst =
      context.getBaseElementType(array->getType()).isConstQualified();
  const clang::Expr *initial = array->getAnyInitializer();
  if (!initial || !(isConst || writes.keepsItsValue(array)))
    return nullptr;
  return llvm::dyn_cast<clang::InitListExpr>(initial->IgnoreParenImpCasts());
}

HostEvaluator::Value
HostEvaluator::element(const clang::ArraySubscriptExpr *expr) {
  auto *array = llvm::dyn_cast<clang::DeclRefExpr>(
      expr->getBase()->IgnoreParenImpCasts());
  auto *variable =
      array ? llvm::dyn_cast<clang::VarDecl>(array->getDecl()) : nullptr;
  if (!variable || !variable->getType()->isConstantArrayType())
    return {};
  if (std::optional<APSInt> number = this->number(expr->getIdx())) {
    const clang::Expr *value =
        number->isNonNegative() && number->getActiveBits() < 32
            ? elementValue(array, number->getZExtValue())
            : nullptr;
    return value ? evaluate(value) : Value();
  }
  const clang::InitListExpr *values = unchangedValues(variable);
  if (!values)
    return {};
  askedList = values;
  return supposedElement && *supposedElement < values->getNumInits()
             ? evaluate(values->getInit(*supposedElement))
             : Value();
}

void HostEvaluator::supposeElement(std::optional<unsigned> number) {
  variables.clear();
  supposedElement = number;
}

void HostEvaluator::suppose(std::optional<int64_t> blocks,
                            std::optional<int64_t> threads) {
  variables.clear();
  asked = nullptr;
  askedList = nullptr;
  supposed[0] = blocks;
  supposed[1] = threads;
}

const clang::VarDecl *HostEvaluator::fixedVariable(const clang::Expr *expr) {
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  bool isFixed = variable && variable->getType()->isIntegerType() &&
                 writes.keepsItsValue(variable);
  return isFixed ? variable : nullptr;
}

void HostEvaluator::pin(const clang::VarDecl *variable,
                        std::optional<int64_t> value) {
  variables.clear();
  if (value)
    pinned[variable] = *value;
  else
    pinned.erase(variable);
}

void HostEvaluator::follow(CallPath newPath) {
  variables.clear();
  path = std::move(newPath);
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
  return evaluate(variable->getAnyInitializer());
}

HostEvaluator::Value HostEvaluator::member(const clang::MemberExpr *expr) {
  auto *field = llvm::dyn_cast<clang::FieldDecl>(expr->getMemberDecl());
  if (!field)
    return mention(expr->getMemberDecl());
  if (expr->isArrow())
    return {};
  if (hasSides(field->getParent())) {
    Value object = evaluate(expr->getBase());
    auto *sides = std::get_if<Sides>(&object);
    return sides ? toValue<Value>((*sides)[field->getFieldIndex()]) : Value();
  }
  const clang::Expr *value = memberValue(expr->getBase(), field);
  Parameters *caller = std::exchange(parameters, nullptr);
  Value result = evaluate(value);
  parameters = caller;
  return result;
}

HostEvaluator::Value
HostEvaluator::construct(const clang::CXXConstructExpr *expr) {
  const clang::CXXConstructorDecl *constructor = expr->getConstructor();
  bool isCopy = constructor->isCopyOrMoveConstructor() &&
                hasSides(constructor->getParent());
  if (!isCopy && !isDim3(constructor->getParent()))
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

/// The rounding that the C and C++ libraries' ceil and floor stand for.
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
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  bool isLambda = method && method->getParent()->isLambda() &&
                  llvm::isa<clang::CXXOperatorCallExpr>(expr);
  if (method && !method->isStatic() && !isLambda)
    return {};
  Parameters bound;
  for (unsigned i = 0; i < callee->getNumParams(); ++i)
    bound[callee->getParamDecl(i)] = evaluate(argumentFor(*expr, i));
  Parameters *caller = std::exchange(parameters, &bound);
  Value value = evaluate(result);
  parameters = caller;
  return value;
}

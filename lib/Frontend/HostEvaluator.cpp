// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostEvaluator.h"

#include "HostArithmetic.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

#include <cmath>

using namespace auspex;
using llvm::APFloat;
using llvm::APSInt;

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
  if (auto *arguments = std::get_if<ProgramArguments>(&a))
    return arguments->first == std::get<ProgramArguments>(b).first;
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

bool HostEvaluator::isDim3(const clang::CXXRecordDecl *record) {
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

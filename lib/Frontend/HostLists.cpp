// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variables hold that loops step or that go through lists: one value for
// each choice.
#include "HostArithmetic.h"
#include "HostEvaluator.h"
#include "LibraryCalls.h"
#include "PlaceNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace auspex;
using llvm::APSInt;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The variable of a for loop around \p mention.
HostEvaluator::Value HostEvaluator::stepped(const clang::DeclRefExpr *mention) {
  auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
  auto chosen = supposition.chosen.find(variable);
  bool isChosen = chosen != supposition.chosen.end();
  const clang::ForStmt *loop =
      isChosen || !open ? writes.steppingLoop(mention) : nullptr;
  if (!loop || frameOf(variable)->rounds.contains(loop))
    return {};
  if (isChosen)
    return number(llvm::APInt(64, chosen->second, /*isSigned=*/true),
                  variable->getType());
  if (std::optional<Choice> steps = stepsOf(*loop, variable))
    open = std::move(steps);
  return {};
}

/// What \p loop initialises \p variable with, or assigns to it.
static const clang::Expr *startOf(const clang::ForStmt &loop,
                                  const clang::VarDecl *variable) {
  if (auto *declaration =
          llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit()))
    return llvm::is_contained(declaration->decls(), variable)
               ? variable->getInit()
               : nullptr;
  auto *assignment =
      llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInit());
  auto *assigned = assignment && assignment->getOpcode() == clang::BO_Assign
                       ? llvm::dyn_cast<clang::DeclRefExpr>(
                             assignment->getLHS()->IgnoreParens())
                       : nullptr;
  return assigned && assigned->getDecl() == variable ? assignment->getRHS()
                                                     : nullptr;
}

/// Whether the round of a loop with \p body that is supposed is known to be its
/// last: `if (i == 2) break;`.
bool HostEvaluator::leaves(const clang::Stmt *body) {
  return llvm::any_of(body->children(), [&](const clang::Stmt *statement) {
    auto *branch = llvm::dyn_cast_or_null<clang::IfStmt>(statement);
    const clang::Stmt *then = branch ? branch->getThen() : nullptr;
    if (auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(then))
      then = block->body_empty() ? nullptr : block->body_back();
    if (!llvm::isa_and_nonnull<clang::BreakStmt, clang::ReturnStmt>(then))
      return false;
    std::optional<APSInt> condition = number(branch->getCond());
    return condition && condition->getBoolValue();
  });
}

/// The values that \p variable takes in \p loop; of many, the first, the
/// middle and the last.
std::optional<Choice> HostEvaluator::stepsOf(const clang::ForStmt &loop,
                                             const clang::VarDecl *variable) {
  Value start = evaluate(startOf(loop, variable));
  auto *first = std::get_if<APSInt>(&start);
  if (!first || !loop.getCond())
    return std::nullopt;
  Choice choice = {variable, {}};
  std::optional<APSInt> value = *first;
  while (value) {
    int64_t bits = value->extOrTrunc(64).getSExtValue();
    supposition.chosen[variable] = bits;
    forgetKept();
    std::optional<APSInt> goesOn = number(loop.getCond());
    if (!goesOn) {
      value.reset();
      break;
    }
    if (!goesOn->getBoolValue())
      break;
    choice.values.push_back(bits);
    if (leaves(loop.getBody()))
      break;
    value = nextStep(loop.getInc(), *value);
  }
  supposition.chosen.erase(variable);
  forgetKept();
  return value && !choice.values.empty() ? std::optional(choice) : std::nullopt;
}

/// What \p step makes of \p value.
std::optional<APSInt> HostEvaluator::nextStep(const clang::Expr *step,
                                              const APSInt &value) {
  step = step->IgnoreParenImpCasts();
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(step)) {
    APSInt one(llvm::APInt(value.getBitWidth(), 1), value.isUnsigned());
    return calculate(unary->isIncrementOp() ? clang::BO_Add : clang::BO_Sub,
                     value, one);
  }
  auto *assignment = llvm::cast<clang::BinaryOperator>(step);
  std::optional<APSInt> operand = number(assignment->getRHS());
  if (!operand || !assignment->isCompoundAssignmentOp())
    return operand;
  clang::BinaryOperatorKind kind =
      clang::BinaryOperator::getOpForCompoundAssignment(
          assignment->getOpcode());
  // Calculated in the type of both, and converted back.
  clang::QualType common = llvm::cast<clang::CompoundAssignOperator>(assignment)
                               ->getComputationLHSType();
  if (!common->isIntegerType() || assignment->getType()->isBooleanType())
    return std::nullopt;
  auto convert = [&](const APSInt &number, clang::QualType type) {
    APSInt converted = number.extOrTrunc(context.getIntWidth(type));
    converted.setIsSigned(type->isSignedIntegerOrEnumerationType());
    return converted;
  };
  APSInt left = convert(value, common);
  std::optional<APSInt> result =
      clang::BinaryOperator::isShiftOp(kind)
          ? shift(kind, left, *operand)
          : calculate(kind, left, convert(*operand, common));
  return result ? std::optional(convert(*result, assignment->getType()))
                : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// What \p list is initialised with, if it never has other values.
const clang::InitListExpr *
HostEvaluator::unchangedValues(const clang::VarDecl *list) {
  bool isConst = context.getBaseElementType(list->getType()).isConstQualified();
  const clang::Expr *initial = list->getAnyInitializer();
  if (!initial || !isList(list->getType()) ||
      !(isConst || unchangingValue(list)))
    return nullptr;
  return listOf(initial);
}

/// The list that \p expr is or that the variable in it is initialised with.
const clang::InitListExpr *HostEvaluator::listOf(const clang::Expr *expr) {
  expr = expr->IgnoreParens()->IgnoreImplicit()->IgnoreParenImpCasts();
  if (auto *list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
    if (!list->isSemanticForm())
      list = list->getSemanticForm();
    // An array in a structure, which std::array is.
    auto *inner = list && list->getNumInits() == 1
                      ? llvm::dyn_cast<clang::InitListExpr>(list->getInit(0))
                      : nullptr;
    bool isWrapped = list && list->getType()->isRecordType() && inner;
    return isWrapped ? inner : list;
  }
  if (auto *list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expr))
    return listOf(list->getSubExpr());
  if (auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    return construction->isStdInitListInitialization() &&
                   construction->getNumArgs() >= 1
               ? listOf(construction->getArg(0))
               : nullptr;
  if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    const clang::Expr *list = elementOf(element->getBase(), element->getIdx());
    return list ? listOf(list) : nullptr;
  }
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  return variable ? unchangedValues(variable) : nullptr;
}

/// The element of \p list that \p variable is supposed to choose.
const clang::Expr *HostEvaluator::anyElement(const clang::VarDecl *variable,
                                             const clang::InitListExpr &list,
                                             int64_t firstValue) {
  if (auto chosen = supposition.chosen.find(variable);
      chosen != supposition.chosen.end()) {
    uint64_t number = chosen->second - firstValue;
    return number < list.getNumInits() ? list.getInit(number) : nullptr;
  }
  if (!open && list.getNumInits() > 0 &&
      list.getNumInits() <= Choice::MostValues) {
    open = Choice{variable, {}};
    for (unsigned i = 0; i < list.getNumInits(); ++i)
      open->values.push_back(firstValue + i);
  }
  return nullptr;
}

/// The variable that \p index is, and what is added to that; null if it is
/// something else.
static std::pair<const clang::VarDecl *, int64_t>
variableOfIndex(const clang::Expr &index, const clang::ASTContext &context) {
  auto variableOf = [](const clang::Expr &expr) {
    return llvm::cast_if_present<clang::VarDecl>(mentionedBy(&expr));
  };
  const clang::Expr *plain = index.IgnoreParenImpCasts();
  if (auto *sum = llvm::dyn_cast<clang::BinaryOperator>(plain);
      sum && sum->isAdditiveOp()) {
    std::optional<llvm::APSInt> added =
        sum->getRHS()->getIntegerConstantExpr(context);
    if (!added || added->getSignificantBits() > 32)
      return {nullptr, 0};
    int64_t number = added->getExtValue();
    return {variableOf(*sum->getLHS()),
            sum->getOpcode() == clang::BO_Sub ? -number : number};
  }
  return {variableOf(*plain), 0};
}

/// `list[index]`.
const clang::Expr *HostEvaluator::elementOf(const clang::Expr *list,
                                            const clang::Expr *index) {
  std::optional<APSInt> number = this->number(index);
  bool isNumber =
      number && number->isNonNegative() && number->getActiveBits() < 32;
  if (isNumber)
    if (const clang::Expr *value = elementValue(list, number->getZExtValue()))
      return value;
  const clang::InitListExpr *values = listOf(list);
  if (!values)
    return nullptr;
  if (isNumber)
    return number->ult(values->getNumInits())
               ? values->getInit(number->getZExtValue())
               : nullptr;
  auto *variable = llvm::cast_if_present<clang::VarDecl>(mentionedBy(list));
  if (!variable || number)
    return nullptr;
  // The same index picks from each list.
  auto [chosen, added] = variableOfIndex(*index, context);
  return chosen && writes.keepsItsValue(chosen)
             ? anyElement(chosen, *values, -added)
             : anyElement(variable, *values, 0);
}

HostEvaluator::Value
HostEvaluator::element(const clang::ArraySubscriptExpr &expr) {
  const clang::Expr *array = expr.getBase()->IgnoreParenImpCasts();
  if (const clang::Expr *value = elementOf(array, expr.getIdx()))
    return evaluate(value);
  if (expr.getBase()->getType()->isPointerType()) {
    Value text = elementOfText(expr.getBase(), expr.getIdx(), expr.getType());
    if (!std::holds_alternative<std::monostate>(text))
      return text;
  }
  std::optional<APSInt> index = array->getType()->isConstantArrayType()
                                    ? number(expr.getIdx())
                                    : std::nullopt;
  auto *access = llvm::dyn_cast<clang::MemberExpr>(array);
  auto *field = access
                    ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl())
                    : nullptr;
  if (field && index && index->isNonNegative())
    if (auto property = gpuProperty(*field, index->getLimitedValue()))
      return fromGPU(*property, expr.getType());
  return index && index->isNonNegative()
             ? evaluate(Place(
                   {array, VariablePart::ofElement(index->getLimitedValue())},
                   frame))
             : Value();
}

/// What the variable of a loop over a list is.
const clang::Expr *HostEvaluator::rangeElement(const clang::VarDecl *variable) {
  const clang::CXXForRangeStmt *loop = writes.rangeLoop(variable);
  const clang::InitListExpr *list = loop && writes.keepsItsValue(variable)
                                        ? listOf(loop->getRangeInit())
                                        : nullptr;
  return list ? anyElement(variable, *list, 0) : nullptr;
}

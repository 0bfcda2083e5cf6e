// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What members of structures and elements of arrays are initialised or assigned
// with.
#include "HostEvaluator.h"

#include "clang/AST/DeclCXX.h"

using namespace auspex;

/// Without what copies the object, and what changes nothing.
static const clang::Expr *withoutCopies(const clang::Expr *object) {
  while (true) {
    object = object->IgnoreParens()->IgnoreImplicit();
    auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(object);
    auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(object);
    if (copy && copy->getNumArgs() == 1 &&
        copy->getConstructor()->isCopyOrMoveConstructor() &&
        copy->getConstructor()->isTrivial())
      object = copy->getArg(0);
    else if (cast)
      object = cast->getSubExpr();
    else
      return object;
  }
}

static const clang::Expr *initOf(const clang::InitListExpr *list,
                                 unsigned index) {
  if (list && !list->isSemanticForm())
    list = list->getSemanticForm();
  return list && index < list->getNumInits() ? list->getInit(index) : nullptr;
}

/// Whether members stand in a list of all by their numbers.
static bool isPlain(const clang::RecordDecl *record) {
  auto *type = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  return !record->isUnion() && !(type && type->getNumBases()) &&
         llvm::none_of(record->fields(), [](const clang::FieldDecl *field) {
           return field->isUnnamedBitField();
         });
}

namespace {

/// `member.part = value` in a constructor, or `member = value`; without a value
/// if it is not known.
struct MemberAssignment {
  const clang::FieldDecl *member = nullptr, *part = nullptr;
  const clang::Expr *value = nullptr;
};

} // namespace

static std::optional<MemberAssignment>
memberAssignment(const clang::Stmt &statement) {
  auto *expr = llvm::dyn_cast<clang::Expr>(&statement);
  expr = expr ? expr->IgnoreImplicit() : nullptr;
  const clang::Expr *target = nullptr;
  MemberAssignment result;
  if (auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(expr);
      assignment && assignment->getOpcode() == clang::BO_Assign) {
    target = assignment->getLHS();
    result.value = assignment->getRHS();
  } else if (auto *call =
                 llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(expr);
             call && call->getOperator() == clang::OO_Equal &&
             call->getDirectCallee() && call->getDirectCallee()->isTrivial()) {
    target = call->getArg(0);
    result.value = call->getArg(1);
  }
  for (; target; target = target->IgnoreParens()) {
    if (llvm::isa<clang::CXXThisExpr>(target->IgnoreImplicit()))
      return result.member ? std::optional(result) : std::nullopt;
    auto *access = llvm::dyn_cast<clang::MemberExpr>(target);
    auto *field =
        access ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl())
               : nullptr;
    if (!field)
      return std::nullopt;
    // Of a part's own parts nothing is known.
    if (result.part)
      result.value = nullptr;
    result.part = result.member;
    result.member = field;
    target = access->getBase();
  }
  return std::nullopt;
}

/// What a constructor gives \p member, or \p part of it if that is not null,
/// which does nothing but to initialise and assign members; null if it is not
/// known.
static const clang::Expr *
valueInConstructor(const clang::CXXConstructorDecl &constructor,
                   const clang::FieldDecl *member,
                   const clang::FieldDecl *part) {
  const clang::Expr *value = nullptr;
  for (const clang::CXXCtorInitializer *initializer : constructor.inits())
    if (initializer->getMember() == member && !part)
      value = initializer->getInit();
  for (const clang::Stmt *statement : constructor.getBody()->children()) {
    std::optional<MemberAssignment> assignment = memberAssignment(*statement);
    if (!assignment)
      return nullptr;
    if (assignment->member != member)
      continue;
    if (assignment->part == part)
      value = assignment->value;
    else if (!assignment->part || !part)
      value = nullptr;
  }
  return value;
}

HostEvaluator::MemberValue
HostEvaluator::constructedMember(const clang::CXXConstructExpr &expr,
                                 const clang::FieldDecl *member,
                                 const clang::FieldDecl *part) {
  const clang::FunctionDecl *definition = nullptr;
  if (!expr.getConstructor()->getBody(definition))
    return {};
  const clang::Expr *value = valueInConstructor(
      *llvm::cast<clang::CXXConstructorDecl>(definition), member, part);
  if (!value)
    return {};
  // A parameter, or a member of one, is what the caller gives.
  const clang::Expr *given = withoutCopies(value);
  auto *access = llvm::dyn_cast<clang::MemberExpr>(given);
  if (access && !access->isArrow())
    given = access->getBase()->IgnoreParenImpCasts();
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(given);
  auto *parameter = mention
                        ? llvm::dyn_cast<clang::ParmVarDecl>(mention->getDecl())
                        : nullptr;
  if (!parameter)
    return {value, &expr};
  const clang::Expr *argument = expr.getArg(parameter->getFunctionScopeIndex());
  if (!access)
    return {argument};
  auto *field = llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl());
  return field ? findMember(argument, field) : MemberValue();
}

/// What \p part of \p member of \p object is assigned where that is
/// constructed.
HostEvaluator::MemberValue
HostEvaluator::constructedPart(const clang::Expr *object,
                               const clang::FieldDecl *member,
                               const clang::FieldDecl *part) {
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(object->IgnoreParenImpCasts());
  std::optional<Definition> definition =
      mention ? writes.definition(mention, {member}) : std::nullopt;
  bool isWhole = definition && definition->value && definition->part.isWhole();
  auto *construction = isWhole ? llvm::dyn_cast<clang::CXXConstructExpr>(
                                     withoutCopies(definition->value))
                               : nullptr;
  return construction ? constructedMember(*construction, member, part)
                      : MemberValue();
}

const clang::Expr *HostEvaluator::memberValue(const clang::Expr *object,
                                              const clang::FieldDecl *member) {
  return findMember(object, member).expr;
}

/// What \p lambda keeps in \p member a copy of; null of a reference.
static const clang::Expr *capturedValue(const clang::LambdaExpr &lambda,
                                        const clang::FieldDecl &member) {
  if (member.getType()->isReferenceType() ||
      member.getParent() != lambda.getLambdaClass())
    return nullptr;
  return *std::next(lambda.capture_init_begin(), member.getFieldIndex());
}

HostEvaluator::MemberValue
HostEvaluator::findMember(const clang::Expr *object,
                          const clang::FieldDecl *member) {
  const clang::CXXConstructExpr *around = nullptr;
  // Copies of copies may be many.
  for (unsigned left = 16; object && left; --left) {
    object = withoutCopies(object);
    if (auto *list = llvm::dyn_cast<clang::InitListExpr>(object))
      return isPlain(member->getParent())
                 ? MemberValue{initOf(list, member->getFieldIndex()), around}
                 : MemberValue();
    if (auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(object))
      return constructedMember(*construction, member, nullptr);
    if (auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(object))
      return {capturedValue(*lambda, *member), around};
    if (auto *part = llvm::dyn_cast<clang::MemberExpr>(object)) {
      auto *field = llvm::dyn_cast<clang::FieldDecl>(part->getMemberDecl());
      if (!field || part->isArrow())
        return {};
      if (MemberValue value = constructedPart(part->getBase(), field, member);
          value.expr)
        return value;
      MemberValue whole = findMember(part->getBase(), field);
      object = whole.expr;
      around = whole.construction;
      continue;
    }
    if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object)) {
      object = elementOf(element->getBase(), element->getIdx());
      continue;
    }
    auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(object);
    if (!mention)
      return {};
    auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
    if (variable && variable->isCXXForRangeDecl()) {
      object = rangeElement(variable);
      continue;
    }
    std::optional<Definition> definition = writes.definition(mention, {member});
    auto *parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable);
    bool isReference = parameter && variable->getType()->isReferenceType() &&
                       writes.keepsItsValue(variable);
    if (isReference || (definition && definition->isGiven)) {
      object = argumentOnPath(parameter);
      continue;
    }
    if (!definition || !definition->part.isWhole())
      return {definition ? definition->value : nullptr};
    object = definition->value;
  }
  return {};
}

const clang::Expr *HostEvaluator::elementValue(const clang::Expr *array,
                                               unsigned number) {
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(array->IgnoreParenCasts());
  if (!mention || !mention->getType()->isConstantArrayType())
    return nullptr;
  std::optional<Definition> definition =
      writes.definition(mention, {nullptr, number});
  if (!definition || !definition->value)
    return nullptr;
  if (!definition->part.isWhole())
    return definition->value;
  return initOf(llvm::dyn_cast<clang::InitListExpr>(
                    definition->value->IgnoreParenImpCasts()),
                number);
}

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

/// What a constructor that has nothing but its list of members gives one.
static const clang::Expr *constructedMember(const clang::CXXConstructExpr &expr,
                                            const clang::FieldDecl *member) {
  const clang::FunctionDecl *definition = nullptr;
  const clang::Stmt *body = expr.getConstructor()->getBody(definition);
  if (!body || body->child_begin() != body->child_end())
    return nullptr;
  auto *constructor = llvm::cast<clang::CXXConstructorDecl>(definition);
  for (const clang::CXXCtorInitializer *initializer : constructor->inits()) {
    if (initializer->getMember() != member)
      continue;
    const clang::Expr *value = initializer->getInit()->IgnoreImplicit();
    auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(value);
    auto *parameter =
        mention ? llvm::dyn_cast<clang::ParmVarDecl>(mention->getDecl())
                : nullptr;
    return parameter ? expr.getArg(parameter->getFunctionScopeIndex()) : value;
  }
  return nullptr;
}

const clang::Expr *HostEvaluator::memberValue(const clang::Expr *object,
                                              const clang::FieldDecl *member) {
  // Copies of copies may be many.
  for (unsigned left = 16; object && left; --left) {
    object = withoutCopies(object);
    if (auto *list = llvm::dyn_cast<clang::InitListExpr>(object))
      return isPlain(member->getParent())
                 ? initOf(list, member->getFieldIndex())
                 : nullptr;
    if (auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(object))
      return constructedMember(*construction, member);
    if (auto *part = llvm::dyn_cast<clang::MemberExpr>(object)) {
      auto *field = llvm::dyn_cast<clang::FieldDecl>(part->getMemberDecl());
      bool isHere = field && !part->isArrow();
      object = isHere ? memberValue(part->getBase(), field) : nullptr;
      continue;
    }
    if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object)) {
      object = elementOf(element->getBase(), element->getIdx());
      continue;
    }
    auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(object);
    if (!mention)
      return nullptr;
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
      return definition ? definition->value : nullptr;
    object = definition->value;
  }
  return nullptr;
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mentions.h"

#include "Callers.h"
#include "DeviceVariables.h"
#include "LibraryCalls.h"

using namespace auspex;

bool MentionVisitor::mayWrite(const clang::Expr *expr) const {
  if (symbols.contains(expr))
    return true;
  return !expr->getType()->isFunctionType() && !loads.contains(expr) &&
         (castsConstAway || castAway.contains(expr) ||
          !constBindings.contains(expr));
}

std::vector<const clang::DeclRefExpr *> MentionVisitor::otherMentions() const {
  std::vector<const clang::DeclRefExpr *> result;
  for (const clang::DeclRefExpr *mention : mentions)
    if (llvm::isa<clang::VarDecl>(mention->getDecl()) && mayWrite(mention))
      result.push_back(mention);
  return result;
}

llvm::DenseSet<const clang::VarDecl *> MentionVisitor::otherVariables() const {
  llvm::DenseSet<const clang::VarDecl *> result;
  for (const clang::DeclRefExpr *mention : otherMentions())
    result.insert(
        llvm::cast<clang::VarDecl>(mention->getDecl())->getCanonicalDecl());
  // Static members of an object.
  for (const clang::Expr *place : otherPlaces())
    if (auto *access = llvm::dyn_cast<clang::MemberExpr>(place))
      if (auto *member =
              llvm::dyn_cast<clang::VarDecl>(access->getMemberDecl()))
        result.insert(member->getCanonicalDecl());
  return result;
}

MemberWriters MentionVisitor::memberWriters(
    llvm::function_ref<bool(const clang::ParmVarDecl *)> keepsItsValue) const {
  MemberWriters result;
  result.types = castTypes;
  for (const clang::FieldDecl *member : addressedMembers)
    result.methods[member] = nullptr;
  for (const auto &[access, method] : members) {
    auto *member = llvm::cast<clang::FieldDecl>(access->getMemberDecl());
    const clang::ParmVarDecl *given = givenFor.lookup(access);
    if (!mayWrite(access) || (given && keepsItsValue(given)))
      continue;
    if (llvm::isa_and_nonnull<clang::CXXConstructorDecl>(method)) {
      result.madeByCode.insert(member);
      continue;
    }
    auto [entry, isNew] = result.methods.try_emplace(member, method);
    if (!isNew && entry->second != method)
      entry->second = nullptr;
  }
  return result;
}

bool MentionVisitor::isPlace(const clang::Expr &expr) {
  if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(&expr))
    return llvm::isa<clang::BindingDecl>(mention->getDecl());
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&expr))
    return unary->getOpcode() == clang::UO_Deref;
  if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expr))
    return !element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
  auto *access = llvm::dyn_cast<clang::MemberExpr>(&expr);
  const clang::ValueDecl *member = access ? access->getMemberDecl() : nullptr;
  return llvm::isa_and_nonnull<clang::VarDecl>(member) ||
         (llvm::isa_and_nonnull<clang::FieldDecl>(member) &&
          (access->isArrow() || member->getType()->isReferenceType()));
}

std::vector<const clang::Expr *> MentionVisitor::otherPlaces() const {
  std::vector<const clang::Expr *> result;
  llvm::copy_if(places, std::back_inserter(result),
                [&](const clang::Expr *place) { return mayWrite(place); });
  return result;
}

bool MentionVisitor::TraverseDecl(clang::Decl *declaration) {
  auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
  return (function && function->isDependentContext()) ||
         AllCodeVisitor::TraverseDecl(declaration);
}

bool MentionVisitor::VisitVarDecl(clang::VarDecl *variable) {
  definitions.insert(variable);
  return true;
}

bool MentionVisitor::VisitExpr(clang::Expr *expr) {
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  bool isPlace = MentionVisitor::isPlace(*expr);
  if (mention)
    mentions.push_back(mention);
  // Host code has no other use for variables of the GPU than to give them to
  // the library.
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (variable && isOnDevice(*variable) && !isForDevice(around))
    symbols.insert(mention);
  if (isPlace)
    places.push_back(expr);
  auto *access = llvm::dyn_cast<clang::MemberExpr>(expr);
  bool isMember =
      access && llvm::isa<clang::FieldDecl>(access->getMemberDecl());
  if (isMember) {
    auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(around);
    auto *member = llvm::cast<clang::FieldDecl>(access->getMemberDecl());
    bool isOwn =
        method && method->getParent() == member->getParent() &&
        llvm::isa<clang::CXXThisExpr>(access->getBase()->IgnoreParenImpCasts());
    members.emplace_back(access, isOwn ? method : nullptr);
  }
  if (auto *member = mention
                         ? llvm::dyn_cast<clang::FieldDecl>(mention->getDecl())
                         : nullptr)
    addressedMembers.insert(member);
  if ((mention || isPlace || isMember) && expr->getType().isConstQualified())
    constBindings.insert(expr);
  return true;
}

/// The x of `&x`; null if \p expr is something else.
static const clang::DeclRefExpr *addressedVariable(const clang::Expr &expr) {
  return llvm::dyn_cast_or_null<clang::DeclRefExpr>(addressed(&expr));
}

/// Notes that \p at writes \p object, if that is a variable that is not on the
/// stack, or a member of one; null if it is not.
StaticWrite *MentionVisitor::noteWrite(const clang::Expr &object,
                                       Definition what, const clang::Expr &at) {
  llvm::SmallVector<const clang::FieldDecl *, 2> members;
  const clang::Expr *whole = object.IgnoreParens();
  while (auto *access = llvm::dyn_cast<clang::MemberExpr>(whole)) {
    auto *member = llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl());
    if (!member || isPlace(*access) || member->isBitField() ||
        member->getParent()->isUnion() || members.size() == 2)
      return nullptr;
    members.push_back(member);
    whole = access->getBase()->IgnoreParens();
  }
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(whole);
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (!variable || !variable->hasGlobalStorage() ||
      variable->getType()->isReferenceType())
    return nullptr;
  if (!members.empty())
    what.part.member = members.back();
  if (members.size() == 2)
    what.part.inner = members.front();
  return &writes[mention].emplace_back(
      StaticWrite{what, {&at, around, conditions}});
}

bool MentionVisitor::VisitBinaryOperator(clang::BinaryOperator *operation) {
  if (operation->getOpcode() == clang::BO_Assign)
    noteWrite(*operation->getLHS(), {operation->getRHS()}, *operation);
  return true;
}

bool MentionVisitor::VisitCallExpr(clang::CallExpr *call) {
  const clang::FunctionDecl *body = nullptr;
  if (const clang::FunctionDecl *callee = call->getDirectCallee();
      callee && callee->hasBody(body))
    for (const clang::ParmVarDecl *parameter : body->parameters())
      if (const clang::Expr *argument =
              argumentFor(*call, parameter->getFunctionScopeIndex());
          argument && parameter->getType()->isReferenceType())
        givenFor[argument->IgnoreParens()] = parameter;
  for (const clang::Expr *address : addressesRead(*call))
    if (const clang::Expr *object = objectAt(address))
      read(object, loads);
  if (std::optional<SymbolCopy> copy = symbolCopy(*call))
    if (StaticWrite *write = noteWrite(*copy->symbol, {copy->value}, *call)) {
      write->bytes = copy->bytes;
      write->isPointee = copy->isPointee;
    }
  auto *assigned = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(
      assigned ? assigned->getDirectCallee() : nullptr);
  if (method && assigned->getOperator() == clang::OO_Equal &&
      method->isTrivial())
    noteWrite(*assigned->getArg(0), {assigned->getArg(1)}, *assigned);
  for (unsigned i = 2; isScan(*call) && i < call->getNumArgs(); ++i)
    if (const clang::Expr *object = addressed(call->getArg(i))) {
      Definition scanned;
      scanned.call = call;
      scanned.output = i;
      noteWrite(*object, scanned, *call);
    }
  if (!gpuProperty(*call) && !allocatedBytes(*call) &&
      !kernelOfActiveBlocks(*call))
    return true;
  Definition what;
  what.call = call;
  if (const clang::Expr *object = addressed(call->getArg(0)))
    noteWrite(*object, what, *call);
  return true;
}

StaticWrites MentionVisitor::staticWrites() const {
  StaticWrites result;
  llvm::DenseSet<const clang::VarDecl *> others;
  llvm::DenseSet<const clang::DeclRefExpr *> seen;
  for (const clang::DeclRefExpr *mention : otherMentions()) {
    auto *variable =
        llvm::cast<clang::VarDecl>(mention->getDecl())->getCanonicalDecl();
    if (!variable->hasGlobalStorage() || !seen.insert(mention).second)
      continue;
    auto known = writes.find(mention);
    if (known == writes.end())
      others.insert(variable);
    else
      llvm::append_range(result[variable], known->second);
  }
  for (const clang::VarDecl *variable : others)
    result.erase(variable);
  return result;
}

/// Whether what is const may be written all the same.
static bool hasMutable(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && !isOfLibrary(record) &&
         record->hasMutableFields();
}

/// The class of an object that \p cast makes a pointer to something else to, by
/// which it can be written; null if it is none.
static const clang::CXXRecordDecl *castObject(const clang::CastExpr &cast) {
  clang::QualType to = cast.getType()->getPointeeType();
  return cast.getCastKind() == clang::CK_BitCast && !to.isNull() &&
                 !to.isConstQualified()
             ? cast.getSubExpr()->getType()->getPointeeCXXRecordDecl()
             : nullptr;
}

bool MentionVisitor::VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) {
  if (const clang::CXXRecordDecl *type = castObject(*cast))
    castTypes.insert(type);
  if (cast->getCastKind() == clang::CK_LValueToRValue)
    read(cast->getSubExpr(), loads);
  else if (cast->getCastKind() == clang::CK_NoOp && cast->isGLValue() &&
           cast->getType().isConstQualified() && !hasMutable(cast->getType()))
    read(cast->getSubExpr(), constBindings);
  return true;
}

/// A loop over values, or references that it only reads, only reads the range.
bool MentionVisitor::TraverseCXXForRangeStmt(clang::CXXForRangeStmt *loop) {
  size_t before = mentions.size();
  if (!AllCodeVisitor::TraverseCXXForRangeStmt(loop))
    return false;
  const clang::VarDecl *element = loop->getLoopVariable();
  clang::QualType type = element->getType();
  bool isRead =
      !type->isReferenceType() || type.getNonReferenceType().isConstQualified();
  if (!isRead && !llvm::isa<clang::DecompositionDecl>(element))
    isRead = llvm::none_of(llvm::ArrayRef(mentions).drop_front(before),
                           [&](const clang::DeclRefExpr *mention) {
                             return mention->getDecl() == element &&
                                    mayWrite(mention);
                           });
  if (isRead)
    read(loop->getRangeInit()->IgnoreParenImpCasts(), constBindings);
  return true;
}

/// const_cast and casts in the style of C to a reference or pointer can.
static bool dropsConst(const clang::ExplicitCastExpr &cast) {
  const clang::Expr *operand = cast.getSubExprAsWritten();
  clang::QualType from = operand->getType(), to = cast.getType();
  // What a pointer in a variable points to is known by its address.
  if (operand->isGLValue() && from->isPointerType() && !cast.isGLValue())
    return false;
  if (cast.isGLValue())
    return from.isConstQualified() && !to.isConstQualified();
  return from->isPointerType() && to->isPointerType() &&
         from->getPointeeType().isConstQualified() &&
         !to->getPointeeType().isConstQualified();
}

bool MentionVisitor::VisitExplicitCastExpr(clang::ExplicitCastExpr *cast) {
  if (const clang::CXXRecordDecl *type = castObject(*cast))
    castTypes.insert(type);
  if (cast->getCastKind() == clang::CK_ToVoid)
    read(cast->getSubExpr(), loads);
  if (!dropsConst(*cast))
    return true;
  // Of `&x` the mention says what becomes of x, unless that is another name of
  // something here.
  const clang::DeclRefExpr *mention =
      addressedVariable(*cast->getSubExprAsWritten());
  bool isAlias = mention && mention->getDecl()->getType()->isReferenceType();
  if (mention &&
      (!isAlias || llvm::isa<clang::ParmVarDecl>(mention->getDecl())))
    castAway.insert(mention);
  else
    castsConstAway = true;
  return true;
}

/// A capture by reference alone writes nothing: the lambda's body does.
bool MentionVisitor::TraverseLambdaCapture(clang::LambdaExpr *lambda,
                                           const clang::LambdaCapture *capture,
                                           clang::Expr *init) {
  if (capture->capturesVariable() && !lambda->isInitCapture(capture) &&
      capture->getCaptureKind() == clang::LCK_ByRef)
    return true;
  return AllCodeVisitor::TraverseLambdaCapture(lambda, capture, init);
}

// What is not evaluated writes nothing; the size of a variable-length array is
// evaluated.
bool MentionVisitor::TraverseUnaryExprOrTypeTraitExpr(
    clang::UnaryExprOrTypeTraitExpr *expr) {
  if (!expr->getTypeOfArgument()->isVariableArrayType())
    return true;
  return AllCodeVisitor::TraverseUnaryExprOrTypeTraitExpr(expr);
}
bool MentionVisitor::TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc, bool) {
  return true;
}

/// Notes the variables that \p object, of which the value is read, can be.
void MentionVisitor::read(const clang::Expr *object, Exprs &kind) {
  object = object->IgnoreParens();
  if (isPlace(*object) || llvm::isa<clang::DeclRefExpr>(object)) {
    kind.insert(object);
  } else if (auto *member = llvm::dyn_cast<clang::MemberExpr>(object)) {
    if (!llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
      return;
    kind.insert(object);
    read(member->getBase(), kind);
  } else if (auto *element =
                 llvm::dyn_cast<clang::ArraySubscriptExpr>(object)) {
    read(element->getBase()->IgnoreParenImpCasts(), kind);
  } else if (auto *choice =
                 llvm::dyn_cast<clang::ConditionalOperator>(object)) {
    // MIN(a, b) is one of the variables until it is loaded.
    read(choice->getTrueExpr(), kind);
    read(choice->getFalseExpr(), kind);
  } else if (auto *cast = llvm::dyn_cast<clang::CastExpr>(object)) {
    if (cast->getCastKind() == clang::CK_NoOp ||
        cast->getCastKind() == clang::CK_DerivedToBase ||
        cast->getCastKind() == clang::CK_UncheckedDerivedToBase)
      read(cast->getSubExpr(), kind);
  } else if (auto *call = llvm::dyn_cast<clang::CallExpr>(object)) {
    // A container's element is part of it.
    auto *element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    bool isElement = element && element->getOperator() == clang::OO_Subscript &&
                     isOfLibrary(element->getDirectCallee());
    if (isElement)
      read(element->getArg(0), kind);
    else if (const clang::Expr *passed = passedOn(*call))
      read(passed, kind);
  }
}

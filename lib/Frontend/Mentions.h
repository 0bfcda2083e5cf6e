// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The mentions of variables in a function, and which of them only read.
#ifndef AUSPEX_LIB_FRONTEND_MENTIONS_H
#define AUSPEX_LIB_FRONTEND_MENTIONS_H

#include "AllCodeVisitor.h"
#include "LibraryCalls.h"
#include "llvm/ADT/DenseSet.h"

namespace auspex {

class MentionVisitor : public AllCodeVisitor {
public:
  /// The variables defined here.
  llvm::DenseSet<const clang::VarDecl *> definitions;

  /// The mentions that are not known to read only.
  std::vector<const clang::DeclRefExpr *> otherMentions() const {
    std::vector<const clang::DeclRefExpr *> result;
    for (const clang::DeclRefExpr *mention : mentions)
      if (llvm::isa<clang::VarDecl>(mention->getDecl()) &&
          !loads.contains(mention) &&
          (castsConstAway || castAway.contains(mention) ||
           !constBindings.contains(mention)))
        result.push_back(mention);
    return result;
  }

  /// The same of what is named otherwise: `*p`, `p[i]`, `p->member`, static
  /// members `object.member`, members that are references, and structured
  /// bindings.
  std::vector<const clang::Expr *> otherPlaces() const {
    std::vector<const clang::Expr *> result;
    for (const clang::Expr *place : places)
      if (!loads.contains(place) &&
          (castsConstAway || !constBindings.contains(place)))
        result.push_back(place);
    return result;
  }
  static bool isPlace(const clang::Expr &expr) {
    if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(&expr))
      return llvm::isa<clang::BindingDecl>(mention->getDecl());
    if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&expr))
      return unary->getOpcode() == clang::UO_Deref;
    if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expr))
      return !element->getBase()
                  ->IgnoreParenImpCasts()
                  ->getType()
                  ->isArrayType();
    auto *access = llvm::dyn_cast<clang::MemberExpr>(&expr);
    const clang::ValueDecl *member = access ? access->getMemberDecl() : nullptr;
    return llvm::isa_and_nonnull<clang::VarDecl>(member) ||
           (llvm::isa_and_nonnull<clang::FieldDecl>(member) &&
            (access->isArrow() || member->getType()->isReferenceType()));
  }

  /// The variables that they are mentions of.
  llvm::DenseSet<const clang::VarDecl *> otherVariables() const {
    llvm::DenseSet<const clang::VarDecl *> result;
    for (const clang::DeclRefExpr *mention : otherMentions())
      result.insert(
          llvm::cast<clang::VarDecl>(mention->getDecl())->getCanonicalDecl());
    return result;
  }

  /// What a template does its instances do.
  bool TraverseDecl(clang::Decl *declaration) override {
    auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    return (function && function->isDependentContext()) ||
           AllCodeVisitor::TraverseDecl(declaration);
  }

  bool VisitVarDecl(clang::VarDecl *variable) override {
    definitions.insert(variable);
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    mentions.push_back(mention);
    if (mention->getType().isConstQualified())
      constBindings.insert(mention);
    return true;
  }

  bool VisitExpr(clang::Expr *expr) override {
    if (!isPlace(*expr))
      return true;
    places.push_back(expr);
    if (expr->getType().isConstQualified())
      constBindings.insert(expr);
    return true;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      read(cast->getSubExpr(), loads);
    else if (cast->getCastKind() == clang::CK_NoOp && cast->isGLValue() &&
             cast->getType().isConstQualified())
      read(cast->getSubExpr(), constBindings);
    return true;
  }

  /// A loop over values, or references to const, only reads the range.
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *loop) override {
    clang::QualType type = loop->getLoopVariable()->getType();
    if (!type->isReferenceType() ||
        type.getNonReferenceType().isConstQualified())
      read(loop->getRangeInit()->IgnoreParenImpCasts(), constBindings);
    return true;
  }

  bool VisitExplicitCastExpr(clang::ExplicitCastExpr *cast) override {
    if (cast->getCastKind() == clang::CK_ToVoid)
      read(cast->getSubExpr(), loads);
    if (!dropsConst(*cast))
      return true;
    // Of `&x` the mention says what becomes of x, unless that is another name
    // of something here.
    const clang::DeclRefExpr *mention = addressed(*cast->getSubExprAsWritten());
    bool isAlias = mention && mention->getDecl()->getType()->isReferenceType();
    if (mention &&
        (!isAlias || llvm::isa<clang::ParmVarDecl>(mention->getDecl())))
      castAway.insert(mention);
    else
      castsConstAway = true;
    return true;
  }

  /// A capture by reference alone writes nothing: the lambda's body does.
  bool TraverseLambdaCapture(clang::LambdaExpr *lambda,
                             const clang::LambdaCapture *capture,
                             clang::Expr *init) override {
    if (capture->capturesVariable() && !lambda->isInitCapture(capture) &&
        capture->getCaptureKind() == clang::LCK_ByRef)
      return true;
    return AllCodeVisitor::TraverseLambdaCapture(lambda, capture, init);
  }

  // What is not evaluated writes nothing; the size of a variable-length array
  // is evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(
      clang::UnaryExprOrTypeTraitExpr *expr) override {
    if (!expr->getTypeOfArgument()->isVariableArrayType())
      return true;
    return AllCodeVisitor::TraverseUnaryExprOrTypeTraitExpr(expr);
  }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc, bool) override {
    return true;
  }

private:
  using Mentions = llvm::DenseSet<const clang::Expr *>;

  std::vector<const clang::DeclRefExpr *> mentions;
  std::vector<const clang::Expr *> places;
  Mentions loads, constBindings, castAway;
  bool castsConstAway = false;

  /// The x of `&x`; null if \p expr is something else.
  static const clang::DeclRefExpr *addressed(const clang::Expr &expr) {
    auto *address =
        llvm::dyn_cast<clang::UnaryOperator>(expr.IgnoreParenImpCasts());
    return address && address->getOpcode() == clang::UO_AddrOf
               ? llvm::dyn_cast<clang::DeclRefExpr>(
                     address->getSubExpr()->IgnoreParens())
               : nullptr;
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

  /// Notes the variables that \p object, of which the value is read, can be.
  void read(const clang::Expr *object, Mentions &kind) {
    object = object->IgnoreParens();
    if (isPlace(*object) || llvm::isa<clang::DeclRefExpr>(object)) {
      kind.insert(object);
    } else if (auto *member = llvm::dyn_cast<clang::MemberExpr>(object)) {
      if (llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
        read(member->getBase(), kind);
    } else if (auto *element =
                   llvm::dyn_cast<clang::ArraySubscriptExpr>(object)) {
      read(element->getBase()->IgnoreParenImpCasts(), kind);
    } else if (auto *choice =
                   llvm::dyn_cast<clang::ConditionalOperator>(object)) {
      // MIN(a, b) is one of the variables until it is loaded.
      read(choice->getTrueExpr(), kind);
      read(choice->getFalseExpr(), kind);
    } else if (auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(object)) {
      if (cast->getCastKind() == clang::CK_NoOp)
        read(cast->getSubExpr(), kind);
    } else if (auto *call = llvm::dyn_cast<clang::CallExpr>(object)) {
      // A container's element is part of it.
      auto *element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
      bool isElement = element &&
                       element->getOperator() == clang::OO_Subscript &&
                       isOfLibrary(element->getDirectCallee());
      if (isElement)
        read(element->getArg(0), kind);
      else if (const clang::Expr *passed = passedOn(*call))
        read(passed, kind);
    }
  }
};

} // namespace auspex

#endif

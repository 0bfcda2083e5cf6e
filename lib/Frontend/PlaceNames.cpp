// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PlaceNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace auspex;

const clang::Type *auspex::typeOf(clang::QualType type) {
  return type.getNonReferenceType()
      .getCanonicalType()
      ->getBaseElementTypeUnsafe();
}

const clang::FieldDecl *auspex::memberNamedBy(const clang::Expr &place) {
  auto *access = llvm::dyn_cast<clang::MemberExpr>(&place);
  auto *field = access
                    ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl())
                    : nullptr;
  return field && !field->getType()->isReferenceType() ? field : nullptr;
}

const clang::Type *auspex::recordOf(const clang::FieldDecl &member) {
  return typeOf(member.getASTContext().getCanonicalTagType(member.getParent()));
}

const clang::ValueDecl *auspex::mentionedBy(const clang::Expr *expr) {
  auto *mention = llvm::dyn_cast_or_null<clang::DeclRefExpr>(
      expr ? expr->IgnoreParenImpCasts() : nullptr);
  return mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
}

const clang::ValueDecl *auspex::objectNamedBy(const clang::Expr *expr) {
  const clang::ValueDecl *variable = mentionedBy(expr);
  return variable && !variable->getType()->isReferenceType()
             ? llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl())
             : nullptr;
}

Name auspex::namedBy(const clang::Expr *expr, const clang::ValueDecl *object) {
  if (const clang::ValueDecl *variable = mentionedBy(expr))
    return {nullptr,
            llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl())};
  auto *access = llvm::dyn_cast_or_null<clang::MemberExpr>(
      expr ? expr->IgnoreParenImpCasts() : nullptr);
  if (!access || !llvm::isa<clang::FieldDecl>(access->getMemberDecl()))
    return {};
  const clang::Expr *base = access->getBase()->IgnoreParenImpCasts();
  if (llvm::isa<clang::CXXThisExpr>(base))
    return {object, access->getMemberDecl()};
  const clang::ValueDecl *variable =
      access->isArrow() ? nullptr : objectNamedBy(base);
  return variable ? Name{variable, access->getMemberDecl()} : Name();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WrittenVariables.h"

#include "AllCodeVisitor.h"

using namespace auspex;

namespace {

class MentionVisitor : public AllCodeVisitor {
public:
  llvm::DenseSet<const clang::VarDecl *> unwritten() {
    llvm::DenseSet<const clang::VarDecl *> result = std::move(definitions);
    for (const clang::DeclRefExpr *mention : mentions) {
      auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
      bool reads = loads.contains(mention) ||
                   (constBindings.contains(mention) && !castsConstAway);
      if (variable && !reads)
        result.erase(variable);
    }
    return result;
  }

  bool VisitVarDecl(clang::VarDecl *variable) override {
    definitions.insert(variable);
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    mentions.push_back(mention);
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

  bool VisitExplicitCastExpr(clang::ExplicitCastExpr *cast) override {
    if (cast->getCastKind() == clang::CK_ToVoid)
      read(cast->getSubExpr(), loads);
    castsConstAway |= dropsConst(*cast);
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
  using Mentions = llvm::DenseSet<const clang::DeclRefExpr *>;

  llvm::DenseSet<const clang::VarDecl *> definitions;
  std::vector<const clang::DeclRefExpr *> mentions;
  Mentions loads, constBindings;
  bool castsConstAway = false;

  /// const_cast and casts in the style of C to a reference or pointer can.
  static bool dropsConst(const clang::ExplicitCastExpr &cast) {
    clang::QualType from = cast.getSubExpr()->getType();
    clang::QualType to = cast.getType();
    if (cast.isGLValue())
      return from.isConstQualified() && !to.isConstQualified();
    return from->isPointerType() && to->isPointerType() &&
           from->getPointeeType().isConstQualified() &&
           !to->getPointeeType().isConstQualified();
  }

  /// Notes the variables that \p object, of which the value is read, can be.
  void read(const clang::Expr *object, Mentions &kind) {
    object = object->IgnoreParens();
    if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(object)) {
      kind.insert(mention);
    } else if (auto *member = llvm::dyn_cast<clang::MemberExpr>(object)) {
      bool isPart = !member->isArrow() &&
                    llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
                    !member->getMemberDecl()->getType()->isReferenceType();
      if (isPart)
        read(member->getBase(), kind);
    } else if (auto *choice =
                   llvm::dyn_cast<clang::ConditionalOperator>(object)) {
      // MIN(a, b) is one of the variables until it is loaded.
      read(choice->getTrueExpr(), kind);
      read(choice->getFalseExpr(), kind);
    }
  }
};

} // namespace

/// The function that holds the variable, looking out of lambdas and local
/// classes: what is captured can be written in there.
static const clang::FunctionDecl *
outermostFunction(const clang::VarDecl *variable) {
  const clang::FunctionDecl *outermost = nullptr;
  const clang::DeclContext *context = variable->getParentFunctionOrMethod();
  while (context) {
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(context))
      outermost = function;
    context = llvm::cast<clang::Decl>(context)->getParentFunctionOrMethod();
  }
  return outermost;
}

bool WrittenVariables::keepsItsValue(const clang::VarDecl *variable) {
  const clang::FunctionDecl *function = outermostFunction(variable);
  if (!function || !function->getBody())
    return false;
  auto [entry, isNew] = constant.try_emplace(function);
  if (isNew) {
    MentionVisitor visitor;
    visitor.TraverseStmt(function->getBody());
    entry->second = visitor.unwritten();
  }
  return entry->second.contains(variable);
}

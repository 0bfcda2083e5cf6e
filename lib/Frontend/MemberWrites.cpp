// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemberWrites.h"

#include "Mentions.h"

using namespace auspex;

namespace {

/// What is done to the object of a method.
class ThisVisitor : public MentionVisitor {
public:
  /// The methods that are called for the same object.
  std::vector<const clang::CXXMethodDecl *> calledMethods;

  /// Whether `this` is used in another way than to name a member, or `*this` to
  /// be read.
  bool givesObjectAway() const;

  bool VisitExpr(clang::Expr *expr) override;
  bool TraverseLambdaCapture(clang::LambdaExpr *lambda,
                             const clang::LambdaCapture *capture,
                             clang::Expr *init) override;

private:
  size_t mentions = 0, named = 0;
  std::vector<const clang::Expr *> objects;
};

} // namespace

static bool isThis(const clang::Expr *expr) {
  return llvm::isa<clang::CXXThisExpr>(expr->IgnoreParenImpCasts());
}

bool ThisVisitor::givesObjectAway() const {
  std::vector<const clang::Expr *> written = otherPlaces();
  size_t read = llvm::count_if(objects, [&](const clang::Expr *object) {
    return !llvm::is_contained(written, object);
  });
  return mentions > named + read;
}

bool ThisVisitor::VisitExpr(clang::Expr *expr) {
  mentions += llvm::isa<clang::CXXThisExpr>(expr);
  if (auto *access = llvm::dyn_cast<clang::MemberExpr>(expr);
      access && isThis(access->getBase())) {
    ++named;
    auto *method =
        llvm::dyn_cast<clang::CXXMethodDecl>(access->getMemberDecl());
    if (method && !method->isStatic())
      calledMethods.push_back(method);
  }
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr);
      unary && unary->getOpcode() == clang::UO_Deref &&
      isThis(unary->getSubExpr()))
    objects.push_back(unary);
  return MentionVisitor::VisitExpr(expr);
}

/// A lambda that has the object uses it in its body.
bool ThisVisitor::TraverseLambdaCapture(clang::LambdaExpr *lambda,
                                        const clang::LambdaCapture *capture,
                                        clang::Expr *init) {
  return capture->capturesThis() ||
         MentionVisitor::TraverseLambdaCapture(lambda, capture, init);
}

std::optional<MemberWrites::Members>
MemberWrites::of(const clang::Stmt &statement) {
  ThisVisitor visitor;
  visitor.TraverseStmt(const_cast<clang::Stmt *>(&statement));
  if (visitor.givesObjectAway())
    return std::nullopt;
  Members result;
  for (const clang::Expr *place : visitor.otherPlaces())
    if (auto *access = llvm::dyn_cast<clang::MemberExpr>(place);
        access && isThis(access->getBase()))
      if (auto *member =
              llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl()))
        result.insert(member);
  for (const clang::CXXMethodDecl *method : visitor.calledMethods) {
    const std::optional<Members> &written = of(*method);
    if (!written)
      return std::nullopt;
    result.insert(written->begin(), written->end());
  }
  return result;
}

const std::optional<MemberWrites::Members> &
MemberWrites::of(const clang::CXXMethodDecl &method) {
  auto *definition =
      llvm::dyn_cast_or_null<clang::CXXMethodDecl>(method.getDefinition());
  const clang::CXXMethodDecl *key = definition ? definition : &method;
  auto [known, isNew] = methods.try_emplace(key);
  if (!isNew || !definition || definition->isVirtual() ||
      definition->isDependentContext())
    return known->second;
  // (Looking at it may look at others.)
  std::optional<Members> written = of(*definition->getBody());
  return methods[key] = std::move(written);
}

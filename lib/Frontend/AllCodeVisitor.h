// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A visitor that goes wherever code is that can run: lambda bodies, instances
/// of templates, and instances of generic lambdas, which clang's own visitors
/// leave out. It keeps account of the conditions under which the code runs, and
/// of the loop that it runs in.
#ifndef AUSPEX_LIB_FRONTEND_ALLCODEVISITOR_H
#define AUSPEX_LIB_FRONTEND_ALLCODEVISITOR_H

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

#include <vector>

namespace auspex {

/// What holds, or does not hold, wherever a piece of code runs: \c value is one
/// of \c cases, or where there are none, is true, or is \c function.
struct Condition {
  const clang::Expr *value;
  bool holds = true;
  llvm::SmallVector<const clang::Expr *, 2> cases = {};
  const clang::FunctionDecl *function = nullptr;

  bool operator==(const Condition &) const = default;
};

/// A place in the code.
struct Site {
  const clang::Expr *expr = nullptr;
  /// What it is written in; null outside of functions.
  const clang::FunctionDecl *function = nullptr;
  /// What holds in the function where it stands.
  std::vector<Condition> conditions = {};
};

class AllCodeVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  AllCodeVisitor();

  /// Visits a translation unit without system headers, which are most of it,
  /// and whose launches and loops are not the user's.
  void visitUserCode(clang::ASTContext &context);

  /// Whether what stands behind \p statement does not run after it.
  static bool leaves(const clang::Stmt *statement);

  bool TraverseDecl(clang::Decl *declaration) override;
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override;
  bool TraverseIfStmt(clang::IfStmt *statement) override;
  bool TraverseConditionalOperator(clang::ConditionalOperator *choice) override;
  bool TraverseBinaryOperator(clang::BinaryOperator *operation) override;
  bool TraverseCompoundStmt(clang::CompoundStmt *statement) override;
  bool TraverseInitListExpr(clang::InitListExpr *list) override;
  bool TraverseSwitchStmt(clang::SwitchStmt *statement) override;
  bool TraverseForStmt(clang::ForStmt *loop) override;
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt *loop) override;
  bool TraverseWhileStmt(clang::WhileStmt *loop) override;
  bool TraverseDoStmt(clang::DoStmt *loop) override;
  /// Nothing of it runs, and its text is an expression without a type.
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl *) override {
    return true;
  }

protected:
  /// What holds where the visit is, in the function that it is in.
  std::vector<Condition> conditions;

  /// The function whose code is visited, null outside of functions; in a lambda
  /// its call operator.
  const clang::FunctionDecl *around = nullptr;

  /// In that function, around what is visited; null outside of loops.
  clang::Stmt *innermostLoop = nullptr;

  bool traverseInstances(clang::LambdaExpr *lambda);

private:
  bool inFunction(const clang::FunctionDecl *function,
                  llvm::function_ref<bool()> traverse);
  bool traverseUnder(const Condition &condition, clang::Stmt *statement);
  bool inLoop(clang::Stmt *loop, llvm::function_ref<bool()> traverse);
};

} // namespace auspex

#endif

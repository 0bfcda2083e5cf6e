// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A visitor that goes wherever code is that can run: lambda bodies, instances
/// of templates, and instances of generic lambdas, which clang's own visitors
/// leave out. It keeps account of the conditions under which the code runs.
#ifndef AUSPEX_LIB_FRONTEND_ALLCODEVISITOR_H
#define AUSPEX_LIB_FRONTEND_ALLCODEVISITOR_H

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

#include <utility>
#include <vector>

namespace auspex {

/// What holds, or does not hold, wherever a piece of code runs: \c value is one
/// of \c cases, or where there are none, is true.
struct Condition {
  const clang::Expr *value;
  bool holds = true;
  llvm::SmallVector<const clang::Expr *, 2> cases = {};
};

class AllCodeVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  AllCodeVisitor() {
    ShouldVisitTemplateInstantiations = true;
    ShouldWalkTypesOfTypeLocs = false;
  }

  /// Whether what stands behind \p statement does not run after it.
  static bool leaves(const clang::Stmt *statement) {
    if (auto *label = llvm::dyn_cast<clang::SwitchCase>(statement))
      return leaves(label->getSubStmt());
    if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
      return !block->body_empty() && leaves(block->body_back());
    return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
                     clang::GotoStmt, clang::CXXThrowExpr>(statement);
  }

  bool TraverseDecl(clang::Decl *declaration) override {
    auto *entered = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (!entered)
      return clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
    return inFunction(entered, [&] {
      return clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
    });
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override {
    return inFunction(
               lambda->getCallOperator(),
               [&] {
                 return clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(
                     lambda);
               }) &&
           traverseInstances(lambda);
  }

  bool TraverseIfStmt(clang::IfStmt *statement) override {
    const clang::Expr *condition = statement->getCond();
    return TraverseStmt(statement->getInit()) &&
           TraverseStmt(statement->getConditionVariableDeclStmt()) &&
           TraverseStmt(statement->getCond()) &&
           traverseUnder({condition, true}, statement->getThen()) &&
           traverseUnder({condition, false}, statement->getElse());
  }

  bool TraverseCompoundStmt(clang::CompoundStmt *statement) override {
    size_t outer = conditions.size();
    for (clang::Stmt *child : statement->body()) {
      // Who jumps here passes by what stands before.
      if (llvm::isa<clang::LabelStmt>(child))
        conditions.resize(outer);
      if (!TraverseStmt(child))
        return false;
      // What follows runs if this did not leave.
      auto *check = llvm::dyn_cast<clang::IfStmt>(child);
      if (!check || check->getElse() || !leaves(check->getThen()))
        continue;
      // Of generated code, with a check behind each call, the last ones.
      constexpr size_t MostChecks = 16;
      if (conditions.size() - outer == MostChecks)
        conditions.erase(conditions.begin() + outer);
      conditions.push_back({check->getCond(), false});
    }
    conditions.resize(outer);
    return true;
  }

  bool TraverseSwitchStmt(clang::SwitchStmt *statement) override {
    auto *body = llvm::dyn_cast<clang::CompoundStmt>(statement->getBody());
    if (!body)
      return clang::DynamicRecursiveASTVisitor::TraverseSwitchStmt(statement);
    if (!TraverseStmt(statement->getInit()) ||
        !TraverseStmt(statement->getConditionVariableDeclStmt()) ||
        !TraverseStmt(statement->getCond()))
      return false;
    Condition reached = {statement->getCond()};
    bool runsOn = false;
    for (clang::Stmt *child : body->body()) {
      auto *label = llvm::dyn_cast<clang::SwitchCase>(child);
      if (label && !runsOn)
        reached = {statement->getCond()};
      for (; label;
           label = llvm::dyn_cast<clang::SwitchCase>(label->getSubStmt()))
        addCase(reached, *label, *statement);
      if (!traverseUnder(reached, child))
        return false;
      runsOn = !leaves(child);
    }
    return true;
  }

protected:
  /// What holds where the visit is, in the function that it is in.
  std::vector<Condition> conditions;

  /// The function whose code is visited, null outside of functions; in a lambda
  /// its call operator.
  const clang::FunctionDecl *around = nullptr;

  bool inFunction(const clang::FunctionDecl *function,
                  llvm::function_ref<bool()> traverse) {
    const clang::FunctionDecl *outer = std::exchange(around, function);
    std::vector<Condition> outerConditions = std::exchange(conditions, {});
    bool goesOn = traverse();
    around = outer;
    conditions = std::move(outerConditions);
    return goesOn;
  }

  /// Has \p condition hold for \p label too; without a value if nobody knows
  /// what it says then.
  static void addCase(Condition &condition, const clang::SwitchCase &label,
                      const clang::SwitchStmt &statement) {
    auto *one = llvm::dyn_cast<clang::CaseStmt>(&label);
    if (one && !one->getRHS() && condition.holds)
      return condition.cases.push_back(one->getLHS());
    if (one || !condition.cases.empty())
      return void(condition.value = nullptr);
    // The default is what no case is.
    condition.holds = false;
    for (auto *other = statement.getSwitchCaseList(); other;
         other = other->getNextSwitchCase())
      if (auto *one = llvm::dyn_cast<clang::CaseStmt>(other))
        condition.cases.push_back(one->getLHS());
  }

  bool traverseUnder(const Condition &condition, clang::Stmt *statement) {
    conditions.push_back(condition);
    bool goesOn = TraverseStmt(statement);
    conditions.pop_back();
    return goesOn;
  }

  bool traverseInstances(clang::LambdaExpr *lambda) {
    clang::FunctionTemplateDecl *generic =
        lambda->getCallOperator()->getDescribedFunctionTemplate();
    if (generic)
      for (clang::FunctionDecl *instance : generic->specializations())
        if (!TraverseDecl(instance))
          return false;
    return true;
  }
};

} // namespace auspex

#endif

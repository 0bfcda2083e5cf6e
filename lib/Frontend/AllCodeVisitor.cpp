// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AllCodeVisitor.h"

#include "clang/Basic/SourceManager.h"

#include <utility>

using namespace auspex;

AllCodeVisitor::AllCodeVisitor() {
  ShouldVisitTemplateInstantiations = true;
  ShouldWalkTypesOfTypeLocs = false;
}

void AllCodeVisitor::visitUserCode(clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  for (clang::Decl *declaration : context.getTranslationUnitDecl()->decls())
    if (declaration->getLocation().isValid() &&
        !sources.isInSystemHeader(declaration->getLocation()))
      TraverseDecl(declaration);
}

bool AllCodeVisitor::leaves(const clang::Stmt *statement) {
  if (auto *label = llvm::dyn_cast<clang::SwitchCase>(statement))
    return leaves(label->getSubStmt());
  if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return !block->body_empty() && leaves(block->body_back());
  // exit() and the like.
  auto *expr = llvm::dyn_cast<clang::Expr>(statement);
  auto *call =
      expr ? llvm::dyn_cast<clang::CallExpr>(expr->IgnoreImplicit()) : nullptr;
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return (callee && callee->isNoReturn()) ||
         llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
                   clang::GotoStmt, clang::CXXThrowExpr>(statement);
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

bool AllCodeVisitor::TraverseDecl(clang::Decl *declaration) {
  auto *entered = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
  if (!entered)
    return clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
  return inFunction(entered, [&] {
    return clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
  });
}

bool AllCodeVisitor::TraverseLambdaExpr(clang::LambdaExpr *lambda) {
  return inFunction(
             lambda->getCallOperator(),
             [&] {
               return clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(
                   lambda);
             }) &&
         traverseInstances(lambda);
}

bool AllCodeVisitor::TraverseIfStmt(clang::IfStmt *statement) {
  const clang::Expr *condition = statement->getCond();
  return TraverseStmt(statement->getInit()) &&
         TraverseStmt(statement->getConditionVariableDeclStmt()) &&
         TraverseStmt(statement->getCond()) &&
         traverseUnder({condition, true}, statement->getThen()) &&
         traverseUnder({condition, false}, statement->getElse());
}

bool AllCodeVisitor::TraverseConditionalOperator(
    clang::ConditionalOperator *choice) {
  const clang::Expr *condition = choice->getCond();
  return WalkUpFromConditionalOperator(choice) &&
         TraverseStmt(choice->getCond()) &&
         traverseUnder({condition, true}, choice->getTrueExpr()) &&
         traverseUnder({condition, false}, choice->getFalseExpr());
}

bool AllCodeVisitor::TraverseBinaryOperator(clang::BinaryOperator *operation) {
  if (!operation->isLogicalOp())
    return clang::DynamicRecursiveASTVisitor::TraverseBinaryOperator(operation);
  bool goesOn = operation->getOpcode() == clang::BO_LAnd;
  return WalkUpFromBinaryOperator(operation) &&
         TraverseStmt(operation->getLHS()) &&
         traverseUnder({operation->getLHS(), goesOn}, operation->getRHS());
}

bool AllCodeVisitor::TraverseCompoundStmt(clang::CompoundStmt *statement) {
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

/// A list as it is evaluated, not as it is written: with the casts that load.
bool AllCodeVisitor::TraverseInitListExpr(clang::InitListExpr *list) {
  if (!list->isSemanticForm() && list->getSemanticForm())
    list = list->getSemanticForm();
  return llvm::all_of(list->children(),
                      [&](clang::Stmt *child) { return TraverseStmt(child); });
}

bool AllCodeVisitor::TraverseSwitchStmt(clang::SwitchStmt *statement) {
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

bool AllCodeVisitor::TraverseForStmt(clang::ForStmt *loop) {
  return inLoop(loop, [&] {
    return clang::DynamicRecursiveASTVisitor::TraverseForStmt(loop);
  });
}
bool AllCodeVisitor::TraverseCXXForRangeStmt(clang::CXXForRangeStmt *loop) {
  return inLoop(loop, [&] {
    return clang::DynamicRecursiveASTVisitor::TraverseCXXForRangeStmt(loop);
  });
}
bool AllCodeVisitor::TraverseWhileStmt(clang::WhileStmt *loop) {
  return inLoop(loop, [&] {
    return clang::DynamicRecursiveASTVisitor::TraverseWhileStmt(loop);
  });
}
/// `do { } while (0)` runs once.
bool AllCodeVisitor::TraverseDoStmt(clang::DoStmt *loop) {
  bool again = true;
  if (around && !loop->getCond()->isValueDependent())
    loop->getCond()->EvaluateAsBooleanCondition(again, around->getASTContext());
  return inLoop(again ? loop : innermostLoop, [&] {
    return clang::DynamicRecursiveASTVisitor::TraverseDoStmt(loop);
  });
}

bool AllCodeVisitor::inLoop(clang::Stmt *loop,
                            llvm::function_ref<bool()> traverse) {
  clang::Stmt *outer = std::exchange(innermostLoop, loop);
  bool goesOn = traverse();
  innermostLoop = outer;
  return goesOn;
}

bool AllCodeVisitor::inFunction(const clang::FunctionDecl *function,
                                llvm::function_ref<bool()> traverse) {
  const clang::FunctionDecl *outer = std::exchange(around, function);
  std::vector<Condition> outerConditions = std::exchange(conditions, {});
  clang::Stmt *outerLoop = std::exchange(innermostLoop, nullptr);
  bool goesOn = traverse();
  innermostLoop = outerLoop;
  around = outer;
  conditions = std::move(outerConditions);
  return goesOn;
}

bool AllCodeVisitor::traverseUnder(const Condition &condition,
                                   clang::Stmt *statement) {
  conditions.push_back(condition);
  bool goesOn = TraverseStmt(statement);
  conditions.pop_back();
  return goesOn;
}

bool AllCodeVisitor::traverseInstances(clang::LambdaExpr *lambda) {
  clang::FunctionTemplateDecl *generic =
      lambda->getCallOperator()->getDescribedFunctionTemplate();
  if (generic)
    for (clang::FunctionDecl *instance : generic->specializations())
      if (!TraverseDecl(instance))
        return false;
  return true;
}

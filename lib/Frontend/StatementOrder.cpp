// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StatementOrder.h"

#include "LibraryCalls.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

using namespace auspex;

const clang::VarDecl *auspex::steppedVariable(const clang::ForStmt &loop) {
  const clang::Expr *step = loop.getInc();
  step = step ? step->IgnoreParenImpCasts() : nullptr;
  const clang::Expr *stepped = nullptr;
  if (auto *unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(step))
    stepped = unary->isIncrementDecrementOp() ? unary->getSubExpr() : nullptr;
  else if (auto *binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(step))
    stepped = binary->isAssignmentOp() ? binary->getLHS() : nullptr;
  auto *mention =
      stepped ? llvm::dyn_cast<clang::DeclRefExpr>(stepped->IgnoreParens())
              : nullptr;
  return mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
}

StatementOrder::StatementOrder(const clang::Stmt *body) {
  number(body, nullptr);
}

void StatementOrder::number(const clang::Stmt *statement,
                            const clang::Stmt *parent) {
  if (!positions.try_emplace(statement, Position{parent, count, 0}).second)
    return;
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt>(statement))
    exits.push_back(count);
  if (auto *label = llvm::dyn_cast<clang::LabelStmt>(statement)) {
    labels.insert(label->getDecl());
    firstLabel = std::min(firstLabel, count);
  }
  auto *jump = llvm::dyn_cast<clang::GotoStmt>(statement);
  jumpsBack |= (jump && labels.contains(jump->getLabel())) ||
               llvm::isa<clang::IndirectGotoStmt>(statement);
  ++count;
  if (auto *loop = llvm::dyn_cast<clang::ForStmt>(statement))
    if (const clang::VarDecl *variable = steppedVariable(*loop))
      loops[variable].push_back(loop);
  if (auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement))
    ranges[loop->getLoopVariable()] = loop;
  if (auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl *each : declaration->decls())
      if (auto *variable = llvm::dyn_cast<clang::VarDecl>(each))
        declared[variable] = declaration;
  for (const clang::Stmt *child : statement->children())
    if (child)
      number(child, statement);
  positions[statement].end = count - 1;
}

bool StatementOrder::isInLambda(const clang::Stmt *statement) const {
  while (statement && !llvm::isa<clang::LambdaExpr>(statement))
    statement = parentOf(statement);
  return statement;
}

const clang::Stmt *StatementOrder::around(const clang::Stmt *expr) const {
  auto changesNothing = [](const clang::Stmt *statement) {
    if (auto *cast = llvm::dyn_cast<clang::CastExpr>(statement))
      return cast->getCastKind() != clang::CK_LValueToRValue;
    auto *call = llvm::dyn_cast<clang::CallExpr>(statement);
    return llvm::isa<clang::ParenExpr>(statement) || (call && passedOn(*call));
  };
  const clang::Stmt *parent = parentOf(expr);
  while (parent && changesNothing(parent))
    parent = parentOf(parent);
  return parent;
}

const clang::Stmt *StatementOrder::scopeOf(const clang::Stmt *expr) const {
  auto evaluatesAlways = [](const clang::Stmt *parent,
                            const clang::Stmt *child) {
    auto *binary = llvm::dyn_cast<clang::BinaryOperator>(parent);
    auto *condition = llvm::dyn_cast<clang::IfStmt>(parent);
    return llvm::isa<clang::DeclStmt, clang::FullExpr, clang::ParenExpr,
                     clang::CastExpr, clang::CallExpr, clang::UnaryOperator>(
               parent) ||
           (binary && !binary->isLogicalOp()) ||
           (condition && condition->getCond() == child);
  };
  const clang::Stmt *child = expr, *parent = parentOf(expr);
  while (parent) {
    if (llvm::isa<clang::CompoundStmt>(parent)) {
      const clang::Stmt *owner = parentOf(parent);
      // A label of a switch leads past the statements before it.
      if (llvm::isa_and_nonnull<clang::SwitchStmt>(owner))
        return nullptr;
      // do { ... } while (0), as macros have it, and { ... } alone.
      if (isOnce(owner))
        parent = owner;
      else if (!llvm::isa_and_nonnull<clang::CompoundStmt>(owner))
        return parent;
    } else if (!evaluatesAlways(parent, child) && !isOnce(parent)) {
      return nullptr;
    }
    child = parent;
    parent = parentOf(parent);
  }
  return nullptr;
}

bool StatementOrder::returns(const clang::Stmt *statement) {
  return statement &&
         (llvm::isa<clang::ReturnStmt, clang::GotoStmt>(statement) ||
          llvm::any_of(statement->children(), returns));
}

bool StatementOrder::isLoop(const clang::Stmt *statement) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                   clang::CXXForRangeStmt>(statement);
}

bool StatementOrder::isOnce(const clang::Stmt *statement) const {
  auto *loop = llvm::dyn_cast_or_null<clang::DoStmt>(statement);
  if (!loop || llvm::any_of(exits, [&](unsigned at) { return isIn(at, loop); }))
    return false;
  const clang::Expr *condition = loop->getCond()->IgnoreParenImpCasts();
  if (auto *boolean = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(condition))
    return !boolean->getValue();
  auto *number = llvm::dyn_cast<clang::IntegerLiteral>(condition);
  return number && number->getValue().isZero();
}

llvm::ArrayRef<const clang::ForStmt *>
StatementOrder::loopsStepping(const clang::VarDecl *variable) const {
  auto found = loops.find(variable);
  if (found == loops.end())
    return {};
  return found->second;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where what a variable holds comes from, statement by statement.
#include "FunctionWrites.h"

#include "AllCodeVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace auspex;

Origin
WrittenVariables::FunctionWrites::before(const clang::Stmt *place,
                                         const clang::VarDecl *variable,
                                         const VariablePart &part) const {
  Object object = {variable, part};
  return isTraceable(place, object) ? originBefore(place, object) : Origin();
}

Origin WrittenVariables::FunctionWrites::after(const clang::Stmt *place,
                                               const clang::VarDecl *variable,
                                               const VariablePart &part) const {
  Object object = {variable, part};
  return isTraceable(place, object) ? originAfter(place, object) : Origin();
}

Origin WrittenVariables::FunctionWrites::afterWay(
    const clang::SwitchStmt &choice, const SwitchWay &way,
    const clang::VarDecl *variable, const VariablePart &part) const {
  Object object = {variable, part};
  if (!isTraceable(&choice, object))
    return {};
  for (const clang::Stmt *statement : llvm::reverse(way.statements))
    if (mayWrite(statement, object))
      return originAfter(statement, object);
  return originBefore(&choice, object);
}

bool WrittenVariables::FunctionWrites::isTraceable(const clang::Stmt *place,
                                                   const Object &object) const {
  const clang::VarDecl *variable = object.variable;
  bool isHere = writes.declarations.contains(variable) ||
                llvm::isa<clang::ParmVarDecl>(variable);
  if (order.hasLabels() || !isHere || !order.contains(place) ||
      !variable->hasLocalStorage() ||
      (variable->getType()->isReferenceType() &&
       !llvm::isa<clang::ParmVarDecl>(variable)) ||
      writes.hasUnknownMember(variable, object.part))
    return false;
  return llvm::none_of(writes.unknownOf(variable), [&](Place write) {
    if (!write.part.overlaps(object.part))
      return false;
    return write.isLate || (write.isGiven && write.at <= order.end(place));
  });
}

/// The places of all writes of \p object there may be, its declaration too.
llvm::SmallVector<WrittenVariables::FunctionWrites::Span>
WrittenVariables::FunctionWrites::writesOf(const Object &object) const {
  llvm::SmallVector<Span> places;
  if (auto start = writes.declarations.find(object.variable);
      start != writes.declarations.end())
    places.push_back({start->second.begin, start->second.end});
  for (const Write &write : writes.knownOf(object.variable))
    if (write.touches(object.part))
      places.push_back({write.begin, write.end});
  for (const Place &place : writes.unknownOf(object.variable))
    if (place.part.overlaps(object.part))
      places.push_back({place.at, place.at});
  return places;
}

size_t
WrittenVariables::FunctionWrites::countWrites(const clang::Stmt *statement,
                                              const Object &object) const {
  return llvm::count_if(writesOf(object), [&](const Span &write) {
    return order.isIn(write.begin, statement);
  });
}

/// The last statement of \p block, in front of number \p end, that may write;
/// null if none may.
const clang::Stmt *
WrittenVariables::FunctionWrites::lastWriter(const clang::CompoundStmt &block,
                                             unsigned end,
                                             const Object &object) const {
  unsigned begin = order.begin(&block), last = begin;
  for (const Span &write : writesOf(object))
    if (write.end < end)
      last = std::max(last, write.end);
  if (last == begin)
    return nullptr;
  return *llvm::find_if(block.body(), [&](const clang::Stmt *child) {
    return order.isIn(last, child);
  });
}

/// Whether \p statement is a call, and all that writes in it is its function.
bool WrittenVariables::FunctionWrites::isWrittenByCall(
    const clang::Stmt *statement, const Object &object) const {
  return countWrites(statement, object) == 1 &&
         llvm::any_of(writes.knownOf(object.variable), [&](const Write &write) {
           return write.what.call == statement && write.touches(object.part);
         });
}

Origin
WrittenVariables::FunctionWrites::originBefore(const clang::Stmt *place,
                                               const Object &object) const {
  const clang::Stmt *parent = order.parentOf(place);
  if (!parent)
    return {llvm::isa<clang::ParmVarDecl>(object.variable) ? Origin::Given
                                                           : Origin::Unknown};
  if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(parent)) {
    const clang::Stmt *owner = order.parentOf(block);
    if (auto *choice = llvm::dyn_cast_or_null<clang::SwitchStmt>(owner))
      return originInSwitch(place, *choice, object);
    const clang::Stmt *last = lastWriter(*block, order.begin(place), object);
    return last ? originAfter(last, object) : originBefore(block, object);
  }
  if (StatementOrder::isLoop(parent))
    return originInLoop(place, parent, object);
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(parent);
  if (binary && binary->isCommaOp() && binary->getRHS() == place)
    return originAfter(binary->getLHS(), object);
  if (auto *declaration = llvm::dyn_cast<clang::DeclStmt>(parent);
      declaration && object.variable->getInit() != place &&
      mayWrite(declaration, object))
    return originOfDefinition(*declaration, object);
  // Of the parts of most expressions nobody knows which come first.
  bool writesLast =
      (binary && (binary->isAssignmentOp() || binary->isCommaOp())) ||
      isWrittenByCall(parent, object);
  auto mayComeBefore = [&](const clang::Stmt *part) {
    return part != place && mayWrite(part, object);
  };
  if (llvm::isa<clang::LambdaExpr>(parent) ||
      (llvm::isa<clang::Expr, clang::CXXTryStmt>(parent) && !writesLast &&
       llvm::any_of(parent->children(), mayComeBefore)))
    return {};
  if (auto *branch = llvm::dyn_cast<clang::IfStmt>(parent)) {
    if (mayComeBefore(branch->getInit()))
      return {};
    if (mayComeBefore(branch->getCond()))
      return originAfter(branch->getCond(), object);
  }
  return originBefore(parent, object);
}

/// A label leads past the statements before it, but where control falls through
/// to it from these.
Origin WrittenVariables::FunctionWrites::originInSwitch(
    const clang::Stmt *place, const clang::SwitchStmt &choice,
    const Object &object) const {
  auto body = llvm::cast<clang::CompoundStmt>(choice.getBody())->body();
  auto here = llvm::find(body, place);
  while (here != body.begin() && !llvm::isa<clang::SwitchCase>(*here))
    if (--here; mayWrite(*here, object))
      return originAfter(*here, object);
  while (here != body.begin() && !AllCodeVisitor::leaves(*std::prev(here)))
    if (--here; mayWrite(*here, object))
      return {};
  return mayWrite(choice.getInit(), object) ||
                 mayWrite(choice.getCond(), object)
             ? Origin()
             : originBefore(&choice, object);
}

static bool hasContinue(const clang::Stmt *statement) {
  return statement && !StatementOrder::isLoop(statement) &&
         !llvm::isa<clang::LambdaExpr>(statement) &&
         (llvm::isa<clang::ContinueStmt>(statement) ||
          llvm::any_of(statement->children(), hasContinue));
}

/// Whether \p loop ends behind what it has at number \p at: the block around
/// that ends with a break or a return.
static bool endsBehind(const StatementOrder &order, const clang::Stmt *loop,
                       unsigned at) {
  bool isInner = false;
  auto leavesLoop = [&](const clang::Stmt *last) {
    return AllCodeVisitor::leaves(last) &&
           !llvm::isa<clang::CompoundStmt, clang::SwitchCase>(last) &&
           !(isInner && llvm::isa<clang::BreakStmt>(last));
  };
  const clang::Stmt *statement = loop;
  while (statement && !llvm::isa<clang::LambdaExpr>(statement)) {
    auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement);
    if (block && !block->body_empty() && leavesLoop(block->body_back()) &&
        !hasContinue(block))
      return true;
    auto children = statement->children();
    auto child = llvm::find_if(children, [&](const clang::Stmt *part) {
      return part && order.contains(part) && order.isIn(at, part);
    });
    statement = child == children.end() ? nullptr : *child;
    isInner |= statement && (StatementOrder::isLoop(statement) ||
                             llvm::isa<clang::SwitchStmt>(statement));
  }
  return false;
}

/// Whether a round of \p loop may begin with what another one wrote.
bool WrittenVariables::FunctionWrites::isCarried(const clang::Stmt *loop,
                                                 const Object &object) const {
  return llvm::any_of(writesOf(object), [&](const Span &write) {
    return order.isIn(write.begin, loop) &&
           !endsBehind(order, loop, write.begin);
  });
}

Origin
WrittenVariables::FunctionWrites::originInLoop(const clang::Stmt *place,
                                               const clang::Stmt *loop,
                                               const Object &object) const {
  if (!isCarried(loop, object) || order.isOnce(loop))
    return originBefore(loop, object);
  auto *counting = llvm::dyn_cast<clang::ForStmt>(loop);
  auto *atEnd = llvm::dyn_cast<clang::DoStmt>(loop);
  if (counting && place == counting->getInit())
    return originBefore(loop, object);
  if (counting && place == counting->getInc())
    return originAfter(counting->getBody(), object);
  if (atEnd && place == atEnd->getCond())
    return originAfter(atEnd->getBody(), object);
  auto *whileLoop = llvm::dyn_cast<clang::WhileStmt>(loop);
  const clang::Stmt *first = counting    ? counting->getCond()
                             : whileLoop ? whileLoop->getCond()
                                         : nullptr;
  if (first && place != first && mayWrite(first, object))
    return originAfter(first, object);
  return {Origin::Rounds, loop};
}

Origin
WrittenVariables::FunctionWrites::originAfter(const clang::Stmt *place,
                                              const Object &object) const {
  if (!mayWrite(place, object))
    return originBefore(place, object);
  if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(place)) {
    unsigned end = order.end(block) + 1;
    return originAfter(lastWriter(*block, end, object), object);
  }
  if (auto *condition = llvm::dyn_cast<clang::IfStmt>(place))
    return mayWrite(condition->getInit(), object)
               ? Origin()
               : Origin{Origin::Branch, condition};
  if (auto *choice = llvm::dyn_cast<clang::SwitchStmt>(place))
    return mayWrite(choice->getInit(), object) ||
                   mayWrite(choice->getCond(), object)
               ? Origin()
               : Origin{Origin::Switch, choice};
  if (auto *label = llvm::dyn_cast<clang::SwitchCase>(place))
    return originAfter(label->getSubStmt(), object);
  // Who goes on has not been in a handler that leaves.
  if (auto *attempt = llvm::dyn_cast<clang::CXXTryStmt>(place)) {
    for (unsigned i = 0; i < attempt->getNumHandlers(); ++i)
      if (!AllCodeVisitor::leaves(attempt->getHandler(i)->getHandlerBlock()))
        return {};
    return originAfter(attempt->getTryBlock(), object);
  }
  if (order.isOnce(place))
    return originAfter(llvm::cast<clang::DoStmt>(place)->getBody(), object);
  if (StatementOrder::isLoop(place))
    return llvm::isa<clang::CXXForRangeStmt>(place)
               ? Origin()
               : Origin{Origin::Loop, place};
  if (auto *declaration = llvm::dyn_cast<clang::DeclStmt>(place))
    return originOfDefinition(*declaration, object);
  auto *expr = llvm::dyn_cast<clang::Expr>(place);
  return expr ? originOfExpression(expr, object) : Origin();
}

Origin WrittenVariables::FunctionWrites::originOfDefinition(
    const clang::DeclStmt &declaration, const Object &object) const {
  auto start = writes.declarations.find(object.variable);
  bool isOnlyWrite = start != writes.declarations.end() &&
                     countWrites(&declaration, object) == 1 &&
                     llvm::is_contained(declaration.decls(), object.variable);
  return isOnlyWrite ? Origin{Origin::Written, nullptr, start->second.what}
                     : Origin();
}

/// The ++ or -- of \p variable that always runs where \p expr does; null if
/// there is none.
static const clang::UnaryOperator *stepIn(const clang::Stmt *expr,
                                          const clang::VarDecl *variable) {
  if (!expr || llvm::isa<clang::LambdaExpr, clang::StmtExpr,
                         clang::AbstractConditionalOperator>(expr))
    return nullptr;
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr);
      unary && unary->isIncrementDecrementOp()) {
    auto *mention =
        llvm::dyn_cast<clang::DeclRefExpr>(unary->getSubExpr()->IgnoreParens());
    if (mention && mention->getDecl() == variable)
      return unary;
  }
  if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expr);
      binary && binary->isLogicalOp())
    return stepIn(binary->getLHS(), variable);
  for (const clang::Stmt *child : expr->children())
    if (const clang::UnaryOperator *step = stepIn(child, variable))
      return step;
  return nullptr;
}

/// Whether \p call, which may be null, is made wherever \p expr is evaluated.
bool WrittenVariables::FunctionWrites::isAlways(const clang::CallExpr *call,
                                                const clang::Expr *expr) const {
  const clang::Stmt *at = call;
  while (at && at != expr) {
    at = order.parentOf(at);
    if (!llvm::isa_and_nonnull<clang::CastExpr, clang::ParenExpr,
                               clang::UnaryOperator, clang::FullExpr>(at))
      return false;
  }
  return at != nullptr;
}

Origin WrittenVariables::FunctionWrites::originOfExpression(
    const clang::Expr *expr, const Object &object) const {
  expr = expr->IgnoreParens();
  if (auto *full = llvm::dyn_cast<clang::FullExpr>(expr))
    expr = full->getSubExpr()->IgnoreParens();
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expr);
  if (binary && binary->isCommaOp())
    return mayWrite(binary->getRHS(), object)
               ? originAfter(binary->getRHS(), object)
               : originAfter(binary->getLHS(), object);
  if (binary && binary->isLogicalOp() && !mayWrite(binary->getLHS(), object))
    return {Origin::Logical, binary};
  if (countWrites(expr, object) != 1)
    return {};
  for (const Write &write : writes.knownOf(object.variable)) {
    bool isAll = write.scope || isAlways(write.what.call, expr) ||
                 llvm::isa<clang::CXXOperatorCallExpr>(expr) ||
                 (binary && binary->isAssignmentOp());
    if (write.touches(object.part) && order.isIn(write.end, expr))
      return isAll && write.what.part.covers(object.part)
                 ? Origin{Origin::Written, nullptr, write.what}
                 : Origin();
  }
  const clang::Expr *stepped = nullptr;
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr))
    stepped = unary->isIncrementDecrementOp() ? unary->getSubExpr() : nullptr;
  else if (binary && binary->isCompoundAssignmentOp())
    stepped = binary->getLHS();
  VariablePart part;
  stepped = stepped ? stepped->IgnoreParens() : nullptr;
  while (auto *access = llvm::dyn_cast_or_null<clang::MemberExpr>(stepped)) {
    if (access->isArrow() || part.inner)
      return {};
    part.inner = part.member;
    part.member = llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl());
    stepped = access->getBase()->IgnoreParens();
  }
  // It is the only write, wherever it stands.
  if (!stepped && object.part.isWhole())
    if (const clang::UnaryOperator *step = stepIn(expr, object.variable))
      return {Origin::Stepped, step};
  auto *mention = llvm::dyn_cast_or_null<clang::DeclRefExpr>(stepped);
  return mention && part == object.part && mention->getDecl() == object.variable
             ? Origin{Origin::Stepped, expr}
             : Origin();
}

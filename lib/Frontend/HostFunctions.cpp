// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of the host return, and what they leave in the variables and
// objects that they are called for.
#include "HostEvaluator.h"
#include "StatementOrder.h"

using namespace auspex;
using llvm::APSInt;

/// What a function returns of which \p statements are left to run.
HostEvaluator::Value
HostEvaluator::returned(llvm::ArrayRef<const clang::Stmt *> statements,
                        Parts parts) {
  using Statements = llvm::SmallVector<const clang::Stmt *, 8>;
  auto goOnWith = [&](Statements all) {
    llvm::append_range(all, statements);
    return returned(all, parts);
  };
  while (!statements.empty()) {
    const clang::Stmt *statement = statements.consume_front();
    if (auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement))
      return evaluate(Place({result->getRetValue(), parts}, frame));
    if (!StatementOrder::returns(statement)) {
      if (AllCodeVisitor::leaves(statement))
        return {};
      continue;
    }
    if (StatementOrder::isLoop(statement) && isPassedBy(*statement))
      continue;
    if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
      return goOnWith(Statements(block->body()));
    if (auto *choice = llvm::dyn_cast<clang::SwitchStmt>(statement)) {
      std::optional<SwitchWay> way = wayTaken(*choice);
      return way ? goOnWith(Statements(way->statements)) : Value();
    }
    auto *branch = llvm::dyn_cast<clang::IfStmt>(statement);
    Value condition = branch ? evaluate(branch->getCond()) : Value();
    auto take = [&](const clang::Stmt *way) {
      return goOnWith(way ? Statements{way} : Statements());
    };
    if (auto *number = std::get_if<APSInt>(&condition))
      return take(number->getBoolValue() ? branch->getThen()
                                         : branch->getElse());
    if (!std::holds_alternative<Expr>(condition))
      return {};
    return either(condition, take(branch->getThen()), take(branch->getElse()));
  }
  return {};
}

/// What \p callee returns for the arguments of \p call.
HostEvaluator::Value HostEvaluator::inlined(const clang::CallExpr *call,
                                            const clang::FunctionDecl *callee,
                                            Parts parts) {
  callee = callee->getDefinition();
  if (!callee || callee->isWeak() || callee->isDependentContext())
    return {};
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  bool isCallOfLambda = method && method->getParent()->isLambda() &&
                        llvm::isa<clang::CXXOperatorCallExpr>(call);
  bool isCallOfMethod = method && !method->isVirtual() &&
                        llvm::isa<clang::CXXMemberCallExpr>(call);
  const clang::Stmt *body = callee->getBody();
  if (!body || orderIn(*callee).hasLabels() ||
      (method && !method->isStatic() && !isCallOfLambda && !isCallOfMethod))
    return {};
  Frame entered = {callee->getCanonicalDecl(), call, frame};
  return inFrame(&entered, [&] { return returned(body, parts); });
}

/// Whether \p body reaches its end, or returns before it has written
/// \p parameter: for want of a device, say, of which the caller launches
/// nothing.
bool HostEvaluator::writesUnlessItFails(const clang::CompoundStmt &body,
                                        const clang::ParmVarDecl *parameter) {
  bool isWritten = false;
  for (const clang::Stmt *statement : body.body()) {
    bool isEnd = statement == body.body_back() &&
                 llvm::isa<clang::ReturnStmt>(statement);
    isWritten |= llvm::is_contained(
        llvm::make_first_range(writes.writtenIn(statement, parameter)),
        parameter);
    if (!isEnd && isWritten && StatementOrder::returns(statement))
      return false;
  }
  return true;
}

/// What the method that \p write calls leaves in a member of its object, a
/// variable: what was there before where it does nothing.
HostEvaluator::Value HostEvaluator::writtenByMethod(const Definition &write,
                                                    Parts inMember) {
  auto *call = llvm::cast<clang::CXXMemberCallExpr>(write.call);
  auto *object = llvm::dyn_cast<clang::DeclRefExpr>(
      call->getImplicitObjectArgument()->IgnoreParenImpCasts());
  auto *variable =
      object ? llvm::dyn_cast<clang::VarDecl>(object->getDecl()) : nullptr;
  if (!variable)
    return {};
  llvm::SmallVector<VariablePart> parts{VariablePart{write.part.member}};
  llvm::append_range(parts, inMember);
  Frame &entered = constructors.emplace_back(
      Frame{call->getMethodDecl()->getCanonicalDecl(), call, frame});
  std::optional<MadeValue> made = madeIn(entered, parts);
  if (made && made->writes == 0)
    return from(writes.before(call, variable, VariablePart::first(parts)),
                variable, parts);
  return made && made->writes == 1 ? evaluate(placeOf(*made, entered, parts))
                                   : Value();
}

/// What the function that \p write calls leaves in the variable that it gets a
/// reference to, or the address of.
HostEvaluator::Value HostEvaluator::writtenBy(const Definition &write,
                                              Parts parts) {
  const clang::FunctionDecl *callee =
      write.call->getDirectCallee()->getDefinition();
  auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(callee->getBody());
  const clang::ParmVarDecl *parameter = callee->getParamDecl(write.output);
  if (!body || callee->isWeak() || !writesUnlessItFails(*body, parameter))
    return {};
  llvm::SmallVector<VariablePart> written(parts);
  if (parameter->getType()->isPointerType()) {
    if (written.empty())
      written.emplace_back();
    written.front().isPointee = true;
  }
  Frame entered = {callee->getCanonicalDecl(), write.call, frame};
  return inFrame(&entered, [&] {
    return from(writes.after(body, parameter, VariablePart::first(written)),
                parameter, written);
  });
}

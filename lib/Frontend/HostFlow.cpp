// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variables hold that several statements write, in branches and in loops,
// and what functions return that do so in several places.
#include "HostEvaluator.h"

using namespace auspex;
using llvm::APSInt;

/// Whether what stands behind \p statement does not run after it, be it that
/// the program ends.
static bool neverEnds(const clang::Stmt *statement) {
  if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return !block->body_empty() && neverEnds(block->body_back());
  auto *expr = llvm::dyn_cast<clang::Expr>(statement);
  auto *call =
      expr ? llvm::dyn_cast<clang::CallExpr>(expr->IgnoreImplicit()) : nullptr;
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return (callee && callee->isNoReturn()) || AllCodeVisitor::leaves(statement);
}

HostEvaluator::Value HostEvaluator::from(const Origin &origin,
                                         const clang::VarDecl *variable,
                                         const clang::FieldDecl *member) {
  if (steps == 0 || depth > 200)
    return {};
  --steps;
  ++depth;
  Value value = evaluateOrigin(origin, variable, member);
  --depth;
  return value;
}

HostEvaluator::Value
HostEvaluator::evaluateOrigin(const Origin &origin,
                              const clang::VarDecl *variable,
                              const clang::FieldDecl *member) {
  switch (origin.kind) {
  case Origin::Unknown:
    return {};
  case Origin::Given: {
    Value value = given(llvm::cast<clang::ParmVarDecl>(variable));
    return member ? side(value, member) : value;
  }
  case Origin::Written:
    return valueOf(origin.write, member);
  case Origin::Stepped: {
    Value old = from(writes.before(origin.statement, variable, {member}),
                     variable, member);
    return afterStep(llvm::cast<clang::Expr>(origin.statement), old);
  }
  case Origin::Branch:
    return afterBranch(*llvm::cast<clang::IfStmt>(origin.statement), variable,
                       member);
  case Origin::Loop: {
    auto state = goThrough(origin.statement, variable, [] { return true; });
    return state ? (*state)[{variable, member}] : Value();
  }
  case Origin::Rounds: {
    auto round = rounds.find(origin.statement);
    if (round == rounds.end())
      return inChosenRound(origin.statement, {variable, member});
    auto value = round->second.find({variable, member});
    return value == round->second.end() ? Value() : value->second;
  }
  }
  llvm_unreachable("all kinds are handled");
}

HostEvaluator::Value HostEvaluator::afterStep(const clang::Expr *step,
                                              const Value &old) {
  auto *assignment = llvm::dyn_cast<clang::BinaryOperator>(step);
  auto *number = std::get_if<APSInt>(&old);
  Value operand = assignment ? evaluate(assignment->getRHS()) : APSInt::get(1);
  if (number && std::holds_alternative<APSInt>(operand)) {
    std::optional<APSInt> next = nextStep(step, *number);
    return next ? Value(*next) : Value();
  }
  clang::BinaryOperatorKind kind =
      assignment ? clang::BinaryOperator::getOpForCompoundAssignment(
                       assignment->getOpcode())
      : llvm::cast<clang::UnaryOperator>(step)->isIncrementOp() ? clang::BO_Add
                                                                : clang::BO_Sub;
  return symbolic(kind, old, operand);
}

HostEvaluator::Value
HostEvaluator::afterBranch(const clang::IfStmt &statement,
                           const clang::VarDecl *variable,
                           const clang::FieldDecl *member) {
  auto after = [&](const clang::Stmt *branch) {
    return from(branch ? writes.after(branch, variable, {member})
                       : writes.before(&statement, variable, {member}),
                variable, member);
  };
  const clang::Stmt *yes = statement.getThen(), *no = statement.getElse();
  // Who goes on has not taken a branch that leaves.
  if (neverEnds(yes))
    return after(no);
  if (no && neverEnds(no))
    return after(yes);
  Value condition = evaluate(statement.getCond());
  if (auto *number = std::get_if<APSInt>(&condition))
    return after(number->getBoolValue() ? yes : no);
  return either(condition, after(yes), after(no));
}

/// Goes through the rounds of \p loop, with all that it writes, \p variable
/// too: what that holds afterwards, or before the round for which \p onRound is
/// false. Nothing if it is not known how many rounds there are.
std::optional<HostEvaluator::State>
HostEvaluator::goThrough(const clang::Stmt *loop,
                         const clang::VarDecl *variable,
                         llvm::function_ref<bool()> onRound) {
  constexpr unsigned MostRounds = 64;
  if (rounds.contains(loop))
    return std::nullopt;
  auto *counting = llvm::dyn_cast<clang::ForStmt>(loop);
  auto *atEnd = llvm::dyn_cast<clang::DoStmt>(loop);
  auto *whileLoop = llvm::dyn_cast<clang::WhileStmt>(loop);
  const clang::Expr *condition = counting ? counting->getCond()
                                 : atEnd  ? atEnd->getCond()
                                          : whileLoop->getCond();
  const clang::Stmt *last = counting ? counting->getInc()
                            : atEnd  ? atEnd->getBody()
                                     : whileLoop->getBody();
  if (!last)
    last = counting->getBody();
  State now;
  for (const auto &[part, written] : writes.writtenIn(loop, variable))
    if (!written.element) {
      bool hasStart = counting && counting->getInit();
      now[{part, written.member}] = from(
          hasStart ? writes.after(counting->getInit(), part, {written.member})
                   : writes.before(loop, part, {written.member}),
          part, written.member);
    }
  std::optional<bool> goesOn = true;
  bool isHere = false;
  for (unsigned round = 0; goesOn && *goesOn && !isHere; ++round) {
    rounds[loop] = now;
    kept.clear();
    std::optional<APSInt> value = number(condition);
    goesOn = value && round < MostRounds ? std::optional(value->getBoolValue())
                                         : std::nullopt;
    if (!goesOn || !(*goesOn || atEnd))
      continue;
    isHere = !onRound();
    if (!isHere)
      for (auto &[object, next] : now)
        next = from(writes.after(last, object.first, {object.second}),
                    object.first, object.second);
  }
  rounds.erase(loop);
  kept.clear();
  return goesOn ? std::optional(std::move(now)) : std::nullopt;
}

/// The rounds of \p loop as a choice, if they are known and few, and what \p
/// part is in each of them.
std::optional<Choice> HostEvaluator::roundsOf(const clang::Stmt *loop,
                                              Part part) {
  Choice choice{part.first, {}, loop};
  bool isKnown = true;
  auto after = goThrough(loop, part.first, [&] {
    isKnown &= !std::holds_alternative<std::monostate>(rounds[loop][part]);
    choice.values.push_back(static_cast<int64_t>(choice.values.size()));
    return isKnown;
  });
  bool isFew = !choice.values.empty() && choice.values.size() <= MostValues;
  return after && isKnown && isFew ? std::optional(choice) : std::nullopt;
}

/// What \p part is in the round of \p loop that is chosen with the variable
/// that the loop steps. If there is none, the round is left to choose.
HostEvaluator::Value HostEvaluator::inChosenRound(const clang::Stmt *loop,
                                                  Part part) {
  bool isChosen = false;
  auto state = goThrough(loop, part.first, [&] {
    return llvm::none_of(rounds[loop], [&](const auto &now) {
      auto chosen = supposition.chosen.find(now.first.first);
      if (now.first.second || chosen == supposition.chosen.end())
        return false;
      isChosen = true;
      auto *value = std::get_if<APSInt>(&now.second);
      return value && *value == chosen->second;
    });
  });
  if (isChosen)
    return state ? (*state)[part] : Value();
  if (!open && !frame)
    open = roundsOf(loop, part);
  return {};
}

/// Puts in what variables hold in the rounds that are supposed.
void HostEvaluator::enterRounds() {
  rounds.clear();
  for (const auto &[choice, number] : supposition.chosenRounds) {
    int64_t left = number;
    auto state =
        goThrough(choice.loop, choice.variable, [&] { return left-- > 0; });
    if (state)
      rounds[choice.loop] = std::move(*state);
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool returns(const clang::Stmt *statement) {
  return statement && (llvm::isa<clang::ReturnStmt>(statement) ||
                       llvm::any_of(statement->children(), returns));
}

/// What a function returns of which \p statements are left to run.
HostEvaluator::Value
HostEvaluator::returned(llvm::ArrayRef<const clang::Stmt *> statements) {
  using Statements = llvm::SmallVector<const clang::Stmt *, 8>;
  auto goOnWith = [&](Statements all) {
    llvm::append_range(all, statements);
    return returned(all);
  };
  while (!statements.empty()) {
    const clang::Stmt *statement = statements.consume_front();
    if (auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement))
      return evaluate(result->getRetValue());
    if (!returns(statement)) {
      if (neverEnds(statement))
        return {};
      continue;
    }
    if (auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
      return goOnWith(Statements(block->body()));
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
                                            const clang::FunctionDecl *callee) {
  callee = callee->getDefinition();
  if (!callee || callee->isWeak() || callee->isDependentContext())
    return {};
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  bool isLambda = method && method->getParent()->isLambda() &&
                  llvm::isa<clang::CXXOperatorCallExpr>(call);
  const clang::Stmt *body = callee->getBody();
  if (!body || (method && !method->isStatic() && !isLambda))
    return {};
  Frame entered = {callee};
  for (unsigned i = 0; i < callee->getNumParams(); ++i)
    entered.parameters[callee->getParamDecl(i)] =
        evaluate(argumentFor(*call, i));
  // What this call's variables hold, another one's do not.
  auto outerKept = std::exchange(kept, decltype(kept)());
  auto outerRounds = std::exchange(rounds, decltype(rounds)());
  const Frame *outer = std::exchange(frame, &entered);
  Value value = returned(body);
  frame = outer;
  kept = std::move(outerKept);
  rounds = std::move(outerRounds);
  return value;
}

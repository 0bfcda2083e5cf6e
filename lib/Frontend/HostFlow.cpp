// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variables hold that several statements write, in branches and in loops.
#include "HostEvaluator.h"
#include "StatementOrder.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace auspex;
using llvm::APSInt;

HostEvaluator::Value HostEvaluator::from(const Origin &origin,
                                         const clang::VarDecl *variable,
                                         Parts parts) {
  if (steps == 0 || depth > 200)
    return {};
  --steps;
  ++depth;
  Value value = evaluateOrigin(origin, variable, parts);
  --depth;
  return value;
}

/// Of parts of a variable in \p state.
HostEvaluator::Value HostEvaluator::inState(const State &state,
                                            const clang::VarDecl *variable,
                                            Parts parts) {
  auto found = state.find({variable, VariablePart::first(parts).member});
  if (found == state.end() || VariablePart::first(parts).element)
    return {};
  return parts.size() > 1 ? side(found->second, parts[1].member)
                          : found->second;
}

HostEvaluator::Value
HostEvaluator::evaluateOrigin(const Origin &origin,
                              const clang::VarDecl *variable, Parts parts) {
  switch (origin.kind) {
  case Origin::Unknown:
    return {};
  case Origin::Given:
    return given(llvm::cast<clang::ParmVarDecl>(variable), parts);
  case Origin::Written:
    return valueOf(origin.write, parts);
  case Origin::Stepped: {
    Value old = from(
        writes.before(origin.statement, variable, VariablePart::first(parts)),
        variable, parts);
    return afterStep(llvm::cast<clang::Expr>(origin.statement), old);
  }
  case Origin::Branch:
    return afterBranch(*llvm::cast<clang::IfStmt>(origin.statement), variable,
                       parts);
  case Origin::Logical: {
    auto *binary = llvm::cast<clang::BinaryOperator>(origin.statement);
    std::optional<APSInt> left = number(binary->getLHS());
    if (!left)
      return {};
    bool decides =
        left->getBoolValue() == (binary->getOpcode() == clang::BO_LOr);
    VariablePart part = VariablePart::first(parts);
    return from(decides ? writes.before(binary, variable, part)
                        : writes.after(binary->getRHS(), variable, part),
                variable, parts);
  }
  case Origin::Switch:
    return afterSwitch(*llvm::cast<clang::SwitchStmt>(origin.statement),
                       variable, parts);
  case Origin::Loop: {
    if (VariablePart::first(parts).element)
      return filledBy(origin.statement, variable, parts);
    // Nobody is behind a loop that returned.
    bool mayReturn = StatementOrder::returns(origin.statement), hasRun = false;
    bool isOutermost = frame->rounds.empty();
    auto known = frame->afterLoops.find(origin.statement);
    if (isOutermost && !mayReturn && known != frame->afterLoops.end() &&
        known->second)
      return inState(*known->second, variable, parts);
    auto state = goThrough(origin.statement, variable, [&](bool breaksOff) {
      hasRun |= !breaksOff;
      return breaksOff || !mayReturn;
    });
    if (!state || (hasRun && mayReturn))
      return {};
    if (isOutermost && !mayReturn)
      frame->afterLoops[origin.statement] = state;
    return inState(*state, variable, parts);
  }
  case Origin::Rounds: {
    auto round = frame->rounds.find(origin.statement);
    if (round != frame->rounds.end())
      return inState(round->second, variable, parts);
    return parts.size() > 1
               ? Value()
               : inChosenRound(origin.statement,
                               {variable, VariablePart::first(parts).member});
  }
  }
  llvm_unreachable("all kinds are handled");
}

/// What \p loop leaves in an element of \p array: `x[i] = value;` in each
/// round.
HostEvaluator::Value HostEvaluator::filledBy(const clang::Stmt *loop,
                                             const clang::VarDecl *array,
                                             Parts parts) {
  const clang::BinaryOperator *fill = writes.filling(loop, array);
  if (!fill || StatementOrder::returns(loop))
    return {};
  auto *element =
      llvm::cast<clang::ArraySubscriptExpr>(fill->getLHS()->IgnoreParens());
  std::optional<Value> last;
  bool isKnown = true;
  auto state = goThrough(loop, array, [&](bool breaksOff) {
    std::optional<APSInt> index = number(element->getIdx());
    isKnown &= index && index->isNonNegative() && !breaksOff;
    if (isKnown && index->getLimitedValue() == *parts.front().element)
      last = evaluate(Place({fill->getRHS(), parts.drop_front()}, frame));
    return isKnown;
  });
  if (!state || !isKnown)
    return {};
  return last ? *last
              : from(writes.before(loop, array, VariablePart::first(parts)),
                     array, parts);
}

HostEvaluator::Value HostEvaluator::afterStep(const clang::Expr *step,
                                              const Value &old) {
  auto *assignment = llvm::dyn_cast<clang::BinaryOperator>(step);
  auto *number = std::get_if<APSInt>(&old);
  Value operand = assignment ? evaluate(assignment->getRHS()) : APSInt::get(1);
  if (std::holds_alternative<ProgramArguments>(old)) {
    clang::BinaryOperatorKind kind =
        assignment ? clang::BinaryOperator::getOpForCompoundAssignment(
                         assignment->getOpcode())
        : llvm::cast<clang::UnaryOperator>(step)->isIncrementOp()
            ? clang::BO_Add
            : clang::BO_Sub;
    return ofProgramArguments(kind, old, operand, step->getType());
  }
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

HostEvaluator::Value HostEvaluator::afterBranch(const clang::IfStmt &statement,
                                                const clang::VarDecl *variable,
                                                Parts parts) {
  auto after = [&](const clang::Stmt *branch) {
    return from(branch
                    ? writes.after(branch, variable, VariablePart::first(parts))
                    : writes.after(statement.getCond(), variable,
                                   VariablePart::first(parts)),
                variable, parts);
  };
  const clang::Stmt *yes = statement.getThen(), *no = statement.getElse();
  // Who goes on has not taken a branch that leaves.
  if (AllCodeVisitor::leaves(yes))
    return after(no);
  if (no && AllCodeVisitor::leaves(no))
    return after(yes);
  Value condition = evaluate(statement.getCond());
  if (auto *number = std::get_if<APSInt>(&condition))
    return after(number->getBoolValue() ? yes : no);
  return either(condition, after(yes), after(no));
}

/// The way through \p choice that is taken, without statements if no label is
/// the value's; none if that is not known.
std::optional<SwitchWay>
HostEvaluator::wayTaken(const clang::SwitchStmt &choice) {
  auto ways = waysOf(choice);
  std::optional<APSInt> value = ways ? number(choice.getCond()) : std::nullopt;
  if (!value)
    return std::nullopt;
  for (const SwitchWay &way : *ways)
    for (const clang::SwitchCase *label : way.labels)
      if (auto *one = llvm::dyn_cast<clang::CaseStmt>(label)) {
        std::optional<APSInt> of = number(one->getLHS());
        if (!of)
          return std::nullopt;
        if (APSInt::isSameValue(*of, *value))
          return way;
      }
  for (const SwitchWay &way : *ways)
    if (way.isDefault())
      return way;
  return SwitchWay();
}

HostEvaluator::Value HostEvaluator::afterSwitch(const clang::SwitchStmt &choice,
                                                const clang::VarDecl *variable,
                                                Parts parts) {
  std::optional<SwitchWay> way = wayTaken(choice);
  if (!way || way->leaves)
    return {};
  return from(
      writes.afterWay(choice, *way, variable, VariablePart::first(parts)),
      variable, parts);
}

/// Whether \p statement, in the body of a loop, may end the round or the loop.
static bool endsRound(const clang::Stmt *statement) {
  if (!statement || llvm::isa<clang::LambdaExpr>(statement) ||
      StatementOrder::isLoop(statement))
    return false;
  return llvm::isa<clang::BreakStmt, clang::ContinueStmt>(statement) ||
         llvm::any_of(statement->children(), endsRound);
}

/// Whether \p statement has an operator that writes; of steps, `n--`, if they
/// are \p counted.
static bool mayAssign(const clang::Stmt *statement, bool areStepsCounted) {
  if (!statement)
    return false;
  auto *unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
  return (areStepsCounted && unary && unary->isIncrementDecrementOp()) ||
         (binary && binary->isAssignmentOp()) ||
         llvm::any_of(statement->children(), [&](const clang::Stmt *child) {
           return mayAssign(child, areStepsCounted);
         });
}

/// Calls \p use for each variable that operators in \p statement write.
static void forEachAssigned(const clang::Stmt *statement,
                            llvm::function_ref<void(const clang::Decl *)> use) {
  if (!statement)
    return;
  auto *unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
  const clang::Expr *target =
      unary && unary->isIncrementDecrementOp() ? unary->getSubExpr()
      : binary && binary->isAssignmentOp()     ? binary->getLHS()
                                               : nullptr;
  if (auto *mention = llvm::dyn_cast_or_null<clang::DeclRefExpr>(
          target ? target->IgnoreParens() : nullptr))
    use(mention->getDecl());
  for (const clang::Stmt *child : statement->children())
    forEachAssigned(child, use);
}

/// Whether \p loop, with \p state in front of it, has no round; what \p
/// condition writes is not known then.
bool HostEvaluator::neverRuns(const clang::Stmt *loop,
                              const clang::Expr *condition, State &state) {
  frame->rounds[loop] = state;
  forgetKept();
  std::optional<APSInt> value = number(condition);
  frame->rounds.erase(loop);
  forgetKept();
  if (!value || value->getBoolValue())
    return false;
  forEachAssigned(condition, [&](const clang::Decl *assigned) {
    state.remove_if(
        [&](const auto &entry) { return entry.first.first == assigned; });
  });
  return true;
}

/// Which `if (condition) break;` ends the round of a loop with \p body that is
/// gone through, before anything may return; null if the round comes to its
/// end. None if that is not known.
std::optional<const clang::Stmt *>
HostEvaluator::breakTaken(const clang::Stmt *body) {
  if (!endsRound(body))
    return nullptr;
  auto *block = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (!block)
    return std::nullopt;
  bool mayReturn = false;
  for (const clang::Stmt *statement : block->body()) {
    mayReturn |= StatementOrder::returns(statement);
    if (!endsRound(statement))
      continue;
    auto *branch = llvm::dyn_cast<clang::IfStmt>(statement);
    std::optional<APSInt> condition =
        branch && !branch->getElse() ? number(branch->getCond()) : std::nullopt;
    if (!condition)
      return std::nullopt;
    if (!condition->getBoolValue())
      continue;
    const clang::Stmt *last = branch->getThen();
    if (auto *then = llvm::dyn_cast<clang::CompoundStmt>(last)) {
      if (then->body_empty() ||
          llvm::any_of(llvm::drop_end(then->body()), endsRound))
        return std::nullopt;
      last = then->body_back();
    }
    return llvm::isa<clang::BreakStmt>(last) && !mayReturn ? std::optional(last)
                                                           : std::nullopt;
  }
  return nullptr;
}

/// Goes through the rounds of \p loop, with all that it writes, \p variable
/// too: what that holds afterwards, or before the round for which \p onRound is
/// false; that is asked whether a break ends it. Nothing if it is not known how
/// many rounds there are.
std::optional<HostEvaluator::State>
HostEvaluator::goThrough(const clang::Stmt *loop,
                         const clang::VarDecl *variable,
                         llvm::function_ref<bool(bool)> onRound) {
  constexpr unsigned MostRounds = 1024;
  auto *counting = llvm::dyn_cast<clang::ForStmt>(loop);
  auto *atEnd = llvm::dyn_cast<clang::DoStmt>(loop);
  auto *whileLoop = llvm::dyn_cast<clang::WhileStmt>(loop);
  bool isOutermost = frame->rounds.empty();
  const unsigned before = steps;
  if (frame->rounds.contains(loop) || !(counting || atEnd || whileLoop))
    return std::nullopt;
  if (auto known = frame->afterLoops.find(loop);
      isOutermost && known != frame->afterLoops.end() && !known->second)
    return std::nullopt;
  const clang::Expr *condition = counting ? counting->getCond()
                                 : atEnd  ? atEnd->getCond()
                                          : whileLoop->getCond();
  const clang::Stmt *body = counting ? counting->getBody()
                            : atEnd  ? atEnd->getBody()
                                     : whileLoop->getBody();
  if (!condition && !counting)
    return std::nullopt;
  const clang::Stmt *last = counting ? counting->getInc()
                            : atEnd  ? atEnd->getBody()
                                     : whileLoop->getBody();
  if (!last)
    last = counting->getBody();
  auto evaluatePart = [&](const Origin &origin, Part part) {
    VariablePart member = {part.second};
    member.isPointee = part.first->getType()->isPointerType();
    return from(origin, part.first, part.second ? Parts(member) : Parts());
  };
  State now;
  for (const auto &[object, written] : writes.writtenIn(loop, variable))
    if (!written.element && !written.inner) {
      bool hasStart = counting && counting->getInit();
      Part part = {object, written.member};
      now[part] = evaluatePart(
          hasStart ? writes.after(counting->getInit(), object, written)
                   : writes.before(loop, object, written),
          part);
    }
  if (condition && !atEnd && neverRuns(loop, condition, now))
    return now;
  // What a condition writes is not gone through, but for steps before a round.
  if (mayAssign(condition, /*areStepsCounted=*/atEnd != nullptr))
    return std::nullopt;
  std::optional<bool> goesOn = true;
  bool isHere = false;
  for (unsigned round = 0; goesOn && *goesOn && !isHere; ++round) {
    frame->rounds[loop] = now;
    forgetKept();
    std::optional<APSInt> value =
        condition ? number(condition) : APSInt::get(1);
    goesOn = value && round < MostRounds ? std::optional(value->getBoolValue())
                                         : std::nullopt;
    if (!goesOn)
      continue;
    if (!*goesOn && !atEnd) {
      // A condition that does not hold has stepped all the same.
      forEachAssigned(condition, [&](const clang::Decl *assigned) {
        for (auto &[object, next] : now)
          if (object.first == assigned)
            next = evaluatePart(
                writes.after(condition, object.first, {object.second}), object);
      });
      continue;
    }
    std::optional<const clang::Stmt *> end = breakTaken(body);
    if (!end) {
      goesOn.reset();
      continue;
    }
    isHere = !onRound(*end != nullptr);
    if (!isHere)
      for (auto &[object, next] : now)
        next = evaluatePart(
            *end ? writes.before(*end, object.first, {object.second})
                 : writes.after(last, object.first, {object.second}),
            object);
    if (*end)
      goesOn = false;
  }
  frame->rounds.erase(loop);
  forgetKept();
  if (goesOn)
    return now;
  // What was left of the steps may have been too little for a short loop.
  if (isOutermost && (steps > 0 || before > MostSteps / 2))
    frame->afterLoops[loop] = std::nullopt;
  return std::nullopt;
}

/// A variable of a function that \p expr mentions; null if there is none.
static const clang::VarDecl *localIn(const clang::Stmt *expr) {
  if (!expr)
    return nullptr;
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (variable && variable->hasLocalStorage())
    return variable;
  for (const clang::Stmt *part : expr->children())
    if (const clang::VarDecl *found = localIn(part))
      return found;
  return nullptr;
}

bool HostEvaluator::runsOnce(const clang::Stmt &loop) {
  auto *counting = llvm::dyn_cast<clang::ForStmt>(&loop);
  const clang::VarDecl *variable =
      counting ? localIn(counting->getCond()) : nullptr;
  if (!variable)
    return false;
  llvm::SaveAndRestore asked(askedForArguments);
  grantSteps();
  unsigned rounds = 0;
  auto state = inFrame(frameOf(variable), [&] {
    return goThrough(&loop, variable, [&](bool) { return ++rounds < 2; });
  });
  return state && rounds < 2;
}

/// Whether \p loop, of the frame that is evaluated, has no round.
bool HostEvaluator::isPassedBy(const clang::Stmt &loop) {
  auto *counting = llvm::dyn_cast<clang::ForStmt>(&loop);
  const clang::VarDecl *variable =
      counting ? localIn(counting->getCond()) : nullptr;
  bool hasRound = false;
  return variable &&
         goThrough(&loop, variable,
                   [&](bool) {
                     hasRound = true;
                     return false;
                   }) &&
         !hasRound;
}

/// Whether \p statement, of the frame that is evaluated, is a loop without a
/// round or a branch that is not taken.
bool HostEvaluator::doesNothing(const clang::Stmt &statement) {
  if (StatementOrder::isLoop(&statement))
    return isPassedBy(statement);
  auto *branch = llvm::dyn_cast<clang::IfStmt>(&statement);
  std::optional<APSInt> condition =
      branch && !branch->getElse() ? number(branch->getCond()) : std::nullopt;
  return condition && !condition->getBoolValue();
}

/// The rounds of \p loop as a choice, if they are known, and what \p part is in
/// each of them.
std::optional<Choice> HostEvaluator::roundsOf(const clang::Stmt *loop,
                                              Part part) {
  Choice choice{part.first, {}, loop};
  bool isKnown = true;
  auto after = goThrough(loop, part.first, [&](bool) {
    isKnown &=
        !std::holds_alternative<std::monostate>(frame->rounds[loop][part]);
    choice.values.push_back(static_cast<int64_t>(choice.values.size()));
    return isKnown;
  });
  if (!after || !isKnown)
    return std::nullopt;
  return choice;
}

/// What \p part is in the round of \p loop that is chosen with the variable
/// that the loop steps. If there is none, the round is left to choose.
HostEvaluator::Value HostEvaluator::inChosenRound(const clang::Stmt *loop,
                                                  Part part) {
  auto isChosen = [&](const auto &held) {
    const auto &[object, value] = held;
    auto chosen = supposition.chosen.find(object.first);
    auto *number = std::get_if<APSInt>(&value);
    return !object.second && chosen != supposition.chosen.end() && number &&
           *number == chosen->second;
  };
  bool mayBeChosen = llvm::any_of(
      writes.writtenIn(loop, part.first), [&](const auto &written) {
        return supposition.chosen.contains(written.first);
      });
  bool isFound = false;
  std::optional<State> state;
  if (mayBeChosen)
    state = goThrough(loop, part.first, [&](bool) {
      isFound = llvm::any_of(frame->rounds[loop], isChosen);
      return !isFound;
    });
  if (isFound)
    return state ? (*state)[part] : Value();
  bool isCalled = frame->function && !frame->isOnPath;
  if (open || isCalled)
    return {};
  // What the rounds begin with may be left to choose by a loop around them.
  std::optional<Choice> rounds = roundsOf(loop, part);
  if (!open)
    open = std::move(rounds);
  return {};
}

/// Puts in what variables hold in the rounds that are supposed.
void HostEvaluator::enterRounds() {
  for (const auto &[choice, number] : supposition.chosenRounds) {
    Frame *around = frameOf(choice.variable);
    int64_t left = number;
    auto state = inFrame(around, [&] {
      return goThrough(choice.loop, choice.variable,
                       [&](bool) { return left-- > 0; });
    });
    if (state)
      around->rounds[choice.loop] = std::move(*state);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is taken for granted of variables, what they are copies of, and what the
// source leaves open.
#include "HostEvaluator.h"

#include "LibraryCalls.h"
#include "PragmaLaunches.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace auspex;
using llvm::APSInt;

void HostEvaluator::suppose(Supposition newSupposition) {
  supposition = std::move(newSupposition);
  constructors.clear();
  path.clear();
  outermost = Frame();
  frame = &outermost;
  way.clear();
  for (const auto &[function, call] : supposition.path) {
    way.push_back({call->site(), frame});
    frame = &path.emplace_back(
        Frame{function, call->expr, frame, /*isOnPath=*/true});
  }
  way.push_back({supposition.site, frame});
  asked = nullptr;
  open.reset();
  grantSteps();
  enterRounds();
}

std::optional<VariableVersion> HostEvaluator::version(const HostPlace &place) {
  if (place.parts.size() > 1)
    return std::nullopt;
  const clang::Expr *expr = place.expr->IgnoreParenImpCasts();
  const clang::FieldDecl *field =
      place.parts.empty() ? nullptr : place.parts.front().member;
  auto *member = llvm::dyn_cast<clang::MemberExpr>(expr);
  if (member && !field) {
    field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!field || member->isArrow())
      return std::nullopt;
    expr = member->getBase()->IgnoreParenImpCasts();
  }
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  return mention ? writes.version(mention, field) : std::nullopt;
}

HostEvaluator::Value HostEvaluator::found(const clang::Expr *expr) {
  if (supposition.found.empty() || !expr->getType()->isIntegerType())
    return {};
  std::optional<VariableVersion> version = this->version(expr);
  if (!version)
    return {};
  for (const auto &[known, value] : supposition.found)
    if (known == *version)
      return value.isConstant()
                 ? number(llvm::APInt(64, *value.constant(), /*isSigned=*/true),
                          expr->getType())
                 : Value(value);
  return {};
}

bool HostEvaluator::isRuledOut(const Condition &condition) {
  grantSteps();
  return onWay(wayTo(condition), [&] { return holds(condition) == false; });
}

/// The way to where \p condition, of a place on the way, is asked: what is
/// written between that and the place came later.
HostEvaluator::Way HostEvaluator::wayTo(const Condition &condition) const {
  for (size_t i = way.size(); i-- > 0 && condition.value;) {
    const Site &place = way[i].site;
    auto asked = llvm::find(place.conditions, condition);
    if (asked == place.conditions.end())
      continue;
    Way result(way.begin(), way.begin() + i);
    result.push_back(
        {{condition.value, place.function, {place.conditions.begin(), asked}},
         way[i].frame});
    return result;
  }
  return way;
}

/// None if that is not known.
std::optional<bool> HostEvaluator::holds(const Condition &condition) {
  if (condition.function) {
    Value value = evaluate(condition.value);
    auto *called = std::get_if<const clang::FunctionDecl *>(&value);
    return called ? std::optional((*called)->getCanonicalDecl() ==
                                  condition.function)
                  : std::nullopt;
  }
  std::optional<APSInt> value =
      condition.value ? number(condition.value) : std::nullopt;
  if (!value)
    return std::nullopt;
  if (condition.cases.empty())
    return value->getBoolValue() == condition.holds;
  bool isOne = llvm::any_of(condition.cases, [&](const clang::Expr *expr) {
    std::optional<APSInt> one = number(expr);
    return one && APSInt::isSameValue(*value, *one);
  });
  return isOne == condition.holds;
}

std::vector<std::pair<VariableVersion, Expr>>
HostEvaluator::consequences(const Condition &condition) {
  if (!condition.value || !condition.holds)
    return {};
  const clang::Expr *variable = condition.value, *value = nullptr;
  auto *comparison = llvm::dyn_cast<clang::BinaryOperator>(
      condition.value->IgnoreParenImpCasts());
  if (condition.cases.size() == 1) {
    value = condition.cases.front();
  } else if (condition.cases.empty() && comparison &&
             comparison->getOpcode() == clang::BO_EQ) {
    variable = comparison->getLHS();
    value = comparison->getRHS();
  }
  // What the source says of the variable counts.
  open.reset();
  for (Frame *known = frame; known; known = known->outer)
    known->afterLoops.clear();
  if (!value || integer(variable) || open)
    return {};
  std::vector<std::pair<VariableVersion, Expr>> found;
  if (std::optional<int64_t> known = integer(value))
    for (const VariableVersion &version : variables(variable))
      found.emplace_back(version, Expr(*known));
  return found;
}

std::vector<VariableVersion> HostEvaluator::variables(const HostPlace &place) {
  std::vector<VariableVersion> result;
  constexpr size_t MostCopies = 16;
  Place copy = resolve(Place(place, frame));
  while (copy.expr && copy.frame && result.size() < MostCopies) {
    std::optional<VariableVersion> version = this->version(copy);
    if (!version)
      break;
    result.push_back(*version);
    const clang::VarDecl *variable = version->variable;
    if (version->member || !writes.keepsItsValue(variable))
      break;
    auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    Frame *around = inFrame(copy.frame, [&] { return frameOf(variable); });
    copy = parameter ? Place(argument(*around, parameter), around->outer)
                     : Place(variable->getInit(), around);
  }
  return result;
}

/// Whether it, or a side of it, is not known.
bool HostEvaluator::isOpen(const Value &value) {
  auto isUnknown = [](const auto &value) {
    return std::holds_alternative<std::monostate>(value);
  };
  auto *sides = std::get_if<Sides>(&value);
  return sides ? llvm::any_of(*sides, isUnknown) : isUnknown(value);
}

/// Where the value of \p place, which is not known, comes from: a part of the
/// expression that is not known either, or what a variable was last given. None
/// if the source says no more.
std::optional<HostEvaluator::Place>
HostEvaluator::openBehind(const Place &place) {
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(place.expr->IgnoreParenImpCasts());
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (variable) {
    Frame *around = frameOf(variable);
    if (auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable))
      return Place(argument(*around, parameter), around->outer);
    if (const clang::Expr *value = unchangingValue(variable))
      return Place(value, around);
    std::optional<Definition> definition = writes.definition(mention, {});
    return definition && definition->value
               ? std::optional(Place(definition->value, around))
               : std::nullopt;
  }
  if (auto *access = llvm::dyn_cast<clang::MemberExpr>(
          place.expr->IgnoreParenImpCasts())) {
    std::optional<Place> member = objectOf(*access);
    if (member)
      member = resolve(std::move(*member));
    return member && member->parts.empty() ? member : std::nullopt;
  }
  for (const clang::Stmt *child : place.expr->children())
    if (auto *part = llvm::dyn_cast_or_null<clang::Expr>(child);
        part && !part->getType()->isFunctionType() &&
        !part->getType()->isPointerType() && isOpen(evaluate(part)))
      return Place(part, frame);
  return std::nullopt;
}

/// The list of the loop over one that defines the variable that \p expr is;
/// null if it is none.
const clang::Expr *HostEvaluator::listGoneThrough(const clang::Expr &expr) {
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(expr.IgnoreParenImpCasts());
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  const clang::CXXForRangeStmt *loop = variable && variable->isLocalVarDecl()
                                           ? writes.rangeLoop(variable)
                                           : nullptr;
  return loop ? loop->getRangeInit() : nullptr;
}

std::string HostEvaluator::openPart(const HostPlace &place) {
  constexpr unsigned MostSteps = 32;
  constexpr size_t MostLetters = 40;
  if (!place.expr || !isOpen(ask(place)))
    return "";
  Place open = resolve(Place(place, frame));
  const clang::Expr *last = nullptr;
  for (unsigned left = MostSteps; open.expr && open.frame && left; --left) {
    last = open.expr;
    if (const clang::Expr *list = listGoneThrough(*last)) {
      last = list;
      break;
    }
    auto behind = inFrame(open.frame, [&] { return openBehind(open); });
    if (!behind)
      break;
    open = std::move(*behind);
  }
  if (!last)
    return "";
  last = last->IgnoreImplicit();
  const clang::SourceManager &sources = context.getSourceManager();
  auto textOf = [&](const clang::Expr *expr) {
    clang::CharSourceRange range =
        sources.getExpansionRange(expr->getSourceRange());
    return clang::Lexer::getSourceText(range, sources, context.getLangOpts())
        .str();
  };
  auto isLong = [](llvm::StringRef text) {
    return text.size() > MostLetters || text.contains('\n');
  };
  std::string text = textOf(last);
  auto *call = llvm::dyn_cast<clang::CallExpr>(last);
  if (call && isLong(text))
    text = textOf(call->getCallee()) + "(...)";
  SourceLocation at = sourceLocation(sources, last->getBeginLoc());
  if (text.empty() || isLong(text))
    return "";
  return text + " at line " + std::to_string(at.line);
}

std::optional<int64_t> HostEvaluator::objectInBytes(const HostPlace &place) {
  Value value = ask(place);
  auto *allocation = std::get_if<Allocation>(&value);
  return allocation ? allocation->bytes.tryExtValue() : std::nullopt;
}

bool HostEvaluator::isInHostMemory(const HostPlace &place) {
  Value value = ask(place);
  auto *allocation = std::get_if<Allocation>(&value);
  auto *call = allocation ? llvm::dyn_cast<clang::CallExpr>(allocation->origin)
                          : nullptr;
  return call && allocatesOnHost(*call);
}

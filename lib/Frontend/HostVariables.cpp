// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variables, parameters and elements of lists hold, and what is supposed
// of them.
#include "HostArithmetic.h"
#include "HostEvaluator.h"

#include "LibraryCalls.h"
#include "PragmaLaunches.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
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
  for (const auto &[function, call] : supposition.path)
    frame = &path.emplace_back(
        Frame{function, call->expr, frame, /*isOnPath=*/true});
  asked = nullptr;
  open.reset();
  grantSteps();
  enterRounds();
}

/// What is known may change.
void HostEvaluator::forgetKept() {
  for (Frame *known = frame; known; known = known->outer)
    known->kept.clear();
}

//===----------------------------------------------------------------------===//
// Mentions
//===----------------------------------------------------------------------===//

HostEvaluator::Value
HostEvaluator::mention(const clang::ValueDecl *declaration) {
  if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
    return function;
  auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (!variable)
    return {};
  return inFrame(frameOf(variable), [&] {
    // A variable met again while its initial value is evaluated is unknown.
    auto [entry, isNew] = frame->kept.try_emplace(variable);
    if (!isNew)
      return entry->second;
    Value value;
    auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    if (parameter)
      value = writes.keepsItsValue(parameter) ? given(parameter, {}) : Value();
    else if (const clang::Expr *unchanging = unchangingValue(variable))
      value = evaluate(unchanging);
    else
      value = keptValue(variable);
    return frame->kept[variable] = value;
  });
}

/// Of the calls that are evaluated and those on the path the innermost of the
/// function that \p variable belongs to; else the outermost frame.
HostEvaluator::Frame *HostEvaluator::frameOf(const clang::VarDecl *variable) {
  auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(
      variable->getParentFunctionOrMethod());
  function = function ? function->getCanonicalDecl() : nullptr;
  Frame *around = frame;
  while (around->function != function && around->outer)
    around = around->outer;
  if (around->function == function || !function)
    return around;
  auto onPath = llvm::find_if(llvm::reverse(path), [&](const Frame &entered) {
    return entered.function == function;
  });
  return onPath == path.rend() ? &outermost : &*onPath;
}

/// What the call that \p frame is of gives for \p parameter; null if there is
/// no such call.
const clang::Expr *
HostEvaluator::argument(const Frame &frame,
                        const clang::ParmVarDecl *parameter) {
  unsigned index = parameter->getFunctionScopeIndex();
  if (auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(frame.call))
    return argumentFor(*call, index);
  auto *construction =
      llvm::dyn_cast_or_null<clang::CXXConstructExpr>(frame.call);
  return construction && index < construction->getNumArgs()
             ? construction->getArg(index)
             : nullptr;
}

/// The variable that \p expr, or its address, is or is a part of; null if it is
/// none.
static const clang::VarDecl *variableOf(const clang::Expr *expr) {
  while (expr) {
    expr = expr->IgnoreParenCasts();
    auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr);
    if (unary && unary->getOpcode() == clang::UO_AddrOf)
      expr = unary->getSubExpr();
    else if (auto *access = llvm::dyn_cast<clang::MemberExpr>(expr))
      expr = access->getBase();
    else if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr))
      expr = element->getBase();
    else
      break;
  }
  auto *mention = llvm::dyn_cast_or_null<clang::DeclRefExpr>(expr);
  return mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
}

/// Whether the call of \p entered gives what it gives for \p parameter, a
/// reference or a pointer, or for the object if that is null, by another name
/// too, through which the function may write.
bool HostEvaluator::isWrittenBeside(const Frame &entered,
                                    const clang::ParmVarDecl *parameter) {
  auto leadsElsewhere = [](const clang::ParmVarDecl &parameter) {
    return parameter.getType()->isReferenceType() ||
           parameter.getType()->isPointerType();
  };
  if (parameter && !leadsElsewhere(*parameter))
    return false;
  auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(entered.call);
  const clang::Expr *object =
      method ? method->getImplicitObjectArgument() : nullptr;
  const clang::VarDecl *variable =
      variableOf(parameter ? argument(entered, parameter) : object);
  const clang::FunctionDecl *function = entered.function->getDefinition();
  if (!variable || !function)
    return false;
  bool isObjectToo = parameter && object && variableOf(object) == variable;
  auto *called = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (isObjectToo && called && !called->isConst())
    return true;
  return llvm::any_of(
      function->parameters(), [&](const clang::ParmVarDecl *other) {
        return other != parameter && leadsElsewhere(*other) &&
               variableOf(argument(entered, other)) == variable &&
               !(writes.keepsItsValue(other) && writes.keepsPointee(other));
      });
}

/// The value that the call gives that is evaluated, or the one on the path, or
/// that all callers give.
HostEvaluator::Value HostEvaluator::given(const clang::ParmVarDecl *parameter,
                                          Parts parts) {
  Frame *entered = frameOf(parameter);
  if (entered->function && isWrittenBeside(*entered, parameter))
    return {};
  if (entered->function)
    return evaluate(
        Place({argument(*entered, parameter), parts}, entered->outer));
  auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(
      parameter->getParentFunctionOrMethod());
  if (!function || parameter->getType().isVolatileQualified())
    return {};
  if (function->isMain() && parameter->getFunctionScopeIndex() == 0)
    return ofNoArguments(1, parameter->getType());
  if (!callers.areAll(*function))
    return {};
  Value common;
  llvm::ArrayRef<Call> calls = callers.here(*function);
  for (const Call &call : calls) {
    Value value = evaluate(Place(
        {argumentFor(*call.expr, parameter->getFunctionScopeIndex()), parts},
        &outermost));
    bool isFirst = &call == calls.begin();
    if (std::holds_alternative<std::monostate>(value) ||
        (!isFirst && !isSame(value, common)))
      return {};
    common = value;
  }
  return common;
}

HostEvaluator::Value HostEvaluator::mention(const clang::DeclRefExpr *expr) {
  Value supposed = found(expr);
  if (!std::holds_alternative<std::monostate>(supposed))
    return supposed;
  Value value = mention(expr->getDecl());
  if (!std::holds_alternative<std::monostate>(value))
    return value;
  auto *variable = llvm::dyn_cast<clang::VarDecl>(expr->getDecl());
  if (!variable || variable->getType().isVolatileQualified())
    return {};
  if (variable->getType()->isIntegerType())
    value = stepped(expr);
  if (!std::holds_alternative<std::monostate>(value))
    return value;
  clang::RecordDecl *record = variable->getType()->getAsRecordDecl();
  if (!hasSides(record))
    return written(expr, {});
  return sidesOf(*record, [&](const clang::FieldDecl *side) {
    return written(expr, VariablePart{side});
  });
}

/// A dim3 of the values of its members.
HostEvaluator::Value HostEvaluator::sidesOf(
    const clang::RecordDecl &record,
    llvm::function_ref<Value(const clang::FieldDecl *)> valueOf) {
  Sides sides;
  for (const clang::FieldDecl *side : record.fields()) {
    Value value = valueOf(side);
    if (auto *number = std::get_if<APSInt>(&value))
      sides[side->getFieldIndex()] = *number;
    else if (auto *symbolic = std::get_if<Expr>(&value))
      sides[side->getFieldIndex()] = *symbolic;
  }
  return sides;
}

/// What the last write left in a variable, or in a part of it.
HostEvaluator::Value HostEvaluator::written(const clang::DeclRefExpr *mention,
                                            Parts parts) {
  auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
  if (!variable)
    return {};
  return inFrame(frameOf(variable), [&]() -> Value {
    VariablePart first = VariablePart::first(parts);
    // What else has the name of the variable that a reference or pointer is to
    // can be told of a call alone.
    bool isNamedElsewhere =
        (variable->getType()->isReferenceType() || first.isPointee) &&
        (!frame->function || frame->isOnPath);
    Origin origin =
        isNamedElsewhere ? Origin() : writes.before(mention, variable, first);
    bool isKnown = origin.kind == Origin::Rounds
                       ? frame->rounds.contains(origin.statement)
                       : origin.kind != Origin::Unknown;
    if (isKnown)
      return from(origin, variable, parts);
    if (auto definition =
            first.isPointee ? std::nullopt : writes.definition(mention, first))
      return definition->isGiven
                 ? given(llvm::cast<clang::ParmVarDecl>(variable), parts)
                 : valueOf(*definition, parts);
    return from(origin, variable, parts);
  });
}

HostEvaluator::Value HostEvaluator::fromGPU(const Expr &property,
                                            clang::QualType type) const {
  if (std::optional<int64_t> constant = property.constant())
    return number(llvm::APInt(64, *constant), type);
  return property;
}

/// The object that \p call allocates.
HostEvaluator::Value HostEvaluator::allocated(const clang::CallExpr &call) {
  std::optional<APSInt> size = number(allocatedBytes(call));
  return size ? Value(Allocation{&call, *size}) : Value();
}

HostEvaluator::Value HostEvaluator::valueOf(const Definition &definition,
                                            Parts parts) {
  Place place({definition.value, parts}, frame);
  size_t used = std::min(definition.part.depth(), place.parts.size());
  place.parts.erase(place.parts.begin(), place.parts.begin() + used);
  place.enterPointee();
  if (!definition.call)
    return evaluate(place);
  if (std::optional<Expr> property = gpuProperty(*definition.call))
    return fromGPU(*property, context.IntTy);
  if (allocatedBytes(*definition.call))
    return allocated(*definition.call);
  if (const clang::Expr *bytes = pitchedBytes(*definition.call)) {
    Value row = definition.output == 1 ? evaluate(bytes) : Value();
    if (auto *number = std::get_if<APSInt>(&row))
      row = Expr(number->getExtValue());
    auto *width = std::get_if<Expr>(&row);
    return width ? fromGPU(pitchOf(*width), context.getSizeType()) : Value();
  }
  if (!isOccupancyCall(*definition.call))
    return writtenBy(definition, place.parts);
  asked = definition.call;
  const std::optional<int64_t> &value =
      definition.output == 0 ? supposition.blocks : supposition.threads;
  return value ? number(llvm::APInt(64, *value), context.IntTy) : Value();
}

/// Whether the program begins in this file.
static bool hasMain(const clang::ASTContext &context) {
  const clang::DeclarationName name(&context.Idents.get("main"));
  return llvm::any_of(
      context.getTranslationUnitDecl()->lookup(name),
      [](const clang::NamedDecl *found) {
        auto *function = llvm::dyn_cast<clang::FunctionDecl>(found);
        return function && function->isMain() && function->hasBody();
      });
}

bool HostEvaluator::isOwn(const clang::VarDecl *variable) const {
  const clang::SourceManager &sources = context.getSourceManager();
  if (!variable->isExternallyVisible())
    return !sources.isInSystemHeader(variable->getLocation());
  return variable->hasDefinition() != clang::VarDecl::DeclarationOnly &&
         llvm::all_of(variable->redecls(),
                      [&](const clang::VarDecl *declaration) {
                        return sources.isInMainFile(declaration->getLocation());
                      }) &&
         hasMain(context);
}

/// Whether what \p object names, a variable or a part of one, never changes; a
/// temporary does not.
bool HostEvaluator::keepsValue(const clang::Expr &object) {
  const clang::Expr *expr = object.IgnoreImplicit()->IgnoreParenCasts();
  while (true) {
    if (auto *access = llvm::dyn_cast<clang::MemberExpr>(expr)) {
      expr = access->getBase();
    } else if (auto *element =
                   llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
      expr = element->getBase();
    } else if (auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
               call && call->getOperator() == clang::OO_Subscript) {
      expr = call->getArg(0);
    } else {
      break;
    }
    expr = expr->IgnoreParenCasts();
  }
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (!variable)
    return expr->isPRValue();
  return unchangingValue(variable) ||
         (llvm::isa<clang::ParmVarDecl>(variable) &&
          writes.keepsItsValue(variable));
}

/// What \p variable, which is no parameter, is there to keep: what initialises
/// it, if nothing else writes. Null if something may.
const clang::Expr *
HostEvaluator::unchangingValue(const clang::VarDecl *variable) {
  clang::QualType type = variable->getType();
  if (llvm::isa<clang::ParmVarDecl>(variable) || type.isVolatileQualified() ||
      variable->isWeak())
    return nullptr;
  // A reference cannot be bound anew, but what it is bound to can be written
  // through it (or through its own name, which is asked there).
  bool isConst = type.getNonReferenceType().isConstQualified();
  bool isLocal = variable->isLocalVarDecl();
  // What only this file can write to, and does not.
  bool isUnchanged = !isLocal &&
                     !changed.contains(variable->getCanonicalDecl()) &&
                     isOwn(variable);
  bool keeps =
      (isConst || isUnchanged) && (!isLocal || !type->isReferenceType());
  if (!keeps && !(isLocal && writes.keepsItsValue(variable)))
    return nullptr;
  if (isLocal && type->isReferenceType() && !variable->isCXXForRangeDecl() &&
      !keepsValue(*variable->getInit()))
    return nullptr;
  return variable->isCXXForRangeDecl() ? rangeElement(variable)
                                       : variable->getAnyInitializer();
}

/// The property of the GPU, the size or the object that \p variable, a global
/// of this file or a static local, is there to keep: one statement writes it,
/// and what it starts with is no size.
HostEvaluator::Value HostEvaluator::keptValue(const clang::VarDecl *variable) {
  if (variable->getType().isVolatileQualified() || variable->isWeak() ||
      variable->getType()->isBooleanType())
    return {};
  auto write = onlyWrites.find(variable->getCanonicalDecl());
  if (write == onlyWrites.end() ||
      !(variable->isStaticLocal() || isOwn(variable)))
    return {};
  if (const clang::Expr *initial = variable->getAnyInitializer()) {
    std::optional<APSInt> start = number(initial);
    if (!start || start->isStrictlyPositive())
      return {};
  }
  Value value = valueOf(write->second, {});
  // A static pointer is set by the first call alone.
  if (std::holds_alternative<Allocation>(value))
    return variable->isStaticLocal() ? Value() : value;
  if (auto *size = std::get_if<APSInt>(&value))
    return size->isStrictlyPositive() ? value : Value();
  auto *property = std::get_if<Expr>(&value);
  bool isOfGPU = property && !property->isConstant();
  if (isOfGPU)
    property->forEachSymbol(
        [&](llvm::StringRef name) { isOfGPU &= auspex::isOfGPU(name); });
  return isOfGPU ? value : Value();
}

/// The member of a dim3 that is \p value.
HostEvaluator::Value HostEvaluator::side(const Value &value,
                                         const clang::FieldDecl *member) {
  auto *sides = std::get_if<Sides>(&value);
  if (!sides || !member)
    return {};
  return std::visit([](const auto &side) { return Value(side); },
                    (*sides)[member->getFieldIndex()]);
}

HostEvaluator::Value HostEvaluator::member(const clang::MemberExpr *expr) {
  auto *field = llvm::dyn_cast<clang::FieldDecl>(expr->getMemberDecl());
  if (!field)
    return mention(expr->getMemberDecl());
  if (std::optional<Expr> property = gpuProperty(*field))
    return fromGPU(*property, field->getType());
  Value supposed = found(expr);
  if (!std::holds_alternative<std::monostate>(supposed))
    return supposed;
  if (hasSides(field->getParent()))
    return side(evaluate(expr->getBase()), field);
  std::optional<Place> object = objectOf(*expr);
  Value value = object ? evaluate(*object) : Value();
  const clang::RecordDecl *record = field->getType()->getAsRecordDecl();
  if (!object || !hasSides(record) ||
      !std::holds_alternative<std::monostate>(value))
    return value;
  return sidesOf(*record, [&](const clang::FieldDecl *side) {
    return evaluate(Place(object->in({side}), object->frame));
  });
}

//===----------------------------------------------------------------------===//
// What is supposed to be found
//===----------------------------------------------------------------------===//

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
  std::optional<APSInt> value =
      condition.value ? number(condition.value) : std::nullopt;
  if (!value)
    return false;
  if (condition.cases.empty())
    return value->getBoolValue() != condition.holds;
  bool isOne = llvm::any_of(condition.cases, [&](const clang::Expr *expr) {
    std::optional<APSInt> one = number(expr);
    return one && APSInt::isSameValue(*value, *one);
  });
  return isOne != condition.holds;
}

std::optional<std::pair<VariableVersion, Expr>>
HostEvaluator::consequence(const Condition &condition) {
  if (!condition.value || !condition.holds)
    return std::nullopt;
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
  if (!value || integer(variable) || open)
    return std::nullopt;
  std::optional<int64_t> known = integer(value);
  std::optional<VariableVersion> version =
      known ? this->version(variable) : std::nullopt;
  return version ? std::optional(std::pair(*version, Expr(*known)))
                 : std::nullopt;
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

std::string HostEvaluator::openPart(const HostPlace &place) {
  constexpr unsigned MostSteps = 32;
  constexpr size_t MostLetters = 40;
  if (!place.expr || !isOpen(ask(place)))
    return "";
  Place open = resolve(Place(place, frame));
  const clang::Expr *last = nullptr;
  for (unsigned left = MostSteps; open.expr && open.frame && left; --left) {
    last = open.expr;
    auto behind = inFrame(open.frame, [&] { return openBehind(open); });
    if (!behind)
      break;
    open = std::move(*behind);
  }
  if (!last)
    return "";
  last = last->IgnoreImplicit();
  const clang::SourceManager &sources = context.getSourceManager();
  clang::CharSourceRange range =
      sources.getExpansionRange(last->getSourceRange());
  llvm::StringRef text =
      clang::Lexer::getSourceText(range, sources, context.getLangOpts());
  SourceLocation at = sourceLocation(sources, last->getBeginLoc());
  if (text.empty() || text.size() > MostLetters || text.contains('\n'))
    return "";
  return text.str() + " at line " + std::to_string(at.line);
}

std::optional<int64_t> HostEvaluator::objectInBytes(const HostPlace &place) {
  Value value = ask(place);
  auto *allocation = std::get_if<Allocation>(&value);
  return allocation ? allocation->bytes.tryExtValue() : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The variable of a for loop around \p mention.
HostEvaluator::Value HostEvaluator::stepped(const clang::DeclRefExpr *mention) {
  auto *variable = llvm::cast<clang::VarDecl>(mention->getDecl());
  auto chosen = supposition.chosen.find(variable);
  bool isChosen = chosen != supposition.chosen.end();
  const clang::ForStmt *loop =
      isChosen || !open ? writes.steppingLoop(mention) : nullptr;
  if (!loop || frameOf(variable)->rounds.contains(loop))
    return {};
  if (isChosen)
    return number(llvm::APInt(64, chosen->second, /*isSigned=*/true),
                  variable->getType());
  open = stepsOf(*loop, variable);
  return {};
}

/// What \p loop initialises \p variable with, or assigns to it.
static const clang::Expr *startOf(const clang::ForStmt &loop,
                                  const clang::VarDecl *variable) {
  if (auto *declaration =
          llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit()))
    return llvm::is_contained(declaration->decls(), variable)
               ? variable->getInit()
               : nullptr;
  auto *assignment =
      llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInit());
  auto *assigned = assignment && assignment->getOpcode() == clang::BO_Assign
                       ? llvm::dyn_cast<clang::DeclRefExpr>(
                             assignment->getLHS()->IgnoreParens())
                       : nullptr;
  return assigned && assigned->getDecl() == variable ? assignment->getRHS()
                                                     : nullptr;
}

/// Whether the round of a loop with \p body that is supposed is known to be its
/// last: `if (i == 2) break;`.
bool HostEvaluator::leaves(const clang::Stmt *body) {
  return llvm::any_of(body->children(), [&](const clang::Stmt *statement) {
    auto *branch = llvm::dyn_cast_or_null<clang::IfStmt>(statement);
    const clang::Stmt *then = branch ? branch->getThen() : nullptr;
    if (auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(then))
      then = block->body_empty() ? nullptr : block->body_back();
    if (!llvm::isa_and_nonnull<clang::BreakStmt, clang::ReturnStmt>(then))
      return false;
    std::optional<APSInt> condition = number(branch->getCond());
    return condition && condition->getBoolValue();
  });
}

/// The values that \p variable takes in \p loop; of many, the first, the
/// middle and the last.
std::optional<Choice> HostEvaluator::stepsOf(const clang::ForStmt &loop,
                                             const clang::VarDecl *variable) {
  Value start = evaluate(startOf(loop, variable));
  auto *first = std::get_if<APSInt>(&start);
  if (!first || !loop.getCond())
    return std::nullopt;
  Choice choice = {variable, {}};
  std::optional<APSInt> value = *first;
  while (value) {
    int64_t bits = value->extOrTrunc(64).getSExtValue();
    supposition.chosen[variable] = bits;
    forgetKept();
    std::optional<APSInt> goesOn = number(loop.getCond());
    if (!goesOn) {
      value.reset();
      break;
    }
    if (!goesOn->getBoolValue())
      break;
    choice.values.push_back(bits);
    if (leaves(loop.getBody()))
      break;
    value = nextStep(loop.getInc(), *value);
  }
  supposition.chosen.erase(variable);
  forgetKept();
  if (std::vector<int64_t> &all = choice.values; all.size() > MostValues)
    all = {all.front(), all[all.size() / 2], all.back()};
  return value && !choice.values.empty() ? std::optional(choice) : std::nullopt;
}

/// What \p step makes of \p value.
std::optional<APSInt> HostEvaluator::nextStep(const clang::Expr *step,
                                              const APSInt &value) {
  step = step->IgnoreParenImpCasts();
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(step)) {
    APSInt one(llvm::APInt(value.getBitWidth(), 1), value.isUnsigned());
    return calculate(unary->isIncrementOp() ? clang::BO_Add : clang::BO_Sub,
                     value, one);
  }
  auto *assignment = llvm::cast<clang::BinaryOperator>(step);
  std::optional<APSInt> operand = number(assignment->getRHS());
  if (!operand || !assignment->isCompoundAssignmentOp())
    return operand;
  clang::BinaryOperatorKind kind =
      clang::BinaryOperator::getOpForCompoundAssignment(
          assignment->getOpcode());
  // Calculated in the type of both, and converted back.
  clang::QualType common = llvm::cast<clang::CompoundAssignOperator>(assignment)
                               ->getComputationLHSType();
  if (!common->isIntegerType() || assignment->getType()->isBooleanType())
    return std::nullopt;
  auto convert = [&](const APSInt &number, clang::QualType type) {
    APSInt converted = number.extOrTrunc(context.getIntWidth(type));
    converted.setIsSigned(type->isSignedIntegerOrEnumerationType());
    return converted;
  };
  APSInt left = convert(value, common);
  std::optional<APSInt> result =
      clang::BinaryOperator::isShiftOp(kind)
          ? shift(kind, left, *operand)
          : calculate(kind, left, convert(*operand, common));
  return result ? std::optional(convert(*result, assignment->getType()))
                : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// Whether \p variable is an array, or a container of the library that a list
/// initialises.
static bool isList(const clang::VarDecl *variable) {
  const clang::RecordDecl *record = variable->getType()->getAsRecordDecl();
  return variable->getType()->isConstantArrayType() ||
         (record && record->isInStdNamespace() &&
          (record->getName() == "vector" || record->getName() == "array" ||
           record->getName() == "initializer_list"));
}

/// What \p list is initialised with, if it never has other values.
const clang::InitListExpr *
HostEvaluator::unchangedValues(const clang::VarDecl *list) {
  bool isConst = context.getBaseElementType(list->getType()).isConstQualified();
  const clang::Expr *initial = list->getAnyInitializer();
  if (!initial || !isList(list) || !(isConst || writes.keepsItsValue(list)))
    return nullptr;
  return listOf(initial);
}

/// The list that \p expr is or that the variable in it is initialised with.
const clang::InitListExpr *HostEvaluator::listOf(const clang::Expr *expr) {
  expr = expr->IgnoreParens()->IgnoreImplicit()->IgnoreParenImpCasts();
  if (auto *list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
    if (!list->isSemanticForm())
      list = list->getSemanticForm();
    // An array in a structure, which std::array is.
    auto *inner = list && list->getNumInits() == 1
                      ? llvm::dyn_cast<clang::InitListExpr>(list->getInit(0))
                      : nullptr;
    bool isWrapped = list && list->getType()->isRecordType() && inner;
    return isWrapped ? inner : list;
  }
  if (auto *list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expr))
    return listOf(list->getSubExpr());
  if (auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    return construction->isStdInitListInitialization() &&
                   construction->getNumArgs() >= 1
               ? listOf(construction->getArg(0))
               : nullptr;
  if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    const clang::Expr *list = elementOf(element->getBase(), element->getIdx());
    return list ? listOf(list) : nullptr;
  }
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  return variable ? unchangedValues(variable) : nullptr;
}

/// The element of \p list that \p variable is supposed to choose.
const clang::Expr *HostEvaluator::anyElement(const clang::VarDecl *variable,
                                             const clang::InitListExpr &list) {
  if (auto chosen = supposition.chosen.find(variable);
      chosen != supposition.chosen.end())
    return chosen->second < list.getNumInits() ? list.getInit(chosen->second)
                                               : nullptr;
  if (!open && list.getNumInits() > 0 && list.getNumInits() <= MostValues) {
    open = Choice{variable, {}};
    for (unsigned i = 0; i < list.getNumInits(); ++i)
      open->values.push_back(i);
  }
  return nullptr;
}

/// `list[index]`.
const clang::Expr *HostEvaluator::elementOf(const clang::Expr *list,
                                            const clang::Expr *index) {
  std::optional<APSInt> number = this->number(index);
  bool isNumber =
      number && number->isNonNegative() && number->getActiveBits() < 32;
  if (isNumber)
    if (const clang::Expr *value = elementValue(list, number->getZExtValue()))
      return value;
  const clang::InitListExpr *values = listOf(list);
  if (!values)
    return nullptr;
  if (isNumber)
    return number->ult(values->getNumInits())
               ? values->getInit(number->getZExtValue())
               : nullptr;
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(list->IgnoreParenImpCasts());
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  return variable && !number ? anyElement(variable, *values) : nullptr;
}

HostEvaluator::Value
HostEvaluator::element(const clang::ArraySubscriptExpr &expr) {
  const clang::Expr *array = expr.getBase()->IgnoreParenImpCasts();
  if (const clang::Expr *value = elementOf(array, expr.getIdx()))
    return evaluate(value);
  std::optional<APSInt> index = array->getType()->isConstantArrayType()
                                    ? number(expr.getIdx())
                                    : std::nullopt;
  return index && index->isNonNegative()
             ? evaluate(Place(
                   {array, VariablePart::ofElement(index->getLimitedValue())},
                   frame))
             : Value();
}

/// What the variable of a loop over a list is.
const clang::Expr *HostEvaluator::rangeElement(const clang::VarDecl *variable) {
  const clang::CXXForRangeStmt *loop = writes.rangeLoop(variable);
  const clang::InitListExpr *list = loop && writes.keepsItsValue(variable)
                                        ? listOf(loop->getRangeInit())
                                        : nullptr;
  return list ? anyElement(variable, *list) : nullptr;
}

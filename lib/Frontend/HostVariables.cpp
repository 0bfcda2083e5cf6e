// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variables, parameters and members hold.
#include "HostArithmetic.h"
#include "HostEvaluator.h"

#include "DeviceVariables.h"
#include "LibraryCalls.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace auspex;
using llvm::APSInt;

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
      value = keptValue(variable, {});
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
  Frame *entered = frameOnPath(*function);
  return entered ? entered : &outermost;
}

/// The innermost frame of \p function, a canonical declaration, on the path;
/// null if there is none.
HostEvaluator::Frame *
HostEvaluator::frameOnPath(const clang::FunctionDecl &function) {
  auto onPath = llvm::find_if(llvm::reverse(path), [&](const Frame &entered) {
    return entered.function == &function;
  });
  return onPath == path.rend() ? nullptr : &*onPath;
}

/// What the call that \p frame is of gives for \p parameter; null if there is
/// no such call.
const clang::Expr *
HostEvaluator::argument(const Frame &frame,
                        const clang::ParmVarDecl *parameter) {
  const clang::Expr *given =
      frame.call ? argumentFor(*frame.call, parameter->getFunctionScopeIndex())
                 : nullptr;
  bool isDefault = !given && frame.call && parameter->hasDefaultArg() &&
                   !parameter->hasUninstantiatedDefaultArg();
  return isDefault ? parameter->getDefaultArg() : given;
}

/// What \p expr is a part of, a member or an element, or all of.
static const clang::Expr *wholeOf(const clang::Expr *expr) {
  while (true) {
    expr = expr->IgnoreParenCasts();
    auto *access = llvm::dyn_cast<clang::MemberExpr>(expr);
    auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr);
    auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
    if (access)
      expr = access->getBase();
    else if (element)
      expr = element->getBase();
    else if (call && call->getOperator() == clang::OO_Subscript)
      expr = call->getArg(0);
    else
      return expr;
  }
}

/// The variable that \p expr is or is a part of; null if it is none.
static const clang::VarDecl *variableOf(const clang::Expr *expr) {
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(wholeOf(expr));
  return mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
}

const clang::VarDecl *auspex::variableAt(const clang::Expr *expr) {
  if (!expr)
    return nullptr;
  const clang::Expr *object = addressed(expr);
  return variableOf(object ? object : expr);
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
      variableAt(parameter ? argument(entered, parameter) : object);
  const clang::FunctionDecl *function = entered.function->getDefinition();
  if (!variable || !function)
    return false;
  bool isObjectToo = parameter && object && variableAt(object) == variable;
  auto *called = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (isObjectToo && called && !called->isConst())
    return true;
  return llvm::any_of(
      function->parameters(), [&](const clang::ParmVarDecl *other) {
        return other != parameter && leadsElsewhere(*other) &&
               variableAt(argument(entered, other)) == variable &&
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
  if (function->isMain())
    return givenToMain(*parameter);
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
  if (auto *binding = llvm::dyn_cast<clang::BindingDecl>(expr->getDecl()))
    return evaluate(boundPart(*binding, {}));
  auto *variable = llvm::dyn_cast<clang::VarDecl>(expr->getDecl());
  if (!variable || variable->getType().isVolatileQualified())
    return {};
  if (variable->getType()->isIntegerType())
    value = stepped(expr);
  bool isLeftToChoose = open && open->variable == variable && !open->loop;
  if (!std::holds_alternative<std::monostate>(value) || isLeftToChoose)
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
  if (variable->hasGlobalStorage())
    return parts.empty() ? Value() : keptValue(variable, parts);
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

/// The object that \p call allocates; in the host's memory, of 0 B where the
/// size is not known.
HostEvaluator::Value HostEvaluator::allocated(const clang::CallExpr &call) {
  std::optional<APSInt> size = number(allocatedBytes(call));
  if (!size && allocatesOnHost(call))
    size = APSInt(llvm::APInt(64, 0));
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
  if (definition.isOfObject)
    return writtenByMethod(definition, place.parts);
  if (std::optional<Expr> property = gpuProperty(*definition.call))
    return fromGPU(*property, context.IntTy);
  if (allocatedBytes(*definition.call))
    return allocated(*definition.call);
  if (const clang::Expr *address = addressOfHost(*definition.call))
    return evaluate(Place(address, frame));
  if (isExtraction(*definition.call))
    return extracted(*definition.call);
  if (isScan(*definition.call))
    return scanned(*definition.call, definition.output);
  if (const clang::Expr *bytes = pitchedBytes(*definition.call)) {
    Value row = definition.output == 1 ? evaluate(bytes) : Value();
    if (auto *number = std::get_if<APSInt>(&row))
      row = Expr(number->getExtValue());
    auto *width = std::get_if<Expr>(&row);
    return width ? fromGPU(pitchOf(*width), context.getSizeType()) : Value();
  }
  if (const clang::Expr *kernel = kernelOfActiveBlocks(*definition.call)) {
    const clang::FunctionDecl *counted = function(kernel);
    bool isLaunched = counted && supposition.kernel == counted;
    return isLaunched ? fromGPU(Expr::symbol(BlocksPerSMSymbol), context.IntTy)
                      : Value();
  }
  if (!isOccupancyCall(*definition.call))
    return writtenBy(definition, place.parts);
  asked = definition.call;
  const std::optional<int64_t> &value =
      definition.output == 0 ? supposition.blocks : supposition.threads;
  return value ? number(llvm::APInt(64, *value), context.IntTy) : Value();
}

/// Whether what \p object names, a variable or a part of one, never changes; a
/// temporary does not.
bool HostEvaluator::keepsValue(const clang::Expr &object) {
  const clang::VarDecl *variable = variableOf(&object);
  if (!variable)
    return wholeOf(object.IgnoreImplicit())->isPRValue();
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
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(expr->getMemberDecl());
  if (method && method->isVirtual() && !expr->hasQualifier())
    return overrider(*expr, *method);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What members of structures and elements of arrays are initialised or assigned
// with, in the code that names them.
#include "HostEvaluator.h"

#include "LibraryCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace auspex;
using llvm::APSInt;

/// Without what copies the object, and what changes nothing.
static const clang::Expr *withoutCopies(const clang::Expr *object) {
  while (true) {
    object = object->IgnoreParens()->IgnoreImplicit();
    auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(object);
    auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(object);
    if (copy && copy->getNumArgs() == 1 &&
        copy->getConstructor()->isCopyOrMoveConstructor() &&
        copy->getConstructor()->isTrivial())
      object = copy->getArg(0);
    else if (cast)
      object = cast->getSubExpr();
    else
      return object;
  }
}

static const clang::Expr *initOf(const clang::InitListExpr *list,
                                 unsigned index) {
  if (list && !list->isSemanticForm())
    list = list->getSemanticForm();
  return list && index < list->getNumInits() ? list->getInit(index) : nullptr;
}

/// Whether members stand in a list of all by their numbers.
static bool isPlain(const clang::RecordDecl *record) {
  auto *type = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  return !record->isUnion() && !(type && type->getNumBases()) &&
         llvm::none_of(record->fields(), [](const clang::FieldDecl *field) {
           return field->isUnnamedBitField();
         });
}

/// What \p lambda keeps in \p member a copy of; null of a reference.
static const clang::Expr *capturedValue(const clang::LambdaExpr &lambda,
                                        const clang::FieldDecl *member) {
  if (!member || member->getType()->isReferenceType() ||
      member->getParent() != lambda.getLambdaClass())
    return nullptr;
  return *std::next(lambda.capture_init_begin(), member->getFieldIndex());
}

/// The number in \p list of what \p part names.
static std::optional<uint64_t> numberInList(const clang::InitListExpr &list,
                                            const VariablePart &part) {
  if (!part.member)
    return part.element;
  const clang::RecordDecl *record = list.getType()->getAsRecordDecl();
  if (part.member->isBitField() || record != part.member->getParent())
    return std::nullopt;
  return isPlain(record) ? std::optional<uint64_t>(part.member->getFieldIndex())
                         : std::nullopt;
}

void HostEvaluator::Place::enterPointee() {
  if (parts.empty() || !parts.front().isPointee)
    return;
  parts.front().isPointee = false;
  if (parts.front().isWhole())
    parts.erase(parts.begin());
}

/// The parameter, a pointer, that \p expr names; null if it is none.
static const clang::ParmVarDecl *pointerParameter(const clang::Expr *expr) {
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  auto *parameter = mention
                        ? llvm::dyn_cast<clang::ParmVarDecl>(mention->getDecl())
                        : nullptr;
  return parameter && parameter->getType()->isPointerType() ? parameter
                                                            : nullptr;
}

/// The object of which \p access names a member, with that.
std::optional<HostEvaluator::Place>
HostEvaluator::objectOf(const clang::MemberExpr &access) {
  auto *field = llvm::dyn_cast<clang::FieldDecl>(access.getMemberDecl());
  const clang::Expr *base = access.getBase()->IgnoreParenImpCasts();
  if (!field)
    return std::nullopt;
  VariablePart part = {field};
  part.isPointee = access.isArrow() && pointerParameter(base);
  if (access.isArrow() && !part.isPointee &&
      !llvm::isa<clang::CXXThisExpr>(base))
    return inAnyObject(part, Place(base, frame));
  return Place({base, part}, frame);
}

/// The variable that a pair is taken apart from, as the call of get() for one
/// of its members names it; null if it is no pair.
static const clang::DeclRefExpr *pairOf(const clang::BindingDecl &binding) {
  const clang::VarDecl *member = binding.getHoldingVar();
  auto *get = member && member->getInit()
                  ? llvm::dyn_cast<clang::CallExpr>(
                        member->getInit()->IgnoreParenImpCasts())
                  : nullptr;
  auto *pair = get && get->getNumArgs() == 1
                   ? llvm::dyn_cast<clang::DeclRefExpr>(
                         get->getArg(0)->IgnoreParenCasts())
                   : nullptr;
  const clang::RecordDecl *record =
      pair ? pair->getType()->getAsRecordDecl() : nullptr;
  bool isPair = record && record->isInStdNamespace() &&
                record->getIdentifier() && record->getName() == "pair";
  return isPair ? pair : nullptr;
}

/// What a structured binding names of the object that is taken apart.
HostEvaluator::Place HostEvaluator::boundPart(const clang::BindingDecl &binding,
                                              Parts parts) {
  const clang::DeclRefExpr *pair = pairOf(binding);
  if (!pair)
    return Place({binding.getBinding(), parts}, frame);
  auto *whole =
      llvm::cast<clang::DecompositionDecl>(binding.getDecomposedDecl());
  size_t number =
      llvm::find(whole->bindings(), &binding) - whole->bindings().begin();
  const clang::RecordDecl *record = pair->getType()->getAsRecordDecl();
  Place place({pair, VariablePart{*std::next(record->field_begin(), number)}},
              frame);
  llvm::append_range(place.parts, parts);
  return place;
}

/// The last write of a variable, or what it stands for.
std::optional<HostEvaluator::Place>
HostEvaluator::resolveVariable(const clang::DeclRefExpr *mention, Parts parts) {
  if (auto *binding = llvm::dyn_cast<clang::BindingDecl>(mention->getDecl()))
    return boundPart(*binding, parts);
  auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
  if (!variable)
    return std::nullopt;
  if (variable->isCXXForRangeDecl())
    return Place({rangeElement(variable), parts}, frame);
  Frame *function = frameOf(variable);
  if (VariablePart::first(parts).isPointee) {
    const clang::ParmVarDecl *pointer = pointerParameter(mention);
    return pointer && writes.keepsItsValue(pointer) &&
                   writes.keepsPointee(pointer) && function->function &&
                   !isWrittenBeside(*function, pointer)
               ? std::optional(Place({argument(*function, pointer), parts},
                                     function->outer))
               : std::nullopt;
  }
  if (const clang::Expr *value = unchangingValue(variable))
    return Place({value, parts}, function);
  std::optional<Definition> definition =
      writes.definition(mention, VariablePart::first(parts));
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  bool isReference = variable->getType()->isReferenceType();
  bool isKept = parameter && writes.keepsItsValue(variable) &&
                (isReference || function->function) &&
                !(function->function && isWrittenBeside(*function, parameter));
  if (isKept || (definition && definition->isGiven))
    return Place({argument(*function, parameter), parts}, function->outer);
  if (!definition || !definition->value)
    return std::nullopt;
  return Place({definition->value, parts.drop_front(definition->part.depth())},
               function);
}

/// The number of elements that a container of the library is constructed with;
/// null if \p object is something else.
static const clang::Expr *sizeOf(const clang::Expr *object) {
  auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(object);
  if (!construction || !isList(object->getType()) ||
      construction->isStdInitListInitialization() ||
      construction->getNumArgs() == 0)
    return nullptr;
  const clang::Expr *first = construction->getArg(0);
  return first->getType()->isIntegerType() ? first : nullptr;
}

/// What one step says where \p place, of the frame that is evaluated, has its
/// value from; without an expression if that is not known. None if no rule
/// here fits.
std::optional<HostEvaluator::Place>
HostEvaluator::resolveStep(const Place &place) {
  const clang::Expr *object = withoutCopies(place.expr);
  Parts parts = place.parts;
  if (auto *list = llvm::dyn_cast<clang::InitListExpr>(object)) {
    std::optional<uint64_t> number = numberInList(*list, parts.front());
    const clang::Expr *value = number ? initOf(list, *number) : nullptr;
    return Place({value, parts.drop_front()}, frame);
  }
  if (parts.front().isSize)
    if (const clang::Expr *size = sizeOf(object))
      return Place({size, parts.drop_front()}, frame);
  if (auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(object))
    return inConstructed(constructors.emplace_back(Frame{
                             construction->getConstructor()->getCanonicalDecl(),
                             construction, frame}),
                         parts, /*isDone=*/true);
  if (auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(object))
    return Place(
        {capturedValue(*lambda, parts.front().member), parts.drop_front()},
        frame);
  if (llvm::isa<clang::CXXThisExpr>(object))
    return inThis(parts);
  if (auto *start = llvm::dyn_cast<clang::CXXDefaultInitExpr>(object))
    return Place({start->getExpr(), parts}, frame);
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(object)) {
    const clang::Expr *operand = unary->getSubExpr()->IgnoreParenImpCasts();
    if (unary->getOpcode() == clang::UO_AddrOf && parts.front().isPointee) {
      Place object({operand, parts}, frame);
      object.enterPointee();
      return object;
    }
    bool isThis = unary->getOpcode() == clang::UO_Deref &&
                  llvm::isa<clang::CXXThisExpr>(operand);
    return isThis ? inThis(parts) : std::nullopt;
  }
  if (auto *access = llvm::dyn_cast<clang::MemberExpr>(object)) {
    std::optional<Place> whole = objectOf(*access);
    if (whole)
      llvm::append_range(whole->parts, parts);
    return whole;
  }
  if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object))
    return Place({elementOf(element->getBase(), element->getIdx()), parts},
                 frame);
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(object);
  return mention ? resolveVariable(mention, parts) : std::nullopt;
}

/// The expression that \p place has its value from, as far as one can be
/// found.
HostEvaluator::Place HostEvaluator::resolve(Place place) {
  // Copies of copies may be many.
  for (unsigned left = 32; place.expr && !place.parts.empty() && left; --left) {
    auto next = inFrame(place.frame, [&] { return resolveStep(place); });
    if (!next)
      break;
    place = std::move(*next);
  }
  return place;
}

HostEvaluator::Value HostEvaluator::evaluate(Place place) {
  place = resolve(std::move(place));
  if (place.writer)
    return inFrame(place.frame, [&] {
      std::optional<Expr> property = gpuProperty(*place.writer);
      return property ? fromGPU(*property, context.IntTy)
                      : allocated(*place.writer);
    });
  if (!place.expr || !place.frame)
    return {};
  return inFrame(place.frame, [&] {
    return place.parts.empty() ? evaluate(place.expr)
                               : part(place.expr, place.parts);
  });
}

/// What is in \p object that no single expression says.
HostEvaluator::Value HostEvaluator::part(const clang::Expr *object,
                                         Parts parts) {
  if (steps == 0 || depth > 200)
    return {};
  --steps;
  ++depth;
  object = withoutCopies(object);
  Value value;
  if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(object)) {
    value = written(mention, parts);
  } else if (auto *choice =
                 llvm::dyn_cast<clang::ConditionalOperator>(object)) {
    if (std::optional<APSInt> condition = number(choice->getCond()))
      value =
          evaluate(Place({condition->getBoolValue() ? choice->getTrueExpr()
                                                    : choice->getFalseExpr(),
                          parts},
                         frame));
  } else if (parts.front().isSize) {
    if (const clang::InitListExpr *list =
            isList(object->getType()) ? listOf(object) : nullptr)
      value =
          number(llvm::APInt(64, list->getNumInits()), context.getSizeType());
  } else {
    auto *call = llvm::dyn_cast<clang::CallExpr>(object);
    const clang::FunctionDecl *callee =
        call ? call->getDirectCallee() : nullptr;
    if (callee)
      value = inlined(call, callee, parts);
    bool isSide = parts.size() == 1 && parts.front().member &&
                  hasSides(parts.front().member->getParent());
    if (isSide && std::holds_alternative<std::monostate>(value))
      value = side(evaluate(object), parts.front().member);
  }
  --depth;
  return value;
}

const clang::Expr *HostEvaluator::elementValue(const clang::Expr *array,
                                               unsigned number) {
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(array->IgnoreParenCasts());
  if (!mention || !mention->getType()->isConstantArrayType())
    return nullptr;
  std::optional<Definition> definition =
      writes.definition(mention, VariablePart::ofElement(number));
  if (!definition || !definition->value)
    return nullptr;
  if (!definition->part.isWhole())
    return definition->value;
  return initOf(llvm::dyn_cast<clang::InitListExpr>(
                    definition->value->IgnoreParenImpCasts()),
                number);
}

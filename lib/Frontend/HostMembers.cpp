// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What members of structures and elements of arrays are initialised or assigned
// with, in the code that names them, in constructors and in methods.
#include "HostEvaluator.h"

#include "LibraryCalls.h"
#include "StatementOrder.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

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

namespace {

/// `member.part = value` in a constructor, or `member = value`; without a value
/// if it is not known.
struct MemberAssignment {
  const clang::FieldDecl *member = nullptr, *part = nullptr;
  const clang::Expr *value = nullptr;
};

} // namespace

static std::optional<MemberAssignment>
memberAssignment(const clang::Stmt &statement) {
  auto *expr = llvm::dyn_cast<clang::Expr>(&statement);
  expr = expr ? expr->IgnoreImplicit() : nullptr;
  const clang::Expr *target = nullptr;
  MemberAssignment result;
  if (auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(expr);
      assignment && assignment->getOpcode() == clang::BO_Assign) {
    target = assignment->getLHS();
    result.value = assignment->getRHS();
  } else if (auto *call =
                 llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(expr);
             call && call->getOperator() == clang::OO_Equal &&
             call->getDirectCallee() && call->getDirectCallee()->isTrivial()) {
    target = call->getArg(0);
    result.value = call->getArg(1);
  }
  for (; target; target = target->IgnoreParens()) {
    if (llvm::isa<clang::CXXThisExpr>(target->IgnoreImplicit()))
      return result.member ? std::optional(result) : std::nullopt;
    auto *access = llvm::dyn_cast<clang::MemberExpr>(target);
    auto *field =
        access ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl())
               : nullptr;
    if (!field)
      return std::nullopt;
    // Of a part's own parts nothing is known.
    if (result.part)
      result.value = nullptr;
    result.part = result.member;
    result.member = field;
    target = access->getBase();
  }
  return std::nullopt;
}

static bool contains(const std::optional<MemberWrites::Members> &members,
                     const clang::FieldDecl *member) {
  return !members || members->contains(member);
}

namespace {

/// Looks for a call that allocates an object for a member, whatever branches
/// are taken.
class AllocationVisitor : public AllCodeVisitor {
public:
  explicit AllocationVisitor(const clang::FieldDecl *member) : member(member) {}
  /// Null if there is none, or the member is mentioned otherwise too.
  const clang::CallExpr *found() const { return count == 1 ? call : nullptr; }

  bool TraverseIfStmt(clang::IfStmt *statement) override {
    const clang::CallExpr *before = call;
    bool goesOn = AllCodeVisitor::TraverseIfStmt(statement);
    AllocationVisitor condition(member);
    condition.TraverseStmt(statement->getCond());
    call = condition.call ? condition.call : before;
    return goesOn;
  }
  bool VisitMemberExpr(clang::MemberExpr *access) override {
    count += access->getMemberDecl() == member;
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *called) override {
    const clang::Expr *pointer = allocatedBytes(*called)
                                     ? called->getArg(0)->IgnoreParenCasts()
                                     : nullptr;
    auto *address = llvm::dyn_cast_or_null<clang::UnaryOperator>(pointer);
    auto *access = address && address->getOpcode() == clang::UO_AddrOf
                       ? llvm::dyn_cast<clang::MemberExpr>(
                             address->getSubExpr()->IgnoreParens())
                       : nullptr;
    if (access && access->getMemberDecl() == member &&
        llvm::isa<clang::CXXThisExpr>(access->getBase()->IgnoreImplicit()))
      call = called;
    return true;
  }

private:
  const clang::FieldDecl *member;
  const clang::CallExpr *call = nullptr;
  unsigned count = 0;
};

/// What a constructor leaves in a member.
struct ConstructedValue {
  /// Null if it is not known.
  const clang::Expr *value = nullptr;
  /// How many parts lead there.
  size_t parts = 0;
  /// What allocates the object that the member is a pointer to.
  const clang::CallExpr *allocation = nullptr;
  /// Of several, the last.
  unsigned writes = 0;
};

} // namespace

/// What \p method, a constructor or one that writes \p parts once it is called,
/// gives what they begin with.
static ConstructedValue valueMadeBy(const clang::CXXMethodDecl &method,
                                    llvm::ArrayRef<VariablePart> parts,
                                    MemberWrites &writes) {
  const clang::FieldDecl *member = parts.front().member;
  const clang::FieldDecl *part = parts.size() > 1 ? parts[1].member : nullptr;
  ConstructedValue found;
  if (auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&method))
    for (const clang::CXXCtorInitializer *initializer : constructor->inits()) {
      if (initializer->getMember() == member)
        found = {initializer->getInit(), 1, nullptr, 1};
      else if (initializer->isBaseInitializer() &&
               initializer->getBaseClass()->getAsRecordDecl() ==
                   member->getParent())
        found = {initializer->getInit(), 0, nullptr, 1};
    }
  bool isUnknown = false, mayHaveReturned = false;
  for (const clang::Stmt *statement : method.getBody()->children()) {
    std::optional<MemberAssignment> assignment = memberAssignment(*statement);
    if (assignment && (assignment->member != member ||
                       (part && assignment->part && assignment->part != part)))
      continue;
    std::optional<MemberWrites::Members> written = writes.of(*statement);
    // Who has the object may write to it later.
    isUnknown |= !written;
    mayHaveReturned |= StatementOrder::returns(statement);
    if (!assignment && !contains(written, member))
      continue;
    // What stands behind `return` may not be reached, but for objects that are
    // there if nothing fails.
    isUnknown |= assignment && mayHaveReturned;
    unsigned before = found.writes;
    found = {};
    found.writes = before + 1;
    if (!assignment) {
      AllocationVisitor allocations(member);
      allocations.TraverseStmt(const_cast<clang::Stmt *>(statement));
      found.allocation = allocations.found();
    } else if (!assignment->part || (part && assignment->part == part)) {
      found.value = assignment->value;
      found.parts = assignment->part ? 2 : 1;
    }
  }
  return isUnknown ? ConstructedValue{nullptr, 0, nullptr, 2} : found;
}

/// The object that is made in \p constructor; while that runs, members that it
/// writes once.
std::optional<HostEvaluator::Place>
HostEvaluator::inConstructed(Frame &constructor, Parts parts, bool isDone) {
  const clang::FunctionDecl *definition = nullptr;
  if (!parts.front().member || !constructor.function->getBody(definition))
    return std::nullopt;
  ConstructedValue found = valueMadeBy(
      *llvm::cast<clang::CXXMethodDecl>(definition), parts, writes.members());
  if (!isDone && found.writes > 1)
    return std::nullopt;
  Place place({found.value, parts.drop_front(found.parts)}, &constructor);
  place.allocation = found.allocation;
  return place;
}

static bool isLambda(const clang::FunctionDecl *function) {
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method && method->getParent()->isLambda();
}

/// Whether only code that is seen here may write \p member.
bool HostEvaluator::isOfThisFile(const clang::FieldDecl &member) const {
  return !member.isMutable() && (member.getAccess() != clang::AS_public ||
                                 context.getSourceManager().isInMainFile(
                                     member.getParent()->getLocation()));
}

/// Whether the constructors leave no size of use in \p member.
bool HostEvaluator::startsWithNothing(const clang::FieldDecl &member) {
  auto isSize = [&](const clang::Expr *value) {
    if (auto *initial = llvm::dyn_cast<clang::CXXDefaultInitExpr>(value))
      value = initial->getExpr();
    std::optional<APSInt> start = number(value);
    return !start || start->isStrictlyPositive();
  };
  if (const clang::Expr *initial = member.getInClassInitializer();
      initial && isSize(initial))
    return false;
  auto *type = llvm::cast<clang::CXXRecordDecl>(member.getParent());
  return llvm::none_of(type->ctors(), [&](clang::CXXConstructorDecl *declared) {
    auto *constructor = llvm::dyn_cast_or_null<clang::CXXConstructorDecl>(
        declared->getDefinition());
    if (!constructor || !constructor->isUserProvided() ||
        constructor->isCopyOrMoveConstructor())
      return false;
    for (const clang::CXXCtorInitializer *initializer : constructor->inits())
      if (initializer->getMember() == &member && isSize(initializer->getInit()))
        return true;
    if (!memberWriters.madeByCode.contains(&member))
      return false;
    VariablePart part = {&member};
    ConstructedValue made = valueMadeBy(*constructor, part, writes.members());
    return made.writes > 0 && (!made.value || isSize(made.value));
  });
}

/// The code around \p call, if there is one way to it.
HostEvaluator::Frame *HostEvaluator::frameAround(const Call &call) {
  if (!call.caller)
    return &outermost;
  const clang::FunctionDecl *caller = call.caller->getCanonicalDecl();
  auto onPath = llvm::find_if(llvm::reverse(path), [&](const Frame &entered) {
    return entered.function == caller;
  });
  if (onPath != path.rend())
    return &*onPath;
  const std::vector<CallPath> &paths = callers.pathsTo(caller);
  Frame *around = &outermost;
  if (paths.size() == 1)
    for (const auto &[function, entry] : paths.front())
      around = &constructors.emplace_back(Frame{function, entry->expr, around});
  return around;
}

/// Whether a copy of an object of \p type has the same \p member.
static bool isKeptByCopies(const clang::FieldDecl &member,
                           const clang::CXXRecordDecl &type,
                           MemberWrites &writes) {
  return llvm::all_of(type.ctors(), [&](clang::CXXConstructorDecl *declared) {
    if (!declared->isCopyOrMoveConstructor() || !declared->isUserProvided() ||
        declared->isDeleted())
      return true;
    auto *constructor = llvm::dyn_cast_or_null<clang::CXXConstructorDecl>(
        declared->getDefinition());
    if (!constructor)
      return false;
    VariablePart part = {&member};
    const clang::Expr *value = valueMadeBy(*constructor, part, writes).value;
    auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(
        value ? value->IgnoreImplicit() : nullptr);
    if (const clang::Expr *passed = call ? passedOn(*call) : nullptr)
      value = passed;
    auto *access =
        value ? llvm::dyn_cast<clang::MemberExpr>(value->IgnoreParenImpCasts())
              : nullptr;
    return access && access->getMemberDecl() == &member;
  });
}

/// Whether \p function is \p maker, or a constructor of \p type.
static bool makes(const clang::FunctionDecl *function,
                  const clang::CXXRecordDecl &type, const clang::Decl *maker) {
  auto *constructor =
      llvm::dyn_cast_or_null<clang::CXXConstructorDecl>(function);
  return function == maker ||
         (constructor && constructor->getParent() == &type);
}

/// Of the objects that the program makes, by constructors or by the only method
/// that gives them what is asked for, one that is supposed, or the only one.
std::optional<HostEvaluator::Place> HostEvaluator::inAnyObject(Parts parts) {
  const clang::FieldDecl *member = parts.front().member;
  auto *type = member
                   ? llvm::dyn_cast<clang::CXXRecordDecl>(member->getParent())
                   : nullptr;
  if (!type || !isOfThisFile(*member) || memberWriters.types.contains(type) ||
      !isKeptByCopies(*member, *type, writes.members()))
    return std::nullopt;
  llvm::ArrayRef<Call> calls = callers.constructionsOf(*type);
  const clang::Decl *maker = type;
  if (auto written = memberWriters.methods.find(member);
      written != memberWriters.methods.end()) {
    if (!written->second || !startsWithNothing(*member))
      return std::nullopt;
    calls = callers.here(*written->second);
    maker = written->second->getCanonicalDecl();
  }
  // It may not have made it yet.
  for (const Frame *entered = frame; entered; entered = entered->outer)
    if (makes(entered->function, *type, maker))
      return std::nullopt;
  size_t number = 0;
  if (auto chosen = supposition.chosenObjects.find(maker);
      chosen != supposition.chosenObjects.end()) {
    number = chosen->second;
  } else if (calls.size() > 1) {
    // Of an object that is replaced nothing may be launched.
    if (!open && calls.size() <= MostValues && !callers.isAssigned(*type)) {
      open = Choice{nullptr, {}, nullptr, maker};
      for (size_t i = 0; i < calls.size(); ++i)
        open->values.push_back(i);
    }
    return std::nullopt;
  }
  if (number >= calls.size())
    return std::nullopt;
  const Call &call = calls[number];
  return inConstructed(
      constructors.emplace_back(Frame{calledBy(*call.expr)->getCanonicalDecl(),
                                      call.expr, frameAround(call)}),
      parts, /*isDone=*/true);
}

/// The object of the method that is evaluated.
std::optional<HostEvaluator::Place> HostEvaluator::inThis(Parts parts) {
  if (auto object = inCalledObject(parts); object && !isOpen(evaluate(*object)))
    return object;
  return inAnyObject(parts);
}

/// The same, if the call says which object it is.
std::optional<HostEvaluator::Place> HostEvaluator::inCalledObject(Parts parts) {
  Frame *entered = frame;
  while (isLambda(entered->function))
    entered = entered->outer;
  auto *method =
      llvm::dyn_cast_or_null<clang::CXXMethodDecl>(entered->function);
  if (!method)
    return std::nullopt;
  if (llvm::isa<clang::CXXConstructorDecl>(method))
    return inConstructed(*entered, parts, /*isDone=*/false);
  auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(entered->call);
  if (!call || method->isVirtual() || !parts.front().member ||
      contains(writes.members().of(*method), parts.front().member) ||
      isWrittenBeside(*entered, nullptr))
    return std::nullopt;
  return Place({call->getImplicitObjectArgument(), parts}, entered->outer);
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
    return std::nullopt;
  return Place({base, part}, frame);
}

/// The last write of a variable, or what it stands for.
std::optional<HostEvaluator::Place>
HostEvaluator::resolveVariable(const clang::DeclRefExpr *mention, Parts parts) {
  auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
  if (!variable)
    return std::nullopt;
  if (variable->isCXXForRangeDecl())
    return Place({rangeElement(variable), parts}, frame);
  Frame *function = frameOf(variable);
  if (parts.front().isPointee) {
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
  if (place.allocation)
    return inFrame(place.frame, [&] { return allocated(*place.allocation); });
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object a method is called for, and what its members hold: what the code
// leads to, or else what the calls give that make such objects.
#include "HostEvaluator.h"

#include "LibraryCalls.h"
#include "MadeMembers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

using namespace auspex;
using llvm::APSInt;

/// What the constructor or method \p entered leaves in \p parts of its object;
/// none if its code is not known.
std::optional<MadeValue> HostEvaluator::madeIn(Frame &entered, Parts parts) {
  const clang::FunctionDecl *definition = nullptr;
  if (!parts.front().member || !entered.function->getBody(definition))
    return std::nullopt;
  auto isIdle = [&](const clang::Stmt &statement) {
    return inFrame(&entered, [&] { return doesNothing(statement); });
  };
  return valueMadeBy(*llvm::cast<clang::CXXMethodDecl>(definition), parts,
                     writes.members(), isIdle);
}

HostEvaluator::Place HostEvaluator::placeOf(const MadeValue &made,
                                            Frame &entered, Parts parts) {
  Place place({made.value, parts.drop_front(made.parts)}, &entered);
  place.writer = made.writer;
  return place;
}

/// The object that is made in \p constructor; while that runs, members that it
/// writes once.
std::optional<HostEvaluator::Place>
HostEvaluator::inConstructed(Frame &constructor, Parts parts, bool isDone) {
  std::optional<MadeValue> made = madeIn(constructor, parts);
  if (!made || (!isDone && made->writes > 1))
    return std::nullopt;
  return placeOf(*made, constructor, parts);
}

static bool isLambda(const clang::FunctionDecl *function) {
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method && method->getParent()->isLambda();
}

/// Whether no other file has code that may write private members of \p type.
static bool hasItsCodeHere(const clang::CXXRecordDecl &type) {
  return llvm::all_of(type.decls(), [](const clang::Decl *declaration) {
    if (auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(declaration))
      return method->isDefined() || method->isConst() ||
             !method->isUserProvided() ||
             llvm::isa<clang::CXXDestructorDecl>(method);
    auto *nested = llvm::dyn_cast<clang::CXXRecordDecl>(declaration);
    bool isNested = nested && !nested->isInjectedClassName();
    return !isNested &&
           !llvm::isa<clang::FriendDecl, clang::TemplateDecl>(declaration);
  });
}

/// Whether only code that is seen here may write \p member.
bool HostEvaluator::isOfThisFile(const clang::FieldDecl &member) const {
  auto *type = llvm::cast<clang::CXXRecordDecl>(member.getParent());
  bool isInside =
      member.getAccess() == clang::AS_private && hasItsCodeHere(*type);
  return !member.isMutable() &&
         (isInside ||
          context.getSourceManager().isInMainFile(type->getLocation()));
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
    MadeValue made = valueMadeBy(*constructor, part, writes.members());
    return made.writes > 0 && (!made.value || isSize(made.value));
  });
}

/// Of the innermost method that is evaluated, which lambdas may be written in;
/// the outermost frame if there is none.
HostEvaluator::Frame *HostEvaluator::methodFrame() const {
  Frame *entered = frame;
  while (isLambda(entered->function))
    entered = entered->outer;
  return entered;
}

/// The object that its call names; none if it is not a method that is called.
std::optional<HostEvaluator::Place> HostEvaluator::calledObject() const {
  Frame *entered = methodFrame();
  auto *call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(entered->call);
  return call ? std::optional(
                    Place(call->getImplicitObjectArgument(), entered->outer))
              : std::nullopt;
}

/// What of \p call, of the library, leads to the same object as its result: an
/// element or pointer that a container or smart pointer holds, or what is
/// passed on. Null if nothing does.
const clang::Expr *HostEvaluator::givenBack(const clang::CallExpr &call) {
  if (const clang::Expr *passed = passedOn(call))
    return passed;
  auto *access = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  if (access && access->getOperator() == clang::OO_Subscript)
    return elementOf(access->getArg(0), access->getArg(1));
  if (access && (access->getOperator() == clang::OO_Arrow ||
                 access->getOperator() == clang::OO_Star))
    return access->getArg(0);
  auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const clang::FunctionDecl *callee = call.getDirectCallee();
  return method && callee && callee->getIdentifier() &&
                 callee->getName() == "get"
             ? method->getImplicitObjectArgument()
             : nullptr;
}

/// From \p place, an object or a pointer to it, a step to where the pointer or
/// the object comes from. None if nobody knows.
std::optional<HostEvaluator::Place>
HostEvaluator::towardsObject(const Place &place) {
  const clang::Expr *expr = place.expr;
  if (llvm::isa<clang::CXXThisExpr>(expr))
    return calledObject();
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return unary->getOpcode() == clang::UO_AddrOf ||
                   unary->getOpcode() == clang::UO_Deref
               ? std::optional(Place(unary->getSubExpr(), frame))
               : std::nullopt;
  if (auto *made = llvm::dyn_cast<clang::CXXNewExpr>(expr))
    return Place(made->getConstructExpr(), frame);
  if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr))
    return Place(elementOf(element->getBase(), element->getIdx()), frame);
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(expr))
    return Place(givenBack(*call), frame);
  if (auto *wrapped = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    return Place(wrapped->getNumArgs() > 0 ? wrapped->getArg(0) : nullptr,
                 frame);
  if (auto *access = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    std::optional<Place> object = objectOf(*access);
    Place value = object ? resolve(*object) : Place(nullptr, frame);
    return value.parts.empty() ? std::optional(value) : std::nullopt;
  }
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (!variable)
    return std::nullopt;
  // Whatever is done to an object, it stays the one that was made.
  bool isObject = variable->getType()->isRecordType() ||
                  variable->getType()->isReferenceType();
  if (!isObject || variable->isCXXForRangeDecl())
    return resolveVariable(mention, {});
  Frame *around = frameOf(variable);
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  return parameter ? Place(argument(*around, parameter), around->outer)
                   : Place(variable->getInit(), around);
}

/// What makes the object that \p place is, or points to: the construction of
/// one, or a call of the library that constructs it. Null if nobody knows.
const clang::Expr *HostEvaluator::makerOf(Place place) {
  for (unsigned left = 32; place.expr && place.frame && left; --left) {
    place.expr = place.expr->IgnoreImplicit()->IgnoreParenCasts();
    const clang::FunctionDecl *called = calledBy(*place.expr);
    auto *constructor =
        llvm::dyn_cast_or_null<clang::CXXConstructorDecl>(called);
    if (called && !isOfLibrary(called))
      return constructor && !constructor->isCopyOrMoveConstructor() ? place.expr
                                                                    : nullptr;
    std::optional<Place> next =
        inFrame(place.frame, [&] { return towardsObject(place); });
    if (!next)
      return nullptr;
    place = std::move(*next);
  }
  return nullptr;
}

/// What a call of \p callee runs, which names the virtual \p method.
HostEvaluator::Value
HostEvaluator::overrider(const clang::MemberExpr &callee,
                         const clang::CXXMethodDecl &method) {
  const clang::Expr *maker = makerOf(Place(callee.getBase(), frame));
  if (!maker)
    return {};
  const clang::CXXRecordDecl *made =
      llvm::cast<clang::CXXConstructorDecl>(calledBy(*maker))->getParent();
  const clang::FunctionDecl *run = methodRun(method, *made);
  return run ? Value(run) : Value();
}

/// The code around \p call, if there is one way to it.
HostEvaluator::Frame *HostEvaluator::frameAround(const Call &call) {
  if (!call.caller)
    return &outermost;
  const clang::FunctionDecl *caller = call.caller->getCanonicalDecl();
  if (Frame *entered = frameOnPath(*caller))
    return entered;
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
/// that gives them what is asked for, the one that \p named leads to, one that
/// is supposed, or the only one.
std::optional<HostEvaluator::Place>
HostEvaluator::inAnyObject(Parts parts, std::optional<Place> named) {
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
    if (!written->second || callers.isMentioned(*written->second) ||
        !startsWithNothing(*member))
      return std::nullopt;
    calls = callers.here(*written->second);
    maker = written->second->getCanonicalDecl();
  }
  // It may not have made it yet.
  for (const Frame *entered = frame; entered; entered = entered->outer)
    if (makes(entered->function, *type, maker))
      return std::nullopt;
  size_t number = 0;
  // Of an object that is replaced nothing may be launched.
  bool isReplaced = callers.isAssigned(*type);
  const clang::Expr *known = named && !isReplaced ? makerOf(*named) : nullptr;
  auto *isKnown = llvm::find_if(
      calls, [&](const Call &call) { return known && call.expr == known; });
  if (isKnown != calls.end()) {
    number = isKnown - calls.begin();
  } else if (auto chosen = supposition.chosenObjects.find(maker);
             chosen != supposition.chosenObjects.end()) {
    number = chosen->second;
  } else if (calls.size() > 1) {
    if (!open && calls.size() <= Choice::MostValues && !isReplaced) {
      open = Choice{nullptr, {}, nullptr, maker};
      for (size_t i = 0; i < calls.size(); ++i)
        open->values.push_back(i);
    }
    return std::nullopt;
  }
  if (number >= calls.size())
    return std::nullopt;
  const Call &call = calls[number];
  auto *method = llvm::dyn_cast<clang::FunctionDecl>(maker);
  const clang::FunctionDecl *called = method ? method : calledBy(*call.expr);
  return inConstructed(
      constructors.emplace_back(
          Frame{called->getCanonicalDecl(), call.expr, frameAround(call)}),
      parts, /*isDone=*/true);
}

/// The object of the method that is evaluated.
std::optional<HostEvaluator::Place> HostEvaluator::inThis(Parts parts) {
  if (auto object = inCalledObject(parts); object && !isOpen(evaluate(*object)))
    return object;
  return inAnyObject(parts, calledObject());
}

/// The same, if the call says which object it is.
std::optional<HostEvaluator::Place> HostEvaluator::inCalledObject(Parts parts) {
  Frame *entered = methodFrame();
  auto *method =
      llvm::dyn_cast_or_null<clang::CXXMethodDecl>(entered->function);
  if (!method)
    return std::nullopt;
  if (llvm::isa<clang::CXXConstructorDecl>(method))
    return inConstructed(*entered, parts, /*isDone=*/false);
  auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(entered->call);
  if (!call || method->isVirtual() || !parts.front().member ||
      mayBeIn(writes.members().of(*method), parts.front().member) ||
      isWrittenBeside(*entered, nullptr))
    return std::nullopt;
  return Place({call->getImplicitObjectArgument(), parts}, entered->outer);
}

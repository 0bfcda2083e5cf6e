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

/// The object that is made in \p constructor; while that runs, members that it
/// writes once.
std::optional<HostEvaluator::Place>
HostEvaluator::inConstructed(Frame &constructor, Parts parts, bool isDone) {
  const clang::FunctionDecl *definition = nullptr;
  if (!parts.front().member || !constructor.function->getBody(definition))
    return std::nullopt;
  MadeValue found = valueMadeBy(*llvm::cast<clang::CXXMethodDecl>(definition),
                                parts, writes.members());
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
      mayBeIn(writes.members().of(*method), parts.front().member) ||
      isWrittenBeside(*entered, nullptr))
    return std::nullopt;
  return Place({call->getImplicitObjectArgument(), parts}, entered->outer);
}

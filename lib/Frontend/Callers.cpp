// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Callers.h"

#include "LibraryCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SetVector.h"

using namespace auspex;

const clang::FunctionDecl *auspex::calledBy(const clang::Expr &expr) {
  if (auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(&expr))
    return made->getConstructor();
  auto *call = llvm::dyn_cast<clang::CallExpr>(&expr);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const clang::FunctionDecl *constructor =
      isOfLibrary(callee) ? constructorBehind(*call) : nullptr;
  return constructor ? constructor : callee;
}

const clang::CXXMethodDecl *
auspex::methodRun(const clang::CXXMethodDecl &method,
                  const clang::CXXRecordDecl &type) {
  return const_cast<clang::CXXMethodDecl &>(method)
      .getCorrespondingMethodInClass(&type, /*MayBeBase=*/true);
}

bool auspex::isVirtualCall(const clang::Expr &expr) {
  auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr);
  const clang::CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  auto *access =
      call
          ? llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens())
          : nullptr;
  if (!method || !access || !method->isVirtual() || access->hasQualifier())
    return false;
  const clang::CXXMethodDecl *only =
      method->getDevirtualizedMethod(access->getBase(), /*IsAppleKext=*/false);
  return !only || only->getCanonicalDecl() != method->getCanonicalDecl();
}

const clang::Expr *auspex::argumentFor(const clang::Expr &expr,
                                       unsigned index) {
  if (auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(&expr))
    return index < made->getNumArgs() ? made->getArg(index) : nullptr;
  auto *call = llvm::dyn_cast<clang::CallExpr>(&expr);
  if (!call)
    return nullptr;
  // The first argument of a call operator's call is the object.
  auto *method =
      llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (llvm::isa<clang::CXXOperatorCallExpr>(call) && method &&
      method->isImplicitObjectMemberFunction())
    ++index;
  return index < call->getNumArgs() ? call->getArg(index) : nullptr;
}

void Callers::add(const clang::FunctionDecl &function, Call call) {
  if (auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function))
    constructions[constructor->getParent()].push_back(call);
  uses[function.getCanonicalDecl()].calls.push_back(std::move(call));
}

bool Callers::isMentioned(const clang::CXXMethodDecl &method) const {
  auto found = uses.find(method.getCanonicalDecl());
  return found != uses.end() && found->second.mentions > 0;
}

/// The functions that have their address taken and are of the type that \p call
/// calls.
std::vector<const clang::FunctionDecl *>
Callers::candidatesOf(const clang::CallExpr &call) const {
  clang::QualType called = call.getCallee()->getType()->getPointeeType();
  std::vector<const clang::FunctionDecl *> result;
  for (const clang::FunctionDecl *function : defined) {
    auto used = uses.find(function->getCanonicalDecl());
    bool isTaken =
        used != uses.end() && used->second.mentions > used->second.callsByName;
    if (isTaken && !function->hasAttr<clang::CUDAGlobalAttr>() &&
        function->getASTContext().hasSameFunctionTypeIgnoringExceptionSpec(
            called, function->getType()))
      result.push_back(function);
  }
  return result;
}

/// What a call of \p method runs for objects that this unit makes.
std::vector<const clang::FunctionDecl *>
Callers::overridersOf(const clang::CXXMethodDecl &method) const {
  llvm::SetVector<const clang::FunctionDecl *,
                  std::vector<const clang::FunctionDecl *>>
      result;
  for (const auto &[made, calls] : constructions)
    if (!made->isAbstract() &&
        (made == method.getParent() || made->isDerivedFrom(method.getParent())))
      if (const clang::CXXMethodDecl *run = methodRun(method, *made))
        result.insert(run->getCanonicalDecl());
  return result.takeVector();
}

void Callers::distributeIndirectCalls() {
  auto distribute = [&](const Call &call,
                        llvm::ArrayRef<const clang::FunctionDecl *> all) {
    const clang::Expr *callee =
        llvm::cast<clang::CallExpr>(call.expr)->getCallee();
    for (const clang::FunctionDecl *one : all) {
      Call possible = call;
      possible.conditions.push_back(
          {.value = callee, .function = one->getCanonicalDecl()});
      add(*one, std::move(possible));
    }
  };
  for (const Call &call : callsOfPointers)
    distribute(call, candidatesOf(*llvm::cast<clang::CallExpr>(call.expr)));
  for (const Call &call : callsOfVirtuals) {
    const clang::CXXMethodDecl *method =
        llvm::cast<clang::CXXMemberCallExpr>(call.expr)->getMethodDecl();
    const clang::ASTContext &context = method->getASTContext();
    bool mayBeOverridden =
        overridden.contains(method->getCanonicalDecl()) ||
        !context.getSourceManager().isInMainFile(method->getLocation());
    if (mayBeOverridden)
      distribute(call, overridersOf(*method));
    else
      add(*method, call);
  }
}

bool Callers::VisitFunctionDecl(clang::FunctionDecl *function) {
  if (auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function))
    for (const clang::CXXMethodDecl *other : method->overridden_methods())
      overridden.insert(other->getCanonicalDecl());
  if (function->isThisDeclarationADefinition() &&
      !function->isDependentContext())
    defined.push_back(function);
  return true;
}

bool Callers::VisitDeclRefExpr(clang::DeclRefExpr *mention) {
  if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(mention->getDecl()))
    ++uses[function->getCanonicalDecl()].mentions;
  return true;
}

bool Callers::VisitCallExpr(clang::CallExpr *call) {
  if (call->isInstantiationDependent() || call->containsErrors())
    return true;
  const clang::Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  const clang::ValueDecl *called = nullptr;
  if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(callee))
    called = mention->getDecl();
  else if (auto *member = llvm::dyn_cast<clang::MemberExpr>(callee))
    called = member->getMemberDecl();
  Call here = {call, around, conditions, innermostLoop};
  if (isVirtualCall(*call)) {
    callsOfVirtuals.push_back(here);
  } else if (auto *function =
                 llvm::dyn_cast_or_null<clang::FunctionDecl>(called)) {
    ++uses[function->getCanonicalDecl()].callsByName;
    add(*function, here);
  } else if (callee->getType()->isFunctionPointerType() &&
             !llvm::isa<clang::CUDAKernelCallExpr>(call)) {
    callsOfPointers.push_back(here);
  }
  if (const clang::FunctionDecl *made = calledBy(*call);
      llvm::isa_and_nonnull<clang::CXXConstructorDecl>(made))
    add(*made, here);
  auto *method =
      llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (method && (method->isCopyAssignmentOperator() ||
                 method->isMoveAssignmentOperator()))
    assigned.insert(method->getParent());
  return true;
}

bool Callers::VisitCXXConstructExpr(clang::CXXConstructExpr *made) {
  const clang::CXXConstructorDecl *constructor = made->getConstructor();
  if (!made->isInstantiationDependent() && !made->containsErrors() &&
      !constructor->isCopyOrMoveConstructor() && !isOfLibrary(constructor))
    add(*constructor, {made, around, conditions, innermostLoop});
  return true;
}

llvm::ArrayRef<Call>
Callers::constructionsOf(const clang::CXXRecordDecl &type) const {
  auto found = constructions.find(&type);
  if (found == constructions.end())
    return {};
  return found->second;
}

bool auspex::isShared(const clang::FunctionDecl &function) {
  return function.isExternallyVisible() && !function.isInlined() &&
         function.getTemplateSpecializationKind() !=
             clang::TSK_ImplicitInstantiation;
}

/// The function that a lambda is written in; null of other functions.
static const clang::FunctionDecl *
functionAround(const clang::FunctionDecl &function) {
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || !method->getParent()->isLambda())
    return nullptr;
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(
      method->getParent()->getParentFunctionOrMethod());
}

llvm::ArrayRef<Call> Callers::here(const clang::FunctionDecl &function) const {
  auto found = uses.find(function.getCanonicalDecl());
  if (found == uses.end())
    return {};
  return found->second.calls;
}

bool Callers::areAll(const clang::FunctionDecl &function) const {
  auto found = uses.find(function.getCanonicalDecl());
  // What is mentioned otherwise may be called through a pointer.
  return found != uses.end() && !llvm::isa<clang::CXXMethodDecl>(function) &&
         !function.isVariadic() && !isShared(function) &&
         found->second.callsByName == found->second.mentions;
}

const std::vector<CallPath> &
Callers::pathsTo(const clang::FunctionDecl *function) {
  static const std::vector<CallPath> anyPath = {CallPath()};
  constexpr size_t MostPaths = 64;
  constexpr unsigned MostCalls = 64;
  if (!function || beingReached.size() > MostCalls)
    return anyPath;
  function = function->getCanonicalDecl();
  auto [known, isNew] = paths.try_emplace(function, anyPath);
  if (!isNew)
    return known->second;
  std::vector<CallPath> found;
  beingReached.insert(function);
  if (const clang::FunctionDecl *outer = functionAround(*function);
      outer && here(*function).empty())
    found = pathsTo(outer);
  for (const Call &call : here(*function)) {
    bool isRecursive =
        call.caller && beingReached.contains(call.caller->getCanonicalDecl());
    if (isRecursive || found.size() > MostPaths) {
      found.clear();
      break;
    }
    for (const CallPath &path : pathsTo(call.caller))
      found.emplace_back(path)[function] = &call;
  }
  beingReached.erase(function);
  if (!found.empty() && found.size() <= MostPaths)
    paths.find(function)->second = std::move(found);
  return paths.find(function)->second;
}

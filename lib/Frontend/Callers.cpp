// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Callers.h"

#include "LibraryCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

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

void Callers::dropVirtualCalls() {
  for (auto &[function, all] : uses) {
    const clang::ASTContext &context = function->getASTContext();
    bool mayBeOverridden =
        overridden.contains(function) ||
        !context.getSourceManager().isInMainFile(function->getLocation());
    if (mayBeOverridden)
      std::erase_if(all.calls, [&](const Call &call) {
        return isVirtualCall(*call.expr);
      });
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
  if (auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(called))
    add(*function, {call, around, conditions});
  if (const clang::FunctionDecl *made = calledBy(*call);
      llvm::isa_and_nonnull<clang::CXXConstructorDecl>(made))
    add(*made, {call, around, conditions});
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
    add(*constructor, {made, around, conditions});
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
         found->second.calls.size() == found->second.mentions;
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

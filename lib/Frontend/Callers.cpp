// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Callers.h"

#include "clang/AST/ASTContext.h"

using namespace auspex;

bool Callers::VisitDeclRefExpr(clang::DeclRefExpr *mention) {
  if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(mention->getDecl()))
    ++uses[function->getCanonicalDecl()].mentions;
  return true;
}

bool Callers::VisitCallExpr(clang::CallExpr *call) {
  if (call->isInstantiationDependent() || call->containsErrors())
    return true;
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(
      call->getCallee()->IgnoreParenImpCasts());
  auto *function = mention
                       ? llvm::dyn_cast<clang::FunctionDecl>(mention->getDecl())
                       : nullptr;
  if (function)
    uses[function->getCanonicalDecl()].calls.push_back(call);
  return true;
}

/// Whether other translation units cannot call this very function.
static bool isOwn(const clang::FunctionDecl &function) {
  if (!function.isExternallyVisible())
    return true;
  clang::TemplateSpecializationKind kind =
      function.getTemplateSpecializationKind();
  return function.isInlined() || kind == clang::TSK_ImplicitInstantiation;
}

const std::vector<const clang::CallExpr *> *
Callers::of(const clang::FunctionDecl &function) const {
  auto found = uses.find(function.getCanonicalDecl());
  if (found == uses.end() || llvm::isa<clang::CXXMethodDecl>(function) ||
      function.isVariadic() || !isOwn(function))
    return nullptr;
  // What is mentioned otherwise may be called through a pointer.
  const Uses &all = found->second;
  return !all.calls.empty() && all.calls.size() == all.mentions ? &all.calls
                                                                : nullptr;
}

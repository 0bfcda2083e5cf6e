// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LibraryCalls.h"

#include "clang/AST/DeclCXX.h"

using namespace auspex;

static llvm::StringRef calleeName(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const clang::IdentifierInfo *name =
      callee ? callee->getIdentifier() : nullptr;
  return name ? name->getName() : "";
}

std::optional<LaunchCall::Kind>
LaunchCall::kindOf(const clang::CallExpr &call) {
  llvm::StringRef name = calleeName(call);
  bool takesSizes =
      name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel";
  if (takesSizes && call.getNumArgs() >= 5)
    return Sizes;
  if (name == "cudaLaunchKernelExC" && call.getNumArgs() == 3)
    return Configuration;
  if (name == "cudaLaunchKernelEx" && call.getNumArgs() >= 2)
    return Arguments;
  return std::nullopt;
}

bool auspex::isOccupancyCall(const clang::CallExpr &call) {
  return calleeName(call) == "cudaOccupancyMaxPotentialBlockSize" &&
         call.getNumArgs() >= 3;
}

const clang::Expr *auspex::passedOn(const clang::CallExpr &call) {
  llvm::StringRef name = calleeName(call);
  bool passesOn = name == "forward" || name == "move" || name == "as_const";
  return passesOn && call.getNumArgs() == 1 &&
                 isOfLibrary(call.getDirectCallee())
             ? call.getArg(0)
             : nullptr;
}

bool auspex::isOfLibrary(const clang::FunctionDecl *function) {
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method ? method->getParent()->isInStdNamespace()
                : function && function->isInStdNamespace();
}

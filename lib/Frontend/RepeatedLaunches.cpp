// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RepeatedLaunches.h"

#include "LibraryCalls.h"
#include "Mentions.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace auspex;

/// Calls of the runtime library that wait, measure and ask.
static bool leavesDeviceMemoryAlone(llvm::StringRef name) {
  return name.starts_with("cudaEvent") || name.starts_with("cudaGetError") ||
         name == "cudaGetLastError" || name == "cudaPeekAtLastError" ||
         name == "cudaDeviceSynchronize" || name == "cudaThreadSynchronize" ||
         name == "cudaStreamSynchronize" || name == "cudaStreamQuery";
}

namespace {

/// What a launch mentions.
struct LaunchMentions : clang::DynamicRecursiveASTVisitor {
  llvm::DenseSet<const clang::ValueDecl *> variables;
  bool mentionsThis = false;

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    variables.insert(mention->getDecl());
    return true;
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr *) override {
    return mentionsThis = true;
  }
};

/// What code does beside a launch.
class OtherWork : public MentionVisitor {
public:
  OtherWork(const clang::CUDAKernelCallExpr *launch,
            llvm::DenseSet<const clang::FunctionDecl *> &looksAt)
      : launch(launch), looksAt(looksAt) {}

  /// It may use the memory of the device.
  bool usesDevice = false;
  bool mentionsThis = false;
  /// The two variables of each std::swap.
  std::vector<std::array<const clang::DeclRefExpr *, 2>> swaps;

  bool TraverseCUDAKernelCallExpr(clang::CUDAKernelCallExpr *call) override {
    usesDevice |= call != launch;
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee && isOfLibrary(callee) && callee->getIdentifier() &&
        callee->getName() == "swap" && call->getNumArgs() == 2)
      noteSwap(*call);
    usesDevice |= !callee || mayUseDevice(*callee);
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    usesDevice |= mayUseDevice(*made->getConstructor());
    return true;
  }

  bool VisitCXXThisExpr(clang::CXXThisExpr *) override {
    return mentionsThis = true;
  }

private:
  const clang::CUDAKernelCallExpr *launch;
  /// Functions that are looked at already.
  llvm::DenseSet<const clang::FunctionDecl *> &looksAt;

  void noteSwap(const clang::CallExpr &call) {
    auto variable = [&](unsigned i) {
      return llvm::dyn_cast<clang::DeclRefExpr>(
          call.getArg(i)->IgnoreParenImpCasts());
    };
    if (variable(0) && variable(1))
      swaps.push_back({variable(0), variable(1)});
  }

  bool mayUseDevice(const clang::FunctionDecl &callee) {
    if (callee.getBuiltinID() || callee.isTrivial() ||
        callee.hasAttr<clang::CUDADeviceAttr>() || isOfLibrary(&callee))
      return false;
    llvm::StringRef name =
        callee.getIdentifier() ? callee.getName() : llvm::StringRef();
    if (leavesDeviceMemoryAlone(name))
      return false;
    const clang::SourceManager &sources =
        callee.getASTContext().getSourceManager();
    bool isOfC =
        callee.isExternC() && sources.isInSystemHeader(callee.getLocation());
    if (isOfC && !name.starts_with("cu"))
      return false;
    const clang::FunctionDecl *definition = nullptr;
    if (!callee.hasBody(definition))
      return true;
    if (!looksAt.insert(definition).second)
      return false;
    OtherWork inside(nullptr, looksAt);
    inside.TraverseStmt(definition->getBody());
    return inside.usesDevice;
  }
};

} // namespace

bool auspex::repeatsAlone(const clang::CUDAKernelCallExpr &launch,
                          clang::Stmt &loop) {
  LaunchMentions mentioned;
  mentioned.TraverseStmt(const_cast<clang::CUDAKernelCallExpr *>(&launch));
  llvm::DenseSet<const clang::FunctionDecl *> looksAt;
  OtherWork others(&launch, looksAt);
  others.TraverseStmt(&loop);
  if (others.usesDevice || (mentioned.mentionsThis && others.mentionsThis))
    return false;
  llvm::DenseSet<const clang::DeclRefExpr *> exchanged;
  for (const auto &swapped : others.swaps)
    if (mentioned.variables.contains(swapped[0]->getDecl()) &&
        mentioned.variables.contains(swapped[1]->getDecl()))
      exchanged.insert_range(swapped);
  return llvm::none_of(others.definitions,
                       [&](const clang::VarDecl *variable) {
                         return mentioned.variables.contains(variable);
                       }) &&
         llvm::none_of(
             others.otherMentions(), [&](const clang::DeclRefExpr *mention) {
               return mentioned.variables.contains(mention->getDecl()) &&
                      !exchanged.contains(mention);
             });
}

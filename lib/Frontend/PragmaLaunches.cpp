// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PragmaLaunches.h"

#include "auspex/Frontend/Warning.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace auspex;

SourceLocation auspex::sourceLocation(const clang::SourceManager &sources,
                                      clang::SourceLocation location) {
  clang::PresumedLoc presumed =
      sources.getPresumedLoc(sources.getExpansionLoc(location));
  if (presumed.isInvalid())
    return {};
  return {presumed.getFilename(), presumed.getLine(), presumed.getColumn(), {}};
}

/// The kernel with the nearest beginning after \p pragma, or null.
static const WrittenKernel *kernelAfter(clang::SourceLocation pragma,
                                        llvm::ArrayRef<WrittenKernel> kernels,
                                        const clang::SourceManager &sources) {
  auto [file, offset] = sources.getDecomposedExpansionLoc(pragma);
  const WrittenKernel *nearest = nullptr;
  unsigned distance = ~0u;
  for (const WrittenKernel &kernel : kernels)
    for (clang::SourceLocation begin : kernel.begins) {
      auto [kernelFile, kernelOffset] =
          sources.getDecomposedExpansionLoc(begin);
      if (kernelFile != file || kernelOffset < offset ||
          kernelOffset - offset >= distance)
        continue;
      nearest = &kernel;
      distance = kernelOffset - offset;
    }
  return nearest;
}

static Argument::Kind kindOf(clang::QualType type) {
  if (type->isIntegralOrEnumerationType())
    return Argument::Kind::Integer;
  if (type->isRealFloatingType())
    return Argument::Kind::Float;
  if (type->isPointerType())
    return Argument::Kind::Pointer;
  return Argument::Kind::Struct;
}

/// As much of a summary as it takes to find arguments by name.
static KernelSummary interfaceOf(const std::string &name,
                                 const clang::FunctionDecl *function) {
  const clang::ASTContext &context = function->getASTContext();
  KernelSummary summary;
  summary.name = name;
  for (const clang::ParmVarDecl *parameter : function->parameters()) {
    Argument argument;
    argument.kind = kindOf(parameter->getType());
    // A kernel that is only declared may take what is not complete yet.
    if (!parameter->getType()->isIncompleteType())
      argument.sizeInBytes =
          context.getTypeSizeInChars(parameter->getType()).getQuantity();
    argument.name = parameter->getNameAsString();
    summary.arguments.push_back(std::move(argument));
  }
  return summary;
}

std::vector<LaunchConfig>
auspex::pragmaLaunches(llvm::ArrayRef<LaunchPragma> pragmas,
                       llvm::ArrayRef<WrittenKernel> kernels,
                       const clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  std::vector<LaunchConfig> launches;
  for (const LaunchPragma &pragma : pragmas) {
    auto complain = [&](const std::string &message) {
      warn(context.getDiagnostics(), pragma.location, message,
           clang::diag::Group::Pragmas);
    };
    const WrittenKernel *kernel =
        kernelAfter(pragma.location, kernels, sources);
    if (!kernel) {
      complain("no kernel begins after this launch in this file");
      continue;
    }
    auto stated = parseLaunchText(pragma.text, LaunchOrigin::Pragma);
    if (!stated) {
      complain("ignored: " + llvm::toString(stated.takeError()));
      continue;
    }
    // The diagnostic names the place, the errors below need not.
    for (const auto &[name, function] : kernel->instances) {
      auto launch = resolveArguments(*stated, interfaceOf(name, function));
      if (!launch) {
        complain("ignored: " + llvm::toString(launch.takeError()));
        break;
      }
      launch->kernel = name;
      launch->location = sourceLocation(sources, pragma.location);
      launches.push_back(std::move(*launch));
    }
  }
  return launches;
}

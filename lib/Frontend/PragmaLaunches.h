// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which kernel a launch pragma stands before, and what it says of it.
#ifndef AUSPEX_LIB_FRONTEND_PRAGMALAUNCHES_H
#define AUSPEX_LIB_FRONTEND_PRAGMALAUNCHES_H

#include "auspex/Frontend/LaunchPragmas.h"
#include "auspex/Kernel/LaunchConfig.h"
#include "clang/AST/Decl.h"

namespace auspex {

/// A kernel as the source writes it: a function or a template.
struct WrittenKernel {
  /// Where its declarations begin.
  std::vector<clang::SourceLocation> begins;
  /// What the translation unit makes of it, by mangled name: itself or the
  /// instances of the template.
  std::vector<std::pair<std::string, const clang::FunctionDecl *>> instances;
};

/// The launches of \p pragmas: each belongs to the first kernel that begins
/// after it in its file. Warns about those that are wrong or before no kernel.
std::vector<LaunchConfig> pragmaLaunches(llvm::ArrayRef<LaunchPragma> pragmas,
                                         llvm::ArrayRef<WrittenKernel> kernels,
                                         const clang::ASTContext &context);

/// A place as messages name it.
SourceLocation sourceLocation(const clang::SourceManager &sources,
                              clang::SourceLocation location);

} // namespace auspex

#endif

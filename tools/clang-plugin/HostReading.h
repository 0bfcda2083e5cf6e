// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the plugin does if it is asked for host code alone: it reads what that
/// says, of CUDA, C or C++ sources, and writes it as a summary document without
/// kernels.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_HOSTREADING_H
#define AUSPEX_TOOLS_CLANGPLUGIN_HOSTREADING_H

#include "PluginOptions.h"
#include "auspex/Frontend/LaunchPragmas.h"
#include "auspex/Frontend/Launches.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"

namespace auspex {

/// Sets it up; \p options have a file for it.
std::unique_ptr<clang::ASTConsumer>
setUpHostReading(clang::CompilerInstance &compiler, PluginOptions options);

/// The launches of the translation unit; none, and a warning, if reading them
/// fails.
std::optional<LaunchSet> readLaunches(clang::ASTContext &context,
                                      llvm::ArrayRef<LaunchPragma> pragmas,
                                      const ProgramFacts &program);

} // namespace auspex

#endif

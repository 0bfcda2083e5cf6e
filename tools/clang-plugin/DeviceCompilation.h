// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the plugin does in one device compilation: it changes a few of clang's
/// options, reads the launches at the end of the source, and analyses the
/// module on its way through the optimiser.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_DEVICECOMPILATION_H
#define AUSPEX_TOOLS_CLANGPLUGIN_DEVICECOMPILATION_H

#include "PluginOptions.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"

namespace llvm {
class PassBuilder;
}

namespace auspex {

/// What the library calls itself to clang as a pass plugin.
inline constexpr char PluginName[] = "AuspexClang";

/// Whether \p compiler compiles CUDA for an NVIDIA GPU.
bool isDeviceCompilation(const clang::CompilerInstance &compiler);

/// Has what \p builder builds report on the kernels of modules that come as IR.
void analyzeIR(llvm::PassBuilder &builder);

/// What is left to do in other compilations: to skip launch pragmas.
std::unique_ptr<clang::ASTConsumer>
standAside(clang::CompilerInstance &compiler);

/// Sets up a device compilation, unless nobody asked for anything. The consumer
/// has to see the translation unit before clang's back end does.
std::unique_ptr<clang::ASTConsumer>
setUpDeviceCompilation(clang::CompilerInstance &compiler,
                       PluginOptions options);

} // namespace auspex

#endif

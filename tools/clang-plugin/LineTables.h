// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Line tables that only the plugin sees. What it says needs places in the
/// source; a user who asked for no debug info gets an object without a trace of
/// it, the same as without the plugin.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_LINETABLES_H
#define AUSPEX_TOOLS_CLANGPLUGIN_LINETABLES_H

namespace clang {
class CompilerInstance;
}
namespace llvm {
class Module;
}

namespace auspex {

/// Has clang track locations if nobody asked for debug info. Whether it did;
/// then removeLineTables has to follow on the way through the optimiser.
bool addLineTables(clang::CompilerInstance &compiler);

/// Makes \p module as if there had never been line tables. llvm::StripDebugInfo
/// is not enough: it leaves a module flag, and mentions a kind of metadata that
/// bitcode then lists.
void removeLineTables(llvm::Module &module);

} // namespace auspex

#endif

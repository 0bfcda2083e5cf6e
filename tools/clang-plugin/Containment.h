// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Keeps what goes wrong in the analysis from ending the compilation.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_CONTAINMENT_H
#define AUSPEX_TOOLS_CLANGPLUGIN_CONTAINMENT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace clang {
class DiagnosticsEngine;
}

namespace auspex {

/// Takes the place of clang's handler of LLVM's fatal errors, which ends the
/// compilation, as this one does outside of contained work. \p diagnostics are
/// those of the compilation, and last as long.
void handleFatalErrors(clang::DiagnosticsEngine &diagnostics);

/// Does \p work. If it crashes, or ends in a fatal error of LLVM's, it is left
/// as it is, with what it holds, and the error says so. Any thread may ask.
llvm::Error runContained(llvm::function_ref<void()> work);

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `#pragma auspex launch(grid:4096, block:256, n=1048576)`: a launch stated in
/// front of a kernel, in the words of --launch without the kernel's name.
/// Macros are expanded. Several pragmas state several launches.
#ifndef AUSPEX_FRONTEND_LAUNCHPRAGMAS_H
#define AUSPEX_FRONTEND_LAUNCHPRAGMAS_H

#include "clang/Basic/SourceLocation.h"

#include <memory>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace auspex {

struct LaunchPragma {
  clang::SourceLocation location;
  /// What stands between the parentheses.
  std::string text;
};

/// Has \p preprocessor keep launch pragmas in \p pragmas, in the order they are
/// read. A pragma that is no launch(...) is a warning of -Wpragmas. Without \p
/// pragmas they are skipped in silence.
void addPragmaHandler(clang::Preprocessor &preprocessor,
                      std::shared_ptr<std::vector<LaunchPragma>> pragmas);

} // namespace auspex

#endif

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
class DiagnosticsEngine;
class Preprocessor;
} // namespace clang

namespace auspex {

/// The launch pragmas of one translation unit, in the order they were read.
class LaunchPragmas {
public:
  struct Pragma {
    clang::SourceLocation location;
    /// What stands between the parentheses.
    std::string text;
  };
  std::vector<Pragma> pragmas;
};

/// Has \p preprocessor keep launch pragmas in \p pragmas. A pragma that is no
/// launch(...) is a warning. Without \p pragmas they are skipped in silence.
void addPragmaHandler(clang::Preprocessor &preprocessor,
                      std::shared_ptr<LaunchPragmas> pragmas);

/// Reports a warning about a pragma. It belongs to -Wpragmas and stays a
/// warning under -Werror: whether code compiles does not depend on Auspex.
void warnAboutPragma(clang::DiagnosticsEngine &diagnostics,
                     clang::SourceLocation location,
                     const std::string &message);

} // namespace auspex

#endif

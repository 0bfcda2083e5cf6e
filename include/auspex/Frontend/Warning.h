// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Warnings to the user of clang that stay warnings.
#ifndef AUSPEX_FRONTEND_WARNING_H
#define AUSPEX_FRONTEND_WARNING_H

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class DiagnosticsEngine;
}

namespace auspex {

/// Reports a warning that -Werror does not turn into an error: whether code
/// compiles does not depend on Auspex. \p group is what -Wno-... turns it off
/// by, if there is one that fits.
void warn(clang::DiagnosticsEngine &diagnostics, clang::SourceLocation location,
          const std::string &message,
          std::optional<clang::diag::Group> group = std::nullopt);

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Frontend/Warning.h"

#include "clang/Basic/Diagnostic.h"

using namespace auspex;

void auspex::warn(clang::DiagnosticsEngine &diagnostics,
                  clang::SourceLocation location, const std::string &message,
                  std::optional<clang::diag::Group> group) {
  using Desc = clang::DiagnosticIDs::CustomDiagDesc;
  unsigned id = diagnostics.getDiagnosticIDs()->getCustomDiagID(
      Desc(clang::diag::Severity::Warning, "%0",
           clang::DiagnosticIDs::CLASS_WARNING, /*ShowInSystemHeader=*/false,
           /*ShowInSystemMacro=*/false, group));
  bool warningsAreErrors = diagnostics.getWarningsAsErrors();
  diagnostics.setWarningsAsErrors(false);
  diagnostics.Report(location, id) << message;
  diagnostics.setWarningsAsErrors(warningsAreErrors);
}

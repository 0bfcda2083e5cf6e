// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Containment.h"

#include "auspex/Support/Error.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace auspex;

/// What LLVM said last in contained work of this thread; null outside of it.
static thread_local std::string *fatalError = nullptr;

static void handleFatalError(void *diagnostics, const char *message,
                             bool isCrash) {
  constexpr int Failed = 1, Crashed = 70;
  if (fatalError) {
    *fatalError = message;
    llvm::sys::Process::Exit(Failed); // to the end of the contained work
  }
  static_cast<clang::DiagnosticsEngine *>(diagnostics)
          ->Report(clang::diag::err_fe_error_backend)
      << message;
  llvm::sys::RunInterruptHandlers();
  llvm::sys::Process::Exit(isCrash ? Crashed : Failed);
}

void auspex::handleFatalErrors(clang::DiagnosticsEngine &diagnostics) {
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(handleFatalError, &diagnostics);
}

llvm::Error auspex::runContained(llvm::function_ref<void()> work) {
  llvm::CrashRecoveryContext::Enable();
  std::string message;
  std::string *outer = std::exchange(fatalError, &message);
  bool isDone = llvm::CrashRecoveryContext().RunSafely(work);
  fatalError = outer;
  if (isDone)
    return llvm::Error::success();
  return makeInputError({}, message.empty()
                                ? "the analysis crashed; please report it"
                                : "LLVM's back end says: " + message);
}

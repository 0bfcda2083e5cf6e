// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Containment.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace auspex;

/// What LLVM said last in contained work of this thread; null outside of it.
static thread_local std::string *fatalError = nullptr;

/// As LLVM does; it ends the process afterwards.
static void printFatalError(void *, const char *message, bool) {
  llvm::errs() << "LLVM ERROR: " << message << '\n';
}

static llvm::fatal_error_handler_t handlerOutside = printFatalError;
static void *dataOutside = nullptr;

static void handleFatalError(void *, const char *message, bool isCrash) {
  if (fatalError) {
    *fatalError = message;
    llvm::sys::Process::Exit(1); // to the end of the contained work
  }
  handlerOutside(dataOutside, message, isCrash);
}

static std::once_flag isInstalled;

static void install() {
  llvm::CrashRecoveryContext::Enable();
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(handleFatalError);
}

void auspex::handleFatalErrors(llvm::fatal_error_handler_t handler,
                               void *data) {
  handlerOutside = handler;
  dataOutside = data;
  std::call_once(isInstalled, [] {});
  // Again: the process may have set its own since.
  install();
}

llvm::Error auspex::runContained(llvm::function_ref<void()> work, Place place) {
  std::call_once(isInstalled, install);
  std::string message;
  std::string *outer = std::exchange(fatalError, &message);
  bool isDone = llvm::CrashRecoveryContext().RunSafely(work);
  fatalError = outer;
  if (isDone)
    return llvm::Error::success();
  return makeInputError(std::move(place),
                        message.empty()
                            ? "the analysis crashed; please report it"
                            : "LLVM's back end says: " + message);
}

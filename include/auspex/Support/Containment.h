// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Keeps what goes wrong in the analysis from ending the process.
#ifndef AUSPEX_SUPPORT_CONTAINMENT_H
#define AUSPEX_SUPPORT_CONTAINMENT_H

#include "auspex/Support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <optional>

namespace auspex {

/// Takes the place of the process' handler of LLVM's fatal errors with
/// \p handler, which is called for those outside of contained work. Without it
/// LLVM prints them and ends the process.
void handleFatalErrors(llvm::fatal_error_handler_t handler, void *data);

/// Does \p work. If it crashes, or ends in a fatal error of LLVM's, it is left
/// as it is, with what it holds, and an error of \p place says so. Any thread
/// may ask.
llvm::Error runContained(llvm::function_ref<void()> work, Place place = {});

/// The same for work that makes something. It must not leave half of it in
/// objects from outside.
template <typename T>
llvm::Expected<T> makeContained(llvm::function_ref<llvm::Expected<T>()> work,
                                Place place = {}) {
  std::optional<llvm::Expected<T>> result;
  if (llvm::Error failure =
          runContained([&] { result.emplace(work()); }, std::move(place)))
    return std::move(failure);
  return std::move(*result);
}

} // namespace auspex

#endif

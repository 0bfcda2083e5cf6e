// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors: what CUDA calls them, and the last one of each thread.
#include "Runtime.h"

using namespace auspex::cuda;

static thread_local Error lastError = Success;

Error auspex::cuda::note(Error error) {
  // That something still runs is an answer and no error.
  if (error != Success && error != NotReady)
    lastError = error;
  return error;
}

AUSPEX_CUDA Error cudaGetLastError() {
  Error error = lastError;
  lastError = Runtime::get().sticky;
  return error;
}

AUSPEX_CUDA Error cudaPeekAtLastError() { return lastError; }

AUSPEX_CUDA const char *cudaGetErrorName(Error error) {
  switch (error) {
#define AUSPEX_CUDA_ERROR(NUMBER, NAME, TEXT)                                  \
  case NUMBER:                                                                 \
    return NUMBER ? "cudaError" #NAME : "cuda" #NAME;
#include "Errors.def"
  }
  return "unrecognized error code";
}

AUSPEX_CUDA const char *cudaGetErrorString(Error error) {
  switch (error) {
#define AUSPEX_CUDA_ERROR(NUMBER, NAME, TEXT)                                  \
  case NUMBER:                                                                 \
    return TEXT;
#include "Errors.def"
  }
  return "unrecognized error code";
}

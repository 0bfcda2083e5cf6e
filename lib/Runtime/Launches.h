// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launching kernels, from wherever it is asked for.
#ifndef AUSPEX_LIB_RUNTIME_LAUNCHES_H
#define AUSPEX_LIB_RUNTIME_LAUNCHES_H

#include "Modules.h"
#include "Streams.h"
#include "auspex/HW/Occupancy.h"

namespace auspex::cuda {

struct LaunchRequest {
  Dim3 grid, block;
  size_t dynamicShared = 0;
  bool isCooperative = false;
};

/// Checks and launches; the arguments are copied before it returns, also where
/// the stream is captured.
Error launch(Runtime &runtime, const void *shadow, const LaunchRequest &request,
             void **arguments, Stream *stream);

/// Dynamic shared memory in bytes that a launch of \p kernel may ask for.
uint64_t dynamicSharedLimit(Runtime &runtime, const Kernel &kernel);

/// What a block of \p kernel asks of an SM.
BlockResources blockResources(Runtime &runtime, const Kernel &kernel,
                              uint64_t threads, uint64_t dynamicShared);

} // namespace auspex::cuda

#endif

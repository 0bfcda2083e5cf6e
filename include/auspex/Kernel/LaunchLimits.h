// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a grid and a block may measure, for the reader of launches (limits of
/// every GPU) and for the check against one GPU.
#ifndef AUSPEX_LIB_KERNEL_LAUNCHLIMITS_H
#define AUSPEX_LIB_KERNEL_LAUNCHLIMITS_H

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/HW/GPU.h"

namespace auspex {

/// CUDA C++ Programming Guide, table "Technical Specifications per Compute
/// Capability".
struct LaunchLimits {
  Dim3 grid{INT32_MAX, 65535, 65535};
  Dim3 block{1024, 1024, 64};
  int64_t threadsPerBlock = 1024;

  /// What no GPU exceeds.
  static LaunchLimits ofAnyGPU() { return {}; }
  static LaunchLimits of(const GPU &gpu);
};

/// What is wrong with a grid or a block: "2048 threads exceed the 1024 a block
/// can have"; empty if nothing is.
std::string gridProblem(const Dim3 &grid, const LaunchLimits &limits);
std::string blockProblem(const Dim3 &block, const LaunchLimits &limits);

} // namespace auspex

#endif

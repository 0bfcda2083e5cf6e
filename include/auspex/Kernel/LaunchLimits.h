// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is wrong with the grid and the block of a launch, for the reader of
/// launches (limits of every GPU) and for the checks against one GPU.
#ifndef AUSPEX_KERNEL_LAUNCHLIMITS_H
#define AUSPEX_KERNEL_LAUNCHLIMITS_H

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/HW/GPU.h"

namespace auspex {

LaunchLimits launchLimits(const GPU &gpu);

/// What is wrong with a grid or a block: "2048 threads exceed the 1024 a block
/// can have"; empty if nothing is.
std::string gridProblem(const Dim3 &grid, const LaunchLimits &limits);
std::string blockProblem(const Dim3 &block, const LaunchLimits &limits);

} // namespace auspex

#endif

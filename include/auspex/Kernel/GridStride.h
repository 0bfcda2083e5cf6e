// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that go over elements by the size of the grid.
#ifndef AUSPEX_KERNEL_GRIDSTRIDE_H
#define AUSPEX_KERNEL_GRIDSTRIDE_H

#include "auspex/Kernel/KernelSummary.h"
#include "auspex/Kernel/LaunchConfig.h"

#include <optional>

namespace auspex {

/// A kernel and a launch of it.
struct LaunchedKernel {
  KernelSummary summary;
  LaunchConfig launch;
};

/// The same work without the loop, one turn a block, in a grid of as many
/// blocks as there are turns: where `for (i = blockIdx.x * blockDim.x +
/// threadIdx.x; i < n; i += gridDim.x * blockDim.x)`, or `for (tile =
/// blockIdx.x; tile < tiles; tile += gridDim.x)`, holds all accesses to global
/// memory, whose places hang on the counter alone, and divides it: by the width
/// of a row, say, which takes many pieces to count turn by turn. Blocks that
/// run side by side are in the same turn, so that what they touch, and when, is
/// about the same. What comes before the loop then runs once a turn.
///
/// None if there is no such loop, or it has no second turn. \p launch is
/// complete.
std::optional<LaunchedKernel> withoutGridStride(const KernelSummary &summary,
                                                const LaunchConfig &launch);

} // namespace auspex

#endif

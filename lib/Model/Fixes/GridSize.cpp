// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that go through their work in strides of the grid do it in any grid:
// one of whole waves leaves no SM idle.
#include "Common.h"

#include "auspex/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

static bool isInStridingLoop(const Block &block, const KernelSummary &summary) {
  return block.loop >= 0 &&
         summary.loops[block.loop].tripCount.expr.uses("nctaid.x");
}

/// How often warps go through the loops that stride by the grid, in the mean of
/// those that come to them.
static double rounds(const BoundKernel &kernel) {
  double most = 0;
  for (auto [block, runs] : llvm::zip(kernel.summary->blocks, kernel.blocks))
    if (runs.loopEntries > 0 && isInStridingLoop(block, *kernel.summary))
      most = std::max(most, runs.warpExecutions / runs.loopEntries);
  return most;
}

/// What the lanes of all blocks do in these loops.
static double workOfLanes(const BoundKernel &kernel) {
  double sum = 0;
  for (auto [block, runs] : llvm::zip(kernel.summary->blocks, kernel.blocks))
    if (isInStridingLoop(block, *kernel.summary))
      sum += runs.laneExecutions;
  return sum;
}

/// Whether \p launch does all that the one at hand does: a thread may take no
/// more than so many turns.
static bool doesTheSame(const FixContext &context, const LaunchConfig &launch) {
  constexpr double Rounding = 0.99;
  BoundKernel other =
      bind(*context.kernel.summary, launch, context.gpu, Scenario::Expected);
  return workOfLanes(other) >= Rounding * workOfLanes(context.kernel);
}

namespace auspex::fixes {

void findGridSize(const FixContext &context, std::vector<Variant> &variants) {
  const BoundKernel &kernel = context.kernel;
  const LaunchConfig &launch = kernel.launch;
  const Dim3 &grid = kernel.shape.grid;
  if (!kernel.isExact || launch.origin() == LaunchOrigin::Assumed ||
      grid.count() != grid.x || !stridesByGrid(*kernel.summary))
    return;
  auto sms = static_cast<int64_t>(context.gpu[Q::SMCount]);
  int64_t wave = sms * context.input.activeBlocksPerSM;
  // Whole waves have no tail; of one the blocks start, and combine what they
  // have, the fewest times.
  llvm::SmallVector<int64_t, 2> sizes;
  if (context.couldGain("tail"))
    sizes.push_back(std::max<int64_t>(1, grid.x / wave) * wave);
  if (grid.x > wave && !llvm::is_contained(sizes, wave))
    sizes.push_back(wave);
  for (int64_t blocks : sizes) {
    // Blocks for which nothing would be left do not help.
    if (blocks > grid.x * std::ceil(rounds(kernel)))
      continue;
    LaunchConfig other = withGrid(launch, Dim3{blocks});
    if (!doesTheSame(context, other))
      continue;
    addLaunch(context, *kernel.summary, std::move(other),
              "launch a grid of " + std::to_string(blocks) + " blocks, " +
                  std::to_string(blocks / sms) + " an SM, instead of " +
                  std::to_string(grid.x),
              variants);
  }
}

} // namespace auspex::fixes

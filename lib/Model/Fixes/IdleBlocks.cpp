// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that a guard keeps from all that the kernel accesses start and end for
// nothing, as those of a grid of as many blocks as there are elements.
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

/// The smallest grid with all blocks that access anything; none if that is not
/// known, or the size of the grid is part of the work.
static std::optional<Dim3> gridAtWork(const BoundKernel &kernel) {
  auto asks = [](const Expr &expr) {
    bool found = false;
    expr.forEachSymbol(
        [&](llvm::StringRef name) { found |= name.starts_with("nctaid."); });
    return found;
  };
  const KernelSummary &summary = *kernel.summary;
  if (llvm::any_of(summary.loops,
                   [&](const Loop &loop) { return asks(loop.tripCount.expr); }))
    return std::nullopt;
  Dim3 grid{1, 1, 1};
  for (auto [access, bound] : llvm::zip(summary.accesses, kernel.accesses)) {
    if (!bound.pattern || asks(access.offset.expr) ||
        asks(summary.blocks[access.block].guard.expr))
      return std::nullopt;
    if (bound.counts.lanes == 0)
      continue;
    BlockBox blocks = bound.pattern->blocks();
    grid.x = std::max(grid.x, blocks[0].high + 1);
    grid.y = std::max(grid.y, blocks[1].high + 1);
    grid.z = std::max(grid.z, blocks[2].high + 1);
  }
  return grid;
}

namespace auspex::fixes {

void findIdleBlocks(const FixContext &context, std::vector<Variant> &variants) {
  constexpr double Noteworthy = 0.1;
  const BoundKernel &kernel = context.kernel;
  const LaunchConfig &launch = kernel.launch;
  if (!kernel.isExact || kernel.isFromRun ||
      launch.origin() == LaunchOrigin::Assumed ||
      kernel.summary->accesses.empty())
    return;
  auto grid = gridAtWork(kernel);
  auto all = static_cast<double>(kernel.shape.grid.count());
  if (!grid || static_cast<double>(grid->count()) > (1 - Noteworthy) * all)
    return;
  addLaunch(context, *kernel.summary, withGrid(launch, *grid),
            "launch a grid of " + grid->str() + " instead of " +
                kernel.shape.grid.str() + ": the other blocks access nothing",
            variants);
}

} // namespace auspex::fixes

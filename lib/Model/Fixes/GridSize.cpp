// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that go through their work in strides of the grid do it in any grid:
// one of whole waves leaves no SM idle.
#include "Common.h"

#include "auspex/Model/Predict.h"

using namespace auspex;

namespace auspex::fixes {

void findGridSize(const FixContext &context, std::vector<Variant> &variants) {
  const BoundKernel &kernel = context.kernel;
  const LaunchConfig &launch = kernel.launch;
  const Dim3 &grid = kernel.shape.grid;
  if (!kernel.isExact || launch.origin() == LaunchOrigin::Assumed ||
      grid.count() != grid.x || !stridesByGrid(*kernel.summary) ||
      !context.couldGain("tail"))
    return;
  auto sms = static_cast<int64_t>(context.gpu[Q::SMCount]);
  int64_t wave = sms * context.input.activeBlocksPerSM;
  int64_t blocks = std::max<int64_t>(1, grid.x / wave) * wave;
  LaunchConfig other = launch;
  other.grid = {Dim3{blocks}, launch.grid->origin};
  other.gridOfArguments.reset();
  if (auto input = context.inputOf(*kernel.summary, other))
    variants.push_back({"",
                        {},
                        "launch a grid of " + std::to_string(blocks) +
                            " blocks, " + std::to_string(blocks / sms) +
                            " an SM, instead of " + std::to_string(grid.x),
                        std::move(*input),
                        std::move(other)});
}

} // namespace auspex::fixes

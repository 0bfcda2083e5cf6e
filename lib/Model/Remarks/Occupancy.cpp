// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include <cmath>

using namespace auspex;

namespace auspex::remarks {

void findOccupancy(const RemarkContext &context,
                   std::vector<Finding> &findings) {
  const BoundKernel &kernel = context.kernel;
  const Occupancy &occupancy = kernel.occupancy;
  BlockResources block = blockResources(kernel.launch, *kernel.summary);
  block.registersPerThread = kernel.registers;
  Finding finding;
  finding.message =
      std::to_string(occupancy.activeWarpsPerSM) + " of " +
      std::to_string(context.input.maxWarpsPerSM) + " warps an SM in " +
      std::to_string(occupancy.activeBlocksPerSM) + " blocks, limited by " +
      occupancy.limiterText() + "; " + std::to_string(kernel.registers) +
      " registers a thread (" + toString(kernel.registerOrigin).str() + ")";
  // Where the grid has fewer blocks, it does not matter what an SM could hold.
  double blocksOfSM = std::ceil(context.input.blocks / context.gpu[Q::SMCount]);
  if (blocksOfSM < occupancy.activeBlocksPerSM)
    finding.message += "; the grid has " +
                       formatCount(context.input.blocks, "block", 6) + ", " +
                       formatNumber(blocksOfSM, 4) + " for an SM at most";
  else if (std::string step = nextOccupancyStep(context.gpu, block);
           !step.empty())
    finding.message += "; " + step;
  finding.args.add("ActiveWarpsPerSM", "warps", occupancy.activeWarpsPerSM);
  finding.args.add("ActiveBlocksPerSM", "blocks", occupancy.activeBlocksPerSM);
  finding.args.add("Registers", "registers", kernel.registers);
  findings.push_back(std::move(finding));
}

} // namespace auspex::remarks

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

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
  std::string step = nextOccupancyStep(context.gpu, block);
  if (!step.empty())
    finding.message += "; " + step;
  finding.args.add("ActiveWarpsPerSM", "warps", occupancy.activeWarpsPerSM);
  finding.args.add("ActiveBlocksPerSM", "blocks", occupancy.activeBlocksPerSM);
  finding.args.add("Registers", "registers", kernel.registers);
  findings.push_back(std::move(finding));
}

} // namespace auspex::remarks

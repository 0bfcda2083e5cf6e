// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A smaller part of the SM's memory as shared memory: fewer blocks reside, and
// L1 keeps more.
#include "Common.h"

#include <algorithm>

using namespace auspex;

/// The input where L1 keeps all that is used again.
static OperationalInput withAllHits(const FixContext &context) {
  OperationalInput ideal = context.input;
  double lost = 0;
  for (const ReuseStep &step : context.traffic.l1Steps)
    lost += (1 - step.hitRate) * (step.beforeInBytes - step.afterInBytes);
  ideal.l2LoadInBytes = std::max(
      0.0, ideal.l2LoadInBytes - lost / std::max(1.0, context.kernel.warps()));
  ideal.dramLoadInBytes = std::min(ideal.dramLoadInBytes, ideal.l2LoadInBytes);
  ideal.globalWaits = {};
  return ideal;
}

namespace auspex::fixes {

void findCarveOut(const FixContext &context, std::vector<Variant> &variants) {
  const BoundKernel &kernel = context.kernel;
  const GPU &gpu = context.gpu;
  uint64_t ofBlock = kernel.occupancy.allocatedSharedPerBlock;
  // Below 7.0 L1 and shared memory are apart, or nobody can choose.
  if (gpu.arch < 70 || !ofBlock || kernel.isFromRun)
    return;
  OperationalInput ideal = withAllHits(context);
  if (!context.isFaster(ideal))
    return;
  double loaded = context.input.l2LoadInBytes;
  double kept = loaded > 0 ? ideal.l2LoadInBytes / loaded : 1;
  constexpr unsigned MostTries = 2;
  unsigned active = context.input.activeBlocksPerSM;
  uint64_t now = smallestCarveout(gpu, active * ofBlock);
  for (unsigned i = 1; i <= MostTries && active >> i > 0; ++i) {
    uint64_t carveout = smallestCarveout(gpu, (active >> i) * ofBlock);
    if (carveout >= now)
      continue;
    unsigned blocks = carveout / ofBlock;
    ideal.activeBlocksPerSM = blocks;
    // Loads that still go to L2 or DRAM are waited for.
    ideal.globalWaits = {kept * context.input.globalWaits.dram,
                         kept * context.input.globalWaits.l2};
    if (!context.isFaster(ideal))
      continue;
    BoundKernel fewer = withMaxBlocksPerSM(kernel, blocks, gpu);
    variants.push_back(
        {"",
         {},
         "prefer a carve-out of " + std::to_string(carveout / 1024) +
             " KiB of shared memory "
             "(cudaFuncAttributePreferredSharedMemoryCarveout) instead of " +
             std::to_string(now / 1024) + " KiB: " + std::to_string(blocks) +
             (blocks == 1 ? " block resides" : " blocks reside") +
             " on an SM instead of " + std::to_string(active) +
             ", and L1 has the rest",
         operationalInput(fewer, computeTraffic(fewer, gpu), gpu)});
  }
}

} // namespace auspex::fixes

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that do the work of several, side by side: fewer blocks start and
// end, and the waits of the elements overlap. What moves through the memories
// stays as it is for each element.
#include "Common.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

/// What the loads that are on their way at a time take a thread, in registers.
static double registersOfLoads(const FixContext &context) {
  using enum InstructionClass;
  const OperationalInput &input = context.input;
  double requests = 0, bytes = 0;
  for (auto [access, bound] :
       llvm::zip(context.kernel.summary->accesses, context.kernel.accesses))
    if (access.space == MemorySpace::Global &&
        access.kind != AccessKind::Store) {
      requests += bound.counts.requests;
      bytes += bound.counts.requests * access.bytesPerLane;
    }
  if (requests == 0)
    return 0;
  double together = input.instructions[LoadGlobal] /
                    std::clamp(input.path[LoadGlobal], 1.0,
                               std::max(1.0, input.instructions[LoadGlobal]));
  return std::ceil(together * bytes / requests / RegisterInBytes);
}

/// What waits overlap, and blocks less start, is what can be gained.
static bool canGain(const FixContext &context) {
  for (llvm::StringRef id :
       {"memory-parallelism", "instruction-parallelism", "occupancy", "tail"})
    if (context.couldGain(id))
      return true;
  return false;
}

namespace auspex::fixes {

void findCoarsening(const FixContext &context, std::vector<Variant> &variants) {
  const BoundKernel &kernel = context.kernel;
  // Where threads stride by the grid, fewer blocks do that already.
  if (!canThreadsBeJoined(context) || stridesByGrid(*kernel.summary) ||
      kernel.launch.origin() == LaunchOrigin::Assumed || !canGain(context))
    return;
  BlockResources block = context.resources();
  double live = registersOfLoads(context);
  unsigned registers = block.registersPerThread;
  for (unsigned factor : {2, 4, 8}) {
    if (context.input.blocks < factor)
      return;
    block.registersPerThread = registers + (factor - 1) * live;
    OperationalInput input = coarser(context.input, factor);
    input.activeBlocksPerSM =
        std::min(context.input.activeBlocksPerSM, context.activeBlocks(block));
    if (input.activeBlocksPerSM == 0)
      return;
    variants.push_back(
        {"",
         {},
         "let a thread do " + std::to_string(factor) +
             " elements side by side, in " +
             std::to_string(static_cast<uint64_t>(input.blocks)) +
             " blocks instead of " +
             std::to_string(static_cast<uint64_t>(context.input.blocks)) +
             "; " + std::to_string(block.registersPerThread) +
             " registers a thread instead of " + std::to_string(registers),
         std::move(input)});
  }
}

} // namespace auspex::fixes

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fewer registers a thread, so that more blocks reside on an SM.
#include "Common.h"

using namespace auspex;

/// The most registers below \p block's with which more blocks reside; none if
/// that takes more than a quarter of them, or something else is in the way.
static std::optional<unsigned> fewerRegisters(const FixContext &context,
                                              BlockResources block) {
  unsigned blocks = context.activeBlocks(block);
  unsigned least = std::max(1u, block.registersPerThread * 3 / 4);
  block.registersPerThread =
      mostRegisters(smLimits(context.gpu), block, blocks + 1);
  if (block.registersPerThread < least || context.activeBlocks(block) <= blocks)
    return std::nullopt;
  return block.registersPerThread;
}

namespace auspex::fixes {

void findLaunchBounds(const FixContext &context,
                      std::vector<Variant> &variants) {
  const BoundKernel &kernel = context.kernel;
  BlockResources block = context.resources();
  unsigned before = block.registersPerThread;
  bool isLimit = kernel.occupancy.limiters & LimitRegisters;
  if (!isLimit || !context.couldGain("occupancy"))
    return;
  auto registers = fewerRegisters(context, block);
  if (!registers)
    return;
  OperationalInput ideal = context.input;
  block.registersPerThread = *registers;
  ideal.activeBlocksPerSM = context.activeBlocks(block);
  if (!context.isFaster(ideal))
    return;
  LaunchConfig launch = kernel.launch;
  launch.registers = {*registers, LaunchOrigin::Assumed};
  KernelSummary spilling = *kernel.summary;
  addSpills(spilling, before - *registers);
  auto input = context.inputOf(spilling, launch);
  if (!input)
    return;
  variants.push_back({"",
                      {},
                      "compile with __launch_bounds__(" +
                          std::to_string(block.threadsPerBlock) + ", " +
                          std::to_string(input->activeBlocksPerSM) +
                          "): " + std::to_string(*registers) +
                          " registers a thread instead of " +
                          std::to_string(before) + " let " +
                          std::to_string(input->activeBlocksPerSM) +
                          " blocks reside on an SM instead of " +
                          std::to_string(context.input.activeBlocksPerSM) +
                          "; those that are missing are spilled once",
                      std::move(*input)});
}

} // namespace auspex::fixes

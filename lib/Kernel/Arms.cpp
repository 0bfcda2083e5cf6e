// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arms.h"

#include "BindParts.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace auspex;

/// The share of the warps that are at work with an instruction, in the mean
/// over all of them, where \p instructions are those of each warp and all start
/// together: with the last ones of the busiest warp it is alone.
static double shareAtWork(std::vector<double> instructions) {
  llvm::sort(instructions, std::greater<>());
  double sum = 0, atWork = 0;
  for (auto [rank, count] : llvm::enumerate(instructions)) {
    sum += count;
    // The square of the warps up to this one less that of those before it.
    atWork += (2 * rank + 1) * count;
  }
  return atWork / (sum * instructions.size());
}

/// Cycles that \p block takes the warps that run it, one by one: one for each
/// of
/// \p instructions, or as long as they wait for each other, and the waits for
/// global memory, so far away as L2 is.
static double cyclesOf(const Block &block, const BoundBlock &runs,
                       double instructions, const GPU &gpu) {
  double farAway = gpu.valueOr(Q::LatencyL2, gpu[Q::LatencyDram]);
  double chain = 0, waits = 0;
  for (auto [code, times] : llvm::zip(block.code, codeExecutions(block, runs)))
    for (const InstructionClassInfo &info : instructionClassInfos())
      if (info.id == InstructionClass::LoadGlobal)
        waits += times * waitedFor(code, info.id) * farAway;
      else if (info.latency)
        chain +=
            times * waitedFor(code, info.id) * gpu.valueOr(*info.latency, 0);
  return std::max(instructions, chain) + waits;
}

bool auspex::findArms(llvm::ArrayRef<uint32_t> runners, const GPU &gpu,
                      BoundKernel &kernel) {
  unsigned warps = kernel.shape.warpsPerBlock();
  const KernelSummary &summary = *kernel.summary;
  std::map<unsigned, llvm::SmallVector<unsigned>> intervals;
  for (auto [index, block] : llvm::enumerate(summary.blocks))
    if (instructionsIn(block, kernel.blocks[index]) > 0)
      intervals[block.interval].push_back(index);
  double work = 0, atWork = 0;
  bool hasArms = false;
  for (const auto &[interval, blocks] : intervals) {
    double ofAll = 0;
    std::vector<double> ofWarp(warps), cyclesOfWarp(warps);
    for (unsigned block : blocks) {
      double count =
          instructionsIn(summary.blocks[block], kernel.blocks[block]);
      double cycles =
          cyclesOf(summary.blocks[block], kernel.blocks[block], count, gpu);
      ofAll += count;
      for (unsigned warp = 0; warp < warps; ++warp)
        if (runners[block] >> warp & 1) {
          double share = kernel.blocks[block].warpsPerRunner;
          ofWarp[warp] += count * share;
          cyclesOfWarp[warp] += cycles * share;
        }
    }
    auto busiest = llvm::max_element(cyclesOfWarp) - cyclesOfWarp.begin();
    for (unsigned block : blocks)
      if (!(runners[block] >> busiest & 1)) {
        kernel.blocks[block].warpsPerRunner = 0;
        hasArms = true;
      }
    work += ofAll;
    atWork += ofAll * shareAtWork(ofWarp);
  }
  if (hasArms)
    kernel.shareAtWork = std::min(1.0, atWork / work);
  return hasArms;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Phases.h"

#include "OperationalStations.h"

#include <map>
#include <set>

using namespace auspex;

/// Loops with code of more than one interval between barriers.
static std::vector<bool> loopsWithBarriers(const KernelSummary &kernel) {
  std::vector<std::set<unsigned>> intervals(kernel.loops.size());
  for (const Block &block : kernel.blocks)
    for (int loop = block.loop; loop >= 0; loop = kernel.loops[loop].parent)
      intervals[loop].insert(block.interval);
  std::vector<bool> result;
  for (const std::set<unsigned> &of : intervals)
    result.push_back(of.size() > 1);
  return result;
}

namespace {
struct Phase {
  InstructionMix mix, asMultiplyAdds;
  /// Waits for global and local memory.
  double waits = 0;
  double l1Cycles = 0;
};
} // namespace

PhaseSums auspex::sumPhases(const BoundKernel &kernel, const GPU &gpu,
                            llvm::ArrayRef<LoadShare> sharesLeft) {
  using enum InstructionClass;
  const KernelSummary &summary = *kernel.summary;
  std::vector<bool> hasBarrier = loopsWithBarriers(summary);
  auto phaseOf = [&](const Block &block) {
    int outermost = -1;
    for (int loop = block.loop; loop >= 0 && !hasBarrier[loop];
         loop = summary.loops[loop].parent)
      outermost = loop;
    return std::pair(block.interval, outermost);
  };
  std::map<std::pair<unsigned, int>, Phase> phases;
  for (auto [block, runs] : llvm::zip(summary.blocks, kernel.blocks)) {
    Phase &phase = phases[phaseOf(block)];
    for (auto [code, times] :
         llvm::zip(block.code, codeExecutions(block, runs))) {
      phase.mix.add(code.mix, times);
      phase.asMultiplyAdds.add(code.asMultiplyAdds, times);
      phase.waits += times * (code.path[LoadGlobal] + code.path[LoadLocal] +
                              code.path[CopyAsync]);
    }
  }
  for (auto [access, bound, left] :
       llvm::zip(summary.accesses, kernel.accesses, sharesLeft)) {
    double &cycles = phases[phaseOf(summary.blocks[access.block])].l1Cycles;
    const RequestCounts &counts = bound.inMachineCode();
    if (access.space == MemorySpace::Shared)
      cycles += sharedCycles(left.passes * counts.bankPasses,
                             left.requests * counts.requests, gpu);
    else if (access.space == MemorySpace::Global ||
             access.space == MemorySpace::Unknown)
      cycles += l1CyclesOf(access, counts, gpu);
  }
  PhaseSums sums;
  double waits = 0;
  for (const auto &[place, phase] : phases) {
    double cycles =
        slowestInSM(phase.mix, phase.asMultiplyAdds, phase.l1Cycles, gpu);
    sums.cycles += cycles;
    waits += phase.waits;
    bool fills = phase.mix[StoreShared] > 0 || phase.mix[CopyAsync] > 0;
    if (phase.waits > 0 && fills) {
      sums.fillingWork += cycles;
      sums.fillingWaits += phase.waits;
    }
  }
  if (sums.cycles > 0)
    sums.fillingWork /= sums.cycles;
  if (waits > 0)
    sums.fillingWaits /= waits;
  sums.cycles /= std::max(1.0, kernel.warps());
  return sums;
}

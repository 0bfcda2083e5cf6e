// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MergedLoads.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

/// What is left of \p access, of which a \p share of the requests is.
static LoadShare shareOf(double share, unsigned neighbours,
                         const BoundAccess &access) {
  LoadShare result{share, share};
  const RequestCounts &counts = access.counts;
  if (share >= 1 || access.passesOfJoined <= 0 || counts.bankPasses <= 0)
    return result;
  double joined = (1 - share) / (1 - 1.0 / neighbours);
  result.passes = 1 - joined +
                  joined / neighbours * access.passesOfJoined *
                      counts.requests / counts.bankPasses;
  return result;
}

std::vector<LoadShare> auspex::sharesLeftOfLoads(const BoundKernel &kernel) {
  const KernelSummary &summary = *kernel.summary;
  std::vector<unsigned> neighbours;
  for (const Access &access : summary.accesses)
    neighbours.push_back(neighboursOf(access, summary));
  std::vector<LoadShare> shares(summary.accesses.size());
  if (llvm::all_of(neighbours, [](unsigned count) { return count == 1; }))
    return shares;
  // What the loads of each block are in machine code.
  std::vector<double> left(summary.blocks.size());
  for (auto [count, block, runs] :
       llvm::zip(left, summary.blocks, kernel.blocks))
    for (auto [code, times] :
         llvm::zip(block.code, codeExecutions(block, runs)))
      count += times * code.mix[InstructionClass::LoadShared];
  for (auto [access, bound, count] :
       llvm::zip(summary.accesses, kernel.accesses, neighbours))
    if (access.space == MemorySpace::Shared &&
        access.kind == AccessKind::Load && count == 1)
      left[access.block] -= bound.inMachineCode().requests;
  std::vector<double> joinable(summary.blocks.size());
  for (auto [access, bound, count] :
       llvm::zip(summary.accesses, kernel.accesses, neighbours))
    if (count > 1)
      joinable[access.block] += bound.inMachineCode().requests;
  for (auto [share, access, bound, count] :
       llvm::zip(shares, summary.accesses, kernel.accesses, neighbours))
    if (count > 1 && joinable[access.block] > 0)
      share = shareOf(std::clamp(left[access.block] / joinable[access.block],
                                 1.0 / count, 1.0),
                      count, bound);
  return shares;
}

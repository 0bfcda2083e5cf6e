// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MergedLoads.h"

#include "auspex/Expr/Period.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

/// How many neighbours a load may be joined of: the turns of the innermost loop
/// that run as one, as far as a lane can load them at once.
static unsigned neighboursOf(const Access &access,
                             const KernelSummary &summary) {
  constexpr unsigned WidestInBytes = 16;
  const Block &block = summary.blocks[access.block];
  if (access.space != MemorySpace::Shared || access.kind != AccessKind::Load ||
      block.loop < 0 || block.code.empty() || !access.offset.isKnown())
    return 1;
  int64_t step = stepAlong(access.offset.expr, summary.loops[block.loop].iv);
  if (std::abs(step) != access.bytesPerLane)
    return 1;
  return std::max(1u, std::min(block.code.front().unroll,
                               WidestInBytes / access.bytesPerLane));
}

std::vector<double> auspex::sharesLeftOfLoads(const BoundKernel &kernel) {
  const KernelSummary &summary = *kernel.summary;
  std::vector<unsigned> neighbours;
  for (const Access &access : summary.accesses)
    neighbours.push_back(neighboursOf(access, summary));
  std::vector<double> shares(summary.accesses.size(), 1);
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
      left[access.block] -= bound.counts.requests;
  std::vector<double> joinable(summary.blocks.size());
  for (auto [access, bound, count] :
       llvm::zip(summary.accesses, kernel.accesses, neighbours))
    if (count > 1)
      joinable[access.block] += bound.counts.requests;
  for (auto [share, access, count] :
       llvm::zip(shares, summary.accesses, neighbours))
    if (count > 1 && joinable[access.block] > 0)
      share = std::clamp(left[access.block] / joinable[access.block],
                         1.0 / count, 1.0);
  return shares;
}

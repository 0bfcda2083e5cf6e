// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/ProfileStatistics.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace auspex;

std::array<double, 8>
auspex::sharesByActiveLanes(const KernelSummary &summary,
                            const DynamicProfile &profile) {
  std::array<double, 8> shares{};
  double total = 0;
  for (auto [block, ran] : llvm::zip(summary.blocks, profile.blocks)) {
    // The version that is not unrolled, or is unrolled least.
    llvm::ArrayRef<MachineCode> versions = block.versions();
    double instructions =
        versions.empty() ? 0
                         : versions.back().mix.total() / versions.back().unroll;
    for (auto [share, executions] : llvm::zip(shares, ran.byActiveLanes)) {
      double run = instructions * static_cast<double>(executions);
      share += run;
      total += run;
    }
  }
  if (total > 0)
    for (double &share : shares)
      share /= total;
  return shares;
}

static void add(AccessKind kind, MemorySpace space, const RequestCounts &counts,
                LineProfile &line) {
  line.requests += counts.requests;
  line.lanes += counts.lanes;
  if (kind == AccessKind::Atomic) {
    line.atomics += counts.requests;
    line.sameAddress += counts.sameAddress;
  }
  if (space == MemorySpace::Shared) {
    line.bankPasses += counts.bankPasses;
    line.fewestBankPasses += counts.fewestBankPasses;
  } else if (space != MemorySpace::Local) {
    line.sectors += counts.sectors;
    line.fewestSectors += counts.fewestSectors;
  }
}

std::vector<LineProfile> auspex::profileByLine(const KernelSummary &summary,
                                               const DynamicProfile &profile) {
  std::map<std::tuple<std::string, unsigned, unsigned>, LineProfile> lines;
  auto at = [&](const SourceLocation &location) -> LineProfile & {
    SourceLocation place = location.outsideSystemHeaders();
    LineProfile &line = lines[{place.file, place.line, place.column}];
    line.location = place;
    return line;
  };
  for (auto [access, ran] : llvm::zip(summary.accesses, profile.accesses))
    if (ran.counts.requests > 0)
      add(access.kind, access.space, ran.counts, at(access.location));
  for (const CalleeAccess &access : profile.calleeAccesses)
    add(access.kind == toString(AccessKind::Atomic) ? AccessKind::Atomic
                                                    : AccessKind::Load,
        access.space == toString(MemorySpace::Shared)  ? MemorySpace::Shared
        : access.space == toString(MemorySpace::Local) ? MemorySpace::Local
                                                       : MemorySpace::Global,
        access.profile.counts,
        at({access.file,
            static_cast<unsigned>(access.line),
            static_cast<unsigned>(access.column),
            {}}));
  for (const Branch &branch : summary.branches) {
    const BlockProfile &ran = profile.blocks[branch.block];
    if (ran.warpExecutions == 0)
      continue;
    LineProfile &line = at(branch.location);
    line.branches += static_cast<double>(ran.warpExecutions);
    line.divergent += static_cast<double>(ran.divergent);
  }
  std::vector<LineProfile> sorted;
  for (auto &[place, line] : lines)
    sorted.push_back(std::move(line));
  auto excess = [](const LineProfile &line) {
    return line.sectors - line.fewestSectors + line.bankPasses -
           line.fewestBankPasses + line.sameAddress - line.atomics +
           line.divergent;
  };
  llvm::stable_sort(sorted, [&](const LineProfile &a, const LineProfile &b) {
    return excess(a) > excess(b);
  });
  return sorted;
}

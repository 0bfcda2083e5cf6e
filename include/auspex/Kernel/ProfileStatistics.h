// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What people ask a profile: how full warps were, and what each source line
/// did.
#ifndef AUSPEX_KERNEL_PROFILESTATISTICS_H
#define AUSPEX_KERNEL_PROFILESTATISTICS_H

#include "auspex/Kernel/DynamicProfile.h"
#include "auspex/Kernel/KernelSummary.h"

namespace auspex {

/// Shares of the machine instructions of warps that run with 1-4, 5-8, ...,
/// 29-32 active lanes. All 0 if nothing ran.
std::array<double, 8> sharesByActiveLanes(const KernelSummary &summary,
                                          const DynamicProfile &profile);

/// The accesses and branches of one source line, over the launches of the
/// profile.
struct LineProfile {
  SourceLocation location;
  double requests = 0, lanes = 0;
  /// Of global memory.
  double sectors = 0, fewestSectors = 0;
  /// Of shared memory.
  double bankPasses = 0, fewestBankPasses = 0;
  /// Atomics, and their lanes on the address that most lanes share.
  double atomics = 0, sameAddress = 0;
  /// Warps at branches, and those of them whose lanes disagree.
  double branches = 0, divergent = 0;
};

/// By file, line and column, worst cost first: sectors, bank passes and
/// divergent branches beyond the fewest possible.
std::vector<LineProfile> profileByLine(const KernelSummary &summary,
                                       const DynamicProfile &profile);

} // namespace auspex

#endif

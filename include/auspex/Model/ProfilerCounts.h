// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What Nsight Compute would count of a launch: predictions that can be checked
/// one by one, where a time is made of all of them.
#ifndef AUSPEX_MODEL_PROFILERCOUNTS_H
#define AUSPEX_MODEL_PROFILERCOUNTS_H

#include "auspex/Model/Operational.h"

namespace auspex {

struct ProfilerMetric {
  /// "warp instructions".
  llvm::StringLiteral name;
  /// As ncu calls it: "smsp__inst_executed.sum".
  llvm::StringLiteral id;
};

/// All that profilerCounts() may have.
llvm::ArrayRef<ProfilerMetric> profilerMetrics();

/// One count, over the launch.
struct ProfilerCount {
  const ProfilerMetric *metric;
  double value = 0;
};

/// Warp instructions, requests, sectors and passes. Copies from global to
/// shared memory have counters of their own: a kernel with any has no counts of
/// loads from global memory, nor of stores to shared.
std::vector<ProfilerCount> profilerCounts(const BoundKernel &kernel,
                                          const MemoryTraffic &traffic,
                                          const OperationalInput &input,
                                          const GPU &gpu);

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a program did on the emulated device: the kernels that its code was
/// built with, and the profiles of its launches. The runtime library writes it
/// when the program ends; `auspex run` reads it and predicts.
///
///   {"schemaVersion": 1, "run": {"program": ..., "gpu": ..., "problems": []},
///    "kernels": [...], "launches": [{"launch": {...}, "times": 3,
///    "profile": {...}}]}
///
/// Kernels and launches are as in a summary document (SummaryDocument.h), so
/// that what a program launched can be read where launches are stated, too.
#ifndef AUSPEX_KERNEL_RUNRECORD_H
#define AUSPEX_KERNEL_RUNRECORD_H

#include "auspex/Kernel/DynamicProfile.h"
#include "auspex/Kernel/SummaryDocument.h"

namespace auspex {

/// Launches of one kernel with the same sizes and integer arguments that did
/// about the same.
struct LaunchGroup {
  /// Sizes and arguments, of origin Profile; the kernel by its mangled name.
  LaunchConfig launch;
  /// Where the first of them stands among all launches of the program, from 0.
  uint64_t first = 0;
  uint64_t times = 1;
  /// Sums over the launches.
  DynamicProfile profile;
};

struct RunRecord {
  std::string program;
  /// The GPU that was emulated, by its name in hwdesc.
  std::string gpu;
  /// Why the record ends before the program did, and faults: full sentences.
  std::vector<std::string> problems;
  std::vector<KernelSummary> kernels;
  /// By the first launch.
  std::vector<LaunchGroup> launches;

  /// The kernel by its mangled name; null if it is not there. Those of the
  /// launches are.
  const KernelSummary *find(llvm::StringRef kernel) const;
};

/// Adds the counts of another launch of the same kernel; what \p sum lacks
/// (blocks, accesses, objects) is appended.
void addProfile(const DynamicProfile &profile, DynamicProfile &sum);

std::string writeRunRecord(const RunRecord &record);
llvm::Expected<RunRecord> readRunRecord(const Node &document);

} // namespace auspex

#endif

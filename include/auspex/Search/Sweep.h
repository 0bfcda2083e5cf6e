// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A sweep: the time of every configuration of a space, ranked. Each is what
/// predict() says about that launch, to the last bit (predictTime). The result
/// does not depend on the number of threads.
#ifndef AUSPEX_SEARCH_SWEEP_H
#define AUSPEX_SEARCH_SWEEP_H

#include "auspex/Model/Predict.h"
#include "auspex/Search/Space.h"

namespace auspex {

/// A configuration that was predicted; volumes are of the whole launch.
struct RankedConfiguration {
  uint64_t number = 0;
  std::optional<double> timeInUs;
  std::optional<std::pair<double, double>> timeRangeInUs;
  std::string limiter;
  double shareOfLimit = 0;
  unsigned activeBlocksPerSM = 0, activeWarpsPerSM = 0;
  double occupancy = 0;
  double l2LoadInBytes = 0, l2StoreInBytes = 0;
  double dramLoadInBytes = 0, dramStoreInBytes = 0;
};

/// A configuration that the GPU or the kernel does not take.
struct ImpossibleConfiguration {
  uint64_t number = 0;
  std::string reason;
};

/// Configurations that are impossible for the same kind of reason: a word
/// ("block", "grid", "shared", "registers", "occupancy"), and the first of
/// them.
struct ImpossibleGroup {
  std::string part;
  uint64_t count = 0;
  ImpossibleConfiguration first;
};

struct SweepOptions {
  /// Ranked configurations to keep; 0: all of them, and all that are
  /// impossible.
  uint64_t top = 0;
  /// 0: as many as there are cores.
  unsigned threads = 0;
  /// Is told from time to time how many configurations are done.
  llvm::function_ref<void(uint64_t)> progress = nullptr;
};

struct SweepResult {
  /// Of the base launch, which need not be in the space.
  Prediction base;
  /// What is taken for granted of all configurations, in full sentences.
  std::vector<std::string> assumptions;
  /// By time, where it is open by the upper end of its range, those without an
  /// upper end last; equals by number.
  std::vector<RankedConfiguration> ranked;
  /// By number; empty where only the top was asked for.
  std::vector<ImpossibleConfiguration> impossible;
  /// By part.
  std::vector<ImpossibleGroup> groups;
  uint64_t possibleCount = 0, impossibleCount = 0;
};

/// Goes through \p space on \p gpu. An error if the base launch is impossible.
llvm::Expected<SweepResult> sweep(const KernelSummary &summary,
                                  const SweepSpace &space, const GPU &gpu,
                                  const SweepOptions &options);

} // namespace auspex

#endif

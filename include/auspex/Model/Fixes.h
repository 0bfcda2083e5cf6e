// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Concrete changes to a kernel or its launch, each evaluated by the
/// operational model with the launch, the summary or the input changed
/// accordingly (docs/fixes.md).
///
/// They are found here and not in the room of sweeps, since every prediction
/// has them and some remarks are about them.
#ifndef AUSPEX_MODEL_FIXES_H
#define AUSPEX_MODEL_FIXES_H

#include "auspex/Model/Operational.h"

namespace auspex {

/// A change as the model sees it.
struct Variant {
  /// The kind, of Fixes.def; filled by findVariants.
  std::string id;
  /// Where it applies; the kernel if it is not known.
  SourceLocation location;
  /// What to do, with numbers.
  std::string description;
  OperationalInput input;
  /// The launch to make, if that is the change.
  std::optional<LaunchConfig> launch{};
  double timeInUs = 0;
};

/// What a rule may look at.
struct FixContext {
  const BoundKernel &kernel;
  const MemoryTraffic &traffic;
  const GPU &gpu;
  const OperationalInput &input;
  /// By the operational model; and its benefits.
  double timeInUs;
  llvm::ArrayRef<Benefit> benefits;
  /// Launches that are predicted together.
  size_t launches = 1;

  /// The least gain that counts, as a share of the time.
  static constexpr double Noteworthy = 0.01;

  /// Whether what \p input stands for takes less by a noteworthy share.
  bool isFaster(const OperationalInput &input) const;
  /// The same for the what-if called \p id.
  bool couldGain(llvm::StringRef id) const;
  /// What is expected to be the input of another summary or launch of the
  /// kernel, which is complete; none if the GPU does not take it, its time is
  /// open, or the counts are those of a run, which says nothing about other
  /// code.
  std::optional<OperationalInput> inputOf(const KernelSummary &summary,
                                          const LaunchConfig &launch) const;
  /// The resident blocks of an SM if blocks ask for \p block; the input's
  /// limits by the launch stay.
  unsigned activeBlocks(const BlockResources &block) const;
  BlockResources resources() const;
};

using FixRule = void (*)(const FixContext &, std::vector<Variant> &);

struct FixInfo {
  llvm::StringRef id;
  FixRule rule;
};
/// The rows of Fixes.def.
llvm::ArrayRef<FixInfo> fixInfos();

/// The changes that gain a noteworthy share of the time: the best of each kind
/// at each place, the largest gain first, at most five.
std::vector<Variant> findVariants(const FixContext &context);

/// The same as they are reported.
std::vector<Fix> findFixes(const FixContext &context);

} // namespace auspex

#endif

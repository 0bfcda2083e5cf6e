// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two sets of predictions compared, and whether the second may replace the
/// first. compareSets makes one value; the renderers print it.
#ifndef AUSPEX_GATE_GATE_H
#define AUSPEX_GATE_GATE_H

#include "auspex/Gate/AllowList.h"
#include "auspex/Gate/Cause.h"
#include "auspex/Gate/Matching.h"

#include <deque>

namespace auspex {

struct GateOptions {
  /// A launch trips if its time grows by more than both.
  double maxSlowdown = 0.05;
  double minTimeInUs = 0;
  /// Predictions that are unknown or newly less certain trip too.
  bool strict = false;
  std::vector<AllowEntry> allowed;
};

/// What became of a launch, worst first.
enum class Verdict {
  /// Slower by more than the limits, or with --strict less certain.
  Tripped,
  /// Slower by more than the limits, as the allow file accepts.
  Allowed,
  /// There is no one time to compare, or what it rests on became less certain.
  Uncertain,
  /// Slower within the limits.
  Slower,
  Faster,
  Added,
  Removed,
  Unchanged,
};

/// "tripped", "allowed", ... as in JSON.
llvm::StringRef toString(Verdict verdict);

struct Comparison {
  RecordPair pair;
  Verdict verdict = Verdict::Unchanged;
  /// Of the times, or of the nearer ends of the ranges.
  std::optional<double> growthInUs, growth;
  /// Signature and launch, where they differ.
  std::vector<std::string> differences;
  /// Why it is uncertain.
  std::vector<std::string> doubts;
  /// For what trips or is allowed: what changed, the most important first.
  std::vector<Cause> causes;
  /// Of the entry that allows it, or allowed less than it takes.
  const AllowEntry *allowance = nullptr;

  const KernelRecord &any() const { return pair.any(); }
  bool trips() const { return verdict == Verdict::Tripped; }
  /// Where the first cause is, or the launch, or the kernel.
  SourceLocation location() const;
};

struct GateResult {
  GateOptions options;
  /// Worst first; of one verdict the largest growth first.
  std::vector<Comparison> comparisons;
  /// Records of the head whose assumed grid was made as large as the base's;
  /// comparisons point to them.
  std::deque<KernelRecord> resized;
  /// Full sentences about the input: entries nobody needed.
  std::vector<std::string> notes;

  size_t count(Verdict verdict) const;
  bool trips() const { return count(Verdict::Tripped) > 0; }
};

/// Compares; \p base and \p head have to outlive the result. An error if they
/// are about different GPUs or models, or an allowed kernel is in neither.
llvm::Expected<GateResult>
compareSets(const RecordSet &base, const RecordSet &head, GateOptions options);

} // namespace auspex

#endif

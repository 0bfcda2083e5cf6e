// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why a launch got slower: which demand grew, by what, and at which line.
#ifndef AUSPEX_GATE_CAUSE_H
#define AUSPEX_GATE_CAUSE_H

#include "auspex/Gate/Matching.h"

namespace auspex {

struct Cause {
  /// A word: "global-memory", "shared-memory", "shared-atomics",
  /// "local-memory", "barriers", "floating-point", "special-functions",
  /// "other-instructions", "occupancy", "launch", "divergence", "unrolling",
  /// "unknown".
  std::string id;
  /// The remark whose page says more; empty if there is none.
  std::string remark;
  /// What is there now: "store of 4 B a lane to out: 32 sectors a request, 4
  /// before".
  std::string message;
  /// On the head side.
  SourceLocation location;
  /// What the demand's growth alone makes of the difference; nothing where the
  /// model cannot be asked.
  std::optional<double> costInUs;
};

/// The demands that grew between the sides of \p pair, which has both, by what
/// they cost on \p gpu, which is null if there is no description of it. Those
/// that cost next to nothing are left out if others do not.
std::vector<Cause> explain(const RecordPair &pair, const GPU *gpu);

} // namespace auspex

#endif

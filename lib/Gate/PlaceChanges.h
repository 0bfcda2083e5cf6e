// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What changed where: accesses, lines, loops and branches of one launch on
/// both sides.
#ifndef AUSPEX_LIB_GATE_PLACECHANGES_H
#define AUSPEX_LIB_GATE_PLACECHANGES_H

#include "auspex/Gate/Cause.h"

namespace auspex {

/// One access that asks for more than before, or is new.
struct AccessChange {
  const AccessVolume *head = nullptr;
  std::string message;
  /// What it asks for in addition, in passes or sectors over the launch.
  double growth = 0;
};

/// Those whose space \p counts, the largest growth first.
std::vector<AccessChange>
accessChanges(const KernelRecord &base, const KernelRecord &head,
              llvm::function_ref<bool(const AccessVolume &)> counts);

/// Whether both sides run the same code, as far as documents tell: the same
/// accesses, kinds of instructions in lines, and loops, in the same order.
bool isSameCode(const KernelRecord &base, const KernelRecord &head);

/// The line with the largest growth in the sum of classes that \p counts.
struct LineChange {
  SourceLocation location;
  /// Instructions a warp.
  double growth = 0;
};
std::optional<LineChange>
lineChange(const KernelRecord &base, const KernelRecord &head,
           llvm::function_ref<bool(InstructionClass)> counts);

/// A loop that was unrolled further before, or altogether, so that it was none.
struct LostUnrolling {
  Cause cause;
  bool isNewLoop = false;
};
std::optional<LostUnrolling> lostUnrolling(const KernelRecord &base,
                                           const KernelRecord &head);

/// A branch at which more warps part than before.
std::optional<Cause> newDivergence(const KernelRecord &base,
                                   const KernelRecord &head);

} // namespace auspex

#endif

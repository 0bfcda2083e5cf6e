// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What loops are marked with on their way to machine code as nvcc makes it.
#ifndef AUSPEX_LIB_ANALYSIS_LOOPMARKS_H
#define AUSPEX_LIB_ANALYSIS_LOOPMARKS_H

#include "llvm/Analysis/LoopInfo.h"

#include <optional>

namespace auspex {

namespace loopmarks {
inline constexpr llvm::StringLiteral Twice = "auspex.unrolled.twice",
                                     Counted = "auspex.turns.known",
                                     Kept = "auspex.kept.for.nvcc",
                                     MayWrap = "auspex.counter.may.wrap",
                                     Uncounted = "auspex.uncounted",
                                     Hidden = "auspex.turns.hidden",
                                     Rest = "auspex.rest.of.groups",
                                     Spans = "auspex.spans.from.anywhere",
                                     Enabled = "llvm.loop.unroll.enable",
                                     Disabled = "llvm.loop.unroll.disable",
                                     Whole = "llvm.loop.unroll.full",
                                     Count = "llvm.loop.unroll.count";
} // namespace loopmarks

/// Below it nvcc's optimiser is LLVM 7, and a newer one from it on.
inline constexpr unsigned OptimizedByNewer = 100;

void removeMarks(llvm::ArrayRef<llvm::StringRef> marks, llvm::Loop &loop);

/// Whether LLVM is kept from unrolling a loop that nvcc does not unroll whole.
bool isKept(const llvm::Loop &loop);
/// Makes what was kept a loop like others.
void forgetKept(llvm::Loop &loop);

/// Whether \p block ends a loop with the mark.
bool isMarked(const llvm::BasicBlock &block, llvm::StringRef mark);

/// What a turn costs, in instructions; none if it cannot be copied. An address
/// that is next to another one is an addition in its index.
std::optional<unsigned> lengthOf(const llvm::Loop &loop);

} // namespace auspex

#endif

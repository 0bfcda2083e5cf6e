// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic that a constant makes one in double precision: `0.5 * (y + 2.0 /
/// y)` of a float y.
#ifndef AUSPEX_LIB_ANALYSIS_DOUBLESOFFLOATS_H
#define AUSPEX_LIB_ANALYSIS_DOUBLESOFFLOATS_H

#include "auspex/Kernel/KernelSummary.h"
#include "llvm/IR/Function.h"

#include <vector>

namespace auspex {

/// Where \p kernel calculates in double precision what floats, at least one
/// constant and nothing else go into, and what becomes a float again at once:
/// each line once. What goes on from turn to turn, as sums do, is meant to be
/// double.
std::vector<SourceLocation> doublesOfFloats(const llvm::Function &kernel);

} // namespace auspex

#endif

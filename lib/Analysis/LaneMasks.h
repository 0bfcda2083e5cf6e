// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Masks with a bit for each lane of a warp, and what is read out of them.
#ifndef AUSPEX_LIB_ANALYSIS_LANEMASKS_H
#define AUSPEX_LIB_ANALYSIS_LANEMASKS_H

#include "auspex/Expr/Expr.h"
#include "llvm/IR/InstrTypes.h"

namespace auspex {

/// The special register "lanemask_lt" or one of its kind; invalid for other
/// names.
Expr laneMask(llvm::StringRef name);

/// Whether \p value is the mask of the lanes that run it together.
bool isActiveMask(const llvm::Value &value);

/// Whether \p count is of bits that lanes of the warp set together, less those
/// that a mask leaves out: what place a lane has among those that vote alike.
bool isRank(const llvm::CallBase &count);

/// Whether all lanes of a warp have the same \p expr, as of threadIdx.x / 32,
/// in blocks whose rows are of whole warps.
bool isSameInWarp(const Expr &expr);

/// Whether \p expr is the number of the thread's lane, or the mask of those
/// before it, in blocks whose rows are of whole warps.
bool isLane(const Expr &expr);
bool isMaskOfLanesBefore(const Expr &expr);

} // namespace auspex

#endif

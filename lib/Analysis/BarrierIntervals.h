// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which blocks of code run between the same two barriers.
#ifndef AUSPEX_LIB_ANALYSIS_BARRIERINTERVALS_H
#define AUSPEX_LIB_ANALYSIS_BARRIERINTERVALS_H

#include "llvm/IR/Function.h"

#include <vector>

namespace auspex {

/// Per block of \p function, in its order, the interval between barriers of all
/// threads in which most of its instructions lie. Intervals are numbered from 0
/// in the order of the blocks. Code from which other code is reached without a
/// barrier is in the same interval as that; so is the code behind barriers that
/// end the same interval, since all threads pass those together: where each
/// side of a branch has a barrier of its own, both sides go on side by side.
std::vector<unsigned> barrierIntervals(const llvm::Function &function);

} // namespace auspex

#endif

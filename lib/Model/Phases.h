// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a block of threads does one after the other.
#ifndef AUSPEX_LIB_MODEL_PHASES_H
#define AUSPEX_LIB_MODEL_PHASES_H

#include "MergedLoads.h"

namespace auspex {

/// What the phases of a block come to.
struct PhaseSums {
  /// SM cycles of work of the mean warp, where nothing of one phase overlaps
  /// with another one's.
  double cycles = 0;
  /// Of these cycles, and of the waits for global and local memory, the share
  /// of phases that fill shared memory with what they load.
  double fillingWork = 0, fillingWaits = 0;
};

/// Phases are the loops that no barrier of the block is in, and between two
/// barriers the code outside of these: warps of a block start them together and
/// go through them in step. \p sharesLeft are those of sharesLeftOfLoads.
PhaseSums sumPhases(const BoundKernel &kernel, const GPU &gpu,
                    llvm::ArrayRef<LoadShare> sharesLeft);

} // namespace auspex

#endif

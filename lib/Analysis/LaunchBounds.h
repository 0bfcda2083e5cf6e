// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the source promises about a kernel's launches, and what follows for its
/// registers.
#ifndef AUSPEX_LIB_ANALYSIS_LAUNCHBOUNDS_H
#define AUSPEX_LIB_ANALYSIS_LAUNCHBOUNDS_H

#include "llvm/IR/Function.h"

namespace auspex {

/// __launch_bounds__, reqntid and __maxnreg__; 0 where the source says nothing.
struct LaunchBounds {
  unsigned maxThreadsPerBlock = 0, minBlocksPerSM = 0;
  unsigned requiredBlock[3] = {0, 0, 0};
  unsigned maxRegisters = 0;
};

LaunchBounds launchBoundsOf(const llvm::Function &kernel);

/// The most registers a thread may have on \p arch: with which the blocks that
/// \p bounds promises reside on an SM, one if they say nothing. What the
/// architecture allows if no size of a block is promised.
unsigned registersAllowed(const LaunchBounds &bounds, unsigned arch);

} // namespace auspex

#endif

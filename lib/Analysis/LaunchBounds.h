// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the source promises about a kernel's launches, and what follows for its
/// registers.
#ifndef AUSPEX_LIB_ANALYSIS_LAUNCHBOUNDS_H
#define AUSPEX_LIB_ANALYSIS_LAUNCHBOUNDS_H

#include "llvm/IR/Module.h"

namespace auspex {

/// __launch_bounds__, reqntid and __maxnreg__; 0 where the source says nothing.
struct LaunchBounds {
  unsigned maxThreadsPerBlock = 0, minBlocksPerSM = 0;
  unsigned requiredBlock[3] = {0, 0, 0};
  unsigned maxRegisters = 0;

  bool areStated() const {
    return maxThreadsPerBlock || minBlocksPerSM || requiredBlock[0] ||
           maxRegisters;
  }
};

LaunchBounds launchBoundsOf(const llvm::Function &kernel);

/// Gives the kernels of \p module that have no bounds that of \p maxRegisters,
/// unless it is 0.
void boundRegisters(llvm::Module &module, unsigned maxRegisters);

/// Registers of a thread.
struct RegisterBudget {
  /// The most it may have: with which the blocks that the launch bounds promise
  /// reside on an SM, one if they say nothing; what the architecture allows if
  /// no size of a block is promised.
  unsigned allowed = 255;
  /// The most that ptxas takes to keep no warp from an SM: all that are allowed
  /// where the source says how many blocks are to reside or how many registers
  /// to use, else those with which an SM holds as many warps as it has room
  /// for: 64 on 7.5, 32 on 8.0, 40 on 8.6. Seen with ptxas 13, which ignores
  /// blocks without a size.
  unsigned atWantedOccupancy = 255;
  /// The source says how many blocks are to reside, or how many registers to
  /// use.
  bool isStated = false;
};

RegisterBudget registerBudget(const LaunchBounds &bounds, unsigned arch);

} // namespace auspex

#endif

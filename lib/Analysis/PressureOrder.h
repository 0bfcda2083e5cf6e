// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The order of a block's instructions in which few values are alive at once.
#ifndef AUSPEX_LIB_ANALYSIS_PRESSUREORDER_H
#define AUSPEX_LIB_ANALYSIS_PRESSUREORDER_H

#include "ValueWidths.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace auspex {

using InstructionOrder = std::vector<const llvm::MachineInstr *>;

/// Holders of values (ValueWidths::holderOf) that are alive at some point.
using LiveSet = llvm::DenseSet<llvm::Register>;

/// 32-bit values that are alive at some point.
struct Pressure {
  unsigned values = 0;
  /// Those of them that are uniform (ValueWidths::isUniform).
  unsigned uniform = 0;

  void add(llvm::Register holder, const ValueWidths &widths);
  void remove(llvm::Register holder, const ValueWidths &widths);
};

Pressure pressureOf(const LiveSet &live, const ValueWidths &widths);

/// What is alive before \p instruction, given what is alive after it.
void stepBackwards(const llvm::MachineInstr &instruction,
                   const ValueWidths &widths, LiveSet &live,
                   Pressure &pressure);

/// The instructions of \p block without those for debugging, in their order.
InstructionOrder orderOf(const llvm::MachineBasicBlock &block);

/// The same in the order they have or in one that keeps fewer 32-bit values
/// alive, as ptxas looks for one: loads move to where they are used, and what
/// is computed from the same loads comes together. \p liveOut is alive after
/// the block.
///
/// List scheduling from the last instruction to the first, always one that
/// makes the fewest registers necessary. Finding the best order is NP-complete
/// (Sethi, Complete register allocation problems, 1975).
InstructionOrder orderForPressure(const llvm::MachineBasicBlock &block,
                                  const LiveSet &liveOut,
                                  const ValueWidths &widths);

} // namespace auspex

#endif

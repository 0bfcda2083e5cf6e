// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The registers that ptxas will use, and what it spills where the kernel's
/// bounds leave fewer.
#ifndef AUSPEX_LIB_ANALYSIS_REGISTERESTIMATE_H
#define AUSPEX_LIB_ANALYSIS_REGISTERESTIMATE_H

#include "LaunchBounds.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/CodeGen/MachineFunction.h"

namespace auspex {

/// Values that find no register are stored to local memory where they are
/// defined, and loaded in the blocks that use them. Instructions of a thread in
/// one run of a block.
struct Spills {
  double stores = 0, loads = 0;
};

struct RegisterUse {
  /// 32-bit registers a thread, and those it would use if nothing limited them.
  unsigned registers = 0, unlimited = 0;
  /// 32-bit values that are spilled, their places in local memory, and the
  /// blocks with their accesses.
  unsigned spilledValues = 0, spillPlaces = 0;
  llvm::DenseMap<const llvm::MachineBasicBlock *, Spills> spills;
  /// Where registers do not do: instructions that compute values anew which
  /// were known before, instead of keeping them. As nvcc's compiler does it.
  llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned> computedAnew;
  /// 32-bit values that are alive at once in a long block, in the order that
  /// its instructions have, where that is more than there are registers and the
  /// assembler may not find a better order; else 0.
  unsigned aliveUnlessOrdered = 0;
  /// Of the blocks that have registers for a part of their loads only: the
  /// rounds in which they load, each waiting for the one before. They need not
  /// be whole, as registers become free one by one.
  llvm::DenseMap<const llvm::MachineBasicBlock *, double> rounds;
};

/// What the code of a block does not say by itself.
struct BlockFacts {
  /// The assembler's instructions.
  double instructions = 0;
  /// How often it runs in comparison with others.
  double weight = 1;
  /// How often the assembler copies it, one after the other.
  unsigned copies = 1;
  /// Words of private arrays that have registers in it.
  unsigned arrayWords = 0;
};
using BlockFactsOf =
    llvm::function_ref<BlockFacts(const llvm::MachineBasicBlock &)>;

/// The registers of \p machine within \p budget. Where \p assembled is known,
/// its registers and its bytes of spills are taken, and only the places of the
/// spills are estimated.
RegisterUse estimateRegisters(const llvm::MachineFunction &machine,
                              const RegisterBudget &budget,
                              const AssembledKernel *assembled,
                              BlockFactsOf factsOf);

} // namespace auspex

#endif

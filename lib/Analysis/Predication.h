// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the assembler makes of branches whose sides meet again: it predicates
/// short sides, and keeps the branch otherwise. The limits are those of ptxas
/// of CUDA 13, for 7.5 to 9.0.
#ifndef AUSPEX_LIB_ANALYSIS_PREDICATION_H
#define AUSPEX_LIB_ANALYSIS_PREDICATION_H

#include "auspex/Kernel/InstructionMix.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"

namespace auspex {

/// Instructions that a warp has to come to as a whole.
double warpWideInstructions(const InstructionMix &mix);
/// Accesses to memory of all spaces.
double memoryInstructions(const InstructionMix &mix);

class Predication {
public:
  using Block = llvm::MachineBasicBlock;
  using Blocks = llvm::SmallVector<const Block *, 4>;

  /// Looks at all branches of \p function. \p mixOf gives the instructions of a
  /// block, \p loopOf the loop that it is in.
  Predication(const llvm::MachineFunction &function,
              llvm::function_ref<const InstructionMix &(const Block &)> mixOf,
              llvm::function_ref<int(const Block &)> loopOf);

  /// The sides of the branch that ends \p block that are predicated: none, one
  /// or both.
  llvm::ArrayRef<const Block *> sidesOf(const Block &block) const;
  /// All blocks that are predicated where \p block runs: its sides, each with
  /// those in it behind it.
  Blocks sidesIn(const Block &block) const;
  /// Whether \p block ends in a branch around sides that stays.
  bool forks(const Block &block) const { return branches.contains(&block); }
  /// What runs behind \p block and its sides, if it is only come to from there;
  /// else null.
  const Block *next(const Block &block) const;

private:
  llvm::DenseMap<const Block *, Blocks> sides;
  llvm::DenseSet<const Block *> branches;

  const Block *behind(const Block &block) const;
};

} // namespace auspex

#endif

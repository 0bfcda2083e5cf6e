// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Private arrays that the assembler keeps in registers.
#ifndef AUSPEX_LIB_ANALYSIS_ARRAYSINREGISTERS_H
#define AUSPEX_LIB_ANALYSIS_ARRAYSINREGISTERS_H

#include "auspex/Kernel/InstructionMix.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/MachineFunction.h"

namespace auspex {

/// ptxas keeps private arrays of up to 64 words in registers, even if an index
/// is not known, and selects from all places that an access of that width may
/// be at, whatever steps the index goes in. It does so where these are no more
/// than there are instructions, both weighed by the depth of their loops, and
/// if it loads often enough from there. An array of constants takes no
/// registers, as each move has its own; outside of loops it may have fewer
/// places where it was stored as vectors. Bytes, halves and doubles always have
/// local memory. (Found by trying ptxas 11.8 and 13 for 7.5 to 9.0: arrays of 5
/// to 64 words, 1 to 4 accesses among 0 to 560 other instructions; the counters
/// of KTT's Coulomb summation show the same.)
class ArraysInRegisters {
public:
  explicit ArraysInRegisters(const llvm::MachineFunction &machine);

  /// Of all of them together.
  uint64_t sizeInBytes() const { return allInBytes; }

  /// Of the array that \p instruction accesses, in registers; 0 if it accesses
  /// none of them.
  unsigned wordsOf(const llvm::MachineInstr &instruction) const;

  /// What stands for an access to one of them, by the places it may be at: for
  /// each a comparison, unless the block has done so for this index before, and
  /// a move of each word under its condition, by the integer pipe or as a
  /// multiply-add; nothing at a constant index.
  InstructionMix selection(const llvm::MachineInstr &instruction) const;

  /// Their words by the blocks that need them: those from an access to another,
  /// but for arrays of constants.
  llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned>
  wordsInBlocks() const;

private:
  const llvm::MachineFunction &machine;
  llvm::DenseMap<const llvm::Value *, unsigned> words;
  llvm::DenseSet<const llvm::Value *> constants;
  uint64_t allInBytes = 0;
};

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Private arrays that the assembler keeps in registers.
#ifndef AUSPEX_LIB_ANALYSIS_ARRAYSINREGISTERS_H
#define AUSPEX_LIB_ANALYSIS_ARRAYSINREGISTERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFunction.h"

namespace auspex {

/// ptxas keeps private arrays of up to 32 words in registers, even if an index
/// is not known, where that leaves up to 8 places, and selects from them; it
/// does so for float[8], for float[32] in a loop unrolled by 4, not for
/// float[16] nor for char[4] (ptxas 13 for 7.5 to 12.0).
class ArraysInRegisters {
public:
  explicit ArraysInRegisters(const llvm::MachineFunction &machine);

  /// Of all of them together.
  uint64_t sizeInBytes() const { return allInBytes; }

  /// Of the array that \p instruction accesses, in registers; 0 if it accesses
  /// none of them.
  unsigned wordsOf(const llvm::MachineInstr &instruction) const;

  /// What stands for an access to one of them, by the places it may be at: for
  /// each a comparison, unless the block has been there before, and a
  /// selection; nothing at a constant index.
  double selections(const llvm::MachineInstr &instruction) const;

  /// Their words by the blocks that need them: those from an access to another.
  llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned>
  wordsInBlocks() const;

private:
  const llvm::MachineFunction &machine;
  llvm::DenseMap<const llvm::Value *, unsigned> words;
  uint64_t allInBytes = 0;
};

} // namespace auspex

#endif

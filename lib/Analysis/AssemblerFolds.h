// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Machine instructions that ptxas folds into others: how code for 16-bit
/// floating-point numbers, which CUDA's headers write in inline assembly, gets
/// shorter than it reads.
#ifndef AUSPEX_LIB_ANALYSIS_ASSEMBLERFOLDS_H
#define AUSPEX_LIB_ANALYSIS_ASSEMBLERFOLDS_H

#include "llvm/CodeGen/MachineFunction.h"

namespace auspex {

class AssemblerFolds {
public:
  explicit AssemblerFolds(const llvm::MachineFunction &machine);

  /// Whether \p instruction is inline assembly that selects 1 or 0 by a
  /// predicate, and the code asks only whether that is 0: it uses the
  /// predicate.
  bool givesPredicate(const llvm::MachineInstr &instruction) const;

  /// Whether nothing is left of \p instruction: it asks for such a predicate,
  /// or converts a constant, or takes the upper half of a register for
  /// instructions that do so themselves, or is one of the instructions that put
  /// two 16-bit values into one register; a permutation does that, which the
  /// last of them, the disjunction, stands for.
  bool isGone(const llvm::MachineInstr &instruction) const;

private:
  const llvm::MachineRegisterInfo &registers;
  const llvm::TargetInstrInfo &opcodes;

  llvm::StringRef nameOf(const llvm::MachineInstr &instruction) const;
  const llvm::MachineInstr *
  definitionOf(const llvm::MachineOperand &operand) const;
  const llvm::MachineInstr *onlyUseOf(const llvm::MachineInstr &source) const;
  bool asksForPredicate(const llvm::MachineInstr &instruction) const;
  bool convertsConstant(const llvm::MachineInstr &instruction) const;
  bool isUpperHalf(const llvm::MachineInstr &instruction) const;
  bool isExtension(const llvm::MachineInstr &instruction) const;
  bool isChosenByUses(const llvm::MachineInstr &instruction) const;
  bool packs(const llvm::MachineInstr &disjunction) const;
};

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many registers the values of machine code take once ptxas has it.
#ifndef AUSPEX_LIB_ANALYSIS_VALUEWIDTHS_H
#define AUSPEX_LIB_ANALYSIS_VALUEWIDTHS_H

#include "MachineValues.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <vector>

namespace auspex {

/// Registers are virtual ones. They are asked for many times, and looked at
/// once.
class ValueWidths : public MachineValues {
public:
  explicit ValueWidths(const llvm::MachineFunction &machine);

  /// The value that must be alive for \p reg to be used: its base where it is a
  /// constant away, for instructions add the constant; none where it is an
  /// operand wherever it is used: parameters, constants, sizes of the launch.
  llvm::Register holderOf(llvm::Register reg) const;

  /// 32-bit registers that \p reg takes; predicates have their own, addresses
  /// of shared and local memory have 32 bits, and of two halves that are
  /// calculated together one has the register.
  unsigned of(llvm::Register reg) const;

  /// Whether all threads of a block have the same \p reg, computed from
  /// parameters and the block's index: ptxas has uniform registers for some of
  /// these, and computes others anew where registers are scarce.
  bool isUniform(llvm::Register reg) const;

  /// From now on \p reg takes none: it is spilled, or computed anew.
  void takeNoRegister(llvm::Register reg) { knownOf(reg).width = 0; }

private:
  struct Known {
    std::optional<llvm::Register> holder;
    std::optional<unsigned> width;
    std::optional<bool> isUniform;
  };
  /// By the number of the virtual register.
  mutable std::vector<Known> known;
  /// Upper halves of registers of which others are the lower ones.
  llvm::DenseSet<llvm::Register> sharing;
  mutable llvm::DenseMap<llvm::Register, bool> narrow, uniform;

  Known &knownOf(llvm::Register reg) const { return known[reg.virtRegIndex()]; }
  void findSharing(const llvm::MachineFunction &machine);
  bool isOnlyAddress(llvm::Register reg) const;
  const llvm::MachineInstr *baseStepOf(llvm::Register reg) const;
  bool isOperand(const llvm::MachineInstr &source) const;
  llvm::Register findHolder(llvm::Register reg) const;
  unsigned findWidth(llvm::Register reg) const;
  bool isUniform(llvm::Register reg, unsigned depth) const;
  bool isNarrowAddress(llvm::Register reg, unsigned depth = 8) const;
  bool usesAsNarrowAddress(const llvm::MachineInstr &use, llvm::Register reg,
                           unsigned depth) const;
};

} // namespace auspex

#endif

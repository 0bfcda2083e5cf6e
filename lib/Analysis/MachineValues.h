// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names of machine instructions, and where their operands come from.
#ifndef AUSPEX_LIB_ANALYSIS_MACHINEVALUES_H
#define AUSPEX_LIB_ANALYSIS_MACHINEVALUES_H

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

namespace auspex {

/// Of one function, which outlives it.
class MachineValues {
public:
  explicit MachineValues(const llvm::MachineFunction &function)
      : registers(function.getRegInfo()),
        opcodes(*function.getSubtarget().getInstrInfo()) {}

  llvm::StringRef nameOf(const llvm::MachineInstr &instruction) const {
    return opcodes.getName(instruction.getOpcode());
  }

  /// Null if \p operand is no virtual register, or is set more than once.
  const llvm::MachineInstr *
  definitionOf(const llvm::MachineOperand &operand) const {
    return operand.isReg() && operand.getReg().isVirtual()
               ? registers.getUniqueVRegDef(operand.getReg())
               : nullptr;
  }

  /// What gives \p operand, if it is in the same block and nothing but \p user
  /// needs it; null otherwise.
  const llvm::MachineInstr *onlyFor(const llvm::MachineInstr &user,
                                    const llvm::MachineOperand &operand) const {
    const llvm::MachineInstr *made = definitionOf(operand);
    return made && made->getParent() == user.getParent() &&
                   registers.hasOneNonDBGUse(operand.getReg())
               ? made
               : nullptr;
  }

protected:
  const llvm::MachineRegisterInfo &registers;

private:
  const llvm::TargetInstrInfo &opcodes;
};

} // namespace auspex

#endif

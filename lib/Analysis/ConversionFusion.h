// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conversions that ptxas makes one instruction with others: F2I rounds either
/// way, I2F reads a byte of a register, a permutation its lower half, and
/// arithmetic saturates.
#ifndef AUSPEX_LIB_ANALYSIS_CONVERSIONFUSION_H
#define AUSPEX_LIB_ANALYSIS_CONVERSIONFUSION_H

#include "MachineValues.h"
#include "auspex/Kernel/InstructionMix.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace auspex {

class ConversionFusion : MachineValues {
public:
  explicit ConversionFusion(const llvm::MachineFunction &function);

  /// What \p instruction costs, where that is not what its opcode says: what is
  /// part of another one costs nothing.
  std::optional<InstructionMix>
  costOf(const llvm::MachineInstr &instruction) const;

private:
  llvm::DenseMap<const llvm::MachineInstr *, InstructionMix> costs;
  /// Whether numbers of 32 bits become floating-point ones in the integer pipe,
  /// by I2FP (ptxas 13).
  bool hasI2FP;

  size_t bytesNeeded(const llvm::MachineInstr &permutation) const;
  bool isBoundedBy(const llvm::MachineInstr &instruction,
                   llvm::StringRef extreme, double bound) const;
  const llvm::MachineInstr *
  saturationBy(const llvm::MachineInstr &instruction) const;
  void saturate(const llvm::MachineInstr &instruction,
                const llvm::MachineInstr &first);
  void lookAt(const llvm::MachineInstr &instruction);
  void lookAtFloat(const llvm::MachineInstr &conversion);
};

} // namespace auspex

#endif

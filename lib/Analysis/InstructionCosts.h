// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the assembler makes of a machine instruction.
#ifndef AUSPEX_LIB_ANALYSIS_INSTRUCTIONCOSTS_H
#define AUSPEX_LIB_ANALYSIS_INSTRUCTIONCOSTS_H

#include "ArraysInRegisters.h"
#include "BlockCode.h"
#include "CodeTags.h"
#include "ConversionFusion.h"
#include "HalfFusion.h"
#include "IndexedConstants.h"
#include "IntegerFusion.h"
#include "PipeBalance.h"
#include "SharedDivisions.h"
#include "Target.h"

namespace auspex {

/// Of one function. What it is made from outlives it.
class InstructionCosts : MachineValues {
public:
  InstructionCosts(const llvm::MachineFunction &machine,
                   const CodeSnapshot &snapshot,
                   const ArraysInRegisters &arrays)
      : MachineValues(machine), snapshot(snapshot), arrays(arrays),
        arch(archOf(machine)), halves(machine), integers(machine),
        conversions(machine), divisions(machine), constants(machine, arch),
        pipes(machine, arch) {}

  /// Puts into \p node what it costs and which class stands for it.
  void read(const llvm::MachineInstr &instruction, CodeNode &node);

  const HalfFusion &halfFusion() const { return halves; }

private:
  bool hasThreeOperands(const llvm::MachineInstr &instruction,
                        bool isDouble) const;
  bool isBypassed(const llvm::MachineInstr &instruction,
                  llvm::StringRef name) const;
  bool dividesByWarpSize(const llvm::MachineInstr &instruction,
                         llvm::StringRef name) const;
  void addReciprocal(llvm::StringRef division, InstructionMix &mix) const;

  const CodeSnapshot &snapshot;
  const ArraysInRegisters &arrays;
  const unsigned arch;
  const HalfFusion halves;
  const IntegerFusion integers;
  const ConversionFusion conversions;
  const SharedDivisions divisions;
  const IndexedConstants constants;
  const PipeBalance pipes;
};

} // namespace auspex

#endif

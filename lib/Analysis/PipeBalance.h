// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which integer work ptxas has the pipe of multiply-adds do. Additions, shifts
/// to the left and moves have a form for each of the two pipes (IADD3 and
/// IMAD.IADD, SHF and IMAD.SHL, MOV and IMAD.MOV), and it chooses so that both
/// have as many instructions, counted once each over the whole kernel, whatever
/// runs how often. Of A instructions for the integer pipe alone, F for
/// multiply-adds alone and M that may be either,
///
///     clamp((A + M - F) / 2, 0, M)
///
/// become multiply-adds, in every block the same share. Found with 150 kernels
/// that CUDA 11.8 compiled for 7.0 to 9.0: of the instructions on the integer
/// pipe in their loops it misses 1.5 %, 10 with a balance for each block, 25 to
/// 40 without one.
#ifndef AUSPEX_LIB_ANALYSIS_PIPEBALANCE_H
#define AUSPEX_LIB_ANALYSIS_PIPEBALANCE_H

#include "BlockCode.h"
#include "MachineValues.h"

namespace auspex {

class PipeBalance : MachineValues {
public:
  PipeBalance(const llvm::MachineFunction &machine, unsigned arch)
      : MachineValues(machine), arch(arch) {}

  /// Whether one of the instructions that \p node, of \p instruction, costs has
  /// both forms. \p isPartOfSum says of an instruction whether it is a sum that
  /// another one takes in, as IADD3 does.
  bool isMovable(
      const llvm::MachineInstr &instruction, const CodeNode &node,
      llvm::function_ref<bool(const llvm::MachineInstr &)> isPartOfSum) const;

  /// Counts the nodes of a block that the assembler has so many times.
  void count(llvm::ArrayRef<CodeNode> nodes, double copies);
  /// Of what is movable, the share that becomes multiply-adds.
  double share() const;

private:
  const unsigned arch;
  double integer = 0, multiply = 0, movable = 0;

  bool isParameter(const llvm::MachineOperand &operand) const;
};

} // namespace auspex

#endif

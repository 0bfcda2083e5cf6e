// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constants that machine code moves into registers.
///
/// An instruction takes one constant as operand: a number that stands in the
/// code, or, before 9.0, a parameter or a size of the launch
/// (ConstantFetches.h). Of two, as in `x * 0.31f + 0.77f`, one is moved into a
/// register before, and so is what is stored: in the block that has use for it,
/// unless it is in one already, and anew in every turn of a loop but a short
/// one. (Found by trying ptxas 11.8.)
#ifndef AUSPEX_LIB_ANALYSIS_CONSTANTMOVES_H
#define AUSPEX_LIB_ANALYSIS_CONSTANTMOVES_H

#include "MachineValues.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <utility>

namespace auspex {

class ConstantMoves : MachineValues {
public:
  using Instructions = llvm::SmallVector<const llvm::MachineInstr *>;

  /// \p madeOf gives of a block what the assembler makes instructions of, and
  /// \p turnKeeps says of one that is a loop whether its constants are moved in
  /// front of it.
  ConstantMoves(
      const llvm::MachineFunction &machine, unsigned arch,
      llvm::function_ref<Instructions(const llvm::MachineBasicBlock &)> madeOf,
      llvm::function_ref<bool(const llvm::MachineBasicBlock &)> turnKeeps);

  /// Instructions of \p block that move constants.
  unsigned of(const llvm::MachineBasicBlock &block) const {
    return moves.lookup(&block);
  }

private:
  /// What defines it, or null and the bits of a number.
  using Value = std::pair<const void *, int64_t>;
  struct Constant {
    Value value;
    /// How many registers it takes.
    unsigned words = 1;
  };
  using Constants = llvm::SmallVector<Constant, 3>;

  unsigned arch;
  llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned> moves;

  void addConstant(const llvm::MachineOperand &use, Constants &to) const;
  void addOperands(const llvm::MachineInstr &instruction, Constants &to) const;
  Constants storedBy(const llvm::MachineInstr &instruction) const;
  Constants operandsOf(const llvm::MachineInstr &instruction) const;
  Constants neededBy(llvm::ArrayRef<const llvm::MachineInstr *> block) const;
  bool isProductOfConstants(const llvm::MachineInstr &product) const;
};

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Integer operations of which the assembler makes one instruction: the sum of
/// three (IADD3), of a shifted number (LEA) or of a product (IMAD), any logic
/// of three, also with a comparison of the result with 0 (LOP3, PLOP3), a
/// comparison joined with a condition (ISETP), many tests for single bits
/// (R2P), an update that is made or not (predicated).
#ifndef AUSPEX_LIB_ANALYSIS_INTEGERFUSION_H
#define AUSPEX_LIB_ANALYSIS_INTEGERFUSION_H

#include "MachineValues.h"
#include "auspex/Kernel/InstructionMix.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace auspex {

class IntegerFusion : MachineValues {
public:
  explicit IntegerFusion(const llvm::MachineFunction &function);

  /// What \p instruction costs, where that is not what its opcode says: what is
  /// part of another one costs nothing.
  std::optional<InstructionMix>
  costOf(const llvm::MachineInstr &instruction) const;

private:
  /// Logic that is one instruction.
  struct LogicTree {
    /// What it is the logic of: a register, by its index, or a constant.
    struct Leaf {
      bool isRegister;
      int64_t value;

      bool operator==(const Leaf &) const = default;
    };
    /// The operation that it costs.
    const llvm::MachineInstr *first;
    llvm::SmallVector<Leaf, 3> leaves;
  };

  llvm::DenseMap<const llvm::MachineInstr *, InstructionMix> costs;
  /// By the last operation.
  llvm::DenseMap<const llvm::MachineInstr *, LogicTree> trees;
  /// Whether there are IADD3, LEA.HI, and LOP3 that can write a predicate:
  /// since Maxwell.
  bool takesThree;
  /// Whether there is IMAD.WIDE: since Volta.
  bool multipliesWide;
  /// Whether the places of shared arrays are constants: up to Ada. Later ones
  /// depend on the block's rank in its cluster.
  bool placesArrays;

  InstructionMix costOfSum(const llvm::MachineInstr &sum, double words) const;
  bool foldsIntoSums(const llvm::MachineInstr &operation) const;
  bool extendsInSum(const llvm::MachineInstr &extension) const;
  bool isAdded(llvm::Register operand, const llvm::MachineInstr &sum) const;
  bool isPlaceInArray(const llvm::MachineInstr &sum) const;
  bool isSame(const llvm::MachineOperand &one,
              const llvm::MachineOperand &other) const;
  bool isLowerOfWide(const llvm::MachineInstr &product) const;
  std::optional<InstructionMix>
  costOfProduct(const llvm::MachineInstr &product) const;
  bool isZero(const llvm::MachineOperand &operand, unsigned half) const;
  bool needsUpper(const llvm::MachineInstr &made, unsigned depth = 0) const;
  std::optional<double> wordsOf(const llvm::MachineInstr &instruction) const;
  bool addsCondition(const llvm::MachineInstr &sum) const;
  bool joins(const llvm::MachineInstr &instruction,
             llvm::ArrayRef<llvm::StringRef> with) const;
  bool testsLogic(const llvm::MachineInstr &instruction) const;
  bool choosesUpdate(const llvm::MachineInstr &instruction) const;
  const LogicTree *treeOf(const llvm::MachineOperand &operand,
                          const llvm::MachineInstr &user) const;
  LogicTree join(const llvm::MachineInstr &logic,
                 llvm::ArrayRef<const llvm::MachineOperand *> takenIn) const;
  void growTree(const llvm::MachineInstr &logic);
  void lookAt(const llvm::MachineInstr &instruction);
  void joinBitTests(const llvm::MachineFunction &function);
};

} // namespace auspex

#endif

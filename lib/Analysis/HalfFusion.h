// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Machine instructions that ptxas folds into others: how code for 16-bit
/// floating-point numbers, which CUDA's headers write in inline assembly, gets
/// shorter than it reads.
#ifndef AUSPEX_LIB_ANALYSIS_HALFFUSION_H
#define AUSPEX_LIB_ANALYSIS_HALFFUSION_H

#include "MachineValues.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace auspex {

class HalfFusion : public MachineValues {
public:
  explicit HalfFusion(const llvm::MachineFunction &machine);

  /// Whether \p instruction is inline assembly that selects 1 or 0 by a
  /// predicate, and the code asks only whether that is 0: it uses the
  /// predicate.
  bool givesPredicate(const llvm::MachineInstr &instruction) const;

  /// Whether nothing is left of \p instruction: it asks for such a predicate,
  /// or converts a constant, or takes the upper half of a register for
  /// instructions that do so themselves, or is a product that sums add up in
  /// one instruction, or one of the instructions that put two 16-bit values
  /// into one register; a permutation does that, which the last of them, the
  /// disjunction, stands for.
  bool isGone(const llvm::MachineInstr &instruction) const;

  /// Whether \p instruction puts two 16-bit values into one register.
  bool packs(const llvm::MachineInstr &instruction) const;

  /// Whether all it does is to calculate with 16-bit floating-point numbers.
  bool calculatesHalves(const llvm::MachineInstr &instruction) const;

private:
  /// What inline assembly calculates that is one instruction on 16-bit numbers
  /// and leaves its rounding to the assembler, which may fuse it with another
  /// then.
  struct Fusible {
    bool isProduct;
    std::string type;
  };
  /// By the text of the assembly.
  llvm::StringMap<std::optional<Fusible>> fusibles;

  static std::optional<Fusible> readFusible(llvm::StringRef assembly);
  const Fusible *fusibleOf(const llvm::MachineInstr &instruction) const;
  const llvm::MachineInstr *onlyUseOf(const llvm::MachineInstr &source) const;
  bool asksForPredicate(const llvm::MachineInstr &instruction) const;
  bool convertsConstant(const llvm::MachineInstr &instruction) const;
  bool isUpperHalf(const llvm::MachineInstr &instruction) const;
  bool isExtension(const llvm::MachineInstr &instruction) const;
  bool isChosenByUses(const llvm::MachineInstr &instruction) const;
  const llvm::MachineInstr *
  definitionBehindCopies(const llvm::MachineOperand &operand) const;
  const llvm::MachineInstr *fusedProductOf(const llvm::MachineInstr &sum) const;
  bool isFusedIntoSums(const llvm::MachineInstr &product) const;
};

/// Pairs arithmetic of 16-bit floating-point numbers into instructions that do
/// two at once, as ptxas does: two that do the same with operands that share
/// registers. Sees the instructions of a block one after the other.
class HalfPairs : MachineValues {
public:
  HalfPairs(const llvm::MachineFunction &machine, const HalfFusion &halfFusion);

  /// Whether nothing is left of \p instruction, since it is done together with
  /// an earlier one, or packs what such a pair has packed.
  bool isGone(const llvm::MachineInstr &instruction);

private:
  /// Values with the same number are in the same register; 0 is for those that
  /// can be put anywhere: constants, and what is alive before.
  using Place = unsigned;

  const HalfFusion &halfFusion;
  llvm::DenseMap<llvm::Register, Place> places;
  Place last = 0;
  llvm::StringMap<unsigned> operations;
  /// By operation and places of operands: where the result of one is that has
  /// no partner so far.
  std::map<std::vector<unsigned>, Place> single;

  Place placeOf(llvm::Register reg) const { return places.lookup(reg); }
  bool is16Bit(llvm::Register reg) const;
  bool pairs(const llvm::MachineInstr &instruction);
  void setResults(const llvm::MachineInstr &instruction, Place place);
};

} // namespace auspex

#endif

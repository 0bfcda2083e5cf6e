// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IndexedConstants.h"

#include "MachineMemory.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace auspex;

namespace {
/// A register and how many bytes further on.
struct LoadedWord {
  llvm::Register base;
  int64_t offset = 0;
};
} // namespace

/// Where \p load, of 32 bits, reads; none of other loads.
static std::optional<LoadedWord> placeOf(const llvm::MachineInstr &load) {
  constexpr unsigned Word = 4;
  if (!load.mayLoad() || memoryClass(load) != InstructionClass::LoadConstant ||
      bytesOf(load) != Word)
    return std::nullopt;
  unsigned last = load.getNumOperands() - 1;
  const llvm::MachineOperand &base = load.getOperand(last - 1),
                             &offset = load.getOperand(last);
  if (!base.isReg() || !offset.isImm())
    return std::nullopt;
  return LoadedWord{base.getReg(), offset.getImm()};
}

/// Whether its other half of eight bytes is loaded too. What lies before and
/// how the counter goes on is taken to keep them together.
bool IndexedConstants::isPaired(const llvm::MachineInstr &load) const {
  auto place = placeOf(load);
  if (!place)
    return false;
  return llvm::any_of(*load.getParent(), [&](const llvm::MachineInstr &other) {
    auto beside = &other == &load ? std::nullopt : placeOf(other);
    return beside && beside->base == place->base &&
           (beside->offset ^ place->offset) == 4;
  });
}

/// Whether \p operand is made of constants alone, by a loop that counts, or, if
/// it is not \p isCounted, of what the launch says too.
bool IndexedConstants::isSameForAll(const llvm::MachineOperand &operand,
                                    bool isCounted, Seen &seen) const {
  if (!operand.isReg())
    return true;
  const llvm::MachineInstr *made = definitionOf(operand);
  if (!made)
    return false;
  if (!seen.insert(made).second)
    return true;
  llvm::StringRef name = nameOf(*made);
  if (!isCounted && (readsParameter(*made) || isLaunchSize(name) ||
                     name.starts_with("INT_PTX_SREG_CTAID")))
    return true;
  bool isArithmetic =
      made->isPHI() || made->isCopyLike() ||
      llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"ADD", "SUB", "SHL", "MULT",
                                                   "MAD", "MOV_", "CVT_",
                                                   "cvta", "OR_", "AND_"},
                   [&](llvm::StringRef of) { return name.starts_with(of); });
  return isArithmetic &&
         llvm::all_of(
             made->explicit_uses(), [&](const llvm::MachineOperand &use) {
               return use.isMBB() || isSameForAll(use, isCounted, seen);
             });
}

/// Whether all lanes leave \p loop, a block, at the same time.
bool IndexedConstants::endsTogether(const llvm::MachineBasicBlock &loop) const {
  if (!loop.isSuccessor(&loop))
    return false;
  for (const llvm::MachineInstr &branch : loop.terminators()) {
    if (!branch.isConditionalBranch())
      continue;
    const llvm::MachineInstr *test = definitionOf(branch.getOperand(0));
    return test && nameOf(*test).starts_with("SETP") &&
           llvm::all_of(test->explicit_uses(),
                        [&](const llvm::MachineOperand &use) {
                          Seen seen;
                          return isSameForAll(use, /*isCounted=*/false, seen);
                        });
  }
  return false;
}

InstructionMix IndexedConstants::costOf(const llvm::MachineInstr &load) const {
  constexpr unsigned UniformSince = 75;
  Seen seen;
  bool isUniform =
      arch >= UniformSince && endsTogether(*load.getParent()) &&
      llvm::all_of(load.explicit_uses(), [&](const llvm::MachineOperand &use) {
        return isSameForAll(use, /*isCounted=*/true, seen);
      });
  InstructionMix cost;
  cost[isUniform ? InstructionClass::FetchConstant
                 : InstructionClass::LoadConstant] = isPaired(load) ? 0.5 : 1;
  return cost;
}

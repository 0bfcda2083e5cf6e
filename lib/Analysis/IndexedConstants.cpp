// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IndexedConstants.h"

#include "MachineMemory.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

using namespace auspex;

IndexedConstants::IndexedConstants(const llvm::MachineFunction &machine,
                                   unsigned arch)
    : MachineValues(machine), arch(arch) {
  for (const llvm::MachineBasicBlock &block : machine)
    for (const llvm::MachineInstr &load : block)
      if (auto word = wordOf(load))
        words.insert(*word);
}

/// What \p load, of 32 bits, reads; none of other loads.
std::optional<IndexedConstants::Word>
IndexedConstants::wordOf(const llvm::MachineInstr &load) {
  constexpr unsigned Bytes = 4;
  if (!load.mayLoad() || memoryClass(load) != InstructionClass::LoadConstant ||
      bytesOf(load) != Bytes)
    return std::nullopt;
  unsigned last = load.getNumOperands() - 1;
  const llvm::MachineOperand &base = load.getOperand(last - 1),
                             &offset = load.getOperand(last);
  if (!base.isReg() || !offset.isImm())
    return std::nullopt;
  return Word{load.getParent(), base.getReg().id(), offset.getImm()};
}

/// Whether its other half of eight bytes is loaded too. What lies before and
/// how the counter goes on is taken to keep them together.
bool IndexedConstants::isPaired(const llvm::MachineInstr &load) const {
  auto word = wordOf(load);
  if (!word)
    return false;
  std::get<int64_t>(*word) ^= 4;
  return words.contains(*word);
}

bool IndexedConstants::isArithmetic(
    const llvm::MachineInstr &instruction) const {
  static constexpr llvm::StringRef Names[] = {"ADD", "SUB",  "SHL",  "MULT",
                                              "MAD", "MOV_", "CVT_", "cvta",
                                              "OR_", "AND_"};
  llvm::StringRef name = nameOf(instruction);
  return instruction.isCopyLike() ||
         llvm::any_of(Names,
                      [&](llvm::StringRef of) { return name.starts_with(of); });
}

/// Whether \p operand, in \p loop, is made of constants alone, by counting, or,
/// if it need not be \p isCounted, of what the launch says too.
bool IndexedConstants::isSameForAll(const llvm::MachineOperand &operand,
                                    const llvm::MachineBasicBlock &loop,
                                    bool isCounted, Seen &seen) const {
  if (!operand.isReg())
    return true;
  if (!operand.getReg().isVirtual())
    return false;
  // A counter is set before the loop and in it.
  bool isOfLoop = registers.hasOneDef(operand.getReg());
  for (const llvm::MachineInstr &made :
       registers.def_instructions(operand.getReg())) {
    isOfLoop |= made.getParent() == &loop;
    if (!seen.insert(&made).second)
      continue;
    llvm::StringRef name = nameOf(made);
    if (!isCounted && (readsParameter(made) || isLaunchSize(name) ||
                       name.starts_with("INT_PTX_SREG_CTAID")))
      continue;
    if (!isArithmetic(made) ||
        !llvm::all_of(made.explicit_uses(),
                      [&](const llvm::MachineOperand &use) {
                        return isSameForAll(use, loop, isCounted, seen);
                      }))
      return false;
  }
  return isOfLoop;
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
           llvm::all_of(
               test->explicit_uses(), [&](const llvm::MachineOperand &use) {
                 Seen seen;
                 return isSameForAll(use, loop, /*isCounted=*/false, seen);
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
        return isSameForAll(use, *load.getParent(), /*isCounted=*/true, seen);
      });
  constexpr double MostInBytes = 8;
  double fetches =
      std::max(1.0, static_cast<double>(bytesOf(load)) / MostInBytes);
  InstructionMix cost;
  cost[isUniform ? InstructionClass::FetchConstant
                 : InstructionClass::LoadConstant] =
      isPaired(load) ? fetches / 2 : fetches;
  return cost;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedDivisions.h"

#include "llvm/ADT/MapVector.h"

using namespace auspex;

bool auspex::divides(llvm::StringRef name, llvm::StringRef bits) {
  return name.size() >= strlen("SDIV32") &&
         (name.substr(1, 3) == "DIV" || name.substr(1, 3) == "REM") &&
         name.substr(4, 2) == bits;
}

/// Adds to the divisions by one divisor, \p byOne, in the order of the code.
void SharedDivisions::share(const Divisions &byOne,
                            const llvm::MachineDominatorTree &order,
                            const llvm::MachineLoopInfo &loops) {
  const llvm::MachineInstr *divisor =
      definitionOf(byOne.front()->getOperand(2));
  for (size_t i = 0; i < byOne.size(); ++i) {
    const llvm::MachineInstr *division = byOne[i];
    const llvm::MachineLoop *loop = loops.getLoopFor(division->getParent());
    bool isSame = loop && !loop->contains(divisor->getParent());
    bool isBehind = llvm::any_of(llvm::ArrayRef(byOne).take_front(i),
                                 [&](const llvm::MachineInstr *before) {
                                   return order.dominates(before, division);
                                 });
    if (isSame && !isBehind)
      outOfLoops.try_emplace(divisor, division);
    if (isSame || isBehind)
      shared.insert(division);
  }
}

SharedDivisions::SharedDivisions(const llvm::MachineFunction &machine)
    : MachineValues(machine) {
  // Signed and unsigned reciprocals are not the same.
  llvm::MapVector<std::pair<llvm::Register, char>, Divisions> byDivisor;
  for (const llvm::MachineBasicBlock &block : machine)
    for (const llvm::MachineInstr &instruction : block) {
      llvm::StringRef name = nameOf(instruction);
      bool isOfIntegers = name.starts_with("S") || name.starts_with("U");
      if (isOfIntegers && divides(name, "32") &&
          definitionOf(instruction.getOperand(2)))
        byDivisor[{instruction.getOperand(2).getReg(), name.front()}].push_back(
            &instruction);
    }
  if (byDivisor.empty())
    return;
  auto &function = const_cast<llvm::MachineFunction &>(machine);
  llvm::MachineDominatorTree order(function);
  llvm::MachineLoopInfo loops(order);
  for (const auto &[divisor, divisions] : byDivisor)
    share(divisions, order, loops);
}

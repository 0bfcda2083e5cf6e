// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PipeBalance.h"

#include "MachineMemory.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;
using enum InstructionClass;

/// Whether an addition takes \p operand from constant memory.
bool PipeBalance::isParameter(const llvm::MachineOperand &operand) const {
  const llvm::MachineInstr *made = definitionOf(operand);
  return made && (readsParameter(*made) || readsConstantPlace(*made));
}

bool PipeBalance::isMovable(
    const llvm::MachineInstr &instruction, const CodeNode &node,
    llvm::function_ref<bool(const llvm::MachineInstr &)> isPartOfSum) const {
  constexpr unsigned BalancedSince = 70, KnownBefore = 100,
                     TakesParametersSince = 90;
  if (arch < BalancedSince || arch >= KnownBefore || node.cost.total() == 0)
    return false;
  llvm::StringRef name = nameOf(instruction);
  if (node.cost.total() == node.cost[Move])
    return true;
  if (node.cost.total() == node.cost[Shift])
    return name.starts_with("SHL32_ri") || name.starts_with("SHL64_ri");
  if (node.cost.total() != node.cost[IntAdd])
    return false;
  bool isWide = name.starts_with("ADD64") || name.starts_with("SUB64");
  bool isSum = isWide || name.starts_with("ADD32") || name.starts_with("SUB32");
  if (!isSum)
    return name.starts_with("NEG") || name.starts_with("INEG");
  // The upper half of a sum with a constant is one of registers, and a carry.
  return llvm::none_of(
      instruction.explicit_uses(), [&](const llvm::MachineOperand &operand) {
        const llvm::MachineInstr *made = definitionOf(operand);
        return (!operand.isReg() && !isWide) ||
               (arch < TakesParametersSince && isParameter(operand)) ||
               (made && made->getParent() == instruction.getParent() &&
                isPartOfSum(*made));
      });
}

void PipeBalance::count(llvm::ArrayRef<CodeNode> nodes, double copies) {
  for (const CodeNode &node : nodes) {
    const InstructionMix &cost = node.cost;
    double both = node.asMultiplyAdd;
    movable += copies * both;
    integer += copies * (cost[IntAdd] + cost[Shift] + cost[Compare] +
                         cost[Logic] + cost[Move] - both);
    multiply += copies * (cost[Fp32] + cost[IntMul]);
  }
}

double PipeBalance::share() const {
  return movable > 0
             ? std::clamp((integer + movable - multiply) / 2, 0.0, movable) /
                   movable
             : 0;
}

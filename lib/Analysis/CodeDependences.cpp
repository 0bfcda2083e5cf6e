// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CodeDependences.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;
using enum InstructionClass;

/// What the lanes of a warp do together is in order like accesses to memory.
static constexpr int WarpWide = -1;

static int kindOfMemory(InstructionClass id) {
  switch (id) {
  case LoadShared:
  case StoreShared:
  case AtomicShared:
    return 1;
  case LoadLocal:
  case StoreLocal:
    return 2;
  case LoadConstant:
    return 3;
  default:
    return 0;
  }
}

void CodeDependences::beginSide() { side = position; }

void CodeDependences::endSide() { side.reset(); }

void CodeDependences::add(const llvm::MachineInstr &instruction,
                          bool isReadOnly, CodeNode &node) {
  for (const llvm::MachineOperand &operand : instruction.all_uses())
    if (operand.getReg().isVirtual())
      llvm::append_range(node.inputs, definitions.lookup(operand.getReg()));
  if (blockEnd)
    node.inputs.push_back(*blockEnd);
  if (node.endsBlock)
    blockEnd = position;
  if (node.main == Barrier || node.main == Fence || node.main == Call)
    waitForAll(node);
  else
    addMemoryOrder(instruction, isReadOnly, node);
  llvm::sort(node.inputs);
  node.inputs.erase(llvm::unique(node.inputs), node.inputs.end());
  for (const llvm::MachineOperand &operand : instruction.all_defs())
    if (operand.getReg().isVirtual())
      define(operand.getReg());
  ++position;
}

void CodeDependences::addMemoryOrder(const llvm::MachineInstr &instruction,
                                     bool isReadOnly, CodeNode &node) {
  bool isTogether =
      node.main == Shuffle || node.main == Vote || node.main == Redux;
  if (!isTogether && !isMemory(node.main))
    return;
  if (barrier)
    node.inputs.push_back(*barrier);
  if (isTogether) {
    memory[WarpWide].reads.push_back(position);
    return;
  }
  Order &order = memory[kindOfMemory(node.main)];
  bool isConstant = isReadOnly || node.main == LoadConstant ||
                    instruction.isDereferenceableInvariantLoad();
  if (order.write && !isConstant)
    node.inputs.push_back(*order.write);
  if (instruction.mayStore()) {
    llvm::append_range(node.inputs, order.reads);
    order.reads.clear();
    order.write = position;
  } else {
    order.reads.push_back(position);
  }
}

void CodeDependences::waitForAll(CodeNode &node) {
  for (auto &[kind, order] : memory) {
    llvm::append_range(node.inputs, order.reads);
    if (order.write)
      node.inputs.push_back(*order.write);
    order = {};
  }
  if (barrier)
    node.inputs.push_back(*barrier);
  barrier = position;
}

void CodeDependences::define(llvm::Register reg) {
  llvm::SmallVector<unsigned, 1> &known = definitions[reg];
  unsigned replaced = side.value_or(0);
  llvm::erase_if(known, [&](unsigned at) { return at >= replaced; });
  known.push_back(position);
}

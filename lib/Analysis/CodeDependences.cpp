// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CodeDependences.h"

#include "MachineMemory.h"
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
                          CodeNode &node) {
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
    addMemoryOrder(instruction, node);
  llvm::sort(node.inputs);
  node.inputs.erase(llvm::unique(node.inputs), node.inputs.end());
  for (const llvm::MachineOperand &operand : instruction.all_defs())
    if (operand.getReg().isVirtual())
      define(operand.getReg());
  defineAddress(instruction);
  ++position;
}

void CodeDependences::addMemoryOrder(const llvm::MachineInstr &instruction,
                                     CodeNode &node) {
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
  bool isConstant = isReadOnlyLoad(values.nameOf(instruction)) ||
                    node.main == LoadConstant ||
                    instruction.isDereferenceableInvariantLoad();
  auto bytes = static_cast<int64_t>(bytesOf(instruction));
  Address address = accessed(instruction, bytes);
  if (!isConstant)
    order.addWritesBefore(address, bytes, node.inputs);
  if (instruction.mayStore()) {
    llvm::append_range(node.inputs, order.reads);
    order.reads.clear();
    order.addWrite({position, address, bytes});
  } else {
    order.reads.push_back(position);
  }
}

void CodeDependences::Order::addWrite(const Write &next) {
  if (write && write->address.root != next.address.root)
    elsewhere = write;
  write = next;
  ofRoot[next.address.root].push_back(next);
}

void CodeDependences::Order::addWritesBefore(
    const Address &address, int64_t bytes,
    llvm::SmallVectorImpl<unsigned> &inputs) const {
  if (write && write->address.root != address.root)
    inputs.push_back(write->position);
  else if (elsewhere)
    inputs.push_back(elsewhere->position);
  auto writes = ofRoot.find(address.root);
  if (writes == ofRoot.end())
    return;
  for (const Write &here : writes->second)
    if (here.address.offset < address.offset + bytes &&
        address.offset < here.address.offset + here.bytes)
      inputs.push_back(here.position);
}

void CodeDependences::waitForAll(CodeNode &node) {
  for (auto &[kind, order] : memory) {
    llvm::append_range(node.inputs, order.reads);
    if (order.write)
      node.inputs.push_back(order.write->position);
    order = Order();
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

CodeDependences::Address
CodeDependences::addressIn(const llvm::MachineOperand &operand) {
  if (!operand.isReg())
    return {roots++, 0};
  auto [known, isNew] = addresses.try_emplace(operand.getReg());
  if (isNew)
    known->second = {roots++, 0};
  return known->second;
}

/// Loads and stores end with a register and a constant. Atomics stay in order.
CodeDependences::Address
CodeDependences::accessed(const llvm::MachineInstr &instruction,
                          int64_t bytes) {
  unsigned operands = instruction.getNumExplicitOperands();
  bool isAtomic = instruction.mayLoad() && instruction.mayStore();
  if (isAtomic || operands < 2 || bytes == 0)
    return {roots++, 0};
  const llvm::MachineOperand &base = instruction.getOperand(operands - 2),
                             &offset = instruction.getOperand(operands - 1);
  if (!offset.isImm())
    return {roots++, 0};
  Address address = addressIn(base);
  address.offset += offset.getImm();
  return address;
}

void CodeDependences::defineAddress(const llvm::MachineInstr &instruction) {
  std::optional<Address> sum;
  llvm::StringRef name = values.nameOf(instruction);
  if (name == "ADD64ri" || name == "ADD32ri") {
    if (instruction.getOperand(1).isReg() &&
        instruction.getOperand(2).isImm()) {
      sum = addressIn(instruction.getOperand(1));
      sum->offset += instruction.getOperand(2).getImm();
    }
  } else if (instruction.isCopy()) {
    sum = addressIn(instruction.getOperand(1));
  }
  for (const llvm::MachineOperand &operand : instruction.all_defs())
    addresses.erase(operand.getReg());
  if (sum && !side)
    addresses[instruction.getOperand(0).getReg()] = *sum;
}

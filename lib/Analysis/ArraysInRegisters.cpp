// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ArraysInRegisters.h"

#include "MachineMemory.h"
#include "auspex/Kernel/KernelSummary.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/IR/Instructions.h"

#include <numeric>

using namespace auspex;

ArraysInRegisters::ArraysInRegisters(const llvm::MachineFunction &machine)
    : machine(machine) {
  constexpr uint64_t MostInBytes = 32 * RegisterInBytes;
  constexpr uint64_t MostPlaces = 8;
  const llvm::MachineFrameInfo &frame = machine.getFrameInfo();
  if (!frame.hasStackObjects())
    return;
  const llvm::DataLayout &layout = machine.getDataLayout();
  llvm::DenseSet<const llvm::Value *> inBytes;
  llvm::DenseMap<const llvm::Value *, uint64_t> smallestStep;
  for (const llvm::MachineBasicBlock &block : machine)
    for (const llvm::MachineInstr &instruction : block)
      for (const llvm::MachineMemOperand *operand : instruction.memoperands())
        if (llvm::LocationSize size = operand->getSize();
            !size.hasValue() || size.isScalable() ||
            size.getValue().getFixedValue() % RegisterInBytes != 0)
          inBytes.insert(privateArrayOf(instruction));
        else if (const llvm::Value *array = privateArrayOf(instruction))
          if (uint64_t step = stepInPrivateArray(instruction)) {
            uint64_t &smallest = smallestStep[array];
            smallest = std::gcd(smallest, step);
          }
  for (int i = 0; i < frame.getObjectIndexEnd(); ++i) {
    const llvm::AllocaInst *array = frame.getObjectAllocation(i);
    auto size = array ? array->getAllocationSize(layout) : std::nullopt;
    if (!size || size->getFixedValue() > MostInBytes || inBytes.contains(array))
      continue;
    uint64_t bytes = size->getFixedValue();
    uint64_t step = smallestStep.lookup(array);
    if (step && bytes > MostPlaces * step)
      continue;
    words[array] = static_cast<unsigned>(bytes / RegisterInBytes);
    allInBytes += bytes;
  }
}

unsigned
ArraysInRegisters::wordsOf(const llvm::MachineInstr &instruction) const {
  return words.empty() ? 0 : words.lookup(privateArrayOf(instruction));
}

double
ArraysInRegisters::selections(const llvm::MachineInstr &instruction) const {
  uint64_t step = stepInPrivateArray(instruction);
  if (!step)
    return 0;
  auto placeOf = [](const llvm::MachineInstr &access) {
    return access.memoperands_empty()
               ? nullptr
               : access.memoperands().front()->getValue();
  };
  bool isCompared = false;
  for (const llvm::MachineInstr &other : *instruction.getParent()) {
    if (&other == &instruction)
      break;
    isCompared |=
        privateArrayOf(other) && placeOf(other) == placeOf(instruction);
  }
  double bytes = wordsOf(instruction) * RegisterInBytes;
  return (isCompared ? 1 : 2) *
         std::max(1.0, bytes / static_cast<double>(step));
}

using MachineBlocks = llvm::SmallSetVector<const llvm::MachineBasicBlock *, 8>;

/// \p blocks and all that \p next leads to from there.
static MachineBlocks reachedFrom(
    MachineBlocks blocks,
    llvm::function_ref<void(const llvm::MachineBasicBlock &, MachineBlocks &)>
        addNext) {
  for (unsigned i = 0; i < blocks.size(); ++i)
    addNext(*blocks[i], blocks);
  return blocks;
}

llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned>
ArraysInRegisters::wordsInBlocks() const {
  llvm::MapVector<const llvm::Value *, MachineBlocks> accesses;
  if (!words.empty())
    for (const llvm::MachineBasicBlock &block : machine)
      for (const llvm::MachineInstr &instruction : block)
        if (wordsOf(instruction))
          accesses[privateArrayOf(instruction)].insert(&block);
  llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned> result;
  for (const auto &[array, blocks] : accesses) {
    MachineBlocks after = reachedFrom(
        blocks, [](const llvm::MachineBasicBlock &block, MachineBlocks &to) {
          to.insert(block.succ_begin(), block.succ_end());
        });
    MachineBlocks before = reachedFrom(
        blocks, [](const llvm::MachineBasicBlock &block, MachineBlocks &to) {
          to.insert(block.pred_begin(), block.pred_end());
        });
    for (const llvm::MachineBasicBlock *block : after)
      if (before.contains(block))
        result[block] += words.lookup(array);
  }
  return result;
}

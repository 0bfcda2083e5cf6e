// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConstantFetches.h"

#include "MachineMemory.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"

using namespace auspex;

static constexpr int64_t FetchInBytes = 8;

/// Where each parameter of \p kernel begins, in bytes.
static llvm::SmallVector<int64_t>
offsetsOfParameters(const llvm::Function &kernel) {
  const llvm::DataLayout &layout = kernel.getDataLayout();
  llvm::SmallVector<int64_t> offsets;
  uint64_t end = 0;
  for (const llvm::Argument &argument : kernel.args()) {
    llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType()
                                               : argument.getType();
    llvm::Align align =
        std::max(layout.getABITypeAlign(type),
                 argument.getParamAlign().value_or(llvm::Align()));
    uint64_t begin = llvm::alignTo(end, align);
    offsets.push_back(static_cast<int64_t>(begin));
    end = begin + layout.getTypeAllocSize(type).getFixedValue();
  }
  return offsets;
}

ConstantFetches::ConstantFetches(const llvm::MachineFunction &machine,
                                 unsigned arch)
    : MachineValues(machine), machine(machine) {
  if (!fetchesConstants(arch))
    return;
  offsets = offsetsOfParameters(machine.getFunction());
  for (const llvm::MachineBasicBlock &block : machine)
    findWordsOf(block);
  moveOutOfLoops();
}

unsigned ConstantFetches::of(const llvm::MachineBasicBlock &block) const {
  auto found = words.find(&block);
  return found == words.end() ? 0 : found->second.size();
}

const llvm::MachineInstr *auspex::constantOf(const MachineValues &values,
                                             const llvm::MachineOperand &use) {
  const llvm::MachineInstr *source = values.definitionOf(use);
  while (source &&
         (source->isCopyLike() || values.nameOf(*source).starts_with("cvta")))
    source = values.definitionOf(source->getOperand(1));
  bool isConstant =
      source && (isLaunchSize(values.nameOf(*source)) ||
                 readsParameter(*source) || readsConstantPlace(*source));
  return isConstant ? source : nullptr;
}

/// The number of the parameter that \p symbol stands for, as in
/// "kernel_param_2".
static std::optional<unsigned> parameterOf(llvm::StringRef symbol) {
  unsigned number = 0;
  auto [kernel, digits] = symbol.rsplit("_param_");
  return digits.getAsInteger(10, number) ? std::nullopt : std::optional(number);
}

ConstantFetches::Word
ConstantFetches::wordOf(const llvm::MachineInstr &constant) const {
  llvm::StringRef opcode = nameOf(constant);
  // Four bytes each, those of blocks before those of the grid.
  if (isLaunchSize(opcode)) {
    int64_t index = opcode.back() - 'x';
    constexpr int64_t Dimensions = 3;
    if (opcode.starts_with("INT_PTX_SREG_NCTAID"))
      index += Dimensions;
    return {&machine, index * 4 / FetchInBytes};
  }
  const llvm::MachineOperand &last =
      constant.getOperand(constant.getNumOperands() - 1);
  int64_t offset = last.isImm() ? last.getImm() : 0;
  for (const llvm::MachineOperand &operand : constant.operands()) {
    const llvm::MachineInstr *base = definitionOf(operand);
    bool isBase = operand.isUse() && base && nameOf(*base).starts_with("MOV_");
    const llvm::MachineOperand &place = isBase ? base->getOperand(1) : operand;
    if (place.isGlobal())
      return {place.getGlobal(), offset / FetchInBytes};
    if (!place.isSymbol())
      continue;
    if (auto number = parameterOf(place.getSymbolName());
        number && *number < offsets.size())
      return {&offsets, (offsets[*number] + offset) / FetchInBytes};
  }
  return {&constant, 0};
}

/// Instructions have room for the upper half of a double.
void ConstantFetches::addLiteral(const llvm::MachineOperand &use,
                                 Words &to) const {
  const llvm::MachineInstr *source = definitionOf(use);
  bool isMoved = source && nameOf(*source).starts_with("MOV_F64");
  const llvm::MachineOperand &number = isMoved ? source->getOperand(1) : use;
  if (!number.isFPImm() || !number.getFPImm()->getType()->isDoubleTy())
    return;
  uint64_t bits =
      number.getFPImm()->getValueAPF().bitcastToAPInt().getZExtValue();
  auto lower = static_cast<uint32_t>(bits);
  if (lower == 0)
    return;
  to.insert({&words, int64_t(lower)});
  to.insert({&words, int64_t(bits >> 32)});
}

void ConstantFetches::findWordsOf(const llvm::MachineBasicBlock &block) {
  for (const llvm::MachineInstr &instruction : block) {
    bool isRenaming =
        instruction.isCopyLike() || nameOf(instruction).starts_with("cvta");
    if (instruction.isDebugInstr() ||
        (isRenaming && definitionOf(instruction.getOperand(0))))
      continue;
    for (const llvm::MachineOperand &use : instruction.explicit_uses()) {
      addLiteral(use, words[&block]);
      if (const llvm::MachineInstr *constant = constantOf(*this, use))
        words[&block].insert(wordOf(*constant));
    }
  }
}

void ConstantFetches::moveOutOfLoops() {
  auto &function = const_cast<llvm::MachineFunction &>(machine);
  llvm::MachineDominatorTree dominators(function);
  llvm::MachineLoopInfo loops(dominators);
  for (llvm::MachineLoop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    Words all;
    for (const llvm::MachineBasicBlock *block : loop->blocks()) {
      Words &own = words[block];
      all.insert(own.begin(), own.end());
      own.clear();
    }
    for (const llvm::MachineBasicBlock *before :
         loop->getHeader()->predecessors())
      if (!loop->contains(before))
        words[before].insert(all.begin(), all.end());
  }
}

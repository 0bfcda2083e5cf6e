// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConstantMoves.h"

#include "ConstantFetches.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/IR/Constants.h"

#include <vector>

using namespace auspex;

/// Which operands \p name says an instruction of arithmetic has, as "rri";
/// empty if it says nothing.
static llvm::StringRef operandsIn(llvm::StringRef name) {
  llvm::StringRef kinds = name.take_back(
      name.size() - std::min(name.size(), name.find_last_not_of("ri") + 1));
  return kinds.size() > 1 ? kinds : llvm::StringRef();
}

/// Where the constants of \p block are moved: in front of it, if it is a loop
/// that keeps them.
static const llvm::MachineBasicBlock &
placeFor(const llvm::MachineBasicBlock &block,
         llvm::function_ref<bool(const llvm::MachineBasicBlock &)> turnKeeps) {
  if (block.isSuccessor(&block) && turnKeeps(block))
    for (const llvm::MachineBasicBlock *before : block.predecessors())
      if (before != &block)
        return *before;
  return block;
}

ConstantMoves::ConstantMoves(
    const llvm::MachineFunction &machine, unsigned arch,
    llvm::function_ref<Instructions(const llvm::MachineBasicBlock &)> madeOf,
    llvm::function_ref<bool(const llvm::MachineBasicBlock &)> turnKeeps)
    : MachineValues(machine), arch(arch) {
  llvm::MachineDominatorTree dominators(
      const_cast<llvm::MachineFunction &>(machine));
  llvm::DenseMap<const llvm::MachineBasicBlock *, llvm::DenseSet<Value>> moved;
  for (const llvm::MachineDomTreeNode *node :
       llvm::depth_first(dominators.getRootNode())) {
    const llvm::MachineBasicBlock &block = *node->getBlock();
    auto isInRegister = [&](const Constant &constant) {
      for (const auto *above = node; above; above = above->getIDom())
        if (moved[above->getBlock()].contains(constant.value))
          return true;
      return false;
    };
    const llvm::MachineBasicBlock &place = placeFor(block, turnKeeps);
    for (const Constant &constant : neededBy(madeOf(block)))
      if (!isInRegister(constant) &&
          moved[&place].insert(constant.value).second)
        moves[&place] += constant.words;
  }
}

/// What the instructions of \p block need in registers.
ConstantMoves::Constants ConstantMoves::neededBy(
    llvm::ArrayRef<const llvm::MachineInstr *> block) const {
  Constants needed;
  std::vector<Constants> operands;
  llvm::DenseMap<Value, unsigned> uses;
  for (const llvm::MachineInstr *instruction : block) {
    needed.append(storedBy(*instruction));
    Constants all = operandsOf(*instruction);
    if (all.size() < 2)
      continue;
    for (const Constant &constant : all)
      ++uses[constant.value];
    operands.push_back(std::move(all));
  }
  // One of them stays an operand: the parameter, or the number if that meets
  // other numbers too.
  auto staysBefore = [&](const Constant &a, const Constant &b) {
    auto rank = [&](const Constant &constant) {
      bool isNumber = !constant.value.first;
      return isNumber ? 1 : uses[constant.value] > 1 ? 0 : 2;
    };
    return rank(a) < rank(b);
  };
  for (Constants &all : operands) {
    llvm::stable_sort(all, staysBefore);
    needed.append(all.begin(), std::prev(all.end()));
  }
  return needed;
}

/// Zero needs no room: there is a register of it.
void ConstantMoves::addConstant(const llvm::MachineOperand &use,
                                Constants &to) const {
  const llvm::MachineInstr *source = definitionOf(use);
  bool isMoved = source && nameOf(*source).starts_with("MOV_") &&
                 nameOf(*source).ends_with("_i");
  const llvm::MachineOperand &number = isMoved ? source->getOperand(1) : use;
  Constant constant;
  if (number.isImm()) {
    constant.value = {nullptr, number.getImm()};
  } else if (number.isFPImm()) {
    llvm::APInt bits = number.getFPImm()->getValueAPF().bitcastToAPInt();
    constant.words = bits.getBitWidth() > 32 ? 2 : 1;
    constant.value = {nullptr, int64_t(bits.getZExtValue())};
  } else if (const llvm::MachineInstr *defined =
                 fetchesConstants(arch) ? nullptr : constantOf(*this, use)) {
    constant.value = {defined, 0};
  } else {
    return;
  }
  bool isZero = !constant.value.first && constant.value.second == 0;
  bool isFetched = constant.words > 1 && fetchesConstants(arch);
  bool isSame = llvm::any_of(
      to, [&](const Constant &other) { return other.value == constant.value; });
  if (!isZero && !isFetched && !isSame)
    to.push_back(constant);
}

/// With what is multiplied for \p instruction alone, if it adds, or widened for
/// addresses.
void ConstantMoves::addOperands(const llvm::MachineInstr &instruction,
                                Constants &to) const {
  llvm::StringRef name = nameOf(instruction);
  for (auto [index, kind] : llvm::enumerate(operandsIn(name))) {
    if (index + 1 >= instruction.getNumOperands())
      return;
    const llvm::MachineOperand &use = instruction.getOperand(index + 1);
    const llvm::MachineInstr *factor = definitionOf(use);
    llvm::StringRef made = factor ? nameOf(*factor) : llvm::StringRef();
    bool isAlone = made.starts_with("MULT32") && name.starts_with("ADD32") &&
                   registers.hasOneNonDBGUse(use.getReg()) &&
                   (factor->getParent() == instruction.getParent() ||
                    isProductOfConstants(*factor));
    bool isWide = made.starts_with("MUL_WIDE") && name.starts_with("ADD64");
    if (isAlone || isWide)
      addOperands(*factor, to);
    else
      addConstant(use, to);
  }
}

bool ConstantMoves::isProductOfConstants(
    const llvm::MachineInstr &product) const {
  return constantOf(*this, product.getOperand(1)) &&
         constantOf(*this, product.getOperand(2));
}

ConstantMoves::Constants
ConstantMoves::storedBy(const llvm::MachineInstr &instruction) const {
  llvm::StringRef name = nameOf(instruction);
  unsigned values = name.starts_with("STV_")  ? name.back() - '0'
                    : name.starts_with("ST_") ? 1
                                              : 0;
  Constants constants;
  for (unsigned i = 0; i < values; ++i)
    addConstant(instruction.getOperand(i), constants);
  return constants;
}

ConstantMoves::Constants
ConstantMoves::operandsOf(const llvm::MachineInstr &instruction) const {
  Constants constants;
  llvm::StringRef name = nameOf(instruction);
  // A product for a sum is part of the sum.
  bool isForSum =
      name.starts_with("MULT32") &&
      registers.hasOneNonDBGUse(instruction.getOperand(0).getReg()) &&
      nameOf(
          *registers.use_instr_nodbg_begin(instruction.getOperand(0).getReg()))
          .starts_with("ADD32");
  // A field of bits is a shift and a mask, of one number each.
  if (!isForSum && !name.starts_with("BFE"))
    addOperands(instruction, constants);
  return constants;
}

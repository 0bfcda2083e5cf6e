// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConstantMoves.h"

#include "ConstantFetches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/IR/Constants.h"

using namespace auspex;

/// Which operands \p name says an instruction of arithmetic has, as "rri";
/// empty if it says nothing.
static llvm::StringRef operandsIn(llvm::StringRef name) {
  llvm::StringRef kinds = name.take_back(
      name.size() - std::min(name.size(), name.find_last_not_of("ri") + 1));
  return kinds.size() > 1 ? kinds : llvm::StringRef();
}

ConstantMoves::ConstantMoves(
    const llvm::MachineFunction &machine, unsigned arch,
    llvm::function_ref<bool(const llvm::MachineInstr &)> isFree)
    : MachineValues(machine), arch(arch) {
  llvm::MachineDominatorTree dominators(
      const_cast<llvm::MachineFunction &>(machine));
  llvm::DenseMap<const llvm::MachineDomTreeNode *, Values> moved;
  for (const llvm::MachineDomTreeNode *node :
       llvm::depth_first(dominators.getRootNode())) {
    auto isInRegister = [&](const Constant &constant) {
      for (const auto *above = node; above; above = above->getIDom())
        if (moved[above].contains(constant.value))
          return true;
      return false;
    };
    for (const llvm::MachineInstr &instruction : *node->getBlock())
      if (!instruction.isDebugInstr() && !isFree(instruction))
        for (const Constant &constant : movedFor(instruction))
          if (!isInRegister(constant)) {
            moved[node].insert(constant.value);
            moves[node->getBlock()] += constant.words;
          }
  }
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

/// How many values \p name says are stored; 0 if it stores none.
static unsigned storedBy(llvm::StringRef name) {
  if (name.starts_with("STV_"))
    return name.back() - '0';
  return name.starts_with("ST_") ? 1 : 0;
}

ConstantMoves::Constants
ConstantMoves::movedFor(const llvm::MachineInstr &instruction) const {
  Constants constants;
  llvm::StringRef name = nameOf(instruction);
  // What is stored is in registers.
  if (unsigned stored = storedBy(name)) {
    for (const llvm::MachineOperand &value :
         llvm::make_range(instruction.operands_begin(),
                          instruction.operands_begin() + stored))
      addConstant(value, constants);
    return constants;
  }
  // A product for a sum is part of the sum.
  bool isForSum =
      name.starts_with("MULT32") &&
      registers.hasOneNonDBGUse(instruction.getOperand(0).getReg()) &&
      nameOf(
          *registers.use_instr_nodbg_begin(instruction.getOperand(0).getReg()))
          .starts_with("ADD32");
  if (isForSum)
    return constants;
  addOperands(instruction, constants);
  // Numbers are moved first: they are short.
  llvm::stable_sort(constants, [](const Constant &a, const Constant &b) {
    return !a.value.first && b.value.first;
  });
  if (!constants.empty())
    constants.pop_back();
  return constants;
}

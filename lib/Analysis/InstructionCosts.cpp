// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InstructionCosts.h"

#include "MachineClasses.h"
#include "MachineMemory.h"
#include "TensorWork.h"
#include "auspex/Kernel/KernelSummary.h"
#include "auspex/Kernel/Matrices.h"
#include "llvm/ADT/SmallSet.h"

using namespace auspex;

static bool isOtherSideOfBranch(const llvm::MachineInstr &instruction) {
  const llvm::MachineInstr *before = instruction.getPrevNode();
  return instruction.isUnconditionalBranch() && before &&
         before->isConditionalBranch();
}

/// Adds what moves the matrix of a wmma intrinsic; false for other ones.
static bool addMatrixTransfer(llvm::ArrayRef<llvm::StringRef> words,
                              bool isShared, InstructionMix &mix) {
  if (words.empty() || words[0] != "wmma")
    return false;
  auto transfer = MatrixTransfer::parse(words.drop_front());
  if (!transfer)
    return false;
  using enum InstructionClass;
  InstructionClass id = transfer->isStore ? isShared ? StoreShared : StoreGlobal
                        : isShared        ? LoadShared
                                          : LoadGlobal;
  mix[id] += transfer->instructions(isShared);
  return true;
}

/// Whether the code generator has put a division of 32 bits beside this one of
/// 64, for numbers that fit in, as nearly all do.
bool InstructionCosts::isBypassed(const llvm::MachineInstr &instruction,
                                  llvm::StringRef name) const {
  const llvm::MachineBasicBlock &block = *instruction.getParent();
  if (!divides(name, "64") || block.pred_size() != 1)
    return false;
  const llvm::MachineBasicBlock &before = **block.pred_begin();
  return llvm::any_of(
      before.successors(), [&](const llvm::MachineBasicBlock *side) {
        return side != &block &&
               llvm::any_of(*side, [&](const llvm::MachineInstr &other) {
                 return divides(nameOf(other), "32");
               });
      });
}

/// Different registers. What is the same for all threads of the launch the
/// assembler reads from constant memory, as part of an instruction, and so it
/// does with immediates; of double precision both are put in registers.
bool InstructionCosts::hasThreeOperands(const llvm::MachineInstr &instruction,
                                        bool isDouble) const {
  llvm::SmallSet<llvm::Register, 4> read;
  unsigned constants = 0;
  for (const llvm::MachineOperand &operand : instruction.uses()) {
    constants += operand.isFPImm();
    if (!operand.isReg() || !operand.getReg().isVirtual())
      continue;
    const llvm::MachineInstr *definition = definitionOf(operand);
    bool isConstant = definition && (readsParameter(*definition) ||
                                     readsConstantPlace(*definition));
    if (isDouble || !isConstant)
      read.insert(operand.getReg());
  }
  return read.size() + (isDouble ? constants : 0) >= 3;
}

/// By a divisor that ptxas knows, but not early enough to do without the
/// division.
bool InstructionCosts::dividesByWarpSize(const llvm::MachineInstr &instruction,
                                         llvm::StringRef name) const {
  if (!divides(name, "32") || !instruction.getOperand(2).isReg())
    return false;
  const llvm::MachineInstr *divisor = definitionOf(instruction.getOperand(2));
  return divisor && nameOf(*divisor).starts_with("INT_PTX_SREG_WARPSIZE");
}

/// What a division does before it looks at what it divides.
void InstructionCosts::addReciprocal(llvm::StringRef division,
                                     InstructionMix &mix) const {
  auto all = classifyOpcode(division, arch),
       rest = classifyOpcode(("SHARED_" + division).str(), arch);
  for (const ClassCount &part : *all)
    mix[part.id] += part.count;
  for (const ClassCount &part : *rest)
    mix[part.id] -= part.count;
}

void InstructionCosts::read(const llvm::MachineInstr &instruction,
                            CodeNode &node) {
  llvm::StringRef name = nameOf(instruction);
  auto single = [&](InstructionClass id) {
    node.cost[id] += 1;
    node.main = id;
  };
  if (halves.isGone(instruction) || isBypassed(instruction, name)) {
    // done by another one
  } else if (instruction.isInlineAsm()) {
    node.cost =
        classifyAssembly(instruction.getOperand(0).getSymbolName(), arch);
    if (halves.givesPredicate(instruction))
      node.cost[InstructionClass::Compare] -= 1;
  } else if (isReadOnlyLoad(name)) {
    single(InstructionClass::LoadGlobal);
  } else if (name.starts_with("LD_") || name.starts_with("LDV_") ||
             name.starts_with("ST_") || name.starts_with("STV_") ||
             name.starts_with("INT_PTX_ATOM") ||
             name.starts_with("INT_PTX_SATOM") || name.starts_with("ATOM_")) {
    InstructionClass id = memoryClass(instruction);
    if (arrays.wordsOf(instruction)) {
      node.cost.add(arrays.selection(instruction));
    } else if (id != InstructionClass::Move &&
               !readsConstantPlace(instruction)) {
      single(id);
      if (id == InstructionClass::LoadConstant)
        node.cost = constants.costOf(instruction);
      if (id == InstructionClass::LoadLocal ||
          id == InstructionClass::StoreLocal)
        // in words, as spills are
        node.cost[id] = std::max<double>(
            1, static_cast<double>(bytesOf(instruction)) / RegisterInBytes);
    }
  } else if (std::optional<InstructionMix> fused =
                 integers.costOf(instruction)) {
    node.cost = *fused;
  } else if (std::optional<InstructionMix> fused =
                 conversions.costOf(instruction)) {
    node.cost = *fused;
  } else if (instruction.isCopyLike() || instruction.isMetaInstruction()) {
    // gone after register allocation
  } else if (isOtherSideOfBranch(instruction)) {
    // the assembler places one of the two successors behind the branch
  } else {
    std::optional<Expansion> expansion = classifyOpcode(
        divisions.hasReciprocal(instruction)   ? ("SHARED_" + name).str()
        : dividesByWarpSize(instruction, name) ? ("WARP_" + name).str()
                                               : costedName(instruction, name),
        arch);
    unsigned tag = tagOf(instruction.getDebugLoc());
    bool tagged = tag && tag < snapshot.calleeOfTag.size();
    // Calls and opcodes without a name are known by what they came from.
    if (!expansion || name.starts_with("CALL"))
      if (tagged && !snapshot.calleeOfTag[tag].empty()) {
        llvm::StringRef callee = snapshot.calleeOfTag[tag];
        auto words = wordsOfIntrinsic(callee);
        auto work =
            words.empty()
                ? std::nullopt
                : tensorWork(words[0], llvm::ArrayRef(words).drop_front());
        if (work) {
          node.cost[work->id] += work->count;
          expansion.emplace();
        } else if (addMatrixTransfer(words, snapshot.isSharedOfTag[tag],
                                     node.cost))
          expansion.emplace();
        else if (auto known = classifyIntrinsic(callee))
          expansion = known;
      }
    if (!expansion) {
      single(InstructionClass::Move);
    } else {
      for (const ClassCount &part : *expansion)
        node.cost[part.id] += part.count;
      node.endsBlock = hasSlowPath(*expansion);
    }
  }
  if (const llvm::MachineInstr *division =
          divisions.computedBehind(instruction))
    addReciprocal(nameOf(*division), node.cost);
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (node.cost[info.id] > 0 &&
        (node.main == InstructionClass::Move || isMemory(info.id)))
      node.main = info.id;
  node.free = node.cost.total() == 0;
  // A sum that another one takes in.
  auto isPartOfSum = [&](const llvm::MachineInstr &made) {
    auto cost = integers.costOf(made);
    llvm::StringRef part = nameOf(made);
    return cost && cost->total() == 0 &&
           (part.starts_with("ADD") || part.starts_with("SUB"));
  };
  node.asMultiplyAdd = pipes.isMovable(instruction, node, isPartOfSum);
  // What expands is multiply-adds for the most part.
  if (node.cost[InstructionClass::Fp32] + node.cost[InstructionClass::Fp64] > 0)
    node.hasThreeOperands =
        node.cost.total() > 1 ||
        hasThreeOperands(instruction, node.main == InstructionClass::Fp64);
}

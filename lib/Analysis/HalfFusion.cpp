// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HalfFusion.h"

#include "MachineClasses.h"
#include "auspex/Support/PtxText.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;
using llvm::MachineInstr;

HalfFusion::HalfFusion(const llvm::MachineFunction &machine)
    : MachineValues(machine) {
  for (const llvm::MachineBasicBlock &block : machine)
    for (const MachineInstr &instruction : block)
      if (instruction.isInlineAsm()) {
        llvm::StringRef assembly = instruction.getOperand(0).getSymbolName();
        if (auto [known, isNew] = fusibles.try_emplace(assembly); isNew)
          known->second = readFusible(assembly);
      }
}

/// Null if \p source is used more or less often.
const MachineInstr *HalfFusion::onlyUseOf(const MachineInstr &source) const {
  llvm::Register result = source.getOperand(0).getReg();
  return registers.hasOneNonDBGUse(result)
             ? &*registers.use_instr_nodbg_begin(result)
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Predicates that are numbers in between
//===----------------------------------------------------------------------===//

/// "selp.u16 $0, 1, 0, p;" at its end.
static bool selectsTruth(llvm::StringRef assembly) {
  if (!assembly.contains("selp"))
    return false;
  PtxText text(assembly);
  if (text.statements().empty())
    return false;
  const PtxStatement &last = text.statements().back();
  return last.name == "selp" && last.operands.size() == 4 &&
         last.operands[0] == "$0" && last.operands[1] == "1" &&
         last.operands[2] == "0";
}

bool HalfFusion::asksForPredicate(const MachineInstr &instruction) const {
  if (!nameOf(instruction).starts_with("SETP_i16ri") ||
      !instruction.getOperand(2).isImm() ||
      instruction.getOperand(2).getImm() != 0)
    return false;
  const MachineInstr *source = definitionOf(instruction.getOperand(1));
  return source && source->isInlineAsm() &&
         selectsTruth(source->getOperand(0).getSymbolName());
}

bool HalfFusion::givesPredicate(const MachineInstr &instruction) const {
  if (!instruction.isInlineAsm() ||
      !selectsTruth(instruction.getOperand(0).getSymbolName()))
    return false;
  auto results = instruction.all_defs();
  if (llvm::range_size(results) != 1)
    return false;
  return llvm::all_of(
      registers.use_nodbg_instructions(results.begin()->getReg()),
      [&](const MachineInstr &use) { return asksForPredicate(use); });
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool HalfFusion::convertsConstant(const MachineInstr &instruction) const {
  if (!instruction.isInlineAsm())
    return false;
  llvm::StringRef assembly = instruction.getOperand(0).getSymbolName();
  if (!assembly.contains("cvt"))
    return false;
  PtxText text(assembly);
  bool isConversion =
      llvm::all_of(text.statements(), [](const PtxStatement &each) {
        return each.isInstruction() && each.name == "cvt";
      });
  auto isConstant = [&](const llvm::MachineOperand &operand) {
    const MachineInstr *source = definitionOf(operand);
    return source && nameOf(*source).starts_with("MOV_") &&
           !source->getOperand(1).isReg();
  };
  return isConversion && llvm::all_of(instruction.all_uses(), isConstant);
}

//===----------------------------------------------------------------------===//
// Two halves of a register
//===----------------------------------------------------------------------===//

static constexpr int64_t HalfInBits = 16;

bool HalfFusion::isUpperHalf(const MachineInstr &instruction) const {
  return nameOf(instruction) == "SHL32_ri" &&
         instruction.getOperand(2).isImm() &&
         instruction.getOperand(2).getImm() == HalfInBits;
}

bool HalfFusion::isExtension(const MachineInstr &instruction) const {
  return nameOf(instruction) == "CVT_u32_u16";
}

bool HalfFusion::packs(const MachineInstr &instruction) const {
  if (nameOf(instruction) != "OR_b32rr")
    return false;
  const MachineInstr *a = definitionOf(instruction.getOperand(1)),
                     *b = definitionOf(instruction.getOperand(2));
  return a && b &&
         ((isUpperHalf(*a) && isExtension(*b)) ||
          (isUpperHalf(*b) && isExtension(*a)));
}

/// Instructions for 16-bit numbers choose the half of each operand, and so does
/// the permutation that puts it into the upper half of another register.
bool HalfFusion::isChosenByUses(const MachineInstr &instruction) const {
  llvm::StringRef name = nameOf(instruction);
  if (!name.starts_with("I32toI16H") && name != "I32toV2I16")
    return false;
  auto choosesHalf = [](const MachineInstr &use) {
    if (!use.isInlineAsm())
      return false;
    llvm::StringRef assembly = use.getOperand(0).getSymbolName();
    return assembly.contains("f16") || assembly.contains("{0,");
  };
  return llvm::all_of(
      instruction.all_defs(), [&](const llvm::MachineOperand &half) {
        return llvm::all_of(registers.use_nodbg_instructions(half.getReg()),
                            choosesHalf);
      });
}

//===----------------------------------------------------------------------===//
// Products and sums
//===----------------------------------------------------------------------===//

std::optional<HalfFusion::Fusible>
HalfFusion::readFusible(llvm::StringRef assembly) {
  if (!assembly.contains("f16"))
    return std::nullopt;
  PtxText text(assembly);
  if (text.statements().size() != 1)
    return std::nullopt;
  const PtxStatement &only = text.statements().front();
  bool isProduct = only.name == "mul",
       isSum = only.name == "add" || only.name == "sub";
  if ((!isProduct && !isSum) || only.has("rn") || only.type().empty())
    return std::nullopt;
  return Fusible{isProduct, only.type().str()};
}

/// Null if it is no such assembly.
const HalfFusion::Fusible *
HalfFusion::fusibleOf(const MachineInstr &instruction) const {
  if (!instruction.isInlineAsm())
    return nullptr;
  auto known = fusibles.find(instruction.getOperand(0).getSymbolName());
  return known != fusibles.end() && known->second ? &*known->second : nullptr;
}

const MachineInstr *
HalfFusion::definitionBehindCopies(const llvm::MachineOperand &operand) const {
  const MachineInstr *source = definitionOf(operand);
  while (source && source->isCopy())
    source = definitionOf(source->getOperand(1));
  return source;
}

/// Of two products a sum takes in one. Null if it takes none.
const MachineInstr *HalfFusion::fusedProductOf(const MachineInstr &sum) const {
  const Fusible *added = fusibleOf(sum);
  if (!added || added->isProduct)
    return nullptr;
  for (const llvm::MachineOperand &operand : sum.all_uses())
    if (const MachineInstr *source = definitionBehindCopies(operand))
      if (const Fusible *product = fusibleOf(*source);
          product && product->isProduct && product->type == added->type)
        return source;
  return nullptr;
}

/// As ptxas 13 does for 7.5 to 9.0: if anything else needs the product, no sum
/// takes it in.
bool HalfFusion::isFusedIntoSums(const MachineInstr &product) const {
  if (const Fusible *fusible = fusibleOf(product);
      !fusible || !fusible->isProduct)
    return false;
  llvm::SmallVector<const MachineInstr *, 4> work{&product};
  while (!work.empty())
    for (const llvm::MachineOperand &result : work.pop_back_val()->all_defs())
      for (const MachineInstr &use :
           registers.use_nodbg_instructions(result.getReg()))
        if (use.isCopy())
          work.push_back(&use);
        else if (fusedProductOf(use) != &product)
          return false;
  return true;
}

bool HalfFusion::calculatesHalves(const MachineInstr &instruction) const {
  if (instruction.isInlineAsm()) {
    llvm::StringRef assembly = instruction.getOperand(0).getSymbolName();
    if (!assembly.contains("f16"))
      return false;
    InstructionMix mix = classifyAssembly(assembly);
    return mix[InstructionClass::Fp16] == 1 && mix.total() == 1;
  }
  std::optional<Expansion> expansion = classifyOpcode(nameOf(instruction));
  return expansion && expansion->size() == 1 &&
         expansion->front().id == InstructionClass::Fp16;
}

bool HalfFusion::isGone(const MachineInstr &instruction) const {
  if (asksForPredicate(instruction) || convertsConstant(instruction) ||
      isChosenByUses(instruction) || isFusedIntoSums(instruction))
    return true;
  if (!isUpperHalf(instruction) && !isExtension(instruction))
    return false;
  // What is shifted up needs no extension.
  const MachineInstr *use = onlyUseOf(instruction);
  return use &&
         (packs(*use) || (isExtension(instruction) && isUpperHalf(*use)));
}

//===----------------------------------------------------------------------===//
// Two at once
//===----------------------------------------------------------------------===//

HalfPairs::HalfPairs(const llvm::MachineFunction &machine,
                     const HalfFusion &halfFusion)
    : MachineValues(machine), halfFusion(halfFusion) {}

bool HalfPairs::is16Bit(llvm::Register reg) const {
  return registers.getTargetRegisterInfo()
             ->getRegSizeInBits(*registers.getRegClass(reg))
             .getFixedValue() == HalfInBits;
}

bool HalfPairs::pairs(const MachineInstr &instruction) {
  llvm::StringRef operation =
      instruction.isInlineAsm()
          ? llvm::StringRef(instruction.getOperand(0).getSymbolName())
          : nameOf(instruction);
  if (operation.contains("16x2"))
    return false;
  std::vector<unsigned> key{
      operations.insert({operation, operations.size()}).first->second};
  for (const llvm::MachineOperand &operand : instruction.all_uses())
    if (operand.getReg().isVirtual())
      key.push_back(placeOf(operand.getReg()));
  auto [waiting, isFirst] = single.insert({std::move(key), last + 1});
  if (isFirst) {
    setResults(instruction, ++last);
    return false;
  }
  setResults(instruction, waiting->second);
  single.erase(waiting);
  return true;
}

void HalfPairs::setResults(const MachineInstr &instruction, Place place) {
  for (const llvm::MachineOperand &operand : instruction.all_defs())
    if (operand.getReg().isVirtual())
      places[operand.getReg()] = place;
}

bool HalfPairs::isGone(const MachineInstr &instruction) {
  if (halfFusion.calculatesHalves(instruction))
    return pairs(instruction);
  llvm::SmallVector<Place, 4> from;
  for (const llvm::MachineOperand &operand : instruction.all_uses())
    if (operand.getReg().isVirtual())
      from.push_back(placeOf(operand.getReg()));
  llvm::StringRef name = nameOf(instruction);
  bool isPacking = halfFusion.packs(instruction);
  bool staysInPlace =
      !from.empty() && llvm::all_equal(from) &&
      (isPacking || instruction.isCopyLike() || name.starts_with("MOV_") ||
       name == "CVT_u16_u32" || name == "CVT_u32_u16" || name == "SHL32_ri" ||
       name.starts_with("I32toI16"));
  if (staysInPlace) {
    setResults(instruction, from.front());
    return isPacking && from.front() != 0;
  }
  // Of several results two share a register each.
  unsigned halves = 0;
  for (const llvm::MachineOperand &operand : instruction.all_defs())
    if (operand.getReg().isVirtual()) {
      if (!is16Bit(operand.getReg()) || halves++ % 2 == 0)
        ++last;
      places[operand.getReg()] = last;
    }
  // A constant can be put anywhere.
  if (name.starts_with("MOV_"))
    setResults(instruction, 0);
  return false;
}

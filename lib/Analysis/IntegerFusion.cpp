// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IntegerFusion.h"

#include "MachineMemory.h"
#include "Target.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace auspex;
using enum InstructionClass;

IntegerFusion::IntegerFusion(const llvm::MachineFunction &function)
    : MachineValues(function), takesThree(archOf(function) >= 50),
      multipliesWide(archOf(function) >= 70),
      placesArrays(archOf(function) < 90) {
  for (const llvm::MachineBasicBlock &block : function)
    for (const llvm::MachineInstr &instruction : block)
      lookAt(instruction);
  joinBitTests(function);
}

std::optional<InstructionMix>
IntegerFusion::costOf(const llvm::MachineInstr &instruction) const {
  auto found = costs.find(&instruction);
  return found == costs.end() ? std::nullopt : std::optional(found->second);
}

static bool startsWithAny(llvm::StringRef name,
                          llvm::ArrayRef<llvm::StringRef> prefixes) {
  return llvm::any_of(prefixes, [&](llvm::StringRef prefix) {
    return name.starts_with(prefix);
  });
}

static constexpr llvm::StringRef
    Sums32[] = {"ADD32r", "SUB32rr", "SUB32ri"},
    Sums64[] = {"ADD64r", "SUB64rr", "SUB64ri"},
    Logic32[] = {"AND_b32", "OR_b32", "XOR_b32", "NOT_b32"},
    Logic64[] = {"AND_b64", "OR_b64", "XOR_b64", "NOT_b64"},
    ShiftsRight32[] = {"SRL32_ri", "SRA32_ri", "SHF_L_WRAP_i", "SHF_R_WRAP_i"},
    Tests[] = {"SETP_i16ri", "SETP_i32ri"},
    Tested[] = {"AND_b16", "OR_b16", "XOR_b16", "AND_b32", "OR_b32", "XOR_b32"},
    Conditions[] = {"AND_pred", "OR_pred", "XOR_pred", "SETP_"};

/// Whether \p sum does not subtract \p operand.
bool IntegerFusion::isAdded(llvm::Register operand,
                            const llvm::MachineInstr &sum) const {
  const llvm::MachineOperand &last = sum.getOperand(2);
  return !nameOf(sum).starts_with("SUB") || !last.isReg() ||
         last.getReg() != operand;
}

/// Wide products that are only ever added to something are part of the sums,
/// each of them; so are shifts by a constant with a single use.
bool IntegerFusion::foldsIntoSums(const llvm::MachineInstr &operation) const {
  llvm::StringRef name = nameOf(operation);
  bool isProduct = name.starts_with("MUL_WIDE"),
       isToRight = takesThree && llvm::is_contained(ShiftsRight32, name);
  if (!isProduct && !isToRight && name != "SHL32_ri" && name != "SHL64_ri")
    return false;
  llvm::Register result = operation.getOperand(0).getReg();
  if (!isProduct && !registers.hasOneNonDBGUse(result))
    return false;
  return llvm::all_of(registers.use_nodbg_instructions(result),
                      [&](const llvm::MachineInstr &use) {
                        llvm::StringRef sum = nameOf(use);
                        return isProduct ? sum == "ADD64rr"
                               : name == "SHL64_ri"
                                   ? sum.starts_with("ADD64r")
                                   : startsWithAny(sum, Sums32) &&
                                         (!isToRight || isAdded(result, use));
                      });
}

/// LEA.HI.X takes the upper word from the sign of the lower one.
bool IntegerFusion::extendsInSum(const llvm::MachineInstr &extension) const {
  if (!takesThree || nameOf(extension) != "CVT_s64_s32")
    return false;
  llvm::Register result = extension.getOperand(0).getReg();
  return registers.hasOneNonDBGUse(result) &&
         nameOf(*registers.use_instr_nodbg_begin(result)) == "ADD64rr";
}

/// A sum takes in one of its operands; a second one that waits to be taken in
/// is an instruction after all.
InstructionMix IntegerFusion::costOfSum(const llvm::MachineInstr &sum,
                                        double words) const {
  InstructionMix cost;
  for (const llvm::MachineOperand &operand : sum.all_uses()) {
    const llvm::MachineInstr *part = definitionOf(operand);
    if (!part || !foldsIntoSums(*part))
      continue;
    bool isFirst = cost.total() == 0;
    if (nameOf(*part).starts_with("MUL_WIDE"))
      cost[IntMul] += 1;
    else
      cost[isFirst ? IntAdd : Shift] += words;
  }
  return cost;
}

/// Whether \p product is the lower half of one whose upper half is asked for
/// too: one IMAD.WIDE gives both.
bool IntegerFusion::isLowerOfWide(const llvm::MachineInstr &product) const {
  if (!multipliesWide || !nameOf(product).starts_with("MULT32"))
    return false;
  const llvm::MachineOperand &one = product.getOperand(1),
                             &other = product.getOperand(2);
  auto isUpper = [&](const llvm::MachineInstr &upper) {
    llvm::StringRef name = nameOf(upper);
    const llvm::MachineOperand &first = upper.getOperand(1),
                               &second = upper.getOperand(2);
    return upper.getParent() == product.getParent() &&
           (name.starts_with("MUL_HI_U32") || name.starts_with("MUL_HI_S32")) &&
           ((isSame(first, one) && isSame(second, other)) ||
            (isSame(first, other) && isSame(second, one)));
  };
  return one.isReg() &&
         llvm::any_of(registers.use_nodbg_instructions(one.getReg()), isUpper);
}

/// Whether \p sum is a place in a shared array that is only accessed: the
/// array's own is a constant beside the register then.
bool IntegerFusion::isPlaceInArray(const llvm::MachineInstr &sum) const {
  if (!placesArrays || nameOf(sum) != "ADD32rr")
    return false;
  llvm::Register place = sum.getOperand(0).getReg();
  auto isArray = [&](const llvm::MachineOperand &operand) {
    const llvm::MachineInstr *made = definitionOf(operand);
    return made && nameOf(*made) == "MOV_B32_sym";
  };
  auto accesses = [&](const llvm::MachineInstr &use) {
    const llvm::MachineOperand &value = use.getOperand(0);
    return use.mayLoadOrStore() && isSharedMemory(memoryClass(use)) &&
           !(value.isReg() && value.getReg() == place);
  };
  return llvm::any_of(sum.all_uses(), isArray) &&
         llvm::all_of(registers.use_nodbg_instructions(place), accesses);
}

/// Whether both are the same register or the same constant, in a register of
/// its own or not.
bool IntegerFusion::isSame(const llvm::MachineOperand &one,
                           const llvm::MachineOperand &other) const {
  auto constant = [&](const llvm::MachineOperand &operand) {
    const llvm::MachineInstr *made = definitionOf(operand);
    return made && nameOf(*made).starts_with("MOV_B32_i") ? &made->getOperand(1)
                                                          : &operand;
  };
  return constant(one)->isIdenticalTo(*constant(other));
}

namespace {

/// The words of a number of 64 bits.
enum Half : unsigned { Lower, Upper };
constexpr int64_t WordBits = 32;

} // namespace

/// A word of \p constant, of 64 bits.
static uint32_t wordOf(const llvm::MachineOperand &constant, unsigned half) {
  auto bits = static_cast<uint64_t>(constant.getImm());
  return static_cast<uint32_t>(half == Upper ? bits >> WordBits : bits);
}

/// By how much \p name, a shift by a constant, shifts; none for all else.
static std::optional<int64_t> shiftOf(llvm::StringRef name,
                                      const llvm::MachineInstr &instruction) {
  bool isShift = name == "SRL64_ri" || name == "SHL64_ri";
  return isShift && instruction.getOperand(2).isImm()
             ? std::optional(instruction.getOperand(2).getImm())
             : std::nullopt;
}

/// Whether a word of \p operand, of 64 bits, is known to be 0.
bool IntegerFusion::isZero(const llvm::MachineOperand &operand,
                           unsigned half) const {
  if (operand.isImm())
    return wordOf(operand, half) == 0;
  const llvm::MachineInstr *made = definitionOf(operand);
  if (!made)
    return false;
  llvm::StringRef name = nameOf(*made);
  if (std::optional<int64_t> shift = shiftOf(name, *made))
    return *shift >= WordBits && half == (name == "SRL64_ri" ? Upper : Lower);
  if (name == "AND_b64ri")
    return isZero(made->getOperand(2), half);
  return half == Upper && name.starts_with("CVT_u64_u");
}

/// What \p product, of 64 bits, costs where factors have 32: IMAD.WIDE is the
/// product of both lower words, and adds two words: a 0 is put beside one.
std::optional<InstructionMix>
IntegerFusion::costOfProduct(const llvm::MachineInstr &product) const {
  int halves = isZero(product.getOperand(1), Upper) +
               isZero(product.getOperand(2), Upper);
  if (halves == 0)
    return std::nullopt;
  InstructionMix cost;
  if (halves == 2 && multipliesWide) {
    cost[IntMul] = 1;
    if (product.getNumOperands() > 3 && isZero(product.getOperand(3), Upper))
      cost[Move] = 1;
  } else {
    cost[IntMul] = 2;
    cost[IntAdd] = 1;
  }
  return cost;
}

/// Whether somebody needs the upper word of what \p made gives.
bool IntegerFusion::needsUpper(const llvm::MachineInstr &made,
                               unsigned depth) const {
  constexpr unsigned MostSteps = 4;
  return depth == MostSteps ||
         llvm::any_of(
             registers.use_nodbg_instructions(made.getOperand(0).getReg()),
             [&](const llvm::MachineInstr &use) {
               llvm::StringRef name = nameOf(use);
               return startsWithAny(name, Logic64)
                          ? needsUpper(use, depth + 1)
                          : !startsWithAny(name, {"CVT_u32_u64", "CVT_s32_s64",
                                                  "CVT_u16_u64"});
             });
}

/// In how many instructions \p instruction, a shift by a constant or logic of
/// 64 bits, is done word by word, if these are fewer than two: a word may be 0,
/// that of another, or of no use.
std::optional<double>
IntegerFusion::wordsOf(const llvm::MachineInstr &instruction) const {
  llvm::StringRef name = nameOf(instruction);
  std::optional<int64_t> shift = shiftOf(name, instruction);
  bool isLogic = startsWithAny(name, llvm::ArrayRef(Logic64).drop_back());
  if (!shift && !isLogic)
    return std::nullopt;
  bool needsBoth = needsUpper(instruction);
  double words = 0;
  for (unsigned half : {Lower, Upper}) {
    if (half == Upper && !needsBoth)
      continue;
    if (isLogic)
      words += !isZero(instruction.getOperand(1), half) &&
               !isZero(instruction.getOperand(2), half) &&
               !(name == "AND_b64ri" &&
                 wordOf(instruction.getOperand(2), half) == UINT32_MAX);
    else if (*shift < WordBits)
      words += 1;
    else
      words +=
          *shift > WordBits && half == (name == "SRL64_ri" ? Lower : Upper);
  }
  return words < 2 ? std::optional(words) : std::nullopt;
}

/// Whether \p sum adds a condition, as 1 or 0: the assembler adds a constant
/// and then takes the sum or not.
bool IntegerFusion::addsCondition(const llvm::MachineInstr &sum) const {
  return llvm::any_of(sum.all_uses(), [&](const llvm::MachineOperand &operand) {
    const llvm::MachineInstr *made = definitionOf(operand);
    return made && nameOf(*made).starts_with("SELP_") &&
           made->getOperand(1).isImm() && made->getOperand(2).isImm();
  });
}

/// Whether one instruction does \p instruction and an operand of it that
/// nothing else uses, one of \p with that is not made one with its own operand.
bool IntegerFusion::joins(const llvm::MachineInstr &instruction,
                          llvm::ArrayRef<llvm::StringRef> with) const {
  return llvm::any_of(
      instruction.all_uses(), [&](const llvm::MachineOperand &operand) {
        const llvm::MachineInstr *made = onlyFor(instruction, operand);
        return made && startsWithAny(nameOf(*made), with) &&
               !costs.contains(made);
      });
}

/// The logic that gives \p operand, if nothing but \p user, of as many bits,
/// needs it.
const IntegerFusion::LogicTree *
IntegerFusion::treeOf(const llvm::MachineOperand &operand,
                      const llvm::MachineInstr &user) const {
  const llvm::MachineInstr *made = onlyFor(user, operand);
  if (!made || nameOf(*made).contains("_b64") != nameOf(user).contains("_b64"))
    return nullptr;
  auto tree = trees.find(made);
  return tree == trees.end() ? nullptr : &tree->second;
}

/// \p logic in one with what gives \p takenIn of its operands.
IntegerFusion::LogicTree IntegerFusion::join(
    const llvm::MachineInstr &logic,
    llvm::ArrayRef<const llvm::MachineOperand *> takenIn) const {
  // All ones turn the others around, which is free.
  constexpr int64_t AllOnes = -1;
  LogicTree tree{&logic, {}};
  auto add = [&](const LogicTree::Leaf &leaf) {
    if (!llvm::is_contained(tree.leaves, leaf))
      tree.leaves.push_back(leaf);
  };
  for (const llvm::MachineOperand &operand : llvm::drop_begin(logic.operands()))
    if (llvm::is_contained(takenIn, &operand)) {
      const LogicTree &part = *treeOf(operand, logic);
      tree.first = part.first;
      llvm::for_each(part.leaves, add);
    } else if (operand.isReg()) {
      add({true, operand.getReg().id()});
    } else if (operand.isImm() && operand.getImm() != AllOnes) {
      add({false, operand.getImm()});
    }
  return tree;
}

/// Takes in what gives both operands, or one, if three numbers are left.
void IntegerFusion::growTree(const llvm::MachineInstr &logic) {
  constexpr size_t MostLeaves = 3;
  using Operands = llvm::SmallVector<const llvm::MachineOperand *, 2>;
  Operands parts;
  for (const llvm::MachineOperand &operand : logic.all_uses())
    if (treeOf(operand, logic))
      parts.push_back(&operand);
  llvm::SmallVector<Operands, 3> choices;
  if (!parts.empty())
    choices.push_back(parts);
  if (parts.size() > 1)
    choices.append({{parts[0]}, {parts[1]}});
  LogicTree tree = join(logic, {});
  for (const Operands &takenIn : choices) {
    LogicTree joined = join(logic, takenIn);
    if (joined.leaves.size() > MostLeaves)
      continue;
    // The instruction is counted once, where the last part begins.
    costs[&logic] = {};
    for (const llvm::MachineOperand *part : llvm::drop_end(takenIn))
      costs[treeOf(*part, logic)->first] = {};
    tree = std::move(joined);
    break;
  }
  trees.try_emplace(&logic, std::move(tree));
}

/// Whether \p instruction compares with 0 what logic gives that nothing else
/// uses.
bool IntegerFusion::testsLogic(const llvm::MachineInstr &instruction) const {
  if (!takesThree || !llvm::is_contained(Tests, nameOf(instruction)))
    return false;
  const llvm::MachineOperand &value = instruction.getOperand(1),
                             &other = instruction.getOperand(2),
                             &comparison = instruction.getOperand(3);
  const llvm::MachineInstr *made = onlyFor(instruction, value);
  // eq and ne, of NVPTX::PTXCmpMode.
  return made && other.isImm() && other.getImm() == 0 && comparison.isImm() &&
         comparison.getImm() <= 1 && startsWithAny(nameOf(*made), Tested);
}

/// Whether \p instruction chooses between a number and what something that
/// nothing else uses makes of it, a sum that goes on say. Of logic with a
/// constant nvcc makes logic with a mask.
bool IntegerFusion::choosesUpdate(const llvm::MachineInstr &instruction) const {
  if (!nameOf(instruction).starts_with("SELP_"))
    return false;
  const llvm::MachineOperand &one = instruction.getOperand(1),
                             &other = instruction.getOperand(2);
  auto updates = [&](const llvm::MachineOperand &changed,
                     const llvm::MachineOperand &kept) {
    const llvm::MachineInstr *made = onlyFor(instruction, changed);
    return made && kept.isReg() && !startsWithAny(nameOf(*made), Logic32) &&
           made->readsRegister(kept.getReg(), nullptr);
  };
  return updates(one, other) || updates(other, one);
}

/// One instruction moves seven bits of a number into predicates.
void IntegerFusion::joinBitTests(const llvm::MachineFunction &function) {
  constexpr unsigned BitsOfOne = 7;
  llvm::MapVector<llvm::Register, std::vector<const llvm::MachineInstr *>>
      tests;
  for (const llvm::MachineBasicBlock &block : function)
    for (const llvm::MachineInstr &test : block) {
      if (!testsLogic(test))
        continue;
      const llvm::MachineInstr *bit = definitionOf(test.getOperand(1));
      if (nameOf(*bit) == "AND_b32ri" &&
          llvm::isPowerOf2_32(
              static_cast<uint32_t>(bit->getOperand(2).getImm())))
        tests[bit->getOperand(1).getReg()].push_back(bit);
    }
  for (const auto &[number, bits] : tests)
    if (bits.size() >= BitsOfOne)
      for (const llvm::MachineInstr *bit : bits) {
        costs[bit] = {};
        costs[bit][Logic] = 1.0 / BitsOfOne;
      }
}

void IntegerFusion::lookAt(const llvm::MachineInstr &instruction) {
  llvm::StringRef name = nameOf(instruction);
  auto lookAtSum = [&](llvm::ArrayRef<llvm::StringRef> sums, double words) {
    InstructionMix cost = costOfSum(instruction, words);
    if (cost.total() > 0 || isPlaceInArray(instruction) ||
        (takesThree && !addsCondition(instruction) && joins(instruction, sums)))
      costs[&instruction] = cost;
  };
  if (foldsIntoSums(instruction) || extendsInSum(instruction) ||
      isLowerOfWide(instruction)) {
    costs[&instruction] = {};
  } else if (std::optional<double> words = wordsOf(instruction)) {
    costs[&instruction] = {};
    costs[&instruction][shiftOf(name, instruction) ? Shift : Logic] = *words;
  } else if (startsWithAny(name, Sums32)) {
    lookAtSum(Sums32, 1);
  } else if (startsWithAny(name, Sums64)) {
    lookAtSum(Sums64, 2);
  } else if (name.starts_with("MULT64") || name.starts_with("MAD_LO_S64")) {
    if (std::optional<InstructionMix> cost = costOfProduct(instruction))
      costs[&instruction] = *cost;
  } else if (startsWithAny(name, Logic32) || startsWithAny(name, Logic64)) {
    if (takesThree)
      growTree(instruction);
  } else if (startsWithAny(name, llvm::ArrayRef(Conditions).drop_back())
                 ? joins(instruction, Conditions)
                 : testsLogic(instruction) || choosesUpdate(instruction)) {
    costs[&instruction] = {};
  }
}

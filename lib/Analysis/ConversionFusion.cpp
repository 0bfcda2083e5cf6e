// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConversionFusion.h"

#include "Target.h"
#include "llvm/ADT/STLExtras.h"

#include <array>

using namespace auspex;
using enum InstructionClass;

ConversionFusion::ConversionFusion(const llvm::MachineFunction &function)
    : MachineValues(function), hasI2FP(archOf(function) >= 86) {
  for (const llvm::MachineBasicBlock &block : function)
    for (const llvm::MachineInstr &instruction : block)
      lookAt(instruction);
}

std::optional<InstructionMix>
ConversionFusion::costOf(const llvm::MachineInstr &instruction) const {
  auto found = costs.find(&instruction);
  return found == costs.end() ? std::nullopt : std::optional(found->second);
}

/// Whether \p conversion, of which operand 2 is the mode, rounds to integers.
static bool roundsToInteger(const llvm::MachineInstr &conversion) {
  // cvt's .rni, .rzi, .rmi and .rpi; what else there is are flags.
  constexpr int64_t Mask = 0xf, First = 1, Last = 4;
  const llvm::MachineOperand &mode = conversion.getOperand(2);
  return mode.isImm() && (mode.getImm() & Mask) >= First &&
         (mode.getImm() & Mask) <= Last;
}

/// The bytes that \p permutation selects, lowest first: 0 to 3 of its first
/// operand, 4 to 7 of its second, 8 more for eight times the sign of that. None
/// if they are not constant.
static std::optional<std::array<unsigned, 4>>
bytesOf(const llvm::MachineInstr &permutation) {
  const llvm::MachineOperand &selector = permutation.getOperand(3);
  if (!selector.isImm())
    return std::nullopt;
  std::array<unsigned, 4> bytes;
  for (auto [i, byte] : llvm::enumerate(bytes))
    byte = (selector.getImm() >> (4 * i)) & 0xf;
  return bytes;
}

/// Which sign \p permutation extends one byte with: none if it does not.
enum class Extension { None, Zero, Sign };
static Extension extensionBy(const llvm::MachineInstr &permutation) {
  constexpr unsigned Sign = 8, OfSecond = 4;
  auto bytes = bytesOf(permutation);
  const llvm::MachineOperand &second = permutation.getOperand(2);
  if (!bytes || bytes->front() >= OfSecond ||
      !llvm::all_equal(llvm::drop_begin(*bytes)))
    return Extension::None;
  unsigned rest = bytes->back();
  if (rest == (bytes->front() | Sign))
    return Extension::Sign;
  bool isZero =
      second.isImm() && second.getImm() == 0 && rest >= OfSecond && rest < Sign;
  return isZero ? Extension::Zero : Extension::None;
}

/// Whether the \p needed lowest bytes of what \p permutation gives take nothing
/// from the upper half of its operand \p index, 1 or 2.
static bool takesLowerHalf(const llvm::MachineInstr &permutation,
                           unsigned index, size_t needed) {
  constexpr unsigned OfSecond = 4, OfUpperHalf = 2;
  auto bytes = bytesOf(permutation);
  return bytes && llvm::none_of(llvm::ArrayRef(*bytes).take_front(needed),
                                [&](unsigned byte) {
                                  bool isOfSecond = byte & OfSecond;
                                  return isOfSecond == (index == 2) &&
                                         (byte & OfUpperHalf);
                                });
}

/// How many of the lowest bytes of what \p permutation gives are needed: two if
/// another permutation puts them together with others.
size_t
ConversionFusion::bytesNeeded(const llvm::MachineInstr &permutation) const {
  constexpr size_t All = 4, Half = 2;
  llvm::Register given = permutation.getOperand(0).getReg();
  if (!registers.hasOneNonDBGUse(given))
    return All;
  const llvm::MachineOperand &use = *registers.use_nodbg_begin(given);
  const llvm::MachineInstr &user = *use.getParent();
  return nameOf(user).starts_with("PRMT") &&
                 takesLowerHalf(user, user.getOperandNo(&use), All)
             ? Half
             : All;
}

/// \p conversion makes a floating-point number of an integer.
void ConversionFusion::lookAtFloat(const llvm::MachineInstr &conversion) {
  InstructionMix cost;
  const llvm::MachineOperand &operand = conversion.getOperand(1);
  // What a load extends with zeros has 32 bits.
  const llvm::MachineInstr *loaded = definitionOf(operand);
  if (hasI2FP && nameOf(conversion) == "CVT_f32_u16" && loaded &&
      nameOf(*loaded).starts_with("LD_")) {
    cost[ConvertNarrow] = 1;
    costs[&conversion] = cost;
    return;
  }
  const llvm::MachineInstr *made = onlyFor(conversion, operand),
                           *narrowed = nullptr;
  if (made && nameOf(*made) == "CVT_u16_u32") {
    narrowed = made;
    made = onlyFor(*made, made->getOperand(1));
  }
  if (!made)
    return;
  llvm::StringRef source = nameOf(*made);
  Extension extension = source.starts_with("PRMT")       ? extensionBy(*made)
                        : source.starts_with("CVT_s8_s") ? Extension::Sign
                                                         : Extension::None;
  if (extension == Extension::None || (extension == Extension::Zero && hasI2FP))
    return;
  cost[Convert] = 1;
  costs[&conversion] = cost;
  costs[made] = {};
  if (narrowed)
    costs[narrowed] = {};
}

/// Whether \p instruction is the \p extreme, by its opcode, of a number and \p
/// bound.
bool ConversionFusion::isBoundedBy(const llvm::MachineInstr &instruction,
                                   llvm::StringRef extreme,
                                   double bound) const {
  return nameOf(instruction) == extreme &&
         instruction.getOperand(2).isFPImm() &&
         instruction.getOperand(2).getFPImm()->isExactlyValue(bound);
}

/// What saturates a number between 0 and 1 with \p instruction, and begins
/// before it if the source writes a minimum of a maximum; null if nothing does.
const llvm::MachineInstr *
ConversionFusion::saturationBy(const llvm::MachineInstr &instruction) const {
  constexpr int64_t Saturates = 0x20;
  constexpr llvm::StringLiteral Minimum = "MIN_f32_ri", Maximum = "MAX_f32_ri";
  if (nameOf(instruction) == "CVT_f32_f32")
    return !roundsToInteger(instruction) && instruction.getOperand(2).isImm() &&
                   (instruction.getOperand(2).getImm() & Saturates)
               ? &instruction
               : nullptr;
  bool isMinimum = isBoundedBy(instruction, Minimum, 1);
  if (!isMinimum && !isBoundedBy(instruction, Maximum, 0))
    return nullptr;
  const llvm::MachineInstr *other =
      onlyFor(instruction, instruction.getOperand(1));
  return other && (isMinimum ? isBoundedBy(*other, Maximum, 0)
                             : isBoundedBy(*other, Minimum, 1))
             ? other
             : nullptr;
}

/// Arithmetic saturates what it gives; of all else an addition of 0 does.
void ConversionFusion::saturate(const llvm::MachineInstr &instruction,
                                const llvm::MachineInstr &first) {
  constexpr llvm::StringRef Arithmetic[] = {"FADDf32", "FSUBf32", "FMULf32",
                                            "FMA_F32r"};
  const llvm::MachineInstr *made = onlyFor(first, first.getOperand(1));
  bool isArithmetic =
      made && llvm::any_of(Arithmetic, [&](llvm::StringRef name) {
        return nameOf(*made).starts_with(name);
      });
  costs[&first] = {};
  costs[&instruction] = {};
  costs[&instruction][Fp32] = !isArithmetic;
}

void ConversionFusion::lookAt(const llvm::MachineInstr &instruction) {
  constexpr llvm::StringRef ToInteger[] = {"CVT_s32_f", "CVT_u32_f",
                                           "CVT_s64_f", "CVT_u64_f",
                                           "CVT_s16_f", "CVT_u16_f"},
                            Rounds[] = {"CVT_f32_f32", "CVT_f64_f64",
                                        "CVT_f16_f16"},
                            ToFloat[] = {"CVT_f32_s16", "CVT_f32_u16",
                                         "CVT_f32_s32", "CVT_f32_u32"};
  llvm::StringRef name = nameOf(instruction);
  auto startsName = [&](llvm::StringRef prefix) {
    return name.starts_with(prefix);
  };
  if (const llvm::MachineInstr *first = saturationBy(instruction)) {
    saturate(instruction, *first);
  } else if (llvm::is_contained(ToFloat, name)) {
    lookAtFloat(instruction);
  } else if (llvm::any_of(ToInteger, startsName)) {
    const llvm::MachineInstr *rounded =
        onlyFor(instruction, instruction.getOperand(1));
    if (rounded && llvm::is_contained(Rounds, nameOf(*rounded)) &&
        roundsToInteger(*rounded))
      costs[rounded] = {};
  } else if (startsName("PRMT")) {
    for (unsigned index : {1, 2}) {
      const llvm::MachineInstr *extended =
          onlyFor(instruction, instruction.getOperand(index));
      if (extended && nameOf(*extended) == "CVT_u32_u16" &&
          takesLowerHalf(instruction, index, bytesNeeded(instruction)))
        costs[extended] = {};
    }
  }
}

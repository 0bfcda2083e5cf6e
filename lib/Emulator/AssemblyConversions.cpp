// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX that moves, compares and converts.
#include "AssemblyDecoder.h"

#include "llvm/ADT/StringSwitch.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

bool AssemblyDecoder::translateMove(const Statement &statement) {
  if ((statement.name != "mov" && statement.name != "cvta") ||
      statement.operands.size() != 2)
    return false;
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind)
    return false;
  auto elements = ptxElements(statement.operands[0]);
  auto sources = ptxElements(statement.operands[1]);
  unsigned bits = 8 * bytesPerLane(kind->width);
  if (elements.size() > 1) {
    // Takes a word apart.
    SlotOffset word = read(statement.operands[1], kind->width);
    unsigned size = bits / static_cast<unsigned>(elements.size());
    Width width = *Decoder::widthOfBits(size);
    for (size_t i = 0; i < elements.size(); ++i) {
      SlotOffset piece = word;
      if (i > 0)
        piece =
            decoder.emit(ofWidth(Opcode::LShr8, kind->width), kind->width,
                         {word, decoder.constantSlot(kind->width, i * size)});
      write(elements[i], {resize({piece, kind->width}, width), width});
    }
    return true;
  }
  if (sources.size() > 1) {
    unsigned size = bits / static_cast<unsigned>(sources.size());
    Width width = *Decoder::widthOfBits(size);
    SlotOffset word = NoSlot;
    for (size_t i = 0; i < sources.size(); ++i) {
      SlotOffset piece = resize({read(sources[i], width), width}, kind->width);
      if (i > 0)
        piece =
            decoder.emit(ofWidth(Opcode::Shl8, kind->width), kind->width,
                         {piece, decoder.constantSlot(kind->width, i * size)});
      word = word == NoSlot ? piece
                            : decoder.emit(ofWidth(Opcode::Or8, kind->width),
                                           kind->width, {word, piece});
    }
    write(statement.operands[0], {word, kind->width});
    return true;
  }
  bool isShared = hasSharedAddress(statement);
  if (statement.name == "cvta" && isShared && !statement.has("to")) {
    // Whatever it was computed from, the lower half is right.
    SlotOffset half = read(statement.operands[1], Width::W32);
    write(statement.operands[0],
          {decoder.emit(Opcode::WidenShared, Width::W64, {half}), Width::W64});
    return true;
  }
  write(statement.operands[0],
        {read(statement.operands[1], kind->width), kind->width});
  return true;
}

namespace {
/// The relations of setp and set.
struct RelationRow {
  StringRef name;
  llvm::CmpInst::Predicate ofFloat, ofSigned, ofUnsigned;
};
} // namespace

static const RelationRow *relationOf(StringRef name) {
  using P = llvm::CmpInst::Predicate;
  static constexpr RelationRow Rows[] = {
      {"eq", P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ},
      {"ne", P::FCMP_ONE, P::ICMP_NE, P::ICMP_NE},
      {"lt", P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT},
      {"le", P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE},
      {"gt", P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT},
      {"ge", P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE},
      {"lo", P::FCMP_OLT, P::ICMP_ULT, P::ICMP_ULT},
      {"ls", P::FCMP_OLE, P::ICMP_ULE, P::ICMP_ULE},
      {"hi", P::FCMP_OGT, P::ICMP_UGT, P::ICMP_UGT},
      {"hs", P::FCMP_OGE, P::ICMP_UGE, P::ICMP_UGE},
      {"equ", P::FCMP_UEQ, P::ICMP_EQ, P::ICMP_EQ},
      {"neu", P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE},
      {"ltu", P::FCMP_ULT, P::ICMP_ULT, P::ICMP_ULT},
      {"leu", P::FCMP_ULE, P::ICMP_ULE, P::ICMP_ULE},
      {"gtu", P::FCMP_UGT, P::ICMP_UGT, P::ICMP_UGT},
      {"geu", P::FCMP_UGE, P::ICMP_UGE, P::ICMP_UGE},
      {"nan", P::FCMP_UNO, P::ICMP_NE, P::ICMP_NE},
      {"num", P::FCMP_ORD, P::ICMP_EQ, P::ICMP_EQ}};
  const RelationRow *row = llvm::find_if(
      Rows, [&](const RelationRow &row) { return row.name == name; });
  return row == std::end(Rows) ? nullptr : row;
}

/// setp with a second result, the opposite, or with a predicate that both are
/// combined with: "setp.lt.and.s32 p|q, a, b, r".
bool AssemblyDecoder::translateComparePair(const Statement &statement) {
  const auto &operands = statement.operands;
  auto combine = llvm::StringSwitch<Opcode>(
                     statement.words.size() > 1 ? statement.words[1] : "")
                     .Case("and", Opcode::MaskAnd)
                     .Case("or", Opcode::MaskOr)
                     .Case("xor", Opcode::MaskXor)
                     .Default(Opcode::Count);
  bool isCombined = combine != Opcode::Count;
  bool hasSecond = operands.size() == 4u + isCombined;
  if (operands.size() != 3u + isCombined + hasSecond)
    return false;
  Statement plain = statement;
  if (isCombined) {
    plain.words.erase(plain.words.begin() + 1);
    plain.operands.pop_back();
  }
  if (hasSecond)
    plain.operands.erase(plain.operands.begin() + 1);
  if (!translateCompare(plain))
    return false;
  SlotOffset first = read(operands[0], Width::Mask);
  SlotOffset second = decoder.maskNot(first);
  auto combined = [&](SlotOffset slot) {
    return Part{isCombined
                    ? decoder.emit(combine, Width::Mask,
                                   {slot, read(operands.back(), Width::Mask)})
                    : slot,
                Width::Mask};
  };
  Part one = combined(first), other = combined(second);
  write(operands[0], one);
  if (hasSecond)
    write(operands[1], other);
  return true;
}

bool AssemblyDecoder::translateCompare(const Statement &statement) {
  const auto &operands = statement.operands;
  std::optional<Kind> kind = kindOf(statement.type());
  if (statement.name == "selp" && kind) {
    write(operands[0],
          {decoder.selectSlots(kind->width, read(operands[3], Width::Mask),
                               read(operands[1], kind->width),
                               read(operands[2], kind->width)),
           kind->width});
    return true;
  }
  bool isSet = statement.name == "set";
  if (!isSet && statement.name == "setp" && operands.size() > 3)
    return translateComparePair(statement);
  if ((!isSet && statement.name != "setp") || statement.words.size() < 2 ||
      operands.size() != 3)
    return false;
  const RelationRow *row = relationOf(statement.words[0]);
  if (!row)
    return false;
  StringRef resultType = statement.words[statement.words.size() - 2];
  if (isSet && statement.type().ends_with("f16x2")) {
    // 1 or 0, or all ones where the result is of bits.
    bool isOne = resultType.ends_with("f16x2");
    return mapFloats(statement, statement.type(), 2,
                     [&](const Kind &half, llvm::ArrayRef<SlotOffset> slots) {
                       uint64_t one = !isOne                  ? 0xffff
                                      : half.type->isHalfTy() ? 0x3c00
                                                              : 0x3f80;
                       return decoder.selectSlots(
                           Width::W16,
                           decoder.compareFloats(row->ofFloat, half.type,
                                                 slots[0], slots[1]),
                           decoder.constantSlot(Width::W16, one),
                           decoder.constantSlot(Width::W16, 0));
                     });
  }
  if (!kind)
    return false;
  SlotOffset a = read(operands[1], kind->width);
  SlotOffset b = read(operands[2], kind->width);
  SlotOffset result =
      kind->isFloat ? decoder.compareFloats(row->ofFloat, kind->type, a, b)
                    : decoder.compareIntegers(kind->isSigned ? row->ofSigned
                                                             : row->ofUnsigned,
                                              leafOf(*kind), a, b);
  if (!isSet) {
    write(operands[0], {result, Width::Mask});
    return true;
  }
  std::optional<Kind> to = kindOf(resultType);
  if (!to)
    return false;
  uint64_t one = !to->isFloat            ? ~uint64_t(0)
                 : to->type->isFloatTy() ? 0x3f800000
                 : to->type->isHalfTy()  ? 0x3c00
                                         : 0x3f80;
  write(operands[0], {decoder.selectSlots(to->width, result,
                                          decoder.constantSlot(to->width, one),
                                          decoder.constantSlot(to->width, 0)),
                      to->width});
  return true;
}

bool AssemblyDecoder::translateConversion(const Statement &statement) {
  if (statement.name != "cvt" || statement.words.size() < 2)
    return false;
  const auto &operands = statement.operands;
  StringRef toName = statement.words[statement.words.size() - 2];
  std::optional<Kind> from = kindOf(statement.type()), to = kindOf(toName);
  if (!from || operands.size() < 2)
    return false;
  if (toName == "tf32") {
    write(operands[0], {decoder.emit(Opcode::F32ToTF32, Width::W32,
                                     {read(operands[1], Width::W32)}),
                        Width::W32});
    return true;
  }
  if (toName == "f16x2" || toName == "bf16x2") {
    if (operands.size() != 3)
      return false;
    Opcode opcode = toName == "f16x2" ? Opcode::F32ToF16 : Opcode::F32ToBF16;
    Parts parts;
    for (unsigned i : {2, 1}) // the first goes to the upper half
      parts.push_back(
          {decoder.emit(opcode, Width::W16, {read(operands[i], Width::W32)}),
           Width::W16});
    Leaf low{nullptr, 0, Width::W16, 16}, high{nullptr, 2, Width::W16, 16};
    write(operands[0], decoder.packParts(parts, {low, high}));
    return true;
  }
  if (!to)
    return false;
  SlotOffset value = read(operands[1], from->width);
  auto set = [&](Part part) {
    write(operands[0], part);
    return true;
  };
  if (from->isFloat && to->isFloat) {
    if (from->width < to->width)
      return set({decoder.widen(from->type, value, to->type), to->width});
    if (from->width > to->width)
      return set({decoder.narrow(to->type, value, from->type), to->width});
    Opcode round = statement.has("rni")   ? Opcode::RoundEvenF32
                   : statement.has("rmi") ? Opcode::FloorF32
                   : statement.has("rpi") ? Opcode::CeilF32
                   : statement.has("rzi") ? Opcode::TruncFloatF32
                                          : Opcode::Count;
    if (round != Opcode::Count)
      value = decoder.floatOperation(round, from->type, {value});
    if (statement.has("sat"))
      value = decoder.floatOperation(Opcode::SaturateF32, from->type, {value});
    return set({value, to->width});
  }
  if (from->isFloat) {
    Opcode round = statement.has("rni")   ? Opcode::RoundEvenF32
                   : statement.has("rmi") ? Opcode::FloorF32
                   : statement.has("rpi") ? Opcode::CeilF32
                                          : Opcode::TruncFloatF32;
    value = decoder.floatOperation(round, from->type, {value});
    return set(decoder.castPart(to->isSigned ? llvm::Instruction::FPToSI
                                             : llvm::Instruction::FPToUI,
                                {value, from->width}, from->type, to->type));
  }
  if (to->isFloat)
    return set(decoder.castPart(from->isSigned ? llvm::Instruction::SIToFP
                                               : llvm::Instruction::UIToFP,
                                {value, from->width}, from->type, to->type));
  if (statement.has("sat"))
    return false;
  return set(
      {resize({value, from->width}, to->width, from->isSigned), to->width});
}

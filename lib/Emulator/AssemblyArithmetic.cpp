// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX that computes.
#include "AssemblyDecoder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

/// add.cc, addc, sub.cc, subc, mad.cc, madc: with the carry flag.
bool AssemblyDecoder::translateCarry(const Statement &statement) {
  StringRef name = statement.name;
  bool setsCarry = statement.has("cc");
  bool usesCarry = name == "addc" || name == "subc" || name == "madc";
  if (!setsCarry && !usesCarry)
    return false;
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind || statement.operands.size() < 3)
    return false;
  Width width = kind->width;
  auto emit = [&](Opcode family, SlotOffset a, SlotOffset b) {
    return decoder.emit(ofWidth(family, width), width, {a, b});
  };
  auto emitTest = [&](Opcode family, SlotOffset a, SlotOffset b) {
    return decoder.emit(ofWidth(family, width), Width::Mask, {a, b});
  };
  SlotOffset a = read(statement.operands[1], width);
  SlotOffset b = read(statement.operands[2], width);
  if (name.starts_with("mad")) {
    Opcode high =
        kind->isSigned ? Opcode::MulHighSigned8 : Opcode::MulHighUnsigned8;
    a = emit(statement.has("hi") ? high : Opcode::Mul8, a, b);
    b = read(statement.operands[3], width);
  }
  bool isSub = name.starts_with("sub");
  Opcode operation = isSub ? Opcode::Sub8 : Opcode::Add8;
  Opcode overflow = isSub ? Opcode::USubOverflow8 : Opcode::UAddOverflow8;
  SlotOffset result = emit(operation, a, b);
  SlotOffset carry = emitTest(overflow, a, b);
  if (usesCarry) {
    SlotOffset in = resize({read("%cc", Width::Mask), Width::Mask}, width);
    SlotOffset more = emitTest(overflow, result, in);
    result = emit(operation, result, in);
    carry = decoder.emit(Opcode::MaskOr, Width::Mask, {carry, more});
  }
  if (setsCarry)
    write("%cc", {carry, Width::Mask});
  write(statement.operands[0], {result, width});
  return true;
}

bool AssemblyDecoder::translateInteger(const Statement &statement) {
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind || kind->isFloat)
    return false;
  if (kind->width == Width::Mask)
    return translatePredicate(statement);
  return translateProduct(statement, *kind) ||
         translateIntegerPair(statement, *kind) ||
         translateShift(statement, *kind) ||
         translateDifference(statement, *kind) ||
         translateIntegerAlone(statement, *kind);
}

/// and, or, xor, not of predicates.
bool AssemblyDecoder::translatePredicate(const Statement &statement) {
  StringRef name = statement.name;
  const auto &operands = statement.operands;
  constexpr Width width = Width::Mask;
  if (name == "not") {
    write(operands[0], {decoder.maskNot(read(operands[1], width)), width});
    return true;
  }
  auto opcode = llvm::StringSwitch<Opcode>(name)
                    .Case("and", Opcode::MaskAnd)
                    .Case("or", Opcode::MaskOr)
                    .Case("xor", Opcode::MaskXor)
                    .Default(Opcode::Count);
  if (opcode == Opcode::Count)
    return false;
  write(operands[0],
        {decoder.emit(opcode, width,
                      {read(operands[1], width), read(operands[2], width)}),
         width});
  return true;
}

/// mul, mad: the lower half of the product, the upper one, or all of it.
bool AssemblyDecoder::translateProduct(const Statement &statement,
                                       const Kind &kind) {
  bool isSum = statement.name == "mad";
  if (statement.name != "mul" && !isSum)
    return false;
  const auto &operands = statement.operands;
  Width width = kind.width, resultWidth = width;
  SlotOffset a = read(operands[1], width), b = read(operands[2], width);
  SlotOffset product;
  if (statement.has("wide")) {
    resultWidth = static_cast<Width>(static_cast<unsigned>(width) + 1);
    product = decoder.emit(ofWidth(Opcode::Mul8, resultWidth), resultWidth,
                           {resize({a, width}, resultWidth, kind.isSigned),
                            resize({b, width}, resultWidth, kind.isSigned)});
  } else {
    Opcode high =
        kind.isSigned ? Opcode::MulHighSigned8 : Opcode::MulHighUnsigned8;
    product =
        decoder.emit(ofWidth(statement.has("hi") ? high : Opcode::Mul8, width),
                     width, {a, b});
  }
  if (isSum)
    product = decoder.emit(ofWidth(Opcode::Add8, resultWidth), resultWidth,
                           {product, read(operands[3], resultWidth)});
  write(operands[0], {product, resultWidth});
  return true;
}

/// What one operation computes of two integers of the same width.
bool AssemblyDecoder::translateIntegerPair(const Statement &statement,
                                           const Kind &kind) {
  struct Row {
    StringRef name;
    Opcode unsignedOne, signedOne;
  };
  static constexpr Row Rows[] = {{"add", Opcode::Add8, Opcode::Add8},
                                 {"sub", Opcode::Sub8, Opcode::Sub8},
                                 {"div", Opcode::UDiv8, Opcode::SDiv8},
                                 {"rem", Opcode::URem8, Opcode::SRem8},
                                 {"min", Opcode::UMin8, Opcode::SMin8},
                                 {"max", Opcode::UMax8, Opcode::SMax8},
                                 {"and", Opcode::And8, Opcode::And8},
                                 {"or", Opcode::Or8, Opcode::Or8},
                                 {"xor", Opcode::Xor8, Opcode::Xor8}};
  const auto &operands = statement.operands;
  const Row *row = llvm::find_if(
      Rows, [&](const Row &row) { return row.name == statement.name; });
  if (row == std::end(Rows) || operands.size() != 3)
    return false;
  Width width = kind.width;
  write(operands[0],
        {decoder.emit(
             ofWidth(kind.isSigned ? row->signedOne : row->unsignedOne, width),
             width, {read(operands[1], width), read(operands[2], width)}),
         width});
  return true;
}

/// shl, shr.
bool AssemblyDecoder::translateShift(const Statement &statement,
                                     const Kind &kind) {
  StringRef name = statement.name;
  if (name != "shl" && name != "shr")
    return false;
  const auto &operands = statement.operands;
  Width width = kind.width;
  Opcode family = name == "shl"   ? Opcode::Shl8
                  : kind.isSigned ? Opcode::AShr8
                                  : Opcode::LShr8;
  SlotOffset by = resize({read(operands[2], Width::W32), Width::W32}, width);
  write(operands[0], {decoder.emit(ofWidth(family, width), width,
                                   {read(operands[1], width), by}),
                      width});
  return true;
}

/// sad: an absolute difference, added to the third operand.
bool AssemblyDecoder::translateDifference(const Statement &statement,
                                          const Kind &kind) {
  if (statement.name != "sad")
    return false;
  const auto &operands = statement.operands;
  Width width = kind.width;
  Opcode family =
      kind.isSigned ? Opcode::AbsDiffSigned8 : Opcode::AbsDiffUnsigned8;
  SlotOffset difference =
      decoder.emit(ofWidth(family, width), width,
                   {read(operands[1], width), read(operands[2], width)});
  write(operands[0], {decoder.emit(ofWidth(Opcode::Add8, width), width,
                                   {difference, read(operands[3], width)}),
                      width});
  return true;
}

/// not, neg, abs.
bool AssemblyDecoder::translateIntegerAlone(const Statement &statement,
                                            const Kind &kind) {
  StringRef name = statement.name;
  if (name != "not" && name != "neg" && name != "abs")
    return false;
  Width width = kind.width;
  SlotOffset a = read(statement.operands[1], width);
  SlotOffset result =
      name == "not"
          ? decoder.emit(ofWidth(Opcode::Xor8, width), width,
                         {a, decoder.constantSlot(width, ~uint64_t(0))})
      : name == "neg"
          ? decoder.emit(ofWidth(Opcode::Sub8, width), width,
                         {decoder.constantSlot(width, 0), a})
          : decoder.emit(ofWidth(Opcode::AbsInteger8, width), width, {a});
  write(statement.operands[0], {result, width});
  return true;
}

bool AssemblyDecoder::mapFloats(
    const Statement &statement, StringRef typeName, unsigned numOperands,
    llvm::function_ref<SlotOffset(const Kind &, llvm::ArrayRef<SlotOffset>)>
        compute) {
  if (statement.operands.size() != numOperands + 1)
    return false;
  bool isPair = typeName.consume_back("x2");
  std::optional<Kind> kind = kindOf(typeName);
  if (!kind || !kind->isFloat)
    return false;
  if (!isPair) {
    llvm::SmallVector<SlotOffset, 3> slots;
    for (unsigned i = 1; i <= numOperands; ++i)
      slots.push_back(read(statement.operands[i], kind->width));
    write(statement.operands[0], {compute(*kind, slots), kind->width});
    return true;
  }
  Leaves halves = {{kind->type, 0, Width::W16, 16},
                   {kind->type, 2, Width::W16, 16}};
  llvm::SmallVector<Parts, 3> operands;
  for (unsigned i = 1; i <= numOperands; ++i)
    operands.push_back(decoder.unpackPart(
        {read(statement.operands[i], Width::W32), Width::W32}, halves));
  Parts results;
  for (unsigned half = 0; half < 2; ++half) {
    llvm::SmallVector<SlotOffset, 3> slots;
    for (const Parts &operand : operands)
      slots.push_back(operand[half].slot);
    results.push_back({compute(*kind, slots), Width::W16});
  }
  write(statement.operands[0], decoder.packParts(results, halves));
  return true;
}

bool AssemblyDecoder::translateFloat(const Statement &statement) {
  struct Row {
    StringRef name;
    Opcode family;
    unsigned operands;
  };
  static constexpr Row Rows[] = {
      {"add", Opcode::FAddF32, 2},         {"sub", Opcode::FSubF32, 2},
      {"mul", Opcode::FMulF32, 2},         {"div", Opcode::FDivF32, 2},
      {"fma", Opcode::FmaF32, 3},          {"mad", Opcode::FmaF32, 3},
      {"min", Opcode::FMinF32, 2},         {"max", Opcode::FMaxF32, 2},
      {"neg", Opcode::FNegF32, 1},         {"abs", Opcode::FAbsF32, 1},
      {"rcp", Opcode::RcpF32, 1},          {"sqrt", Opcode::SqrtF32, 1},
      {"rsqrt", Opcode::RsqrtF32, 1},      {"ex2", Opcode::Exp2F32, 1},
      {"lg2", Opcode::Log2F32, 1},         {"sin", Opcode::SinF32, 1},
      {"cos", Opcode::CosF32, 1},          {"tanh", Opcode::TanhF32, 1},
      {"copysign", Opcode::CopySignF32, 2}};
  const Row *row = llvm::find_if(
      Rows, [&](const Row &row) { return row.name == statement.name; });
  if (row == std::end(Rows))
    return false;
  Opcode family = row->family;
  if (statement.has("NaN"))
    family =
        family == Opcode::FMinF32 ? Opcode::FMinNanF32 : Opcode::FMaxNanF32;
  return mapFloats(
      statement, statement.type(), row->operands,
      [&](const Kind &kind, llvm::ArrayRef<SlotOffset> slots) {
        llvm::SmallVector<SlotOffset, 3> operands(slots);
        if (statement.has("ftz") && kind.width == Width::W32)
          for (SlotOffset &slot : operands)
            slot = decoder.emit(Opcode::FlushDenormalF32, Width::W32, {slot});
        SlotOffset result = decoder.floatOperation(family, kind.type, operands);
        if (statement.has("sat"))
          result =
              decoder.floatOperation(Opcode::SaturateF32, kind.type, {result});
        if (statement.has("relu"))
          result = decoder.floatOperation(
              Opcode::FMaxNanF32, kind.type,
              {result, decoder.constantSlot(kind.width, 0)});
        return result;
      });
}

/// vadd2, vabsdiff4, ...: integers side by side in a word, without saturation.
bool AssemblyDecoder::translateVideo(const Statement &statement) {
  StringRef name = statement.name;
  const auto &operands = statement.operands;
  bool isBytes = name.consume_back("4");
  if ((!isBytes && !name.consume_back("2")) || !name.consume_front("v") ||
      statement.words.size() < 3 || operands.size() != 4)
    return false;
  bool accumulates = statement.has("add"),
       isSigned = statement.words[1] == "s32";
  if (statement.has("sat"))
    return false;
  Width width = isBytes ? Width::W8 : Width::W16;
  Opcode family = llvm::StringSwitch<Opcode>(name)
                      .Case("add", Opcode::Add8)
                      .Case("sub", Opcode::Sub8)
                      .Case("min", isSigned ? Opcode::SMin8 : Opcode::UMin8)
                      .Case("max", isSigned ? Opcode::SMax8 : Opcode::UMax8)
                      .Case("absdiff", isSigned ? Opcode::AbsDiffSigned8
                                                : Opcode::AbsDiffUnsigned8)
                      .Default(Opcode::Count);
  if (family == Opcode::Count)
    return false;
  Leaves leaves;
  unsigned bytes = bytesPerLane(width);
  for (unsigned at = 0; at < 4; at += bytes)
    leaves.push_back({llvm::IntegerType::get(call.getContext(), 8 * bytes), at,
                      width, 8 * bytes});
  Parts a =
      decoder.unpackPart({read(operands[1], Width::W32), Width::W32}, leaves);
  Parts b =
      decoder.unpackPart({read(operands[2], Width::W32), Width::W32}, leaves);
  SlotOffset sum = read(operands[3], Width::W32);
  Parts results;
  for (unsigned i = 0; i < leaves.size(); ++i) {
    SlotOffset one =
        decoder.emit(ofWidth(family, width), width, {a[i].slot, b[i].slot});
    results.push_back({one, width});
    if (accumulates)
      sum = decoder.emit(Opcode::Add32, Width::W32,
                         {sum, resize({one, width}, Width::W32, isSigned)});
  }
  write(operands[0], accumulates ? Part{sum, Width::W32}
                                 : decoder.packParts(results, leaves));
  return true;
}

bool AssemblyDecoder::translateBits(const Statement &statement) {
  StringRef name = statement.name;
  const auto &operands = statement.operands;
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind || operands.size() < 2)
    return false;
  Width width = kind->width;
  bool isWide = width == Width::W64;
  auto word = [&](unsigned i) { return read(operands[i], Width::W32); };
  auto value = [&](unsigned i) { return read(operands[i], width); };
  auto set = [&](SlotOffset slot, Width of) {
    write(operands[0], {slot, of});
    return true;
  };
  if (name == "popc" || name == "clz") {
    SlotOffset count =
        decoder.emit(ofWidth(name == "popc" ? Opcode::CountOnes8
                                            : Opcode::CountLeadingZeros8,
                             width),
                     width, {value(1)});
    return set(resize({count, width}, Width::W32), Width::W32);
  }
  if (name == "brev")
    return set(
        decoder.emit(ofWidth(Opcode::ReverseBits8, width), width, {value(1)}),
        width);
  if (name == "bfe" && operands.size() == 4)
    return set(decoder.emit(next(kind->isSigned ? Opcode::ExtractBitsSigned32
                                                : Opcode::ExtractBitsUnsigned32,
                                 isWide ? 2 : 0),
                            width, {value(1), word(2), word(3)}),
               width);
  if (name == "bfi" && operands.size() == 5)
    return set(
        decoder.emit(isWide ? Opcode::InsertBits64 : Opcode::InsertBits32,
                     width, {value(1), value(2), word(3), word(4)}),
        width);
  if (name == "bfind") {
    SlotOffset position =
        decoder.emit(next(kind->isSigned ? Opcode::FindHighestSigned32
                                         : Opcode::FindHighestUnsigned32,
                          isWide ? 2 : 0),
                     Width::W32, {value(1)});
    if (statement.has("shiftamt"))
      position = decoder.shiftAmount(position, isWide ? 63 : 31);
    return set(position, Width::W32);
  }
  if (name == "fns" && operands.size() == 4)
    return set(decoder.emit(Opcode::FindNthSet, Width::W32,
                            {word(1), word(2), word(3)}),
               Width::W32);
  if (name == "bmsk")
    return set(decoder.emit(statement.has("wrap") ? Opcode::BitMaskWrap
                                                  : Opcode::BitMaskClamp,
                            Width::W32, {word(1), word(2)}),
               Width::W32);
  if (name == "lop3" && operands.size() == 5)
    return set(decoder.emit(Opcode::Logic3, Width::W32,
                            {word(1), word(2), word(3), word(4)}),
               Width::W32);
  if (name == "prmt") {
    auto mode = llvm::StringSwitch<Opcode>(
                    statement.words.size() > 1 ? statement.type() : "")
                    .Case("f4e", Opcode::PermuteForward4)
                    .Case("b4e", Opcode::PermuteBackward4)
                    .Case("rc8", Opcode::PermuteReplicate8)
                    .Case("rc16", Opcode::PermuteReplicate16)
                    .Case("ecl", Opcode::PermuteEdgeLeft)
                    .Case("ecr", Opcode::PermuteEdgeRight)
                    .Default(Opcode::PermuteBytes);
    return set(decoder.emit(mode, Width::W32, {word(1), word(2), word(3)}),
               Width::W32);
  }
  if (name == "shf" && operands.size() == 4) {
    bool isLeft = statement.has("l"), clamps = statement.has("clamp");
    SlotOffset low = word(1), high = word(2), by = word(3);
    if (!clamps)
      by = decoder.emit(Opcode::And32, Width::W32,
                        {by, decoder.constantSlot(Width::W32, 31)});
    return set(decoder.emit(isLeft ? Opcode::FunnelLeftClamp
                                   : Opcode::FunnelRightClamp,
                            Width::W32, {low, high, by}),
               Width::W32);
  }
  if (name == "dp4a" && operands.size() == 4) {
    bool signedA = statement.words[0] == "s32";
    bool signedB = statement.words.back() == "s32";
    return set(decoder.emit(next(Opcode::DotBytesSS,
                                 (signedA ? 0 : 2) + (signedB ? 0 : 1)),
                            Width::W32, {word(1), word(2), word(3)}),
               Width::W32);
  }
  return false;
}

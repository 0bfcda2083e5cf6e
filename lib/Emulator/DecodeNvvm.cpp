// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVPTX's intrinsics: which decoder each is for, arithmetic and memory.
#include "Decoder.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

bool Decoder::decodeNvvm(const llvm::IntrinsicInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.nvvm."))
    return false;
  return decodeSpecialRegister(call, name) || decodeBarrier(call, name) ||
         decodeWarpIntrinsic(call, name) || decodeNvvmArithmetic(call, name) ||
         decodeMatrix(call, name) || decodeMemoryBarrier(call, name) ||
         decodeNvvmMemory(call, name);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
/// Intrinsics of fixed types that are one operation.
struct PlainRow {
  StringRef name;
  Opcode opcode;
};
} // namespace

static constexpr PlainRow Plain[] = {
    {"mulhi.s", Opcode::MulHighSigned16},
    {"mulhi.us", Opcode::MulHighUnsigned16},
    {"mulhi.i", Opcode::MulHighSigned32},
    {"mulhi.ui", Opcode::MulHighUnsigned32},
    {"mulhi.ll", Opcode::MulHighSigned64},
    {"mulhi.ull", Opcode::MulHighUnsigned64},
    {"mul24.i", Opcode::Mul24Signed},
    {"mul24.ui", Opcode::Mul24Unsigned},
    {"prmt", Opcode::PermuteBytes},
    {"prmt.f4e", Opcode::PermuteForward4},
    {"prmt.b4e", Opcode::PermuteBackward4},
    {"idp4a.s.s", Opcode::DotBytesSS},
    {"idp4a.s.u", Opcode::DotBytesSU},
    {"idp4a.u.s", Opcode::DotBytesUS},
    {"idp4a.u.u", Opcode::DotBytesUU},
    {"idp2a.s.s", Opcode::DotHalvesSS},
    {"idp2a.s.u", Opcode::DotHalvesSU},
    {"idp2a.u.s", Opcode::DotHalvesUS},
    {"idp2a.u.u", Opcode::DotHalvesUU},
    {"fshl.clamp", Opcode::FunnelLeftClamp},
    {"fshr.clamp", Opcode::FunnelRightClamp},
    {"fns", Opcode::FindNthSet},
    {"bmsk.clamp", Opcode::BitMaskClamp},
    {"bmsk.wrap", Opcode::BitMaskWrap},
    {"sext.clamp", Opcode::ExtendClampSigned},
    {"sext.wrap", Opcode::ExtendWrapSigned},
    {"zext.clamp", Opcode::ExtendClampUnsigned},
    {"zext.wrap", Opcode::ExtendWrapUnsigned},
};

/// Without a second word: the last operand is the selector.
static constexpr PlainRow Permutations[] = {
    {"prmt.rc8", Opcode::PermuteReplicate8},
    {"prmt.rc16", Opcode::PermuteReplicate16},
    {"prmt.ecl", Opcode::PermuteEdgeLeft},
    {"prmt.ecr", Opcode::PermuteEdgeRight},
};

/// Float arithmetic by its first word; \c roundings is the first of the
/// operations that round other than to nearest, or none.
static constexpr struct {
  StringRef name;
  Opcode family, roundings;
} FloatRows[] = {
    {"add", Opcode::FAddF32, Opcode::FAddF32Down},
    {"mul", Opcode::FMulF32, Opcode::FMulF32Down},
    {"div", Opcode::FDivF32, Opcode::FDivF32Down},
    {"fma", Opcode::FmaF32, Opcode::FmaF32Down},
    {"sqrt", Opcode::SqrtF32, Opcode::SqrtF32Down},
    {"rcp", Opcode::RcpF32, Opcode::FDivF32Down},
    {"rsqrt", Opcode::RsqrtF32, Opcode::Count},
    {"ex2", Opcode::Exp2F32, Opcode::Count},
    {"lg2", Opcode::Log2F32, Opcode::Count},
    {"sin", Opcode::SinF32, Opcode::Count},
    {"cos", Opcode::CosF32, Opcode::Count},
    {"tanh", Opcode::TanhF32, Opcode::Count},
    {"fabs", Opcode::FAbsF32, Opcode::Count},
    {"neg", Opcode::FNegF32, Opcode::Count},
    {"fmin", Opcode::FMinF32, Opcode::Count},
    {"fmax", Opcode::FMaxF32, Opcode::Count},
    {"floor", Opcode::FloorF32, Opcode::Count},
    {"ceil", Opcode::CeilF32, Opcode::Count},
    {"trunc", Opcode::TruncFloatF32, Opcode::Count},
    {"round", Opcode::RoundEvenF32, Opcode::Count},
    {"saturate", Opcode::SaturateF32, Opcode::Count},
};

bool Decoder::decodeFloat(const llvm::IntrinsicInst &call, StringRef name) {
  llvm::SmallVector<StringRef, 8> words;
  name.split(words, '.');
  const auto *row = llvm::find_if(
      FloatRows, [&](const auto &row) { return row.name == words[0]; });
  llvm::Type *type = call.getType()->getScalarType();
  if (row == std::end(FloatRows) || !type->isFloatingPointTy())
    return false;
  std::optional<unsigned> rounding;
  bool flushes = false, saturates = false, isRelu = false, keepsNan = false,
       xorSign = false;
  for (StringRef word : llvm::drop_begin(words)) {
    if (word == "rm" || word == "rp" || word == "rz")
      rounding = word == "rm" ? 0 : word == "rp" ? 1 : 2;
    flushes |= word == "ftz";
    saturates |= word == "sat";
    isRelu |= word == "relu";
    keepsNan |= word == "nan";
    xorSign |= word == "xorsign";
  }
  Opcode family = row->family;
  if (keepsNan)
    family =
        family == Opcode::FMinF32 ? Opcode::FMinNanF32 : Opcode::FMaxNanF32;
  if (rounding && row->roundings == Opcode::Count)
    return false;
  define(
      call,
      mapParts(call, [&](const Leaf &leaf, llvm::ArrayRef<SlotOffset> slots) {
        llvm::Type *type = leaf.type;
        llvm::SmallVector<SlotOffset, 4> operands(slots);
        auto flush = [&](SlotOffset slot) {
          return flushes && type->isFloatTy()
                     ? emit(Opcode::FlushDenormalF32, Width::W32, {slot})
                     : slot;
        };
        for (SlotOffset &operand : operands)
          operand = flush(operand);
        SlotOffset result;
        SlotOffset sign = NoSlot;
        if (xorSign) {
          sign = emit(ofWidth(Opcode::Xor8, leaf.width), leaf.width,
                      {operands[0], operands[1]});
          for (SlotOffset &operand : operands)
            operand = leaf.width == Width::W16
                          ? emit(Opcode::And16, Width::W16,
                                 {operand, constantSlot(Width::W16, 0x7fff)})
                          : floatOperation(Opcode::FAbsF32, type, {operand});
        }
        if (rounding) {
          if (row->family == Opcode::RcpF32)
            operands.insert(
                operands.begin(),
                type->isDoubleTy()
                    ? constantSlot(Width::W64, llvm::bit_cast<uint64_t>(1.0))
                    : constantSlot(Width::W32, llvm::bit_cast<uint32_t>(1.0f)));
          operands.resize(4, NoSlot);
          result = emit(
              next(row->roundings, *rounding + (type->isDoubleTy() ? 3 : 0)),
              leaf.width, {operands[0], operands[1], operands[2]});
        } else {
          result = floatOperation(family, type, operands);
        }
        if (saturates)
          result = floatOperation(Opcode::SaturateF32, type, {result});
        if (isRelu)
          result = floatOperation(Opcode::FMaxNanF32, type,
                                  {result, constantSlot(leaf.width, 0)});
        if (xorSign)
          result = floatOperation(Opcode::CopySignF32, type, {result, sign});
        return flush(result);
      }));
  return true;
}

/// Conversions with a stated rounding: "d2i.rm", "ull2f.rz", "f2h.rn.ftz".
bool Decoder::decodeConversion(const llvm::IntrinsicInst &call,
                               StringRef name) {
  llvm::SmallVector<StringRef, 4> words;
  name.split(words, '.');
  auto [from, to] = words[0].split('2');
  auto isInteger = [](StringRef word) {
    return word == "i" || word == "ui" || word == "ll" || word == "ull";
  };
  auto isFloat = [](StringRef word) { return word == "f" || word == "d"; };
  if (to.empty() || words.size() < 2 || call.arg_size() != 1)
    return false;
  StringRef rounding = words[1];
  bool flushes = llvm::is_contained(words, "ftz");
  Part part = partsOf(call.getArgOperand(0))[0];
  llvm::Type *fromType = call.getArgOperand(0)->getType();
  llvm::Type *toType = call.getType();
  if (flushes && fromType->isFloatTy())
    part.slot = emit(Opcode::FlushDenormalF32, Width::W32, {part.slot});
  unsigned mode = rounding == "rm" ? 0 : rounding == "rp" ? 1 : 2;
  if (isFloat(from) && isInteger(to)) {
    Opcode round = rounding == "rm"   ? Opcode::FloorF32
                   : rounding == "rp" ? Opcode::CeilF32
                   : rounding == "rz" ? Opcode::TruncFloatF32
                                      : Opcode::RoundEvenF32;
    SlotOffset rounded = floatOperation(round, fromType, {part.slot});
    define(call, {castPart(to.starts_with("u") ? llvm::Instruction::FPToUI
                                               : llvm::Instruction::FPToSI,
                           {rounded, part.width}, fromType, toType)});
    return true;
  }
  if (isInteger(from) && isFloat(to)) {
    bool isSigned = !from.starts_with("u");
    if (rounding == "rn") {
      define(call, {castPart(isSigned ? llvm::Instruction::SIToFP
                                      : llvm::Instruction::UIToFP,
                             part, fromType, toType)});
      return true;
    }
    if (part.width == Width::W32)
      part.slot = emit(isSigned ? Opcode::SExt32To64 : Opcode::ZExt32To64,
                       Width::W64, {part.slot});
    Opcode first =
        to == "d" ? (isSigned ? Opcode::S64ToF64Down : Opcode::U64ToF64Down)
                  : (isSigned ? Opcode::S64ToF32Down : Opcode::U64ToF32Down);
    Width width = leavesOf(toType)[0].width;
    define(call, {{emit(next(first, mode), width, {part.slot}), width}});
    return true;
  }
  if (from == "d" && to == "f") {
    SlotOffset slot = emit(rounding == "rn" ? Opcode::F64ToF32
                                            : next(Opcode::F64ToF32Down, mode),
                           Width::W32, {part.slot});
    if (flushes)
      slot = emit(Opcode::FlushDenormalF32, Width::W32, {slot});
    define(call, {{slot, Width::W32}});
    return true;
  }
  bool isRelu = llvm::is_contained(words, "relu");
  auto toSmall = [&](SlotOffset slot, bool isHalf) {
    if (isRelu)
      slot = emit(Opcode::FMaxNanF32, Width::W32,
                  {slot, constantSlot(Width::W32, 0)});
    bool isZero = rounding == "rz";
    return emit(isHalf ? (isZero ? Opcode::F32ToF16Zero : Opcode::F32ToF16)
                       : (isZero ? Opcode::F32ToBF16Zero : Opcode::F32ToBF16),
                Width::W16, {slot});
  };
  if (from == "f" && (to == "h" || to == "f16" || to == "bf16")) {
    define(call, {{toSmall(part.slot, to != "bf16"), Width::W16}});
    return true;
  }
  if (from == "bf" && to == "h") {
    SlotOffset wide = emit(Opcode::BF16ToF32, Width::W32, {part.slot});
    define(call, {{toSmall(wide, true), Width::W16}});
    return true;
  }
  if (from == "f" && to == "tf32") {
    define(call,
           {{emit(Opcode::F32ToTF32, Width::W32, {part.slot}), Width::W32}});
    return true;
  }
  return false;
}

/// How far the highest bit is from \p top; still -1 if there is none.
SlotOffset Decoder::shiftAmount(SlotOffset position, unsigned top) {
  SlotOffset none = emit(Opcode::Eq32, Width::Mask,
                         {position, constantSlot(Width::W32, ~0u)});
  SlotOffset left = emit(Opcode::Sub32, Width::W32,
                         {constantSlot(Width::W32, top), position});
  return selectSlots(Width::W32, none, position, left);
}

bool Decoder::decodeNvvmArithmetic(const llvm::IntrinsicInst &call,
                                   StringRef name) {
  llvm::SmallVector<SlotOffset, 4> slots;
  for (const llvm::Value *argument : call.args())
    if (!argument->getType()->isMetadataTy())
      slots.push_back(slotOf(argument));
  slots.resize(4, NoSlot);
  auto plain = [&](Opcode opcode) {
    Width width = leavesOf(call.getType())[0].width;
    define(call,
           {{emit(opcode, width, {slots[0], slots[1], slots[2], slots[3]}),
             width}});
    return true;
  };
  for (const PlainRow &row : Plain)
    if (row.name == name)
      return plain(row.opcode);
  for (const PlainRow &row : Permutations)
    if (row.name == name) {
      slots[2] = slots[1];
      slots[1] = slots[0];
      return plain(row.opcode);
    }
  if (name.consume_front("sad.")) {
    // |a - b| + c.
    auto kind = llvm::StringSwitch<std::pair<bool, Width>>(name)
                    .Case("s", {true, Width::W16})
                    .Case("us", {false, Width::W16})
                    .Case("i", {true, Width::W32})
                    .Case("ui", {false, Width::W32})
                    .Case("ll", {true, Width::W64})
                    .Default({false, Width::W64});
    SlotOffset difference = emit(
        ofWidth(kind.first ? Opcode::AbsDiffSigned8 : Opcode::AbsDiffUnsigned8,
                kind.second),
        kind.second, {slots[0], slots[1]});
    define(call, {{emit(ofWidth(Opcode::Add8, kind.second), kind.second,
                        {difference, slots[2]}),
                   kind.second}});
    return true;
  }
  if (name.consume_front("flo.")) {
    bool isSigned = name.starts_with("s");
    Part value = partsOf(call.getArgOperand(0))[0];
    Opcode opcode =
        isSigned ? Opcode::FindHighestSigned32 : Opcode::FindHighestUnsigned32;
    SlotOffset position = emit(next(opcode, value.width == Width::W64 ? 2 : 0),
                               Width::W32, {value.slot});
    auto *shifts = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
    if (shifts && shifts->isOne())
      position = shiftAmount(position, value.width == Width::W64 ? 63 : 31);
    define(call, {{position, Width::W32}});
    return true;
  }
  if (name == "lohi.i2d") {
    SlotOffset low = emit(Opcode::ZExt32To64, Width::W64, {slots[0]});
    SlotOffset high = emit(Opcode::ZExt32To64, Width::W64, {slots[1]});
    high =
        emit(Opcode::Shl64, Width::W64, {high, constantSlot(Width::W64, 32)});
    define(call, {{emit(Opcode::Or64, Width::W64, {low, high}), Width::W64}});
    return true;
  }
  if (name == "d2i.lo" || name == "d2i.hi") {
    SlotOffset word = slots[0];
    if (name.ends_with("hi"))
      word = emit(Opcode::LShr64, Width::W64,
                  {word, constantSlot(Width::W64, 32)});
    define(call, {{emit(Opcode::Trunc64To32, Width::W32, {word}), Width::W32}});
    return true;
  }
  if (name.starts_with("ff2f16x2") || name.starts_with("ff2bf16x2")) {
    bool isHalf = name.starts_with("ff2f16x2"), isZero = name.contains(".rz");
    Parts parts;
    // The first operand goes to the upper half.
    for (SlotOffset slot : {slots[1], slots[0]}) {
      if (name.contains("relu"))
        slot = emit(Opcode::FMaxNanF32, Width::W32,
                    {slot, constantSlot(Width::W32, 0)});
      parts.push_back(
          {emit(isHalf ? (isZero ? Opcode::F32ToF16Zero : Opcode::F32ToF16)
                       : (isZero ? Opcode::F32ToBF16Zero : Opcode::F32ToBF16),
                Width::W16, {slot}),
           Width::W16});
    }
    define(call, std::move(parts));
    return true;
  }
  if (name == "reflect") {
    define(call, {{constantSlot(Width::W32, 0), Width::W32}});
    return true;
  }
  if (name.starts_with("move.") || name == "internal.addrspace.wrap") {
    define(call, partsOf(call.getArgOperand(0)));
    return true;
  }
  return decodeConversion(call, name) || decodeFloat(call, name);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool Decoder::decodeNvvmMemory(const llvm::IntrinsicInst &call,
                               StringRef name) {
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  if (name.starts_with("ldu.global.")) {
    decodeLoad(call, argument(0), call.getType(),
               llvm::cast<llvm::ConstantInt>(argument(1))->getAlignValue(),
               false);
    return true;
  }
  if (name.consume_front("isspacep.")) {
    SlotOffset slot = emit(Opcode::IsSpace, Width::Mask, {slotOf(argument(0))});
    blocks[currentBlock].operations.back().count =
        llvm::StringSwitch<unsigned>(name)
            .Case("global", 1)
            .Case("const", 4)
            .Case("local", 5)
            .Default(3);
    define(call, {{slot, Width::Mask}});
    return true;
  }
  if (name.starts_with("prefetch") || name.starts_with("applypriority") ||
      name.starts_with("discard") || name.starts_with("griddepcontrol"))
    return true;
  if (name.starts_with("mapa")) { // the only block of the cluster
    define(call, partsOf(argument(0)));
    return true;
  }
  if (name == "getctarank" || name == "getctarank.shared.cluster") {
    define(call, {{constantSlot(Width::W32, 0), Width::W32}});
    return true;
  }
  if (name.starts_with("atomic.")) {
    // "atomic.add.gen.f.cta".
    llvm::SmallVector<StringRef, 6> words;
    name.split(words, '.');
    bool isFloat = words[3] == "f";
    auto kind = llvm::StringSwitch<std::optional<AtomicKind>>(words[1])
                    .Case("add", isFloat ? AtomicKind::FAdd : AtomicKind::Add)
                    .Case("and", AtomicKind::And)
                    .Case("or", AtomicKind::Or)
                    .Case("xor", AtomicKind::Xor)
                    .Case("max", AtomicKind::SMax)
                    .Case("min", AtomicKind::SMin)
                    .Case("inc", AtomicKind::Increment)
                    .Case("dec", AtomicKind::Decrement)
                    .Case("exch", AtomicKind::Exchange)
                    .Case("cas", AtomicKind::CompareAndSwap)
                    .Default(std::nullopt);
    if (!kind)
      return false;
    Leaves leaves = leavesOf(call.getType());
    bool compares = *kind == AtomicKind::CompareAndSwap;
    Parts compared = compares ? partsOf(argument(1)) : Parts();
    define(call, emitAtomic(*kind, leaves, addressOf(argument(0)),
                            partsOf(argument(compares ? 2 : 1)), compared,
                            bytesPerLane(leaves[0].width)));
    return true;
  }
  if (name.starts_with("cp.async.")) {
    if (name.starts_with("cp.async.ca.shared.global") ||
        name.starts_with("cp.async.cg.shared.global")) {
      unsigned bytes = name.contains(".4") ? 4 : name.contains(".8") ? 8 : 16;
      SlotOffset size = call.arg_size() > 2 ? slotOf(argument(2)) : NoSlot;
      emitAsyncCopy(addressOf(argument(0)), addressOf(argument(1)), bytes,
                    size);
      return true;
    }
    return name == "cp.async.commit.group" || name == "cp.async.wait.all" ||
           name == "cp.async.wait.group";
  }
  return false;
}

void Decoder::emitAsyncCopy(Address to, Address from, unsigned bytes,
                            SlotOffset size) {
  // It is complete at once; the summary has the store before the load.
  uint32_t number = accessNumber();
  auto displaced = [&](Address address) {
    return address.displacement == 0
               ? address.slot
               : emit(Opcode::Add64, Width::W64,
                      {address.slot,
                       constantSlot(Width::W64, address.displacement)});
  };
  emitAccess(Opcode::CountAccess, from, AccessKind::Load, bytes, bytes,
             number == NoAccess ? NoAccess : number + 1);
  emitAccess(Opcode::CountAccess, to, AccessKind::Store, bytes, bytes, number);
  SlotOffset source = displaced(from), target = displaced(to);
  if (size != NoSlot) {
    // What is not read is zero.
    Operation &fill = emitRaw(Opcode::FillBytes);
    fill.operands[0] = target;
    fill.operands[1] = constantSlot(Width::W8, 0);
    fill.operands[2] = constantSlot(Width::W64, bytes);
    SlotOffset wide = emit(Opcode::ZExt32To64, Width::W64, {size});
    size = emit(Opcode::UMin64, Width::W64,
                {wide, constantSlot(Width::W64, bytes)});
  } else {
    size = constantSlot(Width::W64, bytes);
  }
  Operation &copy = emitRaw(Opcode::CopyBytes);
  copy.operands[0] = target;
  copy.operands[1] = source;
  copy.operands[2] = size;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparisons and conversions of scalars.
#include "Decoder.h"

using namespace auspex;
using namespace auspex::emulator;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static bool isOdd(const Leaf &leaf) {
  return leaf.width != Width::Mask && leaf.bits != 8 * bytesPerLane(leaf.width);
}

/// Zeros above the bits of an odd type.
SlotOffset Decoder::normalized(SlotOffset slot, const Leaf &leaf) {
  if (!isOdd(leaf))
    return slot;
  return emit(ofWidth(Opcode::And8, leaf.width), leaf.width,
              {slot, constantOf(leaf.width,
                                llvm::APInt::getLowBitsSet(128, leaf.bits))});
}

SlotOffset Decoder::signExtended(SlotOffset slot, const Leaf &leaf) {
  if (!isOdd(leaf))
    return slot;
  return emit(ofWidth(Opcode::SignExtendFrom8, leaf.width), leaf.width,
              {slot, constantSlot(leaf.width, leaf.bits)});
}

Part Decoder::integerOperation(Opcode family, const Leaf &leaf, SlotOffset a,
                               SlotOffset b, bool isSigned) {
  if (isSigned) {
    a = signExtended(a, leaf);
    b = signExtended(b, leaf);
  }
  return {
      normalized(emit(ofWidth(family, leaf.width), leaf.width, {a, b}), leaf),
      leaf.width};
}

SlotOffset Decoder::maskNot(SlotOffset mask) {
  return emit(Opcode::MaskXor, Width::Mask,
              {mask, constantSlot(Width::Mask, 1)});
}

SlotOffset Decoder::selectSlots(Width width, SlotOffset condition, SlotOffset a,
                                SlotOffset b) {
  return emit(width == Width::Mask ? Opcode::MaskSelect
                                   : ofWidth(Opcode::Select8, width),
              width, {condition, a, b});
}

SlotOffset Decoder::compareIntegers(llvm::CmpInst::Predicate predicate,
                                    const Leaf &leaf, SlotOffset a,
                                    SlotOffset b) {
  using P = llvm::CmpInst::Predicate;
  if (leaf.width == Width::Mask) {
    // By way of bytes; a signed 1 is -1.
    Opcode extend = llvm::CmpInst::isSigned(predicate) ? Opcode::SignFromMask8
                                                       : Opcode::FromMask8;
    Leaf byte{leaf.type, 0, Width::W8, 8};
    return compareIntegers(predicate, byte, emit(extend, Width::W8, {a}),
                           emit(extend, Width::W8, {b}));
  }
  if (llvm::CmpInst::isSigned(predicate)) {
    a = signExtended(a, leaf);
    b = signExtended(b, leaf);
  }
  if (predicate == P::ICMP_UGT || predicate == P::ICMP_UGE ||
      predicate == P::ICMP_SGT || predicate == P::ICMP_SGE) {
    std::swap(a, b);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  Opcode family = predicate == P::ICMP_EQ    ? Opcode::Eq8
                  : predicate == P::ICMP_NE  ? Opcode::Ne8
                  : predicate == P::ICMP_ULT ? Opcode::ULt8
                  : predicate == P::ICMP_ULE ? Opcode::ULe8
                  : predicate == P::ICMP_SLT ? Opcode::SLt8
                                             : Opcode::SLe8;
  return emit(ofWidth(family, leaf.width), Width::Mask, {a, b});
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static Width widthOf(const llvm::Type *type) {
  return type->isDoubleTy()  ? Width::W64
         : type->isFloatTy() ? Width::W32
                             : Width::W16;
}

SlotOffset Decoder::widen(llvm::Type *type, SlotOffset slot, llvm::Type *to) {
  if (type == to)
    return slot;
  if (type->isHalfTy())
    slot = emit(Opcode::F16ToF32, Width::W32, {slot});
  else if (type->isBFloatTy())
    slot = emit(Opcode::BF16ToF32, Width::W32, {slot});
  if (to->isDoubleTy())
    slot = emit(Opcode::F32ToF64, Width::W64, {slot});
  return slot;
}

SlotOffset Decoder::narrow(llvm::Type *type, SlotOffset slot,
                           llvm::Type *from) {
  if (type == from)
    return slot;
  if (type->isHalfTy())
    return emit(from->isDoubleTy() ? Opcode::F64ToF16 : Opcode::F32ToF16,
                Width::W16, {slot});
  if (from->isDoubleTy())
    slot = emit(Opcode::F64ToF32, Width::W32, {slot});
  if (type->isBFloatTy())
    slot = emit(Opcode::F32ToBF16, Width::W16, {slot});
  return slot;
}

SlotOffset Decoder::floatOperation(Opcode family, llvm::Type *type,
                                   llvm::ArrayRef<SlotOffset> operands) {
  llvm::Type *inner = type;
  llvm::LLVMContext &context = type->getContext();
  if (type->isHalfTy() || type->isBFloatTy()) {
    // Float has digits enough for all but the product and sum in one.
    inner = family == Opcode::FmaF32 ? llvm::Type::getDoubleTy(context)
                                     : llvm::Type::getFloatTy(context);
  } else if (!type->isFloatTy() && !type->isDoubleTy()) {
    unsupported("arithmetic of this float type");
    return constantSlot(Width::W32, 0);
  }
  llvm::SmallVector<SlotOffset, 3> wide;
  for (SlotOffset operand : operands)
    wide.push_back(widen(type, operand, inner));
  wide.resize(4, NoSlot);
  SlotOffset result =
      emit(inner->isDoubleTy() ? next(family) : family, widthOf(inner),
           {wide[0], wide[1], wide[2], wide[3]});
  return narrow(type, result, inner);
}

SlotOffset Decoder::compareFloats(llvm::CmpInst::Predicate predicate,
                                  llvm::Type *type, SlotOffset a,
                                  SlotOffset b) {
  using P = llvm::CmpInst::Predicate;
  if (predicate == P::FCMP_TRUE || predicate == P::FCMP_FALSE)
    return constantSlot(Width::Mask, predicate == P::FCMP_TRUE);
  if (llvm::CmpInst::isUnordered(predicate))
    return maskNot(compareFloats(llvm::CmpInst::getInversePredicate(predicate),
                                 type, a, b));
  llvm::Type *inner =
      type->isDoubleTy() ? type : llvm::Type::getFloatTy(type->getContext());
  a = widen(type, a, inner);
  b = widen(type, b, inner);
  if (predicate == P::FCMP_OGT || predicate == P::FCMP_OGE) {
    std::swap(a, b);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  Opcode family = predicate == P::FCMP_OEQ   ? Opcode::OrderedEqF32
                  : predicate == P::FCMP_OLT ? Opcode::OrderedLtF32
                  : predicate == P::FCMP_OLE ? Opcode::OrderedLeF32
                  : predicate == P::FCMP_ONE ? Opcode::OrderedNeF32
                                             : Opcode::OrderedF32;
  return emit(inner->isDoubleTy() ? next(family) : family, Width::Mask, {a, b});
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Parts Decoder::mapParts(
    const llvm::Instruction &instruction,
    llvm::function_ref<SlotOffset(const Leaf &, llvm::ArrayRef<SlotOffset>)>
        compute) {
  Parts parts;
  Leaves leaves = leavesOf(instruction.getType());
  llvm::SmallVector<Parts, 3> operands;
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  unsigned count = call ? call->arg_size() : instruction.getNumOperands();
  for (unsigned i = 0; i < count; ++i)
    operands.push_back(partsOf(instruction.getOperand(i)));
  for (unsigned i = 0; i < leaves.size(); ++i) {
    llvm::SmallVector<SlotOffset, 3> slots;
    for (const Parts &operand : operands)
      slots.push_back(operand[operand.size() == 1 ? 0 : i].slot);
    parts.push_back({compute(leaves[i], slots), leaves[i].width});
  }
  return parts;
}

void Decoder::decodeBinary(const llvm::BinaryOperator &operation) {
  using I = llvm::Instruction;
  unsigned opcode = operation.getOpcode();
  if (isFused(operation))
    return;
  if (const llvm::BinaryOperator *product = fusedFactor(operation)) {
    bool isFirst = operation.getOperand(0) == product;
    const llvm::Value *rest = operation.getOperand(isFirst ? 1 : 0);
    Parts a = partsOf(product->getOperand(0));
    Parts b = partsOf(product->getOperand(1));
    Parts c = partsOf(rest), parts;
    Leaves leaves = leavesOf(operation.getType());
    for (unsigned i = 0; i < leaves.size(); ++i) {
      llvm::Type *type = leaves[i].type;
      SlotOffset factor = a[i].slot, addend = c[i].slot;
      if (opcode == I::FSub) {
        SlotOffset &negated = isFirst ? addend : factor;
        negated = floatOperation(Opcode::FNegF32, type, {negated});
      }
      parts.push_back(
          {floatOperation(Opcode::FmaF32, type, {factor, b[i].slot, addend}),
           leaves[i].width});
    }
    define(operation, std::move(parts));
    return;
  }
  struct Row {
    unsigned opcode;
    Opcode family;
    bool isSigned;
  };
  static constexpr Row Integers[] = {
      {I::Add, Opcode::Add8, false},   {I::Sub, Opcode::Sub8, false},
      {I::Mul, Opcode::Mul8, false},   {I::UDiv, Opcode::UDiv8, false},
      {I::SDiv, Opcode::SDiv8, true},  {I::URem, Opcode::URem8, false},
      {I::SRem, Opcode::SRem8, true},  {I::Shl, Opcode::Shl8, false},
      {I::LShr, Opcode::LShr8, false}, {I::AShr, Opcode::AShr8, true},
      {I::And, Opcode::And8, false},   {I::Or, Opcode::Or8, false},
      {I::Xor, Opcode::Xor8, false}};
  static constexpr Row Floats[] = {{I::FAdd, Opcode::FAddF32, false},
                                   {I::FSub, Opcode::FSubF32, false},
                                   {I::FMul, Opcode::FMulF32, false},
                                   {I::FDiv, Opcode::FDivF32, false},
                                   {I::FRem, Opcode::FRemF32, false}};
  define(operation, mapParts(operation, [&](const Leaf &leaf,
                                            llvm::ArrayRef<SlotOffset> slots) {
           for (const Row &row : Floats)
             if (row.opcode == opcode)
               return floatOperation(row.family, leaf.type, slots);
           if (leaf.width == Width::Mask) {
             switch (opcode) {
             case I::And:
             case I::Mul:
               return emit(Opcode::MaskAnd, Width::Mask, {slots[0], slots[1]});
             case I::Or:
               return emit(Opcode::MaskOr, Width::Mask, {slots[0], slots[1]});
             case I::Xor:
             case I::Add:
             case I::Sub:
               return emit(Opcode::MaskXor, Width::Mask, {slots[0], slots[1]});
             case I::UDiv: // by 1, or undefined
             case I::SDiv:
             case I::Shl: // by 0, or undefined
             case I::LShr:
             case I::AShr:
               return emit(Opcode::CopyMask, Width::Mask, {slots[0]});
             default:
               return constantSlot(Width::Mask, 0);
             }
           }
           for (const Row &row : Integers)
             if (row.opcode == opcode) {
               // How far to shift has no sign.
               if (opcode == I::AShr) {
                 SlotOffset value = signExtended(slots[0], leaf);
                 return normalized(emit(ofWidth(row.family, leaf.width),
                                        leaf.width, {value, slots[1]}),
                                   leaf);
               }
               return integerOperation(row.family, leaf, slots[0], slots[1],
                                       row.isSigned)
                   .slot;
             }
           unsupported(operation.getOpcodeName());
           return slots[0];
         }));
}

Part Decoder::castPart(llvm::Instruction::CastOps opcode, Part from,
                       llvm::Type *fromType, llvm::Type *toType) {
  using I = llvm::Instruction;
  Leaf source = leavesOf(fromType)[0], target = leavesOf(toType)[0];
  auto copy = [&](SlotOffset slot) {
    Opcode operation = target.width == Width::Mask
                           ? Opcode::CopyMask
                           : ofWidth(Opcode::Copy8, target.width);
    return Part{emit(operation, target.width, {slot}), target.width};
  };
  auto result = [&](SlotOffset slot) { return Part{slot, target.width}; };
  // Rows by the source's width: how many wider widths the narrower ones have.
  auto extension = [&](Opcode first, Width a, Width b) {
    unsigned row = static_cast<unsigned>(a) - 1, column = 0;
    for (unsigned i = 0; i < row; ++i)
      column += 4 - i;
    return next(first, column + static_cast<unsigned>(b) -
                           static_cast<unsigned>(a) - 1);
  };
  auto truncation = [&](Width a, Width b) {
    unsigned row = static_cast<unsigned>(a) - 2;
    return next(Opcode::Trunc16To8,
                row * (row + 1) / 2 + static_cast<unsigned>(b) - 1);
  };
  auto resize = [&](SlotOffset slot, Width a, Width b, bool isSigned) {
    if (a == b)
      return slot;
    if (a < b)
      return emit(
          extension(isSigned ? Opcode::SExt8To16 : Opcode::ZExt8To16, a, b), b,
          {slot});
    return emit(truncation(a, b), b, {slot});
  };
  switch (opcode) {
  case I::ZExt:
  case I::SExt:
    if (source.width == Width::Mask) {
      Opcode family =
          opcode == I::ZExt ? Opcode::FromMask8 : Opcode::SignFromMask8;
      return result(normalized(
          emit(ofWidth(family, target.width), target.width, {from.slot}),
          target));
    }
    if (opcode == I::SExt)
      from.slot = signExtended(from.slot, source);
    if (source.width == target.width)
      return copy(normalized(from.slot, target));
    return result(normalized(
        resize(from.slot, source.width, target.width, opcode == I::SExt),
        target));
  case I::Trunc:
  case I::PtrToInt:
  case I::IntToPtr:
    if (source.width == Width::Mask || source.width == target.width)
      return opcode == I::Trunc ? copy(normalized(from.slot, target))
                                : Part{from.slot, target.width};
    if (target.width == Width::Mask)
      return result(emit(ofWidth(Opcode::ToMask8, source.width), Width::Mask,
                         {from.slot}));
    return result(normalized(
        resize(from.slot, source.width, target.width, false), target));
  case I::FPExt:
    return result(widen(fromType, from.slot, toType));
  case I::FPTrunc:
    return result(narrow(toType, from.slot, fromType));
  case I::FPToSI:
  case I::FPToUI: {
    llvm::Type *inner = fromType->isDoubleTy()
                            ? fromType
                            : llvm::Type::getFloatTy(fromType->getContext());
    SlotOffset slot = widen(fromType, from.slot, inner);
    Opcode first =
        inner->isDoubleTy()
            ? (opcode == I::FPToSI ? Opcode::F64ToS8 : Opcode::F64ToU8)
            : (opcode == I::FPToSI ? Opcode::F32ToS8 : Opcode::F32ToU8);
    if (target.width == Width::Mask) {
      SlotOffset byte =
          emit(Opcode::F32ToS8, Width::W8,
               {inner->isDoubleTy() ? emit(Opcode::F64ToF32, Width::W32, {slot})
                                    : slot});
      return result(emit(Opcode::ToMask8, Width::Mask, {byte}));
    }
    return result(normalized(
        emit(ofWidth(first, target.width), target.width, {slot}), target));
  }
  case I::SIToFP:
  case I::UIToFP: {
    bool isSigned = opcode == I::SIToFP;
    SlotOffset slot = from.slot;
    Width width = source.width;
    if (width == Width::Mask) {
      width = Width::W8;
      slot = emit(isSigned ? Opcode::SignFromMask8 : Opcode::FromMask8, width,
                  {slot});
    } else if (isSigned) {
      slot = signExtended(slot, source);
    }
    llvm::LLVMContext &context = toType->getContext();
    llvm::Type *inner = toType;
    if (toType->isHalfTy() || toType->isBFloatTy())
      inner = width >= Width::W32 && toType->isHalfTy()
                  ? llvm::Type::getDoubleTy(context)
                  : llvm::Type::getFloatTy(context);
    Opcode first = inner->isDoubleTy()
                       ? (isSigned ? Opcode::S8ToF64 : Opcode::U8ToF64)
                       : (isSigned ? Opcode::S8ToF32 : Opcode::U8ToF32);
    return result(narrow(
        toType, emit(ofWidth(first, width), widthOf(inner), {slot}), inner));
  }
  default:
    return from;
  }
}

void Decoder::decodeCompare(const llvm::CmpInst &compare) {
  Leaves leaves = leavesOf(compare.getOperand(0)->getType());
  Parts a = partsOf(compare.getOperand(0)), b = partsOf(compare.getOperand(1));
  Parts parts;
  for (unsigned i = 0; i < leaves.size(); ++i)
    parts.push_back({llvm::isa<llvm::FCmpInst>(compare)
                         ? compareFloats(compare.getPredicate(), leaves[i].type,
                                         a[i].slot, b[i].slot)
                         : compareIntegers(compare.getPredicate(), leaves[i],
                                           a[i].slot, b[i].slot),
                     Width::Mask});
  define(compare, std::move(parts));
}

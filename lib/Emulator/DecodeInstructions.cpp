// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, casts, comparisons, addresses and calls.
#include "Decoder.h"

#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace auspex;
using namespace auspex::emulator;

static Opcode next(Opcode opcode, unsigned by = 1) {
  return static_cast<Opcode>(static_cast<unsigned>(opcode) + by);
}

//===----------------------------------------------------------------------===//
// What is folded into its users
//===----------------------------------------------------------------------===//

const llvm::BinaryOperator *
Decoder::fusedFactor(const llvm::Instruction &sum) const {
  if ((sum.getOpcode() != llvm::Instruction::FAdd &&
       sum.getOpcode() != llvm::Instruction::FSub) ||
      !sum.hasAllowContract())
    return nullptr;
  for (const llvm::Value *operand : sum.operands()) {
    auto *product = llvm::dyn_cast<llvm::BinaryOperator>(operand);
    if (product && product->getOpcode() == llvm::Instruction::FMul &&
        product->hasAllowContract() && product->hasOneUse() &&
        product->getParent() == sum.getParent())
      return product;
  }
  return nullptr;
}

bool Decoder::isFused(const llvm::Instruction &product) const {
  if (product.getOpcode() != llvm::Instruction::FMul || !product.hasOneUse())
    return false;
  auto *sum = llvm::dyn_cast<llvm::Instruction>(*product.user_begin());
  return sum && fusedFactor(*sum) == &product;
}

/// An address at a constant distance that only memory accesses use.
bool Decoder::isFoldedAddress(const llvm::Value *value) const {
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(value);
  if (!address || !address->hasAllConstantIndices() ||
      address->getType()->isVectorTy())
    return false;
  return llvm::all_of(address->uses(), [&](const llvm::Use &use) {
    const llvm::User *user = use.getUser();
    if (llvm::isa<llvm::LoadInst>(user) ||
        (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user) &&
         use.getOperandNo() == 0))
      return true;
    if (llvm::isa<llvm::StoreInst>(user))
      return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
    return isFoldedAddress(user);
  });
}

/// An index made wider for addresses in the same block.
bool Decoder::isFoldedExtension(const llvm::Value *value) const {
  auto *cast = llvm::dyn_cast<llvm::CastInst>(value);
  if (!cast || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(cast) ||
      !cast->getSrcTy()->isIntegerTy(32) || !cast->getDestTy()->isIntegerTy(64))
    return false;
  return llvm::all_of(cast->users(), [&](const llvm::User *user) {
    auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    return address && address->getParent() == cast->getParent() &&
           address->getPointerOperand() != cast &&
           !address->getType()->isVectorTy();
  });
}

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
    if (target.width == Width::W128) {
      unsupported("a conversion to an integer of 128 bits");
      return from;
    }
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
    if (width == Width::W128) {
      unsupported("a conversion from an integer of 128 bits");
      return from;
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

static llvm::Type *integerOf(llvm::LLVMContext &context, Width width) {
  return llvm::IntegerType::get(context, 8 * bytesPerLane(width));
}

Part Decoder::packParts(const Parts &parts, const Leaves &leaves) {
  llvm::LLVMContext &context = function.getContext();
  Width width =
      *widthOfBits(8 * (leaves.back().offset +
                        std::max(1u, bytesPerLane(leaves.back().width))));
  SlotOffset word = NoSlot;
  for (auto [part, leaf] : llvm::zip(parts, leaves)) {
    SlotOffset piece = part.slot;
    if (part.width != width)
      piece =
          castPart(llvm::Instruction::ZExt, part,
                   integerOf(context, part.width), integerOf(context, width))
              .slot;
    if (leaf.offset > 0)
      piece = emit(ofWidth(Opcode::Shl8, width), width,
                   {piece, constantSlot(width, 8 * leaf.offset)});
    word = word == NoSlot
               ? piece
               : emit(ofWidth(Opcode::Or8, width), width, {word, piece});
  }
  return {word, width};
}

Parts Decoder::unpackPart(Part part, const Leaves &leaves) {
  llvm::LLVMContext &context = function.getContext();
  Parts parts;
  for (const Leaf &leaf : leaves) {
    Part piece = part;
    if (leaf.offset > 0)
      piece.slot = emit(ofWidth(Opcode::LShr8, part.width), part.width,
                        {part.slot, constantSlot(part.width, 8 * leaf.offset)});
    if (leaf.width != part.width)
      piece = castPart(llvm::Instruction::Trunc, piece,
                       integerOf(context, part.width),
                       integerOf(context, leaf.width));
    parts.push_back(piece);
  }
  return parts;
}

void Decoder::decodeCast(const llvm::CastInst &cast) {
  if (isFoldedExtension(&cast))
    return;
  Parts from = partsOf(cast.getOperand(0)), parts;
  Leaves sources = leavesOf(cast.getSrcTy()),
         targets = leavesOf(cast.getType());
  if (llvm::isa<llvm::AddrSpaceCastInst>(cast)) {
    define(cast, from);
    return;
  }
  if (!llvm::isa<llvm::BitCastInst>(cast)) {
    for (unsigned i = 0; i < targets.size(); ++i)
      parts.push_back(castPart(cast.getOpcode(), from[i], sources[i].type,
                               targets[i].type));
    define(cast, std::move(parts));
    return;
  }
  if (sources.size() == targets.size() &&
      sources[0].width == targets[0].width) {
    define(cast, from);
    return;
  }
  // Other pieces of the same bits: a wider one is put together, a narrower one
  // is cut out. Masks are bits of an integer.
  auto bitsOf = [](const Leaf &leaf) { return leaf.bits; };
  uint64_t at = 0;
  for (const Leaf &target : targets) {
    SlotOffset sum = NoSlot;
    uint64_t sourceAt = 0;
    for (unsigned i = 0; i < sources.size(); ++i) {
      uint64_t begin = sourceAt, end = begin + bitsOf(sources[i]);
      sourceAt = end;
      if (end <= at || begin >= at + bitsOf(target))
        continue;
      // In the wider of the two widths: shifted down, cut, shifted up.
      Width wide = std::max({sources[i].width, target.width, Width::W8});
      SlotOffset piece = from[i].slot;
      if (sources[i].width == Width::Mask)
        piece = emit(ofWidth(Opcode::FromMask8, wide), wide, {piece});
      else if (sources[i].width != wide)
        piece =
            castPart(llvm::Instruction::ZExt, {piece, sources[i].width},
                     llvm::IntegerType::get(cast.getContext(),
                                            8 * bytesPerLane(sources[i].width)),
                     llvm::IntegerType::get(cast.getContext(),
                                            8 * bytesPerLane(wide)))
                .slot;
      if (begin < at)
        piece = emit(ofWidth(Opcode::LShr8, wide), wide,
                     {piece, constantSlot(wide, at - begin)});
      else if (begin > at)
        piece = emit(ofWidth(Opcode::Shl8, wide), wide,
                     {piece, constantSlot(wide, begin - at)});
      if (target.width == Width::Mask)
        piece = emit(ofWidth(Opcode::ToMask8, wide), Width::Mask, {piece});
      else if (target.width != wide)
        piece = castPart(llvm::Instruction::Trunc, {piece, wide},
                         llvm::IntegerType::get(cast.getContext(),
                                                8 * bytesPerLane(wide)),
                         llvm::IntegerType::get(cast.getContext(),
                                                8 * bytesPerLane(target.width)))
                    .slot;
      sum = sum == NoSlot ? piece
                          : emit(ofWidth(Opcode::Or8, target.width),
                                 target.width, {sum, piece});
    }
    parts.push_back({sum, target.width});
    at += bitsOf(target);
  }
  define(cast, std::move(parts));
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

void Decoder::decodeAddress(const llvm::GetElementPtrInst &address) {
  if (isFoldedAddress(&address))
    return;
  if (address.getType()->isVectorTy()) {
    unsupported("addresses in a vector");
    return;
  }
  llvm::APInt constant(64, 0);
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> scaled;
  if (!address.collectOffset(layout, 64, scaled, constant)) {
    unsupported("an address of this form");
    return;
  }
  SlotOffset sum = slotOf(address.getPointerOperand());
  for (const auto &[index, scale] : scaled) {
    const llvm::Value *from = index;
    bool isSigned = true;
    if (isFoldedExtension(index)) {
      isSigned = llvm::isa<llvm::SExtInst>(index);
      from = llvm::cast<llvm::CastInst>(index)->getOperand(0);
    }
    Part part = partsOf(from)[0];
    Leaf leaf = leavesOf(from->getType())[0];
    if (part.width != Width::W32 && part.width != Width::W64)
      part = castPart(llvm::Instruction::SExt, part, from->getType(),
                      llvm::Type::getInt64Ty(address.getContext()));
    else if (leaf.bits != 32 && leaf.bits != 64)
      part.slot = signExtended(part.slot, leaf);
    bool isPower = scale.isStrictlyPositive() && scale.isPowerOf2();
    unsigned kind = part.width == Width::W64 ? 2 : isSigned ? 0 : 1;
    Opcode opcode = next(
        isPower ? Opcode::AddressShiftSigned32 : Opcode::AddressSigned32, kind);
    sum = emit(opcode, Width::W64, {sum, part.slot},
               isPower ? scale.logBase2() : scale.getSExtValue());
  }
  if (constant != 0 || scaled.empty())
    sum = emit(Opcode::Add64, Width::W64,
               {sum, constantSlot(Width::W64, constant.getZExtValue())});
  define(address, {{sum, Width::W64}});
}

static unsigned leafIndex(llvm::Type *type, llvm::ArrayRef<unsigned> indices,
                          llvm::function_ref<unsigned(llvm::Type *)> count) {
  unsigned at = 0;
  for (unsigned index : indices) {
    for (unsigned i = 0; i < index; ++i)
      at += count(llvm::ExtractValueInst::getIndexedType(type, i));
    type = llvm::ExtractValueInst::getIndexedType(type, index);
  }
  return at;
}

void Decoder::decode(const llvm::Instruction &instruction) {
  using I = llvm::Instruction;
  for (const llvm::Value *value :
       {static_cast<const llvm::Value *>(&instruction)})
    for (const Leaf &leaf : leavesOf(value->getType()))
      if (!leaf.type) {
        unsupported("a value of a type that has no fixed size up to 128 bits");
        return;
      }
  auto countLeaves = [&](llvm::Type *type) {
    return static_cast<unsigned>(leavesOf(type).size());
  };
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return decodeBinary(*operation);
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return decodeCast(*cast);
  if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    return decodeCompare(*compare);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return decodeCall(*call);
  switch (instruction.getOpcode()) {
  case I::FNeg:
    return define(instruction,
                  mapParts(instruction, [&](const Leaf &leaf,
                                            llvm::ArrayRef<SlotOffset> slots) {
                    // Also of NaN, so not by way of another type.
                    if (leaf.width == Width::W16)
                      return emit(Opcode::Xor16, Width::W16,
                                  {slots[0], constantSlot(Width::W16, 0x8000)});
                    return floatOperation(Opcode::FNegF32, leaf.type, slots);
                  }));
  case I::Select:
    return define(
        instruction,
        mapParts(instruction,
                 [&](const Leaf &leaf, llvm::ArrayRef<SlotOffset> slots) {
                   return selectSlots(leaf.width, slots[0], slots[1], slots[2]);
                 }));
  case I::Freeze:
    return define(instruction, partsOf(instruction.getOperand(0)));
  case I::GetElementPtr:
    return decodeAddress(llvm::cast<llvm::GetElementPtrInst>(instruction));
  case I::ExtractValue: {
    auto &extract = llvm::cast<llvm::ExtractValueInst>(instruction);
    Parts all = partsOf(extract.getAggregateOperand());
    unsigned first = leafIndex(extract.getAggregateOperand()->getType(),
                               extract.getIndices(), countLeaves);
    unsigned count = countLeaves(extract.getType());
    return define(instruction,
                  Parts(all.begin() + first, all.begin() + first + count));
  }
  case I::InsertValue: {
    auto &insert = llvm::cast<llvm::InsertValueInst>(instruction);
    Parts all = partsOf(insert.getAggregateOperand());
    Parts inserted = partsOf(insert.getInsertedValueOperand());
    llvm::copy(inserted,
               all.begin() + leafIndex(insert.getType(), insert.getIndices(),
                                       countLeaves));
    return define(instruction, std::move(all));
  }
  case I::ExtractElement: {
    Parts all = partsOf(instruction.getOperand(0));
    if (auto *index =
            llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1)))
      return define(
          instruction,
          {all[std::min<uint64_t>(index->getZExtValue(), all.size() - 1)]});
    Part index = partsOf(instruction.getOperand(1))[0];
    Part result = all[0];
    for (unsigned i = 1; i < all.size(); ++i) {
      SlotOffset isThis = emit(ofWidth(Opcode::Eq8, index.width), Width::Mask,
                               {index.slot, constantSlot(index.width, i)});
      result.slot = selectSlots(result.width, isThis, all[i].slot, result.slot);
    }
    return define(instruction, {result});
  }
  case I::InsertElement: {
    Parts all = partsOf(instruction.getOperand(0));
    Part element = partsOf(instruction.getOperand(1))[0];
    if (auto *index =
            llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(2))) {
      if (index->getZExtValue() < all.size())
        all[index->getZExtValue()] = element;
      return define(instruction, std::move(all));
    }
    Part index = partsOf(instruction.getOperand(2))[0];
    for (unsigned i = 0; i < all.size(); ++i) {
      SlotOffset isThis = emit(ofWidth(Opcode::Eq8, index.width), Width::Mask,
                               {index.slot, constantSlot(index.width, i)});
      all[i].slot =
          selectSlots(element.width, isThis, element.slot, all[i].slot);
    }
    return define(instruction, std::move(all));
  }
  case I::ShuffleVector: {
    auto &shuffle = llvm::cast<llvm::ShuffleVectorInst>(instruction);
    Parts all = partsOf(shuffle.getOperand(0)), parts;
    llvm::append_range(all, partsOf(shuffle.getOperand(1)));
    for (int index : shuffle.getShuffleMask())
      parts.push_back(all[std::max(index, 0)]);
    return define(instruction, std::move(parts));
  }
  case I::Load: {
    auto &load = llvm::cast<llvm::LoadInst>(instruction);
    return decodeLoad(load, load.getPointerOperand(), load.getType(),
                      load.getAlign(), load.isVolatile() || load.isAtomic());
  }
  case I::Store:
    return decodeStore(llvm::cast<llvm::StoreInst>(instruction));
  case I::AtomicRMW:
    return decodeAtomic(llvm::cast<llvm::AtomicRMWInst>(instruction));
  case I::AtomicCmpXchg:
    return decodeExchange(llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
  case I::Alloca:
    return decodeAlloca(llvm::cast<llvm::AllocaInst>(instruction));
  case I::Fence:
    return;
  default:
    unsupported(llvm::Twine("the instruction ") + instruction.getOpcodeName());
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void Decoder::decodePlainCall(const llvm::CallBase &call) {
  CallInfo &info = code.calls.emplace_back();
  for (const llvm::Value *argument : call.args())
    for (const Part &part : partsOf(argument))
      info.arguments.emplace_back(part.slot, part.width);
  Parts parts;
  for (const Leaf &leaf : leavesOf(call.getType())) {
    // Lanes come back while others may still be about to call.
    parts.push_back({allocatePersistent(leaf.width), leaf.width});
    info.results.emplace_back(parts.back().slot, leaf.width);
  }
  const llvm::Function *callee = call.getCalledFunction();
  SlotOffset target = callee ? NoSlot : slotOf(call.getCalledOperand());
  if (callee)
    info.callee = &program.shellOf(*callee);
  Operation &operation = emitRaw(callee ? Opcode::Call : Opcode::CallIndirect);
  operation.operands[0] = target;
  operation.extra = &info;
  if (!callee)
    emitRaw(Opcode::JoinCalls);
  if (!parts.empty())
    define(call, std::move(parts));
}

void Decoder::decodeCall(const llvm::CallBase &call) {
  if (call.isInlineAsm())
    return decodeInlineAssembly(call);
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return decodeIntrinsic(*intrinsic);
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return decodePlainCall(call);
  llvm::StringRef name = callee->getName();
  auto define32 = [&](Opcode opcode, llvm::ArrayRef<unsigned> arguments,
                      Width result) {
    llvm::SmallVector<SlotOffset, 4> slots(4, NoSlot);
    for (unsigned i = 0; i < arguments.size(); ++i)
      slots[i] = slotOf(call.getArgOperand(arguments[i]));
    SlotOffset slot =
        emit(opcode, result, {slots[0], slots[1], slots[2], slots[3]});
    if (!call.getType()->isVoidTy())
      define(call, {{slot, result}});
  };
  if (name == "vprintf")
    return define32(Opcode::Print, {0, 1}, Width::W32);
  if (name == "malloc")
    return define32(Opcode::Allocate, {0}, Width::W64);
  if (name == "free")
    return define32(Opcode::Free, {0}, Width::W32);
  if (name == "__assertfail") {
    Part line = partsOf(call.getArgOperand(2))[0];
    Operation &operation = emitRaw(Opcode::AssertFail);
    operation.operands[0] = slotOf(call.getArgOperand(0));
    operation.operands[1] = slotOf(call.getArgOperand(1));
    operation.operands[2] = line.slot;
    operation.operands[3] = slotOf(call.getArgOperand(3));
    return;
  }
  unsupported("the function '" + name + "', which is not defined");
}

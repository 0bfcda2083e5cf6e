// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions: which decoder each is for, and those of addresses, vectors,
// aggregates and calls.
#include "Decoder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <utility>

using namespace auspex;
using namespace auspex::emulator;

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
// Bits as other types
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Vectors and aggregates
//===----------------------------------------------------------------------===//

unsigned Decoder::leafIndex(llvm::Type *type,
                            llvm::ArrayRef<unsigned> indices) const {
  size_t at = 0;
  for (unsigned index : indices) {
    for (unsigned i = 0; i < index; ++i)
      at += leavesOf(llvm::ExtractValueInst::getIndexedType(type, i)).size();
    type = llvm::ExtractValueInst::getIndexedType(type, index);
  }
  return static_cast<unsigned>(at);
}

void Decoder::decodeExtractValue(const llvm::ExtractValueInst &extract) {
  Parts all = partsOf(extract.getAggregateOperand());
  auto first = all.begin() + leafIndex(extract.getAggregateOperand()->getType(),
                                       extract.getIndices());
  define(extract, Parts(first, first + leavesOf(extract.getType()).size()));
}

void Decoder::decodeInsertValue(const llvm::InsertValueInst &insert) {
  Parts all = partsOf(insert.getAggregateOperand());
  Parts inserted = partsOf(insert.getInsertedValueOperand());
  llvm::copy(inserted,
             all.begin() + leafIndex(insert.getType(), insert.getIndices()));
  define(insert, std::move(all));
}

SlotOffset Decoder::selectWhere(Part index, unsigned number, Width width,
                                SlotOffset a, SlotOffset b) {
  SlotOffset isThis = emit(ofWidth(Opcode::Eq8, index.width), Width::Mask,
                           {index.slot, constantSlot(index.width, number)});
  return selectSlots(width, isThis, a, b);
}

void Decoder::decodeExtractElement(const llvm::ExtractElementInst &extract) {
  Parts all = partsOf(extract.getVectorOperand());
  if (auto *index =
          llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand()))
    return define(
        extract,
        {all[std::min<uint64_t>(index->getZExtValue(), all.size() - 1)]});
  Part index = partsOf(extract.getIndexOperand())[0];
  Part result = all[0];
  for (unsigned i = 1; i < all.size(); ++i)
    result.slot = selectWhere(index, i, result.width, all[i].slot, result.slot);
  define(extract, {result});
}

void Decoder::decodeInsertElement(const llvm::InsertElementInst &insert) {
  Parts all = partsOf(insert.getOperand(0));
  Part element = partsOf(insert.getOperand(1))[0];
  if (auto *index = llvm::dyn_cast<llvm::ConstantInt>(insert.getOperand(2))) {
    if (index->getZExtValue() < all.size())
      all[index->getZExtValue()] = element;
    return define(insert, std::move(all));
  }
  Part index = partsOf(insert.getOperand(2))[0];
  for (unsigned i = 0; i < all.size(); ++i)
    all[i].slot =
        selectWhere(index, i, element.width, element.slot, all[i].slot);
  define(insert, std::move(all));
}

void Decoder::decodeShuffle(const llvm::ShuffleVectorInst &shuffle) {
  Parts all = partsOf(shuffle.getOperand(0)), parts;
  llvm::append_range(all, partsOf(shuffle.getOperand(1)));
  for (int index : shuffle.getShuffleMask())
    parts.push_back(all[std::max(index, 0)]);
  define(shuffle, std::move(parts));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Decoder::decode(const llvm::Instruction &instruction) {
  using I = llvm::Instruction;
  for (const Leaf &leaf : leavesOf(instruction.getType()))
    if (!leaf.type)
      return unsupported(
          "a value of a type that has no fixed size up to 128 bits");
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
  case I::ExtractValue:
    return decodeExtractValue(llvm::cast<llvm::ExtractValueInst>(instruction));
  case I::InsertValue:
    return decodeInsertValue(llvm::cast<llvm::InsertValueInst>(instruction));
  case I::ExtractElement:
    return decodeExtractElement(
        llvm::cast<llvm::ExtractElementInst>(instruction));
  case I::InsertElement:
    return decodeInsertElement(
        llvm::cast<llvm::InsertElementInst>(instruction));
  case I::ShuffleVector:
    return decodeShuffle(llvm::cast<llvm::ShuffleVectorInst>(instruction));
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

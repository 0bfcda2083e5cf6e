// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, atomics, local arrays, copies.
#include "Decoder.h"

#include "Atomics.h"
#include "auspex/Kernel/CopyPieces.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace auspex;
using namespace auspex::emulator;

Decoder::Address Decoder::addressOf(const llvm::Value *pointer) {
  int64_t displacement = 0;
  for (;;) {
    if (isFoldedAddress(pointer)) {
      auto *address = llvm::cast<llvm::GetElementPtrInst>(pointer);
      llvm::APInt offset(64, 0);
      address->accumulateConstantOffset(layout, offset);
      displacement += offset.getSExtValue();
      pointer = address->getPointerOperand();
      continue;
    }
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(pointer)) {
      std::optional<ConstantAddress> address = program.evaluate(*constant);
      if (address && address->shared)
        return {sharedSlot(*address->shared),
                displacement + static_cast<int64_t>(address->value)};
    }
    return {slotOf(pointer), displacement};
  }
}

//===----------------------------------------------------------------------===//
// Numbers of accesses
//===----------------------------------------------------------------------===//

/// Whether \p pointer is at a constant place in a struct parameter: that is an
/// operand and no access.
static bool isParameter(const llvm::Value *pointer,
                        const llvm::DataLayout &layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  auto *argument =
      llvm::dyn_cast<llvm::Argument>(pointer->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true,
          /*AllowInvariantGroup=*/false, nullptr,
          /*LookThroughIntToPtr=*/false));
  if (!argument) {
    // stripAndAccumulate stops at casts between address spaces of constants
    // only; arguments are cast by instructions.
    while (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer))
      pointer = cast->getPointerOperand();
    argument = llvm::dyn_cast<llvm::Argument>(pointer);
  }
  return argument && argument->hasByValAttr();
}

/// Of a copy or fill, for each side; none if its size is not known.
static llvm::SmallVector<CopyPiece> piecesOf(const llvm::MemIntrinsic &copy) {
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  llvm::Align alignment = copy.getDestAlign().valueOrOne();
  if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy))
    alignment = std::min(alignment, transfer->getSourceAlign().valueOrOne());
  return copyPieces(length ? length->getZExtValue() : 0, alignment);
}

/// Of ldmatrix, stmatrix, and what wmma moves.
static unsigned countMatrixAccesses(const llvm::IntrinsicInst &call) {
  auto words = wordsOfIntrinsic(call.getCalledFunction()->getName());
  if (words.empty())
    return 0;
  llvm::ArrayRef<llvm::StringRef> rest = llvm::ArrayRef(words).drop_front();
  if (MatrixRows::parse(words[0], rest))
    return 1;
  auto transfer =
      words[0] == "wmma" ? MatrixTransfer::parse(rest) : std::nullopt;
  return transfer ? transfer->move().count : 0;
}

/// As the analysis numbers them.
static unsigned countAccesses(const llvm::Instruction &instruction) {
  const llvm::DataLayout &layout = instruction.getDataLayout();
  auto one = [&](const llvm::Value *pointer) {
    return isParameter(pointer, layout) ? 0u : 1u;
  };
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return one(load->getPointerOperand());
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return one(store->getPointerOperand());
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return 1;
  if (auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(copy);
    unsigned sides = (transfer ? one(transfer->getRawSource()) : 0) +
                     one(copy->getRawDest());
    return sides * piecesOf(*copy).size();
  }
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call)
    if (unsigned count = countMatrixAccesses(*call))
      return count;
  switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
  case llvm::Intrinsic::masked_load:
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::nvvm_ldu_global_i:
  case llvm::Intrinsic::nvvm_ldu_global_f:
  case llvm::Intrinsic::nvvm_ldu_global_p:
  case llvm::Intrinsic::nvvm_atomic_add_gen_f_cta:
  case llvm::Intrinsic::nvvm_atomic_add_gen_f_sys:
  case llvm::Intrinsic::nvvm_atomic_add_gen_i_cta:
  case llvm::Intrinsic::nvvm_atomic_add_gen_i_sys:
    return 1;
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_4:
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_8:
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_16:
  case llvm::Intrinsic::nvvm_cp_async_cg_shared_global_16:
    return 2;
  default:
    return 0;
  }
}

void Decoder::numberAccesses() {
  if (!code.isKernel)
    return;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      hasAccessNumbers |= instruction.getMetadata(AccessMetadata) != nullptr;
  uint32_t number = 0;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block) {
      if (hasAccessNumbers) {
        const llvm::MDNode *node = instruction.getMetadata(AccessMetadata);
        auto *index = node && node->getNumOperands() == 1
                          ? llvm::mdconst::dyn_extract<llvm::ConstantInt>(
                                node->getOperand(0))
                          : nullptr;
        if (index)
          accessNumbers[&instruction] =
              static_cast<uint32_t>(index->getZExtValue());
        continue;
      }
      unsigned count = countAccesses(instruction);
      if (count)
        accessNumbers[&instruction] = number;
      number += count;
    }
}

uint32_t Decoder::accessNumber(unsigned index) const {
  auto known = accessNumbers.find(current);
  return known == accessNumbers.end() ? NoAccess
                                      : known->second + accessOffset + index;
}

uint32_t Decoder::addAccess(AccessKind kind, unsigned bytes, uint32_t number) {
  code.accesses.push_back(
      {kind, bytes, number, counters[current->getParent()], current});
  // Where they begin among all states is known when the code is complete.
  return static_cast<uint32_t>(code.accesses.size() - 1);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Operation &Decoder::emitAccess(Opcode opcode, Address address, AccessKind kind,
                               unsigned bytes, uint64_t alignment,
                               uint32_t number) {
  uint32_t index = addAccess(kind, bytes, number);
  Operation &operation = emitRaw(opcode);
  operation.operands[0] = address.slot;
  operation.operands[3] = bytes;
  operation.immediate = address.displacement;
  operation.index = index;
  operation.isAccess = true;
  operation.count = 1;
  // The code generator takes wider accesses apart.
  operation.second = static_cast<uint32_t>(std::min<uint64_t>(alignment, 16));
  return operation;
}

/// Scalars side by side in memory and of one width.
struct Run {
  unsigned first = 0, count = 0;
};

static llvm::SmallVector<Run> runsOf(const Leaves &leaves) {
  llvm::SmallVector<Run> runs;
  for (unsigned i = 0; i < leaves.size(); ++i) {
    if (i > 0 && leaves[i].width == leaves[i - 1].width &&
        leaves[i].width != Width::Mask &&
        leaves[i].offset ==
            leaves[i - 1].offset + bytesPerLane(leaves[i].width)) {
      ++runs.back().count;
      continue;
    }
    runs.push_back({i, 1});
  }
  return runs;
}

void Decoder::decodeLoad(const llvm::Instruction &instruction,
                         const llvm::Value *pointer, llvm::Type *type,
                         llvm::Align alignment, bool mayWait) {
  Leaves leaves = leavesOf(type);
  Parts parts;
  if (leaves.empty())
    return;
  Address address = addressOf(pointer);
  auto bytes = static_cast<unsigned>(layout.getTypeStoreSize(type));
  if (mayWait)
    emitRaw(Opcode::Spin);
  bool isFirst = true;
  for (Run run : runsOf(leaves)) {
    const Leaf &leaf = leaves[run.first];
    Width width = leaf.width == Width::Mask ? Width::W8 : leaf.width;
    if (leaf.bits % 8 != 0 && leaf.width != Width::Mask)
      return unsupported("a load of an integer of no whole bytes");
    if (leaf.bits < 8 * bytesPerLane(width) && leaf.width != Width::Mask)
      return loadOddInteger(instruction, address, leaf, bytes,
                            alignment.value());
    SlotOffset row = allocateRow(width, run.count);
    Address at{address.slot,
               address.displacement + static_cast<int64_t>(leaf.offset)};
    Operation *operation;
    if (isFirst) {
      operation =
          &emitAccess(ofWidth(Opcode::Load8, width), at, AccessKind::Load,
                      bytes, alignment.value(), accessNumber());
    } else {
      operation = &emitRaw(ofWidth(Opcode::MoreLoad8, width));
      operation->operands[0] = at.slot;
      operation->immediate = at.displacement;
    }
    isFirst = false;
    operation->result = row;
    operation->count = run.count;
    for (unsigned i = 0; i < run.count; ++i) {
      SlotOffset slot = row + i * slotBytes(width);
      if (leaf.width == Width::Mask)
        slot = emit(Opcode::ToMask8, Width::Mask, {slot});
      parts.push_back({slot, leaf.width});
    }
  }
  define(instruction, std::move(parts));
}

/// An integer of 3, 5, ... bytes: a byte at a time.
void Decoder::loadOddInteger(const llvm::Instruction &instruction,
                             Address address, const Leaf &leaf, unsigned bytes,
                             uint64_t alignment) {
  SlotOffset sum = NoSlot;
  llvm::LLVMContext &context = instruction.getContext();
  llvm::Type *byteType = llvm::Type::getInt8Ty(context);
  llvm::Type *wideType =
      llvm::IntegerType::get(context, 8 * bytesPerLane(leaf.width));
  for (unsigned i = 0; i < leaf.bits / 8; ++i) {
    SlotOffset byte = allocateRow(Width::W8, 1);
    Operation *operation;
    if (i == 0) {
      operation = &emitAccess(Opcode::Load8, address, AccessKind::Load, bytes,
                              alignment, accessNumber());
    } else {
      operation = &emitRaw(Opcode::MoreLoad8);
      operation->operands[0] = address.slot;
      operation->immediate = address.displacement + i;
      operation->count = 1;
    }
    operation->result = byte;
    SlotOffset wide =
        castPart(llvm::Instruction::ZExt, {byte, Width::W8}, byteType, wideType)
            .slot;
    if (i > 0)
      wide = emit(ofWidth(Opcode::Shl8, leaf.width), leaf.width,
                  {wide, constantSlot(leaf.width, 8 * i)});
    sum = sum == NoSlot
              ? wide
              : emit(ofWidth(Opcode::Or8, leaf.width), leaf.width, {sum, wide});
  }
  define(instruction, {{sum, leaf.width}});
}

void Decoder::decodeStore(const llvm::StoreInst &store) {
  llvm::Type *type = store.getValueOperand()->getType();
  Leaves leaves = leavesOf(type);
  if (leaves.empty())
    return;
  Parts parts = partsOf(store.getValueOperand());
  Address address = addressOf(store.getPointerOperand());
  auto bytes = static_cast<unsigned>(layout.getTypeStoreSize(type));
  bool isFirst = true;
  auto move = [&](SlotOffset value, Width width, uint64_t offset,
                  unsigned count) {
    Address at{address.slot,
               address.displacement + static_cast<int64_t>(offset)};
    Operation *operation;
    if (isFirst) {
      operation =
          &emitAccess(ofWidth(Opcode::Store8, width), at, AccessKind::Store,
                      bytes, store.getAlign().value(), accessNumber());
    } else {
      operation = &emitRaw(ofWidth(Opcode::MoreStore8, width));
      operation->operands[0] = at.slot;
      operation->immediate = at.displacement;
    }
    isFirst = false;
    operation->operands[1] = value;
    operation->count = count;
  };
  for (Run run : runsOf(leaves)) {
    const Leaf &leaf = leaves[run.first];
    if (leaf.bits % 8 != 0 && leaf.width != Width::Mask)
      return unsupported("a store of an integer of no whole bytes");
    if (leaf.width == Width::Mask) {
      move(emit(Opcode::FromMask8, Width::W8, {parts[run.first].slot}),
           Width::W8, leaf.offset, 1);
      continue;
    }
    if (leaf.bits < 8 * bytesPerLane(leaf.width)) {
      for (unsigned i = 0; i < leaf.bits / 8; ++i) {
        SlotOffset shifted =
            emit(ofWidth(Opcode::LShr8, leaf.width), leaf.width,
                 {parts[run.first].slot, constantSlot(leaf.width, 8 * i)});
        llvm::LLVMContext &context = store.getContext();
        move(castPart(
                 llvm::Instruction::Trunc, {shifted, leaf.width},
                 llvm::IntegerType::get(context, 8 * bytesPerLane(leaf.width)),
                 llvm::Type::getInt8Ty(context))
                 .slot,
             Width::W8, leaf.offset + i, 1);
      }
      continue;
    }
    // Slots that happen to lie side by side go at once.
    for (unsigned i = 0; i < run.count;) {
      unsigned count = 1;
      SlotOffset first = parts[run.first + i].slot;
      while (i + count < run.count && parts[run.first + i + count].slot ==
                                          first + count * slotBytes(leaf.width))
        ++count;
      move(first, leaf.width, leaves[run.first + i].offset, count);
      i += count;
    }
  }
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

void Decoder::decodeAtomic(const llvm::AtomicRMWInst &atomic) {
  Parts values = partsOf(atomic.getValOperand());
  Leaves leaves = leavesOf(atomic.getType());
  std::optional<AtomicKind> kind =
      atomicKind(atomic.getOperation(), leaves[0].type);
  auto bytes = static_cast<unsigned>(layout.getTypeStoreSize(atomic.getType()));
  if (!kind || leaves.size() > 2 || leaves[0].width == Width::Mask ||
      (leaves.size() == 2 && leaves[0].width != Width::W16))
    return unsupported(
        "this atomic operation (" +
        llvm::AtomicRMWInst::getOperationName(atomic.getOperation()) + ")");
  define(atomic,
         emitAtomic(*kind, leaves, addressOf(atomic.getPointerOperand()),
                    values, {}, bytes));
}

Parts Decoder::emitAtomic(AtomicKind kind, const Leaves &leaves,
                          Address address, const Parts &values,
                          const Parts &compared, unsigned bytes) {
  Width width = leaves[0].width;
  bool isPair = leaves.size() == 2;
  SlotOffset row = allocateRow(width, leaves.size());
  if (kind == AtomicKind::Exchange || kind == AtomicKind::CompareAndSwap)
    emitRaw(Opcode::Spin);
  Operation &operation = emitAccess(
      isPair ? Opcode::AtomicPair16 : ofWidth(Opcode::Atomic8, width), address,
      AccessKind::Atomic, bytes, bytes, accessNumber());
  operation.result = row;
  operation.operands[1] = values[0].slot;
  operation.operands[2] = isPair             ? values[1].slot
                          : compared.empty() ? NoSlot
                                             : compared[0].slot;
  operation.count = static_cast<uint32_t>(kind);
  Parts parts;
  for (unsigned i = 0; i < leaves.size(); ++i)
    parts.push_back({row + i * slotBytes(width), width});
  return parts;
}

void Decoder::decodeExchange(const llvm::AtomicCmpXchgInst &exchange) {
  llvm::Type *type = exchange.getCompareOperand()->getType();
  Leaves leaves = leavesOf(type);
  Parts compared = partsOf(exchange.getCompareOperand());
  Parts old = emitAtomic(AtomicKind::CompareAndSwap, leaves,
                         addressOf(exchange.getPointerOperand()),
                         partsOf(exchange.getNewValOperand()), compared,
                         static_cast<unsigned>(layout.getTypeStoreSize(type)));
  SlotOffset success = emit(ofWidth(Opcode::Eq8, old[0].width), Width::Mask,
                            {old[0].slot, compared[0].slot});
  define(exchange, {old[0], {success, Width::Mask}});
}

//===----------------------------------------------------------------------===//
// Local memory, copies
//===----------------------------------------------------------------------===//

void Decoder::decodeAlloca(const llvm::AllocaInst &alloca) {
  std::optional<llvm::TypeSize> size = alloca.getAllocationSize(layout);
  if (!size || !alloca.isStaticAlloca())
    return decodeDynamicAlloca(alloca);
  uint64_t alignment = std::max<uint64_t>(16, alloca.getAlign().value());
  code.localInBytes = llvm::alignTo(code.localInBytes, alignment);
  SlotOffset slot = emit(Opcode::LocalAddress, Width::W64, {},
                         static_cast<int64_t>(code.localInBytes));
  code.localInBytes += size->getFixedValue();
  define(alloca, {{slot, Width::W64}});
}

void Decoder::decodeDynamicAlloca(const llvm::AllocaInst &alloca) {
  Part count = partsOf(alloca.getArraySize())[0];
  count =
      castPart(llvm::Instruction::ZExt, count, alloca.getArraySize()->getType(),
               llvm::Type::getInt64Ty(alloca.getContext()));
  SlotOffset slot = emit(
      Opcode::AllocateLocal, Width::W64, {count.slot},
      static_cast<int64_t>(layout.getTypeAllocSize(alloca.getAllocatedType())));
  blocks[currentBlock].operations.back().second =
      static_cast<uint32_t>(alloca.getAlign().value());
  code.hasDynamicLocal = true;
  define(alloca, {{slot, Width::W64}});
}

void Decoder::decodeCopy(const llvm::MemIntrinsic &copy) {
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  bool isCounted = length && length->getZExtValue() < 4096;
  auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy);
  Part size = partsOf(copy.getLength())[0];
  if (size.width == Width::W32)
    size.slot = emit(Opcode::ZExt32To64, Width::W64, {size.slot});
  // The requests first, each as wide as the code generator would make it.
  llvm::SmallVector<CopyPiece> pieces;
  if (isCounted)
    pieces = piecesOf(copy);
  unsigned index = 0;
  auto count = [&](const llvm::Value *pointer, AccessKind kind) {
    bool isOperand = isParameter(pointer, layout);
    for (auto [at, width] : pieces) {
      Address address = addressOf(pointer);
      address.displacement += static_cast<int64_t>(at);
      emitAccess(Opcode::CountAccess, address, kind, width, width,
                 isOperand || accessNumber() == NoAccess
                     ? NoAccess
                     : accessNumber(index++));
    }
  };
  if (transfer)
    count(transfer->getRawSource(), AccessKind::Load);
  count(copy.getRawDest(), AccessKind::Store);
  SlotOffset to = slotOf(copy.getRawDest());
  SlotOffset from = transfer
                        ? slotOf(transfer->getRawSource())
                        : slotOf(llvm::cast<llvm::MemSetInst>(copy).getValue());
  Operation &operation =
      emitRaw(transfer ? Opcode::CopyBytes : Opcode::FillBytes);
  operation.operands[0] = to;
  operation.operands[1] = from;
  operation.operands[2] = size.slot;
  operation.count = !isCounted; // then it checks by itself
}

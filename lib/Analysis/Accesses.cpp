// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Accesses.h"

#include "AssemblyAccesses.h"
#include "BaseObjects.h"
#include "DataInAddresses.h"
#include "HostValues.h"
#include "auspex/Kernel/CopyPieces.h"
#include "auspex/Kernel/Matrices.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace auspex;

static bool addsOne(const llvm::Instruction &instruction) {
  auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!atomic || atomic->getOperation() != llvm::AtomicRMWInst::Add)
    return false;
  auto *value = llvm::dyn_cast<llvm::ConstantInt>(atomic->getValOperand());
  return value && value->isOne();
}

static bool hasOneOperand(llvm::Instruction &instruction,
                          ValueTranslator &values) {
  auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return atomic && atomic->getType()->isIntegerTy() &&
         values.isUniformValue(*atomic->getValOperand());
}

/// Whether a load has to see what other SMs store, or asks for L2 itself.
static bool bypassesL1(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    bool isOfBlock =
        load->getContext().getSyncScopeName(load->getSyncScopeID()) == "block";
    return load->isVolatile() || (load->isAtomic() && !isOfBlock);
  }
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() ==
                     llvm::Intrinsic::nvvm_cp_async_cg_shared_global_16;
}

namespace {
class Collector {
public:
  Collector(llvm::Instruction &instruction, unsigned block,
            ValueTranslator &values, llvm::ScalarEvolution &evolution,
            std::vector<Access> &accesses)
      : instruction(instruction), block(block), values(values),
        evolution(evolution), accesses(accesses) {}

  void add(AccessKind kind, llvm::Value *pointer, uint64_t bytes,
           llvm::StringRef operation = "", int64_t displacement = 0) {
    Access access = start(kind, bytes, operation);
    PointerValue address =
        values.translatePointer(pointer, instruction.getParent());
    addAt(std::move(access), address, describe(address, pointer), displacement);
  }

  /// What inline assembly makes: its address may be an integer.
  void add(const AssemblyAccess &made) {
    Access access = start(made.kind, made.bytes, made.operation);
    access.isReduction = made.isReduction;
    access.lanes = made.lanes;
    access.bypassesL1 = made.bypassesL1;
    if (made.space == MemorySpace::Texture) {
      access.space = made.space;
      access.base = textureObject(made.address);
      access.offset = MaybeExpr::unknown("texture");
      accesses.push_back(std::move(access));
      return;
    }
    PointerValue address;
    BaseObject base;
    base.reason = "inline-asm";
    if (made.address)
      address = translateAddress(made.address, /*depth=*/0);
    if (address.base)
      base = describe(address, address.base);
    if (made.space != MemorySpace::Unknown)
      base.space = made.space;
    addAt(std::move(access), address, base, made.displacement);
  }

  void add(AccessKind kind, llvm::Value *pointer,
           llvm::ArrayRef<CopyPiece> pieces) {
    for (const CopyPiece &piece : pieces)
      add(kind, pointer, piece.bytes, "", static_cast<int64_t>(piece.offset));
  }

  /// The rows of some matrices, one a lane.
  void addRows(llvm::Value *pointer, const MatrixRows &rows) {
    size_t before = accesses.size();
    add(loadOrStore(rows.isStore), pointer, MatrixRows::BytesPerRow);
    if (accesses.size() > before)
      accesses.back().lanes = rows.lanes();
  }

  /// What wmma moves of a matrix, rows or columns of which are \p stride
  /// elements apart.
  void addMatrix(llvm::Value *pointer, const MatrixTransfer &transfer,
                 const Expr &stride) {
    MatrixMove move = transfer.move();
    PointerValue address =
        values.translatePointer(pointer, instruction.getParent());
    BaseObject base = describe(address, pointer);
    Expr lane = laneOfThread(), inGroup = Expr::mod(lane, 4);
    Expr group = Expr::floorDiv(lane, 4);
    for (unsigned i = 0; i < move.count; ++i) {
      auto along = [&](unsigned MatrixPosition::*axis) {
        auto at = [&](unsigned lane) -> int64_t {
          return transfer.position(lane, i).*axis;
        };
        return Expr(at(0)) + Expr(at(4) - at(0)) * group +
               Expr(at(1) - at(0)) * inGroup;
      };
      Expr row = along(&MatrixPosition::row);
      Expr column = along(&MatrixPosition::column);
      Expr element = transfer.isColumnMajor() ? column * stride + row
                                              : row * stride + column;
      PointerValue piece = address;
      piece.offset = piece.offset +
                     Expr::floorDiv(element * elementBits(transfer.element()),
                                    /*bits in a byte=*/8);
      addAt(start(loadOrStore(transfer.isStore), move.bytes, ""), piece, base,
            /*displacement=*/0);
    }
  }

private:
  llvm::Instruction &instruction;
  unsigned block;
  ValueTranslator &values;
  llvm::ScalarEvolution &evolution;
  std::vector<Access> &accesses;

  BaseObject describe(const PointerValue &address, llvm::Value *pointer) const {
    BaseObject object = describeBase(address.base, pointer, evolution);
    llvm::ArrayRef<llvm::Value *> objects = values.objectsOf(address.base);
    object.isChoice &= !objects.empty();
    if (object.isChoice && object.space == MemorySpace::Global)
      object.name = nameOfChoice(objects, evolution);
    return object;
  }

  /// The argument or its member that \p handle, of a texture or surface, is;
  /// empty if it comes from elsewhere.
  static std::string textureObject(const llvm::Value *handle) {
    if (auto *argument = llvm::dyn_cast_or_null<llvm::Argument>(handle))
      return symbolOf(*argument);
    if (auto *load = llvm::dyn_cast_or_null<llvm::LoadInst>(handle))
      return hostValue(*load);
    return "";
  }

  Access start(AccessKind kind, uint64_t bytes,
               llvm::StringRef operation) const {
    Access access;
    access.isReduction = kind == AccessKind::Atomic && instruction.use_empty();
    access.isIncrement = addsOne(instruction);
    access.hasOneOperand = hasOneOperand(instruction, values);
    access.bypassesL1 = kind == AccessKind::Load && ::bypassesL1(instruction);
    access.block = block;
    access.kind = kind;
    access.bytesPerLane = bytes;
    access.operation = operation.str();
    access.location = sourceLocation(locationOf(instruction));
    return access;
  }

  void addAt(Access access, const PointerValue &address, const BaseObject &base,
             int64_t displacement) {
    access.base = base.name;
    access.objectInBytes = base.sizeInBytes;
    access.space = base.space;
    access.bypassesL1 &= access.space == MemorySpace::Global;
    // Parameters are operands, unless they are indexed.
    access.offset = !address.base              ? MaybeExpr::unknown(base.reason)
                    : address.offset.isValid() ? MaybeExpr{address.offset, ""}
                                               : MaybeExpr::unknown("complex");
    if (access.space == MemorySpace::Constant && access.offset.isKnown() &&
        access.offset.expr.isConstant() &&
        llvm::StringRef(access.base).starts_with("arg"))
      return;
    access.offset.expr = access.offset.expr + Expr(displacement);
    bool isPlaced = base.isChoice || base.reason.empty();
    if (!isPlaced && access.space == MemorySpace::Global && address.base)
      access.offset.expr =
          access.offset.expr + values.placeOf(*address.base, base.reason);
    else if (!isPlaced && access.offset.isKnown())
      access.offset = MaybeExpr::unknown(base.reason);
    dropDataDependence(access, *instruction.getParent(), values);
    accesses.push_back(std::move(access));
  }

  /// The one array of shared memory whose address is part of \p value; null if
  /// there are none or several.
  llvm::Value *sharedArrayIn(llvm::Value *value) {
    llvm::SmallSetVector<llvm::Value *, 16> parts;
    llvm::SmallPtrSet<llvm::Value *, 2> arrays;
    parts.insert(value);
    constexpr unsigned Most = 64;
    for (unsigned i = 0; i < parts.size() && i < Most; ++i) {
      auto *operation = llvm::dyn_cast<llvm::Operator>(parts[i]);
      if (!operation)
        continue;
      if (llvm::isa<llvm::PtrToIntOperator>(operation) ||
          operation->getOpcode() == llvm::Instruction::PtrToAddr)
        arrays.insert(values
                          .translatePointer(operation->getOperand(0),
                                            instruction.getParent())
                          .base);
      else if (operation->getType()->isIntegerTy() &&
               !llvm::isa<llvm::CallBase, llvm::LoadInst>(operation))
        parts.insert_range(operation->operands());
    }
    llvm::Value *array = arrays.size() == 1 ? *arrays.begin() : nullptr;
    return array && isSharedArray(*array) ? array : nullptr;
  }

  /// The pointer that an integer was made of by casts and sums; in shared
  /// memory, by a swizzle too. Addresses there are as unique in 32 bits.
  PointerValue translateAddress(llvm::Value *value, unsigned depth) {
    constexpr unsigned Most = 8;
    const llvm::BasicBlock *parent = instruction.getParent();
    if (value->getType()->isPointerTy())
      return values.translatePointer(value, parent);
    auto *operation = llvm::dyn_cast<llvm::Operator>(value);
    if (!operation || depth == Most)
      return {};
    switch (operation->getOpcode()) {
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::PtrToAddr:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
      return translateAddress(operation->getOperand(0), depth + 1);
    case llvm::Instruction::Add:
      for (unsigned i : {0, 1})
        if (PointerValue pointer =
                translateAddress(operation->getOperand(i), depth + 1);
            pointer.base)
          return {pointer.base,
                  pointer.offset +
                      values.translate(operation->getOperand(1 - i), parent)};
      return {};
    default:
      if (llvm::Value *array = sharedArrayIn(value))
        return {array, values.translate(value, parent)};
      return {};
    }
  }
};
} // namespace

static uint64_t storeSize(const llvm::Instruction &instruction,
                          llvm::Type *type) {
  return instruction.getDataLayout().getTypeStoreSize(type).getFixedValue();
}

/// ldmatrix, stmatrix, and what wmma moves. False for other intrinsics.
static bool collectMatrix(llvm::IntrinsicInst &call, ValueTranslator &values,
                          Collector &collector) {
  auto words = wordsOfIntrinsic(call.getCalledFunction()->getName());
  if (words.empty())
    return false;
  llvm::ArrayRef<llvm::StringRef> rest = llvm::ArrayRef(words).drop_front();
  if (auto rows = MatrixRows::parse(words[0], rest)) {
    collector.addRows(call.getArgOperand(0), *rows);
    return true;
  }
  auto transfer =
      words[0] == "wmma" ? MatrixTransfer::parse(rest) : std::nullopt;
  if (!transfer)
    return false;
  Expr stride = transfer->hasStride
                    ? values.translate(call.getArgOperand(call.arg_size() - 1),
                                       call.getParent())
                    : Expr(transfer->denseStride());
  collector.addMatrix(call.getArgOperand(0), *transfer, stride);
  return true;
}

/// Copies and fills of another length than a small, known one are loops by now.
static void collectCopy(llvm::MemIntrinsic &copy, Collector &collector) {
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy);
  llvm::Align alignment = copy.getDestAlign().valueOrOne();
  if (transfer)
    alignment = std::min(alignment, transfer->getSourceAlign().valueOrOne());
  auto pieces = copyPieces(length ? length->getZExtValue() : 0, alignment);
  if (transfer)
    collector.add(AccessKind::Load, transfer->getRawSource(), pieces);
  collector.add(AccessKind::Store, copy.getRawDest(), pieces);
}

static void collectIntrinsic(llvm::IntrinsicInst &call, ValueTranslator &values,
                             Collector &collector) {
  if (collectMatrix(call, values, collector))
    return;
  // Atomics of a block or of the system: "llvm.nvvm.atomic.exch.gen.i.sys".
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (name.consume_front("llvm.nvvm.atomic.")) {
    llvm::StringRef operation = name.split('.').first;
    collector.add(AccessKind::Atomic, call.getArgOperand(0),
                  storeSize(call, call.getType()),
                  operation == "exch" ? "xchg" : operation);
    return;
  }
  if (auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(&call))
    return collectCopy(*copy, collector);
  switch (call.getIntrinsicID()) {
  // Wide accesses with gaps.
  case llvm::Intrinsic::masked_load:
    collector.add(AccessKind::Load, call.getArgOperand(0),
                  storeSize(call, call.getType()));
    break;
  case llvm::Intrinsic::masked_store:
    collector.add(AccessKind::Store, call.getArgOperand(1),
                  storeSize(call, call.getArgOperand(0)->getType()));
    break;
  case llvm::Intrinsic::nvvm_ldu_global_i:
  case llvm::Intrinsic::nvvm_ldu_global_f:
  case llvm::Intrinsic::nvvm_ldu_global_p:
    collector.add(AccessKind::Load, call.getArgOperand(0),
                  storeSize(call, call.getType()));
    break;
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_4:
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_8:
  case llvm::Intrinsic::nvvm_cp_async_ca_shared_global_16:
  case llvm::Intrinsic::nvvm_cp_async_cg_shared_global_16: {
    llvm::Intrinsic::ID id = call.getIntrinsicID();
    unsigned bytes = id == llvm::Intrinsic::nvvm_cp_async_ca_shared_global_4 ? 4
                     : id == llvm::Intrinsic::nvvm_cp_async_ca_shared_global_8
                         ? 8
                         : 16;
    collector.add(AccessKind::Store, call.getArgOperand(0), bytes);
    collector.add(AccessKind::Load, call.getArgOperand(1), bytes);
    break;
  }
  default:
    break;
  }
}

void auspex::collectAccesses(llvm::Instruction &instruction, unsigned block,
                             ValueTranslator &values,
                             llvm::ScalarEvolution &evolution,
                             std::vector<Access> &accesses) {
  Collector collector(instruction, block, values, evolution, accesses);
  // What is aligned to less than its size, as structures are that one load
  // copies, the code generator takes in pieces.
  auto add = [&](AccessKind kind, llvm::Value *pointer, llvm::Type *type,
                 llvm::Align alignment) {
    uint64_t bytes = storeSize(instruction, type);
    if (type->isVectorTy() || alignment.value() >= bytes)
      collector.add(kind, pointer, bytes);
    else
      collector.add(kind, pointer, copyPieces(bytes, alignment));
  };
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    add(AccessKind::Load, load->getPointerOperand(), load->getType(),
        load->getAlign());
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    add(AccessKind::Store, store->getPointerOperand(),
        store->getValueOperand()->getType(), store->getAlign());
  } else if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    collector.add(
        AccessKind::Atomic, atomic->getPointerOperand(),
        storeSize(instruction, atomic->getType()),
        llvm::AtomicRMWInst::getOperationName(atomic->getOperation()));
  } else if (auto *swap =
                 llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    collector.add(AccessKind::Atomic, swap->getPointerOperand(),
                  storeSize(instruction, swap->getCompareOperand()->getType()),
                  "cas");
  } else if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    collectIntrinsic(*call, values, collector);
  } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
             call && call->isInlineAsm()) {
    for (const AssemblyAccess &access : assemblyAccesses(*call).known)
      collector.add(access);
  }
}

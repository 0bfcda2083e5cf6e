// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Accesses.h"

#include "AssemblyAccesses.h"
#include "HostValues.h"
#include "auspex/Kernel/CopyPieces.h"
#include "auspex/Kernel/Matrices.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace auspex;

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

static MemorySpace spaceOf(unsigned addressSpace) {
  switch (addressSpace) {
  case llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return MemorySpace::Global;
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED:
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return MemorySpace::Shared;
  case llvm::NVPTXAS::ADDRESS_SPACE_CONST:
  case llvm::NVPTXAS::ADDRESS_SPACE_PARAM:
    return MemorySpace::Constant;
  case llvm::NVPTXAS::ADDRESS_SPACE_LOCAL:
    return MemorySpace::Local;
  default:
    return MemorySpace::Unknown;
  }
}

/// Casts between address spaces hide the object.
static llvm::Value *stripCasts(llvm::Value *value) {
  while (auto *operation = llvm::dyn_cast<llvm::Operator>(value)) {
    unsigned opcode = operation->getOpcode();
    if (opcode != llvm::Instruction::AddrSpaceCast &&
        opcode != llvm::Instruction::BitCast &&
        opcode != llvm::Instruction::GetElementPtr)
      break;
    value = operation->getOperand(0);
  }
  return value;
}

static llvm::Value *scevBase(llvm::Value *pointer,
                             llvm::ScalarEvolution &evolution) {
  if (!evolution.isSCEVable(pointer->getType()))
    return pointer;
  auto *base = llvm::dyn_cast<llvm::SCEVUnknown>(
      evolution.getPointerBase(evolution.getSCEV(pointer)));
  return base ? base->getValue() : pointer;
}

/// Why nothing is known of where \p base points to: the word for what it was
/// read from or came out of, on any way that leads to it.
static llvm::StringRef reasonOf(llvm::Value *base) {
  llvm::SmallSetVector<llvm::Value *, 8> values;
  values.insert(base);
  constexpr unsigned Most = 32;
  for (unsigned i = 0; i < values.size() && i < Most; ++i) {
    llvm::Value *value = values[i];
    if (llvm::StringRef reason = ValueTranslator::opaqueReason(value);
        !reason.empty())
      return reason;
    auto *operation = llvm::dyn_cast<llvm::Operator>(value);
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(value) ||
        (operation && stripCasts(value) != value))
      for (llvm::Value *operand : llvm::cast<llvm::User>(value)->operands())
        if (operand->getType()->isPointerTy())
          values.insert(operand);
  }
  return "pointer";
}

static BaseObject describeBase(llvm::Value *base, llvm::Value *pointer,
                               llvm::ScalarEvolution &evolution);

/// The space that the objects \p choice chooses between have in common.
static MemorySpace spaceOfChoice(const llvm::User &choice,
                                 llvm::ScalarEvolution &evolution) {
  std::optional<MemorySpace> common;
  for (llvm::Value *arm : choice.operands()) {
    if (!arm->getType()->isPointerTy())
      continue;
    MemorySpace space = describeBase(nullptr, arm, evolution).space;
    if (space != common.value_or(space))
      return MemorySpace::Unknown;
    common = space;
  }
  return common.value_or(MemorySpace::Unknown);
}

/// Where \p pointer comes from as far as one way leads there: a cast may hide
/// another recurrence, and so on; each step comes closer.
static llvm::Value *nearestBase(llvm::Value *pointer,
                                llvm::ScalarEvolution &evolution) {
  llvm::Value *base = scevBase(pointer, evolution);
  for (llvm::Value *stripped = stripCasts(base); stripped != base;
       stripped = stripCasts(base))
    base = scevBase(stripped, evolution);
  return base;
}

/// "arg0|arg1" for a choice between \p objects in global memory; empty if one
/// of them has no name.
static std::string nameOfChoice(llvm::ArrayRef<llvm::Value *> objects,
                                llvm::ScalarEvolution &evolution) {
  std::string name;
  for (llvm::Value *each : objects) {
    BaseObject object = describeBase(each, each, evolution);
    if (object.name.empty() || object.space != MemorySpace::Global)
      return "";
    name += (name.empty() ? "" : "|") + object.name;
  }
  return name;
}

/// "arg0[]" for what pointers point to that are read from arg0, or by way of
/// such pointers; empty if \p load reads what has no name.
static std::string nameOfPointee(llvm::LoadInst &load,
                                 llvm::ScalarEvolution &evolution) {
  std::string name =
      describeBase(nullptr, load.getPointerOperand(), evolution).name;
  bool isPointee = llvm::StringRef(name).ends_with(PointeeMark);
  return name.empty() || isPointee ? name : name + PointeeMark;
}

/// \p base is null if nobody knows it.
static BaseObject describeBase(llvm::Value *base, llvm::Value *pointer,
                               llvm::ScalarEvolution &evolution) {
  BaseObject object;
  object.space = spaceOf(pointer->getType()->getPointerAddressSpace());
  bool isChoice = base && llvm::isa<llvm::PHINode, llvm::SelectInst>(base);
  bool isPlaced = true;
  if (!base)
    base = nearestBase(pointer, evolution);
  MemorySpace space = spaceOf(base->getType()->getPointerAddressSpace());
  if (space != MemorySpace::Unknown)
    object.space = space;
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(base)) {
    object.name = symbolOf(*argument);
    if (argument->hasByValAttr())
      object.space = MemorySpace::Constant;
    else if (object.space == MemorySpace::Unknown)
      object.space = MemorySpace::Global;
  } else if (auto *global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    object.name = ("@" + global->getName()).str();
    object.space = spaceOf(global->getAddressSpace());
    if (object.space == MemorySpace::Unknown)
      object.space = MemorySpace::Global;
    // Dynamic shared memory is declared without a size.
    if (object.space == MemorySpace::Shared ||
        ((object.space == MemorySpace::Global ||
          object.space == MemorySpace::Constant) &&
         global->hasInitializer()))
      object.sizeInBytes =
          global->getDataLayout().getTypeAllocSize(global->getValueType());
  } else if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(base)) {
    object.name = slot->hasName() ? ("%" + slot->getName()).str() : "%local";
    object.space = MemorySpace::Local;
  } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(base)) {
    object.name = hostValue(*load);
    isPlaced = !object.name.empty();
    if (!isPlaced)
      object.name = nameOfPointee(*load, evolution);
  } else if (isChoice) {
    if (object.space == MemorySpace::Unknown)
      object.space = spaceOfChoice(*llvm::cast<llvm::User>(base), evolution);
    object.isChoice = object.space != MemorySpace::Unknown;
  }
  isPlaced &= !object.name.empty();
  object.reason = isPlaced ? "" : reasonOf(base);
  // A pointer that is read from somewhere points to global memory as good as
  // always.
  if (object.space == MemorySpace::Unknown &&
      (!object.name.empty() || object.reason == "indirect"))
    object.space = MemorySpace::Global;
  return object;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Whether \p symbol moves \p offset by whole rows of the banks alone: by
/// multiples of 128 bytes, or of a side of the block, which may be.
static bool movesByRows(const Expr &offset, llvm::StringRef symbol) {
  constexpr int64_t RowInBytes = 128;
  auto isSideOfBlock = [](const Expr::Factor &factor) {
    return factor.atom->kind == Atom::Kind::Symbol &&
           llvm::StringRef(factor.atom->name).starts_with("ntid.");
  };
  bool byRows = true;
  offset.forEachTerm([&](const Expr &part) {
    const Expr::Term &term = part.sum().front();
    byRows &= !part.uses(symbol) || term.coefficient % RowInBytes == 0 ||
              llvm::any_of(term.factors, isSideOfBlock);
  });
  return byRows;
}

/// The least and the most of what \p term, made of data, can be in a launch;
/// nothing if there is no bound.
static std::optional<std::pair<Expr, Expr>>
boundsOfTerm(const Expr &term, const ValueTranslator &values) {
  auto isFixed = [&](const Expr &expr) {
    bool fixed = true;
    expr.forEachSymbol([&](llvm::StringRef name) {
      fixed &= isSetByHost(name) || name.starts_with("ntid.") ||
               name.starts_with("nctaid.");
    });
    return fixed;
  };
  if (isFixed(term))
    return std::pair(term, term);
  Expr coefficient(term.sum().front().coefficient);
  Expr function = Expr::floorDiv(term, coefficient);
  Interval range = function.range([&](llvm::StringRef name) {
    return values.findDataSymbol(name) ? values.rangeOfData(name)
                                       : launchRange(name);
  });
  Expr least(range.low), most(range.high);
  if (range.low == Interval::Min || range.high == Interval::Max) {
    const Atom *atom = function.asAtom();
    if (!atom || atom->kind != Atom::Kind::Mod || !isFixed(atom->operands[1]))
      return std::nullopt;
    least = Expr(0);
    most = atom->operands[1] - Expr(1);
  }
  least = coefficient * least;
  most = coefficient * most;
  if (*coefficient.constant() < 0)
    std::swap(least, most);
  return std::pair(least, most);
}

/// Finds out what \p access stays within whatever the data in its offset are.
static void boundByData(Access &access, const ValueTranslator &values) {
  Expr lowest, highest;
  bool isBounded = true;
  access.offset.expr.withRemainders().forEachTerm([&](const Expr &term) {
    auto bounds = boundsOfTerm(term, values);
    isBounded &= bounds.has_value();
    if (!bounds)
      return;
    lowest = lowest + bounds->first;
    highest = highest + bounds->second;
  });
  // What a type holds bounds no array.
  constexpr int64_t Most = int64_t(1) << 30;
  std::optional<int64_t> span = (highest - lowest).constant();
  if (!isBounded || span.value_or(0) > Most)
    return;
  access.lowest.expr = lowest;
  access.highest.expr = highest;
}

/// An address that differs from lane to lane by data is not an expression,
/// unless it says which lanes agree, and these are served together: by loads
/// and stores of memory that is not in banks. Of shared memory it is one if the
/// bank does not hang on data.
static void dropDataDependence(Access &access, const llvm::BasicBlock &block,
                               ValueTranslator &values) {
  bool canAgree = access.kind != AccessKind::Atomic &&
                  (access.space == MemorySpace::Global ||
                   access.space == MemorySpace::Unknown);
  std::vector<std::string> data;
  access.offset.expr.forEachSymbol([&](llvm::StringRef name) {
    if (values.findDataSymbol(name))
      data.push_back(name.str());
  });
  auto differs = [&](const std::string &name) {
    const DataSymbol &symbol = values.withDependences(name);
    bool isBankKnown = access.kind != AccessKind::Atomic &&
                       access.space == MemorySpace::Shared &&
                       movesByRows(access.offset.expr, name);
    return !symbol.uniform && !isBankKnown &&
           (!canAgree || symbol.tellsLanesApart());
  };
  std::string decisive;
  for (const std::string &name : data)
    if (differs(name) && decisive.empty())
      decisive = name;
  if (decisive.empty())
    return;
  boundByData(access, values);
  bool isSearched = values.isSearched(decisive, block);
  if (canAgree && !isSearched)
    access.picked = access.offset.expr;
  access.offset = MaybeExpr::unknown(
      isSearched ? "search" : values.findDataSymbol(decisive)->reason);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

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

  /// The pointer that an integer was made of by casts and sums. Addresses of
  /// shared memory are as unique in 32 bits.
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
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    collector.add(AccessKind::Load, load->getPointerOperand(),
                  storeSize(instruction, load->getType()));
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    collector.add(AccessKind::Store, store->getPointerOperand(),
                  storeSize(instruction, store->getValueOperand()->getType()));
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
    for (const AssemblyAccess &access : assemblyAccesses(*call))
      collector.add(access);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, slots, and the function as a whole.
#include "Decoder.h"

#include "BlockOrder.h"
#include "Handlers.h"
#include "Launch.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;
using namespace auspex::emulator;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<Width> Decoder::widthOfBits(uint64_t bits) {
  if (bits == 1)
    return Width::Mask;
  for (Width width :
       {Width::W8, Width::W16, Width::W32, Width::W64, Width::W128})
    if (bits <= 8 * bytesPerLane(width))
      return width;
  return std::nullopt;
}

void Decoder::flatten(llvm::Type *type, uint64_t offset, Leaves &leaves) const {
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout *members = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      flatten(structure->getElementType(i),
              offset + members->getElementOffset(i).getFixedValue(), leaves);
    return;
  }
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t stride = layout.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      flatten(array->getElementType(), offset + i * stride, leaves);
    return;
  }
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    uint64_t stride = layout.getTypeStoreSize(vector->getElementType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      flatten(vector->getElementType(), offset + i * stride, leaves);
    return;
  }
  Leaf leaf;
  leaf.type = type;
  leaf.offset = offset;
  leaf.bits = type->isPointerTy() || type->isSized()
                  ? layout.getTypeSizeInBits(type).getFixedValue()
                  : 0;
  // A pointer is a host pointer whatever the space says.
  if (type->isPointerTy())
    leaf.bits = 64;
  std::optional<Width> width = widthOfBits(leaf.bits);
  leaf.width = width.value_or(Width::W128);
  if (!width || leaf.bits == 0)
    leaf.type = nullptr;
  leaves.push_back(leaf);
}

Leaves Decoder::leavesOf(llvm::Type *type) const {
  Leaves leaves;
  if (!type->isVoidTy())
    flatten(type, 0, leaves);
  return leaves;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

static uint32_t alignSlot(uint32_t offset, Width width) {
  uint32_t alignment = width == Width::Mask ? 4 : 32;
  return (offset + alignment - 1) & ~(alignment - 1);
}

/// Temporary slots lie behind the persistent ones, whose end is known last.
static constexpr SlotOffset TemporaryFlag = 1u << 29;

SlotOffset Decoder::allocatePersistent(Width width, unsigned count) {
  persistentBytes = alignSlot(persistentBytes, width);
  SlotOffset slot = persistentBytes;
  for (unsigned i = 0; i < count; ++i)
    code.slots.emplace_back(slot + i * slotBytes(width), width);
  persistentBytes += count * slotBytes(width);
  return slot;
}

SlotOffset Decoder::allocateRow(Width width, unsigned count) {
  if (resultsPersist)
    return allocatePersistent(width, count);
  temporaryBytes = alignSlot(temporaryBytes, width);
  SlotOffset slot = temporaryBytes | TemporaryFlag;
  temporaryBytes += count * slotBytes(width);
  temporaryMost = std::max(temporaryMost, temporaryBytes);
  for (unsigned i = 0; i < count; ++i)
    temporaries.emplace_back(slot + i * slotBytes(width), width);
  return slot;
}

SlotOffset Decoder::allocate(Width width) {
  auto &free = freeSlots[static_cast<unsigned>(width)];
  SlotOffset slot;
  if (!resultsPersist && !free.empty()) {
    slot = free.back();
    free.pop_back();
  } else {
    slot = allocateRow(width, 1);
  }
  if (slot & TemporaryFlag)
    scratch.push_back({slot, width});
  return slot;
}

SlotOffset Decoder::constantSlot(Width width, uint64_t low, uint64_t high) {
  if (width != Width::W128 && width != Width::Mask && width != Width::W64)
    low &= (uint64_t(1) << 8 * bytesPerLane(width)) - 1;
  auto [entry, isNew] = constants.try_emplace({width, {low, high}}, 0);
  if (!isNew)
    return entry->second;
  auto offset = alignSlot(static_cast<uint32_t>(code.pool.size()), width);
  code.pool.resize(offset + slotBytes(width));
  char *at = code.pool.data() + offset;
  if (width == Width::Mask) {
    uint32_t mask = low & 1 ? FullMask : 0;
    std::memcpy(at, &mask, sizeof(mask));
  } else {
    uint64_t words[2] = {low, high};
    unsigned bytes = bytesPerLane(width);
    for (unsigned lane = 0; lane < Lanes; ++lane)
      std::memcpy(at + lane * bytes, words, bytes);
  }
  entry->second = inSpace(SlotSpace::Pool, offset);
  return entry->second;
}

SlotOffset Decoder::constantOf(Width width, const llvm::APInt &value) {
  llvm::APInt wide = value.zextOrTrunc(128);
  return constantSlot(width, wide.extractBitsAsZExtValue(64, 0),
                      wide.extractBitsAsZExtValue(64, 64));
}

SlotOffset Decoder::laneConstant(llvm::function_ref<uint32_t(unsigned)> value) {
  auto offset = alignSlot(static_cast<uint32_t>(code.pool.size()), Width::W32);
  code.pool.resize(offset + slotBytes(Width::W32));
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    uint32_t word = value(lane);
    std::memcpy(code.pool.data() + offset + lane * sizeof(word), &word,
                sizeof(word));
  }
  return inSpace(SlotSpace::Pool, offset);
}

SlotOffset Decoder::sharedSlot(const llvm::GlobalVariable &array) {
  auto [entry, isNew] = sharedArrays.try_emplace(&array, NoSlot);
  if (isNew) {
    entry->second = allocatePersistent(Width::W64);
    Operation operation;
    operation.handler = handlerTable()[indexOf(Opcode::SharedAddress)];
    operation.result = entry->second;
    operation.extra = &array;
    prologue.operations.push_back(operation);
    prologue.origins.push_back(nullptr);
  }
  return entry->second;
}

Parts Decoder::constantParts(const llvm::Constant &constant) {
  Parts parts;
  llvm::Type *type = constant.getType();
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&constant);
      integer && !type->isVectorTy()) {
    Width width = leavesOf(type)[0].width;
    return {{constantOf(width, integer->getValue()), width}};
  }
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(&constant);
      number && !type->isVectorTy()) {
    Width width = leavesOf(type)[0].width;
    return {{constantOf(width, number->getValueAPF().bitcastToAPInt()), width}};
  }
  if (llvm::isa<llvm::UndefValue, llvm::ConstantAggregateZero,
                llvm::ConstantPointerNull>(constant)) {
    for (const Leaf &leaf : leavesOf(type))
      parts.push_back({constantSlot(leaf.width, 0), leaf.width});
    return parts;
  }
  if (type->isAggregateType() || type->isVectorTy()) {
    unsigned count =
        type->isVectorTy()
            ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements()
        : type->isArrayTy() ? type->getArrayNumElements()
                            : type->getStructNumElements();
    for (unsigned i = 0; i < count; ++i) {
      const llvm::Constant *element = constant.getAggregateElement(i);
      if (!element) {
        unsupported("a constant that cannot be evaluated");
        return parts;
      }
      llvm::append_range(parts, constantParts(*element));
    }
    return parts;
  }
  std::optional<ConstantAddress> address = program.evaluate(constant);
  if (!address) {
    unsupported("a constant that cannot be evaluated");
    return {{constantSlot(Width::W64, 0), Width::W64}};
  }
  Width width = leavesOf(type)[0].width;
  if (!address->shared)
    return {{constantSlot(width, address->value), width}};
  // Always at the start, whichever block asks for it first.
  SlotOffset base = sharedSlot(*address->shared);
  if (address->value == 0 && width == Width::W64)
    return {{base, Width::W64}};
  SlotOffset sum = emit(Opcode::Add64, Width::W64,
                        {base, constantSlot(Width::W64, address->value)});
  if (width == Width::W32)
    sum = emit(Opcode::Trunc64To32, Width::W32, {sum});
  return {{sum, width}};
}

Parts Decoder::partsOf(const llvm::Value *value) {
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value))
    return constantParts(*constant);
  auto known = values.find(value);
  if (known != values.end())
    return known->second;
  // What is folded into its users and yet asked for, and what comes later in
  // unreachable code.
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
      instruction && isFoldedAddress(value)) {
    Address address = addressOf(value);
    if (address.displacement == 0)
      return {{address.slot, Width::W64}};
    return {
        {emit(Opcode::Add64, Width::W64,
              {address.slot, constantSlot(Width::W64, address.displacement)}),
         Width::W64}};
  }
  Parts parts;
  for (const Leaf &leaf : leavesOf(value->getType()))
    parts.push_back({constantSlot(leaf.width, 0), leaf.width});
  if (parts.empty())
    parts.push_back({constantSlot(Width::W32, 0), Width::W32});
  return parts;
}

/// Whether the slots of \p instruction stand for those of its operand.
static bool isAlias(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::ExtractValueInst, llvm::InsertValueInst,
                llvm::ShuffleVectorInst, llvm::InsertElementInst,
                llvm::ExtractElementInst, llvm::FreezeInst,
                llvm::AddrSpaceCastInst, llvm::BitCastInst, llvm::PtrToIntInst,
                llvm::IntToPtrInst>(instruction))
    return true;
  return llvm::isa<llvm::CallBase>(instruction);
}

bool Decoder::outlivesBlock(const llvm::Instruction &instruction) const {
  for (const llvm::Use &use : instruction.uses()) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    const llvm::BasicBlock *where = user->getParent();
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user))
      where = phi->getIncomingBlock(use);
    if (where != instruction.getParent())
      return true;
    if (isFoldedAddress(user) && outlivesBlock(*user))
      return true;
  }
  return false;
}

void Decoder::emitMerge(Part to, SlotOffset from) {
  if (to.slot == from)
    return;
  Operation &operation =
      emitRaw(to.width == Width::Mask ? Opcode::MergeMask
                                      : ofWidth(Opcode::Merge8, to.width));
  operation.result = to.slot;
  operation.operands[0] = from;
}

void Decoder::define(const llvm::Instruction &instruction, Parts parts) {
  if (outlivesBlock(instruction))
    for (Part &part : parts) {
      if (!(part.slot & TemporaryFlag) || part.slot >> SlotSpaceShift)
        continue;
      Part persistent{allocatePersistent(part.width), part.width};
      emitMerge(persistent, part.slot);
      part = persistent;
    }
  // Its own slots are not free with the scratch.
  for (const Part &part : parts)
    llvm::erase_if(scratch,
                   [&](const Part &other) { return other.slot == part.slot; });
  values[&instruction] = std::move(parts);
}

void Decoder::release(const llvm::Instruction &instruction) {
  auto free = [&](const Part &part) {
    if ((part.slot & TemporaryFlag) && !(part.slot >> SlotSpaceShift))
      freeSlots[static_cast<unsigned>(part.width)].push_back(part.slot);
  };
  for (const Part &part : scratch)
    free(part);
  scratch.clear();
  if (isAlias(instruction) || isFused(instruction) ||
      isFoldedAddress(&instruction) || isFoldedExtension(&instruction)) {
    for (const llvm::Value *operand : instruction.operands())
      pinned.insert(operand);
    return;
  }
  for (const llvm::Value *operand : instruction.operands()) {
    auto *value = llvm::dyn_cast<llvm::Instruction>(operand);
    if (!value || value->getParent() != instruction.getParent() ||
        pinned.contains(value) || isAlias(*value) ||
        llvm::isa<llvm::PHINode>(value))
      continue;
    auto known = values.find(value);
    if (known == values.end() || known->second.size() != 1)
      continue;
    auto [left, isNew] = usesLeft.try_emplace(value, value->getNumUses());
    if (--left->second == 0)
      free(known->second[0]);
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Operation &Decoder::emitRaw(Opcode opcode) {
  BlockCode &block = inPrologue ? prologue : blocks[currentBlock];
  Operation &operation = block.operations.emplace_back();
  operation.handler = handlerTable()[indexOf(opcode)];
  block.origins.push_back(current);
  if (!operation.handler)
    unsupported("an operation without handler");
  return operation;
}

SlotOffset Decoder::emit(Opcode opcode, Width result,
                         std::initializer_list<SlotOffset> operands,
                         int64_t immediate) {
  SlotOffset slot = allocate(result);
  Operation &operation = emitRaw(opcode);
  operation.result = slot;
  std::copy(operands.begin(), operands.end(), operation.operands);
  operation.immediate = immediate;
  return slot;
}

void Decoder::unsupported(const llvm::Twine &what) {
  if (!problem.empty())
    return;
  problem = what.str();
  problemAt = current;
}

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

void Decoder::prepareParameters() {
  std::vector<ParameterPlace> places = placeParameters(function);
  for (const llvm::Argument &argument : function.args()) {
    if (!code.isKernel) {
      Parts parts;
      for (const Leaf &leaf : leavesOf(argument.getType())) {
        parts.push_back({allocatePersistent(leaf.width), leaf.width});
        code.parameters.emplace_back(parts.back().slot, leaf.width);
      }
      values[&argument] = std::move(parts);
      continue;
    }
    bool isStruct = argument.hasByValAttr();
    llvm::Type *type =
        isStruct ? argument.getParamByValType() : argument.getType();
    uint64_t offset = places[argument.getArgNo()].offset;
    Parts parts;
    Leaves leaves =
        isStruct ? Leaves{Leaf{type, 0, Width::W64, 64}} : leavesOf(type);
    for (const Leaf &leaf : leaves) {
      // The launch fills them in.
      auto slot =
          alignSlot(static_cast<uint32_t>(code.pool.size()), leaf.width);
      code.pool.resize(slot + slotBytes(leaf.width));
      parts.push_back({inSpace(SlotSpace::Pool, slot), leaf.width});
      code.kernelParameters.push_back({offset + leaf.offset,
                                       isStruct ? 8u : (leaf.bits + 7) / 8,
                                       slot, leaf.width, isStruct});
    }
    values[&argument] = std::move(parts);
  }
  if (!code.isKernel)
    for (const Leaf &leaf : leavesOf(function.getReturnType()))
      code.results.emplace_back(allocatePersistent(leaf.width), leaf.width);
}

void Decoder::decodeBlock(const llvm::BasicBlock &block) {
  currentBlock = blockNumbers[&block];
  temporaryBytes = 0;
  for (auto &free : freeSlots)
    free.clear();
  scratch.clear();
  usesLeft.clear();
  pinned.clear();
  lanesMayPart = false;
  // The block's place is that of its first instruction that has one.
  auto located = llvm::find_if(block, [](const llvm::Instruction &instruction) {
    return instruction.getDebugLoc() && !llvm::isa<llvm::PHINode>(instruction);
  });
  current = located == block.end() ? nullptr : &*located;
  Operation &enter =
      emitRaw(code.isKernel ? Opcode::EnterBlock : Opcode::EnterCalleeBlock);
  enter.index = counters[&block];
  enter.second = blockNumbers[&block];
  enter.count = code.instructions[counters[&block]];
  bool isEntry = &block == &function.getEntryBlock();
  for (const llvm::Instruction &instruction : block) {
    current = &instruction;
    // Every lane comes to the entry at the same time, and but once.
    resultsPersist = isEntry && !lanesMayPart && !instruction.isTerminator() &&
                     outlivesBlock(instruction);
    if (instruction.isTerminator())
      decodeTerminator(instruction);
    else if (!llvm::isa<llvm::PHINode>(instruction))
      decode(instruction);
    resultsPersist = false;
    release(instruction);
    if (!problem.empty())
      return;
  }
  current = block.getTerminator();
  for (const llvm::BasicBlock *to : successors(&block)) {
    auto edge = edgeNumbers.find({&block, to});
    if (edge == edgeNumbers.end() || !blocks[edge->second].operations.empty())
      continue;
    currentBlock = edge->second;
    emitEdge(block, *to);
    emitRaw(Opcode::Jump).index = blockNumbers[to];
  }
}

/// What the hardware would execute.
static bool isCounted(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::PHINode>(instruction))
    return false;
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return !call || !call->isAssumeLikeIntrinsic();
}

void Decoder::finish() {
  // The prologue comes after the counting of the entry.
  BlockCode &entry = blocks[blockNumbers[&function.getEntryBlock()]];
  entry.operations.insert(entry.operations.begin() + 1,
                          prologue.operations.begin(),
                          prologue.operations.end());
  entry.origins.insert(entry.origins.begin() + 1, prologue.origins.begin(),
                       prologue.origins.end());
  uint32_t temporaryBegin = alignSlot(persistentBytes, Width::W32);
  code.frameInBytes = temporaryBegin + temporaryMost + 64;
  auto place = [&](SlotOffset slot) {
    if (slot != NoSlot && slot >> SlotSpaceShift == 0 && slot & TemporaryFlag)
      return (slot & ~TemporaryFlag) + temporaryBegin;
    return slot;
  };
  llvm::sort(temporaries);
  temporaries.erase(llvm::unique(temporaries), temporaries.end());
  for (auto [slot, width] : temporaries)
    code.slots.emplace_back(place(slot), width);
  for (BlockCode &block : blocks) {
    code.starts.push_back(static_cast<uint32_t>(code.operations.size()));
    for (Operation &operation : block.operations) {
      operation.result = place(operation.result);
      for (SlotOffset &operand : operation.operands)
        operand = place(operand);
      if (operation.isAccess)
        operation.index += code.firstAccess;
      code.operations.push_back(operation);
    }
    llvm::append_range(code.origins, block.origins);
  }
  for (CallInfo &call : code.calls) {
    for (auto &[slot, width] : call.arguments)
      slot = place(slot);
    for (auto &[slot, width] : call.results)
      slot = place(slot);
  }
  for (MatrixInfo &info : code.matrices)
    for (Fragment *fragment : {&info.a, &info.b, &info.c, &info.d})
      for (SlotOffset &slot : fragment->slots)
        slot = place(slot);
  for (TextureInfo &info : code.textures) {
    for (SlotOffset *slot : {&info.handle, &info.layer, &info.level})
      *slot = place(*slot);
    for (auto slots : {llvm::MutableArrayRef(info.coordinates),
                       llvm::MutableArrayRef(info.gradients),
                       llvm::MutableArrayRef(info.values)})
      for (SlotOffset &slot : slots)
        slot = place(slot);
  }
}

llvm::Error Decoder::run() {
  numberBlocks();
  for (const llvm::BasicBlock &block : function)
    code.instructions.push_back(static_cast<uint32_t>(
        llvm::count_if(block, [](const llvm::Instruction &instruction) {
          return isCounted(instruction);
        })));
  prepareParameters();
  numberAccesses();
  for (const llvm::BasicBlock *block : order)
    for (const llvm::PHINode &phi : block->phis()) {
      Parts parts;
      for (const Leaf &leaf : leavesOf(phi.getType()))
        parts.push_back({allocatePersistent(leaf.width), leaf.width});
      values[&phi] = std::move(parts);
    }
  // In this order values are known before they are used.
  for (const llvm::BasicBlock *block : order) {
    decodeBlock(*block);
    if (!problem.empty())
      break;
  }
  if (!problem.empty()) {
    EmulationFault fault;
    fault.kind = EmulationFault::Kind::Unsupported;
    fault.kernel = function.getName().str();
    fault.location = locationOf(problemAt);
    fault.message = "uses " + problem + ", which the emulator does not have";
    return llvm::make_error<EmulationFault>(std::move(fault));
  }
  code.firstAccess = program.accesses;
  auto count = static_cast<uint32_t>(code.accesses.size());
  program.accesses += count;
  if (!code.isKernel)
    program.callees.push_back(&code);
  finish();
  return llvm::Error::success();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX that reads and writes memory.
#include "AssemblyDecoder.h"

#include "llvm/ADT/StringSwitch.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

bool AssemblyDecoder::translateMemory(const Statement &statement) {
  bool isLoad = statement.name == "ld" || statement.name == "ldu";
  if ((!isLoad && statement.name != "st") || statement.operands.size() < 2)
    return false;
  std::optional<Kind> kind = kindOf(statement.type());
  if (!kind || kind->width == Width::Mask)
    return false;
  bool isShared = hasSharedAddress(statement);
  auto values = ptxElements(statement.operands[isLoad ? 0 : 1]);
  Decoder::Address address =
      addressIn(statement.operands[isLoad ? 1 : 0], isShared);
  auto count = static_cast<unsigned>(values.size());
  unsigned bytes = count * bytesPerLane(kind->width);
  bool mayWait = statement.has("volatile") || statement.has("acquire") ||
                 statement.has("relaxed") || statement.has("mmio");
  if (isLoad) {
    if (mayWait)
      decoder.emitRaw(Opcode::Spin);
    SlotOffset row = decoder.allocateRow(kind->width, count);
    Operation &operation = decoder.emitAccess(
        ofWidth(Opcode::Load8, kind->width), address, AccessKind::Load, bytes,
        bytes, decoder.accessNumber());
    ++decoder.accessOffset;
    operation.result = row;
    operation.count = count;
    for (unsigned i = 0; i < count; ++i) {
      Part value{row + i * slotBytes(kind->width), kind->width};
      // Registers are at least this wide.
      if (kind->isSigned && !kind->isFloat && value.width < Width::W32)
        value = {resize(value, Width::W32, true), Width::W32};
      write(values[i], value);
    }
    return true;
  }
  for (unsigned i = 0; i < count; ++i) {
    SlotOffset value = read(values[i], kind->width);
    Operation *operation;
    if (i == 0) {
      operation = &decoder.emitAccess(ofWidth(Opcode::Store8, kind->width),
                                      address, AccessKind::Store, bytes, bytes,
                                      decoder.accessNumber());
    } else {
      operation = &decoder.emitRaw(ofWidth(Opcode::MoreStore8, kind->width));
      operation->operands[0] = address.slot;
      operation->immediate =
          address.displacement + i * bytesPerLane(kind->width);
      operation->count = 1;
    }
    operation->operands[1] = value;
  }
  ++decoder.accessOffset;
  return true;
}

bool AssemblyDecoder::translateAtomic(const Statement &statement) {
  bool isAtom = statement.name == "atom";
  if (!isAtom && statement.name != "red")
    return false;
  StringRef typeName = statement.type();
  bool isPair = typeName.consume_back("x2");
  std::optional<Kind> kind = kindOf(typeName);
  if (!kind)
    return false;
  std::optional<AtomicKind> operation;
  bool isShared = false;
  for (StringRef word : statement.words) {
    isShared |= word.starts_with("shared");
    if (auto found =
            llvm::StringSwitch<std::optional<AtomicKind>>(word)
                .Case("add", kind->isFloat ? AtomicKind::FAdd : AtomicKind::Add)
                .Case("and", AtomicKind::And)
                .Case("or", AtomicKind::Or)
                .Case("xor", AtomicKind::Xor)
                .Case("min",
                      kind->isSigned ? AtomicKind::SMin : AtomicKind::UMin)
                .Case("max",
                      kind->isSigned ? AtomicKind::SMax : AtomicKind::UMax)
                .Case("inc", AtomicKind::Increment)
                .Case("dec", AtomicKind::Decrement)
                .Case("exch", AtomicKind::Exchange)
                .Case("cas", AtomicKind::CompareAndSwap)
                .Default(std::nullopt))
      operation = found;
  }
  if (!operation)
    return false;
  if (kind->isFloat && kind->width == Width::W16) {
    if (*operation != AtomicKind::FAdd)
      return false;
    operation =
        kind->type->isHalfTy() ? AtomicKind::HalfAdd : AtomicKind::BfloatAdd;
  } else if (isPair) {
    return false;
  }
  const auto &operands = statement.operands;
  unsigned first = isAtom; // the address
  bool compares = *operation == AtomicKind::CompareAndSwap;
  if (operands.size() < first + 2 + compares)
    return false;
  Parts values = {
      {read(operands[first + 1 + compares], kind->width), kind->width}};
  Leaves leaves = {leafOf(*kind)};
  Parts compared;
  if (isPair) {
    leaves = {{kind->type, 0, Width::W16, 16}, {kind->type, 2, Width::W16, 16}};
    values = decoder.unpackPart(
        {read(operands[first + 1], Width::W32), Width::W32}, leaves);
  }
  if (compares)
    compared = {{read(operands[first + 1], kind->width), kind->width}};
  Parts old = decoder.emitAtomic(
      *operation, leaves, addressIn(operands[first], isShared), values,
      compared, (isPair ? 2 : 1) * bytesPerLane(kind->width));
  ++decoder.accessOffset;
  if (isAtom)
    write(operands[0], isPair ? decoder.packParts(old, leaves) : old[0]);
  return true;
}

bool AssemblyDecoder::translateAsyncCopy(const Statement &statement) {
  if (statement.name != "cp" || !statement.has("async") ||
      statement.has("bulk"))
    return false;
  if (statement.has("commit_group") || statement.has("wait_group") ||
      statement.has("wait_all"))
    return true;
  const auto &operands = statement.operands;
  if (statement.has("mbarrier")) {
    // The copies before it are complete: it arrives, and unless it was counted
    // beforehand, is one that nobody expected.
    if (statement.has("noinc"))
      decoder.emitMemoryBarrier(
          MemoryBarrierKind::Arrive,
          addressIn(operands[0], hasSharedAddress(statement)),
          decoder.constantSlot(Width::W32, 1));
    return true;
  }
  std::optional<int64_t> bytes;
  if (operands.size() >= 3)
    bytes = constantOf(operands[2]);
  if (!bytes)
    return false;
  // A cache policy may come instead of the size, as a long.
  SlotOffset size = NoSlot;
  if (operands.size() > 3 && !statement.has("L2::cache_hint"))
    size = read(operands[3], Width::W32);
  decoder.emitAsyncCopy(addressIn(operands[0], true),
                        addressIn(operands[1], false),
                        static_cast<unsigned>(*bytes), size);
  decoder.accessOffset += 2;
  return true;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX that lanes and warps execute together.
#include "AssemblyDecoder.h"

#include "llvm/ADT/StringSwitch.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

bool AssemblyDecoder::translateWarp(const Statement &statement) {
  StringRef name = statement.name;
  const auto &operands = statement.operands;
  bool isSync = statement.has("sync");
  auto members = [&](StringRef operand) {
    SlotOffset slot = read(operand, Width::W32);
    decoder.emitGather(slot);
    return slot;
  };
  if (name == "activemask") {
    write(operands[0],
          {decoder.emit(Opcode::ActiveMask, Width::W32, {}), Width::W32});
    return true;
  }
  if (name == "shfl") {
    auto kind = statement.has("up")     ? ShuffleKind::Up
                : statement.has("down") ? ShuffleKind::Down
                : statement.has("bfly") ? ShuffleKind::Butterfly
                                        : ShuffleKind::Index;
    bool hasPredicate = operands.size() == (isSync ? 6u : 5u);
    if (operands.size() != (isSync ? 5u : 4u) + hasPredicate)
      return false;
    unsigned first = 1 + hasPredicate;
    if (isSync)
      members(operands[first + 3]);
    auto [result, inside] =
        decoder.emitShuffle(kind, read(operands[first], Width::W32),
                            read(operands[first + 1], Width::W32),
                            read(operands[first + 2], Width::W32));
    write(operands[0], result);
    if (hasPredicate)
      write(operands[1], inside);
    return true;
  }
  if (name == "vote" && operands.size() == (isSync ? 3u : 2u)) {
    SlotOffset mask = isSync ? members(operands[2]) : NoSlot;
    auto kind = statement.has("all")   ? VoteKind::All
                : statement.has("any") ? VoteKind::Any
                : statement.has("uni") ? VoteKind::Uniform
                                       : VoteKind::Ballot;
    SlotOffset slot =
        decoder.emitVote(kind, read(operands[1], Width::Mask), mask);
    write(operands[0],
          {slot, kind == VoteKind::Ballot ? Width::W32 : Width::Mask});
    return true;
  }
  std::optional<Kind> kind = kindOf(statement.type());
  if (name == "match" && kind) {
    bool hasPredicate = operands.size() == 4;
    SlotOffset mask = members(operands.back());
    auto [result, same] = decoder.emitMatch(
        {read(operands[1 + hasPredicate], kind->width), kind->width}, mask,
        statement.has("all"));
    write(operands[0], result);
    if (hasPredicate)
      write(operands[1], same);
    return true;
  }
  if (name == "redux" && kind && operands.size() == 3) {
    std::optional<AtomicKind> operation;
    for (StringRef word : statement.words)
      if (std::optional<AtomicKind> found = Decoder::reduxKind(word))
        operation = found;
    if (!operation)
      return false;
    if (!kind->isSigned && *operation == AtomicKind::SMax)
      operation = AtomicKind::UMax;
    if (!kind->isSigned && *operation == AtomicKind::SMin)
      operation = AtomicKind::UMin;
    SlotOffset mask = members(operands[2]);
    write(operands[0],
          decoder.emitRedux(*operation, read(operands[1], Width::W32), mask));
    return true;
  }
  return false;
}

bool AssemblyDecoder::translateBarrier(const Statement &statement) {
  if (statement.name != "bar" && statement.name != "barrier")
    return false;
  const auto &operands = statement.operands;
  if (statement.has("warp")) {
    decoder.emitGather(read(operands[0], Width::W32), true);
    return true;
  }
  if (statement.has("cluster")) {
    if (statement.has("wait"))
      decoder.emitBarrier(decoder.constantSlot(Width::W32, 0), NoSlot, true,
                          false);
    return true;
  }
  bool isAligned = statement.name == "bar" || statement.has("aligned");
  if (statement.has("sync") || statement.has("arrive")) {
    if (operands.empty())
      return false;
    SlotOffset threads =
        operands.size() > 1 ? read(operands[1], Width::W32) : NoSlot;
    decoder.emitBarrier(read(operands[0], Width::W32), threads,
                        statement.has("sync"), isAligned);
    return true;
  }
  if (!statement.has("red") || operands.size() < 3)
    return false;
  auto kind = statement.has("popc")  ? BarrierVote::Count
              : statement.has("and") ? BarrierVote::All
                                     : BarrierVote::Any;
  SlotOffset number = read(operands[1], Width::W32);
  SlotOffset threads =
      operands.size() > 3 ? read(operands[2], Width::W32) : NoSlot;
  decoder.emitBarrierWithVote(
      number, threads, read(operands.back(), Width::Mask), true, isAligned);
  write(operands[0], decoder.emitBarrierResult(number, kind));
  return true;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special registers, barriers, and what the lanes of a warp do together.
#include "Decoder.h"

#include "llvm/ADT/StringSwitch.h"

using namespace auspex;
using namespace auspex::emulator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

Part Decoder::readSpecial(unsigned kind, Width width) {
  SlotOffset slot = emit(Opcode::ReadSpecial, Width::W64, {});
  blocks[currentBlock].operations.back().count = kind;
  if (width == Width::W32)
    slot = emit(Opcode::Trunc64To32, Width::W32, {slot});
  return {slot, width};
}

bool Decoder::decodeSpecialRegister(const llvm::IntrinsicInst &call,
                                    StringRef name) {
  if (name == "activemask") {
    define(call, {{emit(Opcode::ActiveMask, Width::W32, {}), Width::W32}});
    return true;
  }
  if (!name.consume_front("read.ptx.sreg."))
    return false;
  std::optional<Part> part = specialRegister(name);
  if (!part)
    return false;
  Width width = leavesOf(call.getType())[0].width;
  if (part->width == Width::W32 && width == Width::W64)
    part = Part{emit(Opcode::ZExt32To64, width, {part->slot}), width};
  define(call, {*part});
  return true;
}

std::optional<Part> Decoder::specialRegister(StringRef name) {
  auto own = [](WarpSlot slot) {
    return Part{inSpace(SlotSpace::Warp, slot * slotBytes(Width::W32)),
                Width::W32};
  };
  auto one = [&](uint64_t value) {
    return Part{constantSlot(Width::W32, value), Width::W32};
  };
  auto byLane = [&](llvm::function_ref<uint32_t(unsigned)> value) {
    return Part{laneConstant(value), Width::W32};
  };
  // The same for every launch.
  auto known = llvm::StringSwitch<std::optional<WarpSlot>>(name)
                   .Case("tid.x", TidX)
                   .Case("tid.y", TidY)
                   .Case("tid.z", TidZ)
                   .Case("ctaid.x", CtaidX)
                   .Case("ctaid.y", CtaidY)
                   .Case("ctaid.z", CtaidZ)
                   .Case("ntid.x", NtidX)
                   .Case("ntid.y", NtidY)
                   .Case("ntid.z", NtidZ)
                   .Case("nctaid.x", NctaidX)
                   .Case("nctaid.y", NctaidY)
                   .Case("nctaid.z", NctaidZ)
                   // A cluster is one block.
                   .Case("clusterid.x", CtaidX)
                   .Case("clusterid.y", CtaidY)
                   .Case("clusterid.z", CtaidZ)
                   .Case("nclusterid.x", NctaidX)
                   .Case("nclusterid.y", NctaidY)
                   .Case("nclusterid.z", NctaidZ)
                   .Default(std::nullopt);
  if (known)
    return own(*known);
  if (name == "warpsize")
    return one(Lanes);
  if (name == "laneid")
    return byLane([](unsigned lane) { return lane; });
  if (name == "lanemask.eq")
    return byLane([](unsigned lane) { return 1u << lane; });
  if (name == "lanemask.lt")
    return byLane([](unsigned lane) { return (1u << lane) - 1; });
  if (name == "lanemask.le")
    return byLane([](unsigned lane) { return (2u << lane) - 1; });
  if (name == "lanemask.gt")
    return byLane([](unsigned lane) { return ~((2u << lane) - 1); });
  if (name == "lanemask.ge")
    return byLane([](unsigned lane) { return ~((1u << lane) - 1); });
  if (name.starts_with("cluster.ctaid") || name == "cluster.ctarank")
    return one(0);
  if (name.starts_with("cluster.nctaid") || name == "cluster.nctarank")
    return one(1);
  struct Row {
    StringRef name;
    unsigned kind;
    Width width;
  };
  static constexpr Row Rows[] = {
      {"warpid", WarpNumber, Width::W32},
      {"nwarpid", NumWarps, Width::W32},
      {"smid", SmNumber, Width::W32},
      {"nsmid", NumSms, Width::W32},
      {"clock", Clock, Width::W32},
      {"clock64", Clock, Width::W64},
      {"clock_hi", ClockHigh, Width::W32},
      {"clock.hi", ClockHigh, Width::W32},
      {"globaltimer", GlobalTimer, Width::W64},
      {"globaltimer.lo", GlobalTimer, Width::W32},
      {"gridid", GridNumber, Width::W64},
      {"dynamic.smem.size", DynamicSharedSize, Width::W32},
      {"dynamic_smem_size", DynamicSharedSize, Width::W32},
      {"total.smem.size", TotalSharedSize, Width::W32},
      {"total_smem_size", TotalSharedSize, Width::W32},
      {"envreg1", EnvironmentHigh, Width::W32},
      {"envreg2", EnvironmentLow, Width::W32}};
  for (const Row &row : Rows)
    if (row.name == name)
      return readSpecial(row.kind, row.width);
  // Cooperative groups keep what they exchange there.
  if (name.starts_with("reserved_smem_offset"))
    return name.ends_with("cap") ? one(ReservedSharedBytes)
                                 : readSpecial(ReservedShared, Width::W32);
  if (name.starts_with("envreg") || name.starts_with("pm") ||
      name.ends_with(".w"))
    return one(name.starts_with("n") ? 1 : 0);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Decoder::emitBarrier(SlotOffset number, SlotOffset threads, bool waits,
                          bool isAligned) {
  emitBarrierWithVote(number, threads, NoSlot, waits, isAligned);
}

void Decoder::emitBarrierWithVote(SlotOffset number, SlotOffset threads,
                                  SlotOffset vote, bool waits, bool isAligned) {
  Operation &operation = emitRaw(Opcode::Barrier);
  operation.operands[0] = number;
  operation.operands[1] = threads;
  operation.operands[2] = vote;
  operation.count = waits;
  operation.second = isAligned;
}

Part Decoder::emitBarrierResult(SlotOffset number, BarrierVote kind) {
  SlotOffset slot = emit(Opcode::BarrierResult, Width::W32, {number});
  blocks[currentBlock].operations.back().count = static_cast<uint32_t>(kind);
  return {slot, Width::W32};
}

bool Decoder::decodeBarrier(const llvm::IntrinsicInst &call, StringRef name) {
  if (name == "barrier0") {
    emitBarrier(constantSlot(Width::W32, 0), NoSlot, true, true);
    return true;
  }
  if (name == "bar.warp.sync") {
    emitGather(slotOf(call.getArgOperand(0)), /*isBarrier=*/true);
    return true;
  }
  if (name.consume_front("barrier.cluster.")) {
    // A cluster is one block. Arriving is all there is to do by halves.
    if (name.starts_with("wait"))
      emitBarrier(constantSlot(Width::W32, 0), NoSlot, true, false);
    return true;
  }
  if (name.starts_with("membar.") || name.starts_with("fence."))
    return true;
  if (!name.consume_front("barrier.cta."))
    return false;
  llvm::SmallVector<SlotOffset, 3> slots;
  for (const llvm::Value *argument : call.args())
    slots.push_back(slotOf(argument));
  bool hasCount = name.consume_back(".count");
  if (!hasCount && !name.consume_back(".all"))
    return false;
  bool isAligned = name.consume_back(".aligned");
  SlotOffset threads = hasCount ? slots[1] : NoSlot;
  if (name == "sync" || name == "arrive") {
    emitBarrier(slots[0], threads, name == "sync", isAligned);
    return true;
  }
  if (!name.consume_front("red."))
    return false;
  auto kind = llvm::StringSwitch<BarrierVote>(name)
                  .Case("popc", BarrierVote::Count)
                  .Case("and", BarrierVote::All)
                  .Default(BarrierVote::Any);
  emitBarrierWithVote(slots[0], threads, slots.back(), true, isAligned);
  Part result = emitBarrierResult(slots[0], kind);
  if (call.getType()->isIntegerTy(1))
    result = {emit(Opcode::ToMask32, Width::Mask, {result.slot}), Width::Mask};
  define(call, {result});
  return true;
}

//===----------------------------------------------------------------------===//
// Between the lanes of a warp
//===----------------------------------------------------------------------===//

void Decoder::emitGather(SlotOffset members, bool isBarrier) {
  Operation &operation = emitRaw(Opcode::Gather);
  operation.operands[0] = members;
  operation.count = isBarrier;
}

std::pair<Part, Part> Decoder::emitShuffle(ShuffleKind kind, SlotOffset value,
                                           SlotOffset lane,
                                           SlotOffset control) {
  SlotOffset result = allocate(Width::W32), inside = allocate(Width::Mask);
  Operation &operation = emitRaw(Opcode::Shuffle);
  operation.result = result;
  operation.operands[0] = value;
  operation.operands[1] = lane;
  operation.operands[2] = control;
  operation.operands[3] = inside;
  operation.count = static_cast<uint32_t>(kind);
  return {{result, Width::W32}, {inside, Width::Mask}};
}

SlotOffset Decoder::emitVote(VoteKind kind, SlotOffset predicate,
                             SlotOffset members) {
  SlotOffset slot =
      emit(Opcode::Vote, kind == VoteKind::Ballot ? Width::W32 : Width::Mask,
           {predicate, members});
  blocks[currentBlock].operations.back().count = static_cast<uint32_t>(kind);
  return slot;
}

std::pair<Part, Part> Decoder::emitMatch(Part value, SlotOffset members,
                                         bool all) {
  SlotOffset result = allocate(Width::W32), same = allocate(Width::Mask);
  Operation &operation =
      emitRaw(value.width == Width::W64 ? Opcode::Match64 : Opcode::Match32);
  operation.result = result;
  operation.operands[0] = value.slot;
  operation.operands[1] = members;
  operation.operands[3] = same;
  operation.count = all;
  return {{result, Width::W32}, {same, Width::Mask}};
}

Part Decoder::emitRedux(AtomicKind kind, SlotOffset value, SlotOffset members) {
  SlotOffset slot = emit(Opcode::Redux, Width::W32, {value, members});
  blocks[currentBlock].operations.back().count = static_cast<uint32_t>(kind);
  return {slot, Width::W32};
}

std::optional<AtomicKind> Decoder::reduxKind(StringRef name) {
  return llvm::StringSwitch<std::optional<AtomicKind>>(name)
      .Case("add", AtomicKind::Add)
      .Case("and", AtomicKind::And)
      .Case("or", AtomicKind::Or)
      .Case("xor", AtomicKind::Xor)
      .Case("max", AtomicKind::SMax)
      .Case("min", AtomicKind::SMin)
      .Case("umax", AtomicKind::UMax)
      .Case("umin", AtomicKind::UMin)
      .Case("fmax", AtomicKind::FMax)
      .Case("fmin", AtomicKind::FMin)
      .Default(std::nullopt);
}

bool Decoder::decodeWarpIntrinsic(const llvm::IntrinsicInst &call,
                                  StringRef name) {
  auto argument = [&](unsigned i) { return slotOf(call.getArgOperand(i)); };
  if (name.consume_front("shfl.")) {
    bool isSync = name.consume_front("sync.");
    if (isSync)
      emitGather(argument(0));
    auto [mode, type] = name.split('.');
    auto kind = llvm::StringSwitch<ShuffleKind>(mode)
                    .Case("up", ShuffleKind::Up)
                    .Case("down", ShuffleKind::Down)
                    .Case("bfly", ShuffleKind::Butterfly)
                    .Default(ShuffleKind::Index);
    auto [result, inside] = emitShuffle(
        kind, argument(isSync), argument(isSync + 1), argument(isSync + 2));
    if (type.ends_with("p"))
      define(call, {result, inside});
    else
      define(call, {result});
    return true;
  }
  if (name.consume_front("vote.")) {
    bool isSync = name.consume_back(".sync");
    if (isSync)
      emitGather(argument(0));
    auto kind = llvm::StringSwitch<VoteKind>(name)
                    .Case("all", VoteKind::All)
                    .Case("any", VoteKind::Any)
                    .Case("uni", VoteKind::Uniform)
                    .Default(VoteKind::Ballot);
    SlotOffset slot =
        emitVote(kind, argument(isSync), isSync ? argument(0) : NoSlot);
    define(call, {{slot, kind == VoteKind::Ballot ? Width::W32 : Width::Mask}});
    return true;
  }
  if (name.consume_front("match.")) {
    emitGather(argument(0));
    bool all = name.starts_with("all");
    auto [result, same] =
        emitMatch(partsOf(call.getArgOperand(1))[0], argument(0), all);
    if (all)
      define(call, {result, same});
    else
      define(call, {result});
    return true;
  }
  if (name.consume_front("redux.sync.")) {
    std::optional<AtomicKind> kind = reduxKind(name);
    if (!kind)
      return false;
    emitGather(argument(1));
    define(call, {emitRedux(*kind, argument(0), argument(1))});
    return true;
  }
  if (name == "elect.sync") {
    emitGather(argument(0));
    SlotOffset result = allocate(Width::W32), elected = allocate(Width::Mask);
    Operation &operation = emitRaw(Opcode::Elect);
    operation.result = result;
    operation.operands[0] = argument(0);
    operation.operands[3] = elected;
    define(call, {{result, Width::W32}, {elected, Width::Mask}});
    return true;
  }
  if (name == "nanosleep") {
    emitRaw(Opcode::Nanosleep);
    return true;
  }
  if (name == "exit") {
    emitRaw(Opcode::Exit);
    return true;
  }
  return false;
}

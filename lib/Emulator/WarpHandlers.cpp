// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes of a warp do together, and what they ask about themselves.
#include "AtomicOperations.h"
#include "Atomics.h"
#include "Handlers.h"
#include "Launch.h"
#include "ProgramCode.h"
#include "Slots.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <cstring>

using namespace auspex;
using namespace auspex::emulator;

template <class T>
static void broadcast(Warp &warp, SlotOffset offset, T value) {
  T *result = slot<T>(warp, offset);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    result[lane] = value;
}

//===----------------------------------------------------------------------===//
// Addresses and registers
//===----------------------------------------------------------------------===//

static const Operation *sharedAddress(const Operation *op, Warp &warp) {
  const auto *array = static_cast<const llvm::GlobalVariable *>(op->extra);
  const LaunchRun &launch = *warp.context->launch;
  auto base = reinterpret_cast<uint64_t>(warp.block->shared);
  broadcast<uint64_t>(warp, op->result,
                      base + launch.shared->offsets.lookup(array));
  return op + 1;
}

static const Operation *widenShared(const Operation *op, Warp &warp) {
  const uint32_t *halves = slot<uint32_t>(warp, op->operands[0]);
  uint64_t *result = slot<uint64_t>(warp, op->result);
  uint64_t upper =
      reinterpret_cast<uint64_t>(warp.block->shared) & ~uint64_t(0xffffffff);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    result[lane] = upper | halves[lane];
  return op + 1;
}

static const Operation *localAddress(const Operation *op, Warp &warp) {
  uint64_t *result = slot<uint64_t>(warp, op->result);
  uint64_t base = reinterpret_cast<uint64_t>(warp.local) + warp.top->localMark +
                  static_cast<uint64_t>(op->immediate);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    result[lane] = base + lane * warp.localStride;
  return op + 1;
}

/// As much for all lanes as the one takes that wants most.
static const Operation *allocateLocal(const Operation *op, Warp &warp) {
  const uint64_t *counts = slot<uint64_t>(warp, op->operands[0]);
  uint64_t most = 0;
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1)
    most = std::max(most, counts[llvm::countr_zero(lanes)]);
  auto unit = static_cast<uint64_t>(op->immediate);
  uint64_t alignment = std::max<uint64_t>(16, op->second);
  uint64_t begin = (warp.localUsed + alignment - 1) / alignment * alignment;
  if (begin > warp.localStride ||
      (unit && most > (warp.localStride - begin) / unit))
    return warp.fault(op, EmulationFault::Kind::StackOverflow,
                      "takes " + std::to_string(most) + " times " +
                          std::to_string(unit) +
                          " bytes of local memory, more than the stack has");
  warp.localUsed = begin + most * unit;
  uint64_t *result = slot<uint64_t>(warp, op->result);
  uint64_t base = reinterpret_cast<uint64_t>(warp.local) + begin;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    result[lane] = base + lane * warp.localStride;
  return op + 1;
}

static const Operation *saveLocal(const Operation *op, Warp &warp) {
  broadcast<uint64_t>(warp, op->result, warp.localUsed);
  return op + 1;
}

static const Operation *restoreLocal(const Operation *op, Warp &warp) {
  // Lanes elsewhere may still need theirs.
  if (warp.active == warp.top->lanes)
    warp.localUsed =
        slot<uint64_t>(warp, op->operands[0])[llvm::countr_zero(warp.active)];
  return op + 1;
}

/// Steps of the launch stand for cycles: the same in every run.
static uint64_t clockOf(Warp &warp) {
  ThreadContext &context = *warp.context;
  return ++context.clock * 16;
}

static const Operation *readSpecial(const Operation *op, Warp &warp) {
  const LaunchRun &launch = *warp.context->launch;
  auto workspace = reinterpret_cast<uint64_t>(launch.gridWorkspace);
  uint64_t value = 0;
  switch (static_cast<SpecialRegister>(op->count)) {
  case WarpNumber:
    value = warp.number;
    break;
  case NumWarps:
    value = static_cast<uint64_t>(launch.shape.warpsPerBlock());
    break;
  case SmNumber:
    value = static_cast<uint64_t>(warp.block->number) % launch.numSms();
    break;
  case NumSms:
    value = launch.numSms();
    break;
  case Clock:
    value = clockOf(warp);
    break;
  case ClockHigh:
    value = clockOf(warp) >> 32;
    break;
  case GlobalTimer:
    value = clockOf(warp);
    break;
  case GridNumber:
    value = launch.id;
    break;
  case DynamicSharedSize:
    value = launch.sharedInBytes - launch.shared->dynamicOffset;
    break;
  case TotalSharedSize:
    value = launch.sharedInBytes;
    break;
  case ReservedShared:
    value = reinterpret_cast<uint64_t>(warp.block->shared) +
            launch.reservedSharedOffset();
    break;
  case EnvironmentHigh:
    value = launch.options->isCooperative ? workspace >> 32 : 0;
    break;
  case EnvironmentLow:
    value = launch.options->isCooperative ? workspace & ~0u : 0;
    break;
  }
  broadcast<uint64_t>(warp, op->result, value);
  return op + 1;
}

static const Operation *isSpace(const Operation *op, Warp &warp) {
  const uint64_t *pointers = slot<uint64_t>(warp, op->operands[0]);
  const LaunchRun &launch = *warp.context->launch;
  auto shared = reinterpret_cast<uint64_t>(warp.block->shared);
  auto local = reinterpret_cast<uint64_t>(warp.local);
  uint32_t result = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    uint64_t pointer = pointers[lane];
    bool isShared = pointer - shared < launch.sharedInBytes;
    bool isLocal = pointer - local < warp.localStride * Lanes;
    bool isThis = op->count == 3   ? isShared
                  : op->count == 5 ? isLocal
                  : op->count == 1 ? !isShared && !isLocal
                                   : false;
    result |= uint32_t(isThis) << lane;
  }
  maskSlot(warp, op->result) = result;
  return op + 1;
}

static const Operation *activeMask(const Operation *op, Warp &warp) {
  broadcast<uint32_t>(warp, op->result, warp.active);
  return op + 1;
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

static const Operation *gather(const Operation *op, Warp &warp) {
  if (warp.active == warp.live)
    return op + 1;
  warp.joinGroups(op);
  uint32_t missing = 0;
  const uint32_t *members = slot<uint32_t>(warp, op->operands[0]);
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1)
    missing |= members[llvm::countr_zero(lanes)];
  missing &= warp.live & ~warp.active;
  // Only those can come that are on their way in this function.
  auto isComing = [&](const WaitingGroup &group) {
    return group.isOnItsWay && group.lanes & missing;
  };
  if (missing &&
      (warp.top->pendingBlocks || llvm::any_of(warp.top->groups, isComing)))
    return warp.wait(op, -1);
  return op + 1;
}

static const Operation *shuffle(const Operation *op, Warp &warp) {
  const uint32_t *values = slot<uint32_t>(warp, op->operands[0]);
  const uint32_t *lanes = slot<uint32_t>(warp, op->operands[1]);
  const uint32_t *controls = slot<uint32_t>(warp, op->operands[2]);
  uint32_t *result = slot<uint32_t>(warp, op->result);
  auto kind = static_cast<ShuffleKind>(op->count);
  uint32_t inside = 0;
  uint32_t active = warp.active;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    uint32_t control = controls[lane], other = lanes[lane] & 31;
    uint32_t segment = control >> 8 & 31, clamp = control & 31;
    int most = static_cast<int>((lane & segment) | (clamp & ~segment));
    int least = static_cast<int>(lane & segment);
    int from;
    bool isInside;
    switch (kind) {
    case ShuffleKind::Up:
      from = static_cast<int>(lane) - static_cast<int>(other);
      isInside = from >= most;
      break;
    case ShuffleKind::Down:
      from = static_cast<int>(lane + other);
      isInside = from <= most;
      break;
    case ShuffleKind::Butterfly:
      from = static_cast<int>(lane ^ other);
      isInside = from <= most;
      break;
    default:
      from = least | static_cast<int>(other & ~segment);
      isInside = from <= most;
      break;
    }
    if (!isInside)
      from = static_cast<int>(lane);
    // What a lane that does not take part would give is undefined.
    if (!(active >> from & 1))
      from = static_cast<int>(lane);
    result[lane] = values[from];
    inside |= uint32_t(isInside) << lane;
  }
  maskSlot(warp, op->operands[3]) = inside;
  return op + 1;
}

static const Operation *vote(const Operation *op, Warp &warp) {
  uint32_t members = warp.active;
  // The lanes of one execution name the same members.
  if (op->operands[1] != NoSlot)
    members &=
        slot<uint32_t>(warp, op->operands[1])[llvm::countr_zero(warp.active)];
  uint32_t yes = maskSlot(warp, op->operands[0]) & members;
  auto kind = static_cast<VoteKind>(op->count);
  if (kind == VoteKind::Ballot) {
    broadcast<uint32_t>(warp, op->result, yes);
    return op + 1;
  }
  bool result = kind == VoteKind::All   ? yes == members
                : kind == VoteKind::Any ? yes != 0
                                        : yes == 0 || yes == members;
  maskSlot(warp, op->result) = result ? FullMask : 0;
  return op + 1;
}

template <class T>
static const Operation *match(const Operation *op, Warp &warp) {
  const T *values = slot<T>(warp, op->operands[0]);
  const uint32_t *members = slot<uint32_t>(warp, op->operands[1]);
  uint32_t *result = slot<uint32_t>(warp, op->result);
  uint32_t allSame = 0;
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    uint32_t among = members[lane] & warp.active, same = 0;
    for (uint32_t others = among; others; others &= others - 1) {
      unsigned other = llvm::countr_zero(others);
      same |= uint32_t(values[other] == values[lane]) << other;
    }
    bool isAll = same == among;
    allSame |= uint32_t(isAll) << lane;
    result[lane] = op->count && !isAll ? 0 : same;
  }
  maskSlot(warp, op->operands[3]) = allSame;
  return op + 1;
}

static const Operation *redux(const Operation *op, Warp &warp) {
  const uint32_t *values = slot<uint32_t>(warp, op->operands[0]);
  const uint32_t *members = slot<uint32_t>(warp, op->operands[1]);
  uint32_t *result = slot<uint32_t>(warp, op->result);
  auto kind = static_cast<AtomicKind>(op->count);
  uint32_t left = warp.active;
  while (left) {
    uint32_t lanes =
        (members[llvm::countr_zero(left)] & left) | (left & (0 - left));
    uint32_t sum = values[llvm::countr_zero(lanes)];
    for (uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1)
      sum = applyAtomic<uint32_t>(kind, sum, values[llvm::countr_zero(rest)]);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      result[llvm::countr_zero(rest)] = sum;
    left &= ~lanes;
  }
  return op + 1;
}

static const Operation *elect(const Operation *op, Warp &warp) {
  uint32_t members =
      slot<uint32_t>(warp, op->operands[0])[llvm::countr_zero(warp.active)] &
      warp.active;
  unsigned leader = llvm::countr_zero(members ? members : warp.active);
  broadcast<uint32_t>(warp, op->result, leader);
  maskSlot(warp, op->operands[3]) = 1u << leader;
  return op + 1;
}

static const Operation *spin(const Operation *op, Warp &warp) {
  ++warp.spins;
  // Who only looks may as well let others do something.
  if (warp.budget > Warp::SpinningTurn && warp.spins > Warp::SpinningTurn)
    warp.budget = Warp::SpinningTurn;
  return op + 1;
}

void emulator::addWarpHandlers(HandlerTable &table) {
  auto set = [&](Opcode opcode, Handler handler) {
    table[indexOf(opcode)] = handler;
  };
  set(Opcode::ReadSpecial, readSpecial);
  set(Opcode::SharedAddress, sharedAddress);
  set(Opcode::LocalAddress, localAddress);
  set(Opcode::AllocateLocal, allocateLocal);
  set(Opcode::SaveLocal, saveLocal);
  set(Opcode::RestoreLocal, restoreLocal);
  set(Opcode::WidenShared, widenShared);
  set(Opcode::IsSpace, isSpace);
  set(Opcode::ActiveMask, activeMask);
  set(Opcode::Gather, gather);
  set(Opcode::Shuffle, shuffle);
  set(Opcode::Vote, vote);
  set(Opcode::Match32, match<uint32_t>);
  set(Opcode::Match64, match<uint64_t>);
  set(Opcode::Redux, redux);
  set(Opcode::Elect, elect);
  set(Opcode::Nanosleep, spin);
  set(Opcode::Spin, spin);
}

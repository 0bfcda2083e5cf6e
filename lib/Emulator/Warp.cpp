// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Warp.h"

#include "Launch.h"
#include "Slots.h"

#include <algorithm>
#include <cstring>

using namespace auspex;
using namespace auspex::emulator;

Activation &Warp::push(const Code &code, const char *pool, uint32_t lanes) {
  if (depth == stack.size())
    stack.push_back(std::make_unique<Activation>());
  Activation &activation = *stack[depth++];
  if (activation.code != &code) {
    activation.code = &code;
    activation.memory.reset(new char[code.frameInBytes + 64]);
    auto address = reinterpret_cast<uintptr_t>(activation.memory.get());
    activation.frame =
        reinterpret_cast<char *>((address + 63) & ~uintptr_t(63));
    std::memset(activation.frame, 0, code.frameInBytes);
    activation.pending.assign(code.starts.size(), 0);
    activation.pendingBits.assign(code.starts.size() / 64 + 1, 0);
  }
  if (activation.pendingBlocks || !activation.groups.empty()) {
    // What a launch left behind that was stopped.
    std::fill(activation.pending.begin(), activation.pending.end(), 0);
    std::fill(activation.pendingBits.begin(), activation.pendingBits.end(), 0);
    activation.pendingBlocks = 0;
    activation.groups.clear();
  }
  activation.pool = pool;
  activation.lanes = lanes;
  activation.returned = 0;
  activation.call = nullptr;
  activation.localMark = localUsed;
  localUsed += (code.localInBytes + 15) & ~uint64_t(15);
  top = &activation;
  setBase(SlotSpace::Frame, activation.frame);
  setBase(SlotSpace::Pool, pool);
  return activation;
}

void Warp::begin(const Code &code, const char *pool, uint32_t lanes) {
  depth = 0;
  localUsed = 0;
  spins = 0;
  live = active = lanes;
  state = WarpState::Ready;
  push(code, pool, lanes);
  resume = code.start(code.entry);
}

const Operation *Warp::pop() {
  Activation &callee = *top;
  localUsed = callee.localMark;
  const CallInfo *call = callee.call;
  const Operation *returnTo = callee.returnTo;
  uint32_t back = callee.returned & live;
  const Code &code = *callee.code;
  const char *calleeFrame = callee.frame;
  --depth;
  top = stack[depth - 1].get();
  setBase(SlotSpace::Frame, top->frame);
  setBase(SlotSpace::Pool, top->pool);
  active = back;
  if (!back)
    return runNext();
  for (size_t i = 0; i < call->results.size() && i < code.results.size(); ++i) {
    auto [to, width] = call->results[i];
    const char *from = calleeFrame + code.results[i].first;
    // A pointer may be to a function of another type.
    if (code.results[i].second != width)
      continue;
    if (width == Width::Mask) {
      uint32_t bits;
      std::memcpy(&bits, from, sizeof(bits));
      uint32_t &result = maskSlot(*this, to);
      result = (result & ~back) | (bits & back);
      continue;
    }
    unsigned bytes = bytesPerLane(width);
    char *result = slot<char>(*this, to);
    for (uint32_t lanes = back; lanes; lanes &= lanes - 1) {
      unsigned lane = llvm::countr_zero(lanes);
      std::memcpy(result + lane * bytes, from + lane * bytes, bytes);
    }
  }
  return returnTo;
}

const Operation *Warp::runNext() {
  Activation &activation = *top;
  if (activation.pendingBlocks) {
    uint32_t block = activation.next();
    active = activation.take(block);
    return activation.code->start(block);
  }
  if (!activation.groups.empty()) {
    // Who waits for lanes of this warp has waited for all that can come.
    for (size_t i = 0; i < activation.groups.size(); ++i)
      if (activation.groups[i].barrier < 0) {
        WaitingGroup group = std::move(activation.groups[i]);
        activation.groups.erase(activation.groups.begin() + i);
        return wake(std::move(group));
      }
    state = WarpState::AtBarrier;
    active = 0;
    return nullptr;
  }
  if (depth > 1)
    return pop();
  active = 0;
  state = WarpState::Finished;
  return nullptr;
}

void emulator::restoreLanes(const Code &code, char *frame, const char *saved,
                            uint32_t lanes) {
  for (auto [offset, width] : code.slots) {
    if (width == Width::Mask) {
      uint32_t now, then;
      std::memcpy(&now, frame + offset, sizeof(now));
      std::memcpy(&then, saved + offset, sizeof(then));
      now = (now & ~lanes) | (then & lanes);
      std::memcpy(frame + offset, &now, sizeof(now));
      continue;
    }
    unsigned bytes = bytesPerLane(width);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
      unsigned at = offset + llvm::countr_zero(rest) * bytes;
      std::memcpy(frame + at, saved + at, bytes);
    }
  }
}

const Operation *Warp::wake(WaitingGroup group) {
  if (group.frame)
    restoreLanes(*top->code, top->frame, group.frame.get(), group.lanes);
  active = group.lanes;
  return group.resume;
}

const Operation *Warp::wait(const Operation *resumeAt, int barrier) {
  WaitingGroup group;
  group.lanes = active;
  group.resume = resumeAt;
  group.barrier = barrier;
  if (top->pendingBlocks || !top->groups.empty()) {
    group.frame.reset(new char[top->code->frameInBytes]);
    std::memcpy(group.frame.get(), top->frame, top->code->frameInBytes);
  }
  top->groups.push_back(std::move(group));
  return runNext();
}

void Warp::leave(uint32_t lanes, const Operation *resumeAt) {
  WaitingGroup group;
  group.lanes = active & lanes;
  group.resume = resumeAt;
  group.isOnItsWay = true;
  group.frame.reset(new char[top->code->frameInBytes]);
  std::memcpy(group.frame.get(), top->frame, top->code->frameInBytes);
  top->groups.push_back(std::move(group));
  active &= ~lanes;
}

void Warp::joinGroups(const Operation *operation) {
  auto &groups = top->groups;
  for (size_t i = 0; i < groups.size();) {
    if (groups[i].barrier >= 0 || groups[i].resume != operation) {
      ++i;
      continue;
    }
    if (groups[i].frame)
      restoreLanes(*top->code, top->frame, groups[i].frame.get(),
                   groups[i].lanes);
    active |= groups[i].lanes;
    groups.erase(groups.begin() + i);
  }
}

uint32_t Warp::waitingAt(int number) const {
  uint32_t lanes = 0;
  for (size_t i = 0; i < depth; ++i)
    for (const WaitingGroup &group : stack[i]->groups)
      if (group.barrier == number)
        lanes |= group.lanes;
  return lanes;
}

const Operation *Warp::exitLanes() {
  live &= ~active;
  for (size_t i = 0; i < depth; ++i)
    stack[i]->lanes &= live;
  return runNext();
}

/// Spinning turns after which lanes of the same warp, or other warps, have to
/// have theirs.
static constexpr uint32_t PatienceWithLanes = 100;

const Operation *Warp::rotate(const Operation *operation, uint32_t number) {
  // In the middle of nothing: temporaries are dead at the start of a block.
  budget = Turn;
  bool isSpinning = spins > PatienceWithLanes;
  spins = 0;
  if (context->launch->shouldStop())
    return fault(operation, EmulationFault::Kind::Stopped,
                 "did not come to its end in time");
  Activation &activation = *top;
  ++turns;
  if (activation.pendingBlocks && (isSpinning || turns % 16 == 0)) {
    // Whoever comes after this block, and first those at its start.
    activation.add(number, active);
    uint32_t next = activation.next(
        number + 1 < activation.pending.size() ? number + 1 : 0);
    active = activation.take(next);
    return activation.code->start(next);
  }
  resume = operation;
  state = WarpState::Ready;
  return nullptr;
}

const Operation *Warp::pause(const Operation *next) {
  budget = Turn;
  bool isSpinning = spins > PatienceWithLanes;
  spins = 0;
  if (context->launch->shouldStop())
    return fault(next, EmulationFault::Kind::Stopped,
                 "did not come to its end in time");
  if (isSpinning && (top->pendingBlocks || !top->groups.empty())) {
    leave(active, next);
    next = runNext();
  }
  resume = next;
  state = WarpState::Ready;
  return nullptr;
}

const Operation *Warp::fault(const Operation *operation,
                             EmulationFault::Kind kind, unsigned lane,
                             std::string message) {
  EmulationFault fault;
  fault.kind = kind;
  fault.kernel = context->launch->code->function->getName().str();
  fault.location = locationOf(top->code->origin(operation));
  fault.block = block->index;
  fault.thread =
      context->launch->shape.threadIndex(int64_t(number) * Lanes + lane);
  fault.message = std::move(message);
  context->launch->setFault(std::move(fault));
  resume = operation;
  active = 0;
  state = WarpState::Finished;
  return nullptr;
}

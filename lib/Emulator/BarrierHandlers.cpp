// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of a block of threads.
#include "Handlers.h"
#include "Launch.h"
#include "Slots.h"

using namespace auspex;
using namespace auspex::emulator;

/// The lanes of a warp that came.
static uint32_t arrivals(const Warp &warp) {
  // A whole warp counts as 32 threads even where it has fewer, as does one
  // whose other threads are gone.
  return warp.active == warp.live ? Lanes : llvm::popcount(warp.active);
}

static const Operation *barrier(const Operation *op, Warp &warp) {
  unsigned first = llvm::countr_zero(warp.active);
  uint32_t number = slot<uint32_t>(warp, op->operands[0])[first];
  if (number >= BlockRun::Barriers)
    return warp.fault(op, EmulationFault::Kind::DivergentBarrier,
                      "waits at barrier " + std::to_string(number) +
                          ", and there are only 16");
  BlockRun &block = *warp.block;
  BarrierState &state = block.barriers[number];
  // In one execution of an aligned barrier the whole warp takes part. Lanes
  // that come here by another way are waited for; those that wait elsewhere
  // never will.
  if (op->second)
    for (const WaitingGroup &group : warp.top->groups)
      if (group.barrier >= 0 && group.resume != op + 1)
        return warp.fault(op, EmulationFault::Kind::DivergentBarrier,
                          "waits at a barrier in divergent code: lane " +
                              std::to_string(llvm::countr_zero(group.lanes)) +
                              " of its warp waits at another one");
  if (op->operands[1] != NoSlot) {
    uint32_t threads = slot<uint32_t>(warp, op->operands[1])[first];
    if (threads % Lanes != 0)
      return warp.fault(op, EmulationFault::Kind::DivergentBarrier,
                        "waits at a barrier for " + std::to_string(threads) +
                            " threads, which is no multiple of 32");
    if (state.arrived != 0 && state.expected != threads)
      return warp.fault(op, EmulationFault::Kind::DivergentBarrier,
                        "waits at barrier " + std::to_string(number) + " for " +
                            std::to_string(threads) +
                            " threads where others wait for " +
                            std::to_string(state.expected));
    state.expected = threads;
  } else {
    state.expected = 0;
  }
  if (state.arrived == 0) {
    state.votes = 0;
    state.all = true;
    state.any = false;
  }
  if (op->operands[2] != NoSlot) {
    uint32_t yes = maskSlot(warp, op->operands[2]) & warp.active;
    state.votes += llvm::popcount(yes);
    state.any |= yes != 0;
    state.all &= yes == warp.active;
  }
  state.arrived += arrivals(warp);
  block.usedBarriers |= 1u << number;
  if (!op->count) {
    block.checkBarrier(number);
    return op + 1;
  }
  const Operation *next = warp.wait(op + 1, static_cast<int>(number));
  block.checkBarrier(number);
  // It may have been the last, and this warp's lanes may go on at once.
  if (!next && warp.state == WarpState::Ready) {
    next = warp.resume;
  }
  return next;
}

static const Operation *barrierResult(const Operation *op, Warp &warp) {
  unsigned first = llvm::countr_zero(warp.active);
  uint32_t number = slot<uint32_t>(warp, op->operands[0])[first];
  const BarrierState &state = warp.block->barriers[number];
  auto kind = static_cast<BarrierVote>(op->count);
  uint32_t value = kind == BarrierVote::Count ? state.lastVotes
                   : kind == BarrierVote::All ? state.lastAll
                                              : state.lastAny;
  uint32_t *result = slot<uint32_t>(warp, op->result);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    result[lane] = value;
  return op + 1;
}

/// Lets all lanes of a warp that wait at \p number go on.
static void release(Warp &warp, int number) {
  for (size_t i = 0; i < warp.depth; ++i) {
    Activation &activation = *warp.stack[i];
    for (WaitingGroup &group : activation.groups)
      if (group.barrier == number)
        group.barrier = -1;
  }
  if (warp.state != WarpState::AtBarrier)
    return; // goes there by itself
  warp.state = WarpState::Ready;
  // Lanes that came one after the other go on together.
  std::vector<WaitingGroup> &groups = warp.top->groups;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].barrier >= 0)
      continue;
    WaitingGroup group = std::move(groups[i]);
    groups.erase(groups.begin() + i);
    const Operation *resume = group.resume;
    warp.wake(std::move(group));
    warp.joinGroups(resume);
    warp.resume = resume;
    return;
  }
}

void BlockRun::checkBarrier(unsigned barrierNumber) {
  BarrierState &state = barriers[barrierNumber];
  if (state.arrived == 0)
    return;
  if (state.expected != 0) {
    if (state.arrived < state.expected)
      return;
  } else {
    // The last warp comes last, as a rule.
    for (unsigned i = numWarps; i-- > 0;) {
      const Warp &warp = *warps[i];
      if (warp.live & ~warp.waitingAt(static_cast<int>(barrierNumber)))
        return;
    }
  }
  state.lastVotes = state.votes;
  state.lastAll = state.all;
  state.lastAny = state.any;
  state.arrived = 0;
  for (unsigned i = 0; i < numWarps; ++i)
    release(*warps[i], static_cast<int>(barrierNumber));
}

void BlockRun::checkBarriers() {
  for (uint32_t used = usedBarriers; used; used &= used - 1)
    checkBarrier(llvm::countr_zero(used));
}

void emulator::addBarrierHandlers(HandlerTable &table) {
  table[indexOf(Opcode::Barrier)] = barrier;
  table[indexOf(Opcode::BarrierResult)] = barrierResult;
}

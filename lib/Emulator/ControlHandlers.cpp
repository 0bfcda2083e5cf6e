// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow.
#include "Handlers.h"
#include "Launch.h"
#include "ProgramCode.h"
#include "Slots.h"

#include <algorithm>

using namespace auspex;
using namespace auspex::emulator;

static const Operation *enterBlock(const Operation *op, Warp &warp) {
  if (--warp.budget < 0)
    if (const Operation *instead = warp.rotate(op, op->second); instead != op)
      return instead;
  ++warp.counters[op->index].byLanes[llvm::popcount(warp.active)];
  warp.instructions += op->count;
  return op + 1;
}

static const Operation *enterCalleeBlock(const Operation *op, Warp &warp) {
  if (--warp.budget < 0)
    if (const Operation *instead = warp.rotate(op, op->second); instead != op)
      return instead;
  ThreadContext &context = *warp.context;
  context.calleeWarpInstructions += op->count;
  context.calleeThreadInstructions +=
      uint64_t(op->count) * llvm::popcount(warp.active);
  return op + 1;
}

static const Operation *enterLoop(const Operation *op, Warp &warp) {
  ++warp.counters[op->index].loopEntries;
  return op + 1;
}

static const Operation *jump(const Operation *op, Warp &warp) {
  return warp.jump(op->index);
}

static void countDivergence(const Operation *op, Warp &warp) {
  if (warp.top->code->isKernel)
    ++warp.counters[op->count].divergent;
}

static const Operation *branch(const Operation *op, Warp &warp) {
  uint32_t condition = maskSlot(warp, op->operands[0]);
  uint32_t taken = warp.active & condition, other = warp.active & ~condition;
  if (!other)
    return warp.jump(op->index);
  if (!taken)
    return warp.jump(op->second);
  if (op->index == op->second)
    return warp.jump(op->index);
  countDivergence(op, warp);
  warp.top->add(op->index, taken);
  warp.top->add(op->second, other);
  return warp.runNext();
}

static uint64_t elementAt(const Warp &warp, SlotOffset offset, Width width,
                          unsigned lane) {
  switch (width) {
  case Width::Mask:
    return maskSlot(warp, offset) >> lane & 1;
  case Width::W8:
    return slot<uint8_t>(warp, offset)[lane];
  case Width::W16:
    return slot<uint16_t>(warp, offset)[lane];
  case Width::W32:
    return slot<uint32_t>(warp, offset)[lane];
  case Width::W64:
    return slot<uint64_t>(warp, offset)[lane];
  case Width::W128:
    return static_cast<uint64_t>(slot<uint128_t>(warp, offset)[lane]);
  }
  return 0;
}

static const Operation *choose(const Operation *op, Warp &warp) {
  const auto &info = *static_cast<const SwitchInfo *>(op->extra);
  uint32_t left = warp.active;
  uint32_t first = ~0u;
  bool isDivergent = false;
  while (left) {
    uint64_t value =
        elementAt(warp, op->operands[0], info.width, llvm::countr_zero(left));
    uint32_t same = 0;
    for (uint32_t lanes = left; lanes; lanes &= lanes - 1) {
      unsigned lane = llvm::countr_zero(lanes);
      if (elementAt(warp, op->operands[0], info.width, lane) == value)
        same |= 1u << lane;
    }
    auto found = std::lower_bound(info.targets.begin(), info.targets.end(),
                                  std::pair(value, uint32_t(0)));
    uint32_t target = found != info.targets.end() && found->first == value
                          ? found->second
                          : info.defaultTarget;
    if (left == same && first == ~0u)
      return warp.jump(target);
    isDivergent |= first != ~0u && target != first;
    first = target;
    warp.top->add(target, same);
    left &= ~same;
  }
  if (isDivergent)
    countDivergence(op, warp);
  return warp.runNext();
}

static const Operation *exitLanes(const Operation *, Warp &warp) {
  return warp.exitLanes();
}

static const Operation *returnLanes(const Operation *, Warp &warp) {
  warp.top->returned |= warp.active;
  return warp.runNext();
}

static const Operation *beginPredicate(const Operation *op, Warp &warp) {
  warp.unpredicated = warp.active;
  warp.active &= maskSlot(warp, op->operands[0]);
  if (warp.active)
    return op + 1;
  warp.active = warp.unpredicated;
  return op + op->immediate;
}

static const Operation *endPredicate(const Operation *op, Warp &warp) {
  warp.active = warp.unpredicated;
  return op + 1;
}

static const Operation *branchWithin(const Operation *op, Warp &warp) {
  uint32_t taken = op->operands[0] == NoSlot
                       ? warp.active
                       : warp.active & maskSlot(warp, op->operands[0]);
  const Operation *target = op + op->immediate;
  bool goesBack = op->immediate < 0;
  if (!taken)
    return op + 1;
  if (taken != warp.active) {
    // Who is behind goes first, so that the others can wait for them.
    if (goesBack)
      warp.leave(~taken, op + 1);
    else
      warp.leave(taken, target);
    if (!goesBack)
      return op + 1;
  }
  return goesBack && --warp.budget < 0 ? warp.pause(target) : target;
}

static const Operation *joinWithin(const Operation *op, Warp &warp) {
  for (const WaitingGroup &group : warp.top->groups)
    if (group.barrier < 0 && group.resume >= op - op->immediate &&
        group.resume < op)
      return warp.wait(op, -1);
  warp.joinGroups(op);
  return op + 1;
}

static const Operation *unreachable(const Operation *op, Warp &warp) {
  return warp.fault(op, EmulationFault::Kind::Trap,
                    "comes to code that is marked as unreachable");
}

static const Operation *raiseFault(const Operation *op, Warp &warp) {
  const auto &info = *static_cast<const FaultInfo *>(op->extra);
  return warp.fault(op, info.kind, info.message);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static constexpr size_t DeepestStack = 4096;

static const Operation *enter(const Operation *op, Warp &warp, Code &callee,
                              const CallInfo &info, uint32_t lanes,
                              const Operation *returnTo) {
  if (callee.operations.empty() || callee.isKernel)
    return warp.fault(op, EmulationFault::Kind::Unsupported,
                      "calls '" + callee.function->getName().str() +
                          (callee.isKernel ? "', which is a kernel"
                                           : "', which cannot be emulated"));
  if (warp.depth >= DeepestStack ||
      warp.localUsed + callee.localInBytes > warp.localStride)
    return warp.fault(op, EmulationFault::Kind::StackOverflow,
                      "calls '" + callee.function->getName().str() +
                          "' deeper than the stack goes (" +
                          std::to_string(warp.depth) + " calls)");
  uintptr_t callerBases[4];
  std::copy(std::begin(warp.bases), std::end(warp.bases), callerBases);
  Activation &activation = warp.push(callee, callee.pool.data(), lanes);
  activation.call = &info;
  activation.returnTo = returnTo;
  size_t count = std::min(info.arguments.size(), callee.parameters.size());
  for (size_t i = 0; i < count; ++i) {
    auto [from, width] = info.arguments[i];
    auto [to, taken] = callee.parameters[i];
    // A pointer may be to a function of another type.
    std::memcpy(activation.frame + to,
                reinterpret_cast<const char *>(
                    callerBases[from >> SlotSpaceShift] + from),
                slotBytes(std::min(width, taken)));
  }
  warp.active = lanes;
  return callee.start(callee.entry);
}

static const Operation *call(const Operation *op, Warp &warp) {
  const auto &info = *static_cast<const CallInfo *>(op->extra);
  return enter(op, warp, *info.callee, info, warp.active, op + 1);
}

static const Operation *callIndirect(const Operation *op, Warp &warp) {
  const auto &info = *static_cast<const CallInfo *>(op->extra);
  const uint64_t *targets = slot<uint64_t>(warp, op->operands[0]);
  unsigned first = llvm::countr_zero(warp.active);
  uint64_t target = targets[first];
  Code *callee = warp.context->launch->program->codeAt(target);
  if (!callee)
    return warp.fault(op, EmulationFault::Kind::IllegalAddress, first,
                      "calls through a pointer that is no function's");
  uint32_t same = 0;
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    if (targets[lane] == target)
      same |= 1u << lane;
  }
  // The others call when these have come back and wait at the same operation's
  // end; until then they wait here, with the frame as it is.
  uint32_t others = warp.active & ~same;
  if (others) {
    WaitingGroup group;
    group.lanes = others;
    group.resume = op;
    group.frame.reset(new char[warp.top->code->frameInBytes]);
    std::memcpy(group.frame.get(), warp.top->frame,
                warp.top->code->frameInBytes);
    warp.top->groups.push_back(std::move(group));
  }
  return enter(op, warp, *callee, info, same, op + 1);
}

/// Comes after an indirect call: lanes that are still to make theirs go first.
static const Operation *joinCalls(const Operation *op, Warp &warp) {
  for (const WaitingGroup &group : warp.top->groups)
    if (group.barrier < 0 && group.resume == op - 1)
      return warp.wait(op, -1);
  warp.joinGroups(op);
  return op + 1;
}

void emulator::addControlHandlers(HandlerTable &table) {
  auto set = [&](Opcode opcode, Handler handler) {
    table[indexOf(opcode)] = handler;
  };
  set(Opcode::EnterBlock, enterBlock);
  set(Opcode::EnterCalleeBlock, enterCalleeBlock);
  set(Opcode::EnterLoop, enterLoop);
  set(Opcode::Jump, jump);
  set(Opcode::Branch, branch);
  set(Opcode::Switch, choose);
  set(Opcode::Return, returnLanes);
  set(Opcode::Exit, exitLanes);
  set(Opcode::Unreachable, unreachable);
  set(Opcode::Fault, raiseFault);
  set(Opcode::BeginPredicate, beginPredicate);
  set(Opcode::EndPredicate, endPredicate);
  set(Opcode::BranchWithin, branchWithin);
  set(Opcode::JoinWithin, joinWithin);
  set(Opcode::Call, call);
  set(Opcode::CallIndirect, callIndirect);
  set(Opcode::JoinCalls, joinCalls);
}

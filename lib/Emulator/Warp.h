// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A warp that runs, and the order in which its lanes do.
///
/// Lanes that wait to run a block are in its pending mask; the warp always runs
/// the first pending block, in an order in which loops are contiguous and come
/// before what follows them. So lanes that went different ways meet again where
/// their ways do. Only what waits for other lanes, such as a barrier, can stop
/// lanes in the middle of a block: then they form a group with a copy of the
/// frame.
#ifndef AUSPEX_LIB_EMULATOR_WARP_H
#define AUSPEX_LIB_EMULATOR_WARP_H

#include "Code.h"
#include "llvm/ADT/bit.h"

#include <cstdlib>
#include <memory>

namespace auspex::emulator {

struct BlockCounter;
struct BlockRun;
struct ThreadContext;

/// Lanes that stopped in the middle of a block.
struct WaitingGroup {
  uint32_t lanes = 0;
  const Operation *resume = nullptr;
  /// The frame at that time; null if nothing has run since.
  std::unique_ptr<char[]> frame;
  /// The barrier it waits at; negative for lanes that wait for others of their
  /// warp.
  int barrier = -1;
  /// It waits for its turn alone.
  bool isOnItsWay = false;
};

/// A function that runs.
struct Activation {
  const Code *code = nullptr;
  char *frame = nullptr;
  std::unique_ptr<char[]> memory;
  const char *pool = nullptr;
  /// Lanes that called it and have not come back.
  uint32_t lanes = 0, returned = 0;
  const CallInfo *call = nullptr;
  const Operation *returnTo = nullptr;
  /// Lanes that wait to run a block, by block, and a bit for each block that
  /// has some.
  std::vector<uint32_t> pending;
  std::vector<uint64_t> pendingBits;
  uint32_t pendingBlocks = 0;
  std::vector<WaitingGroup> groups;
  /// Of the stack of local memory, to return to; by lane where it differs.
  uint64_t localMark = 0;

  void add(uint32_t block, uint32_t lanesToAdd) {
    if (!pending[block]) {
      pendingBits[block / 64] |= uint64_t(1) << block % 64;
      ++pendingBlocks;
    }
    pending[block] |= lanesToAdd;
  }
  /// The first pending block from \p from on, or from the start if there is
  /// none; there has to be one.
  uint32_t next(uint32_t from = 0) const {
    size_t word = from / 64;
    uint64_t bits = pendingBits[word] & (~uint64_t(0) << from % 64);
    while (!bits) {
      word = word + 1 < pendingBits.size() ? word + 1 : 0;
      bits = pendingBits[word];
    }
    return static_cast<uint32_t>(word * 64 + llvm::countr_zero(bits));
  }
  uint32_t take(uint32_t block) {
    uint32_t taken = pending[block];
    pending[block] = 0;
    pendingBits[block / 64] &= ~(uint64_t(1) << block % 64);
    --pendingBlocks;
    return taken;
  }
};

/// Takes the values of \p lanes from a copy of the frame.
void restoreLanes(const Code &code, char *frame, const char *saved,
                  uint32_t lanes);

/// Why a warp stopped running.
enum class WarpState { Ready, AtBarrier, Finished };

struct Warp {
  /// By SlotSpace; each less the bits of the space in an offset.
  uintptr_t bases[4] = {};
  /// Lanes that run, and those that have not come to their end.
  uint32_t active = 0, live = 0;
  /// Those that run when an instruction under a predicate is over.
  uint32_t unpredicated = 0;
  /// Blocks it may still enter before others get their turn.
  int32_t budget = 0;
  WarpState state = WarpState::Ready;
  Activation *top = nullptr;
  ThreadContext *context = nullptr;
  BlockCounter *counters = nullptr;
  /// Instructions of the kernel that it has come to.
  uint64_t instructions = 0;
  BlockRun *block = nullptr;
  const Operation *resume = nullptr;

  /// In its block.
  uint32_t number = 0;
  /// Local memory: the lanes' parts, one after the other.
  char *local = nullptr;
  uint64_t localStride = 0, localUsed = 0;
  struct FreeLocal {
    void operator()(char *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<char, FreeLocal> localMemory;
  uint64_t localCapacity = 0;
  /// Operations since the last progress that look as if they waited for
  /// somebody.
  uint32_t spins = 0;
  uint32_t turns = 0;
  /// Blocks a warp enters in a turn.
  static constexpr int32_t Turn = 1 << 14;
  /// The same while it spins.
  static constexpr int32_t SpinningTurn = 64;

  std::vector<std::unique_ptr<Activation>> stack;
  size_t depth = 0;
  /// The slots of SlotSpace::Warp.
  alignas(64) uint32_t own[WarpSlots * Lanes];

  void setBase(SlotSpace space, const char *base) {
    auto index = static_cast<uint32_t>(space);
    bases[index] = reinterpret_cast<uintptr_t>(base) -
                   (uintptr_t(index) << SlotSpaceShift);
  }
  /// Makes the first \p code's activation; \p pool holds its constants.
  void begin(const Code &code, const char *pool, uint32_t lanes);
  Activation &push(const Code &code, const char *pool, uint32_t lanes);
  /// Takes the uppermost activation away and goes on after the call, with the
  /// lanes that came back.
  const Operation *pop();

  /// The next block that lanes wait for; null if there is none, and the state
  /// says why.
  const Operation *runNext();
  /// All active lanes go to \p block.
  [[gnu::always_inline]] inline const Operation *jump(uint32_t block) {
    if (top->pendingBlocks == 0)
      return top->code->start(block);
    top->add(block, active);
    return runNext();
  }
  /// Lets others have their turn.
  const Operation *rotate(const Operation *operation, uint32_t block);
  /// Stops the active lanes at \p resumeAt; if there are others, they run.
  const Operation *wait(const Operation *resumeAt, int barrier);
  /// Keeps the active lanes among \p lanes back at \p resumeAt while the others
  /// go on.
  void leave(uint32_t lanes, const Operation *resumeAt);
  /// Within a block, before going on at \p next: lets others have their turn.
  const Operation *pause(const Operation *next);
  /// Adds the groups that wait at \p operation to the active lanes.
  void joinGroups(const Operation *operation);
  /// Puts the lanes of \p group back to where they were.
  const Operation *wake(WaitingGroup group);
  /// The active lanes are done.
  const Operation *exitLanes();
  /// Lanes that wait at barrier \p number.
  uint32_t waitingAt(int number) const;

  /// Notes a fault of the active lane \p lane and stops the launch.
  const Operation *fault(const Operation *operation, EmulationFault::Kind kind,
                         unsigned lane, std::string message);
  const Operation *fault(const Operation *operation, EmulationFault::Kind kind,
                         std::string message) {
    return fault(operation, kind, llvm::countr_zero(active),
                 std::move(message));
  }
};

} // namespace auspex::emulator

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarrier: barriers that are words in shared memory. What is in such a word is
// the implementation's; here, from the lowest bit on: arrivals still to come in
// this phase (20 bits), arrivals of a phase (20), bytes still to come (21), 2
// bits of the phase's number, of which the parity is the lower one.
#include "Handlers.h"
#include "Launch.h"
#include "Slots.h"

#include <cstring>

using namespace auspex;
using namespace auspex::emulator;

namespace {
struct MemoryBarrier {
  static constexpr uint64_t CountMask = (1 << 20) - 1;
  static constexpr uint64_t BytesMask = (1 << 21) - 1;
  uint64_t pending = 0, expected = 0, bytes = 0, phase = 0;

  static MemoryBarrier unpack(uint64_t word) {
    return {word & CountMask, word >> 20 & CountMask, word >> 40 & BytesMask,
            word >> 61 & 3};
  }
  uint64_t pack() const {
    return (pending & CountMask) | (expected & CountMask) << 20 |
           (bytes & BytesMask) << 40 | (phase & 3) << 61;
  }
  void endPhase() {
    if (pending != 0 || bytes != 0)
      return;
    pending = expected;
    ++phase;
  }
};
} // namespace

static const Operation *memoryBarrier(const Operation *op, Warp &warp) {
  using Kind = MemoryBarrierKind;
  const uint64_t *pointers = slot<uint64_t>(warp, op->operands[0]);
  if (!requestFunction()(op, warp, pointers, 8))
    return nullptr;
  auto kind = static_cast<Kind>(op->count);
  bool isTest = kind == Kind::TestState || kind == Kind::TestParity;
  uint32_t over = 0;
  for (uint32_t lanes = warp.active; lanes; lanes &= lanes - 1) {
    unsigned lane = llvm::countr_zero(lanes);
    auto *at = reinterpret_cast<char *>(pointers[lane] +
                                        static_cast<uint64_t>(op->immediate));
    uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    MemoryBarrier barrier = MemoryBarrier::unpack(word);
    uint64_t value = kind == Kind::TestState
                         ? slot<uint64_t>(warp, op->operands[1])[lane]
                         : slot<uint32_t>(warp, op->operands[1])[lane];
    uint64_t bytes = op->operands[2] == NoSlot
                         ? 0
                         : slot<uint32_t>(warp, op->operands[2])[lane];
    switch (kind) {
    case Kind::Initialize:
      barrier = {value, value, 0, 0};
      break;
    case Kind::ArriveAndDrop:
    case Kind::DropWithoutEnd:
    case Kind::DropAndExpectBytes:
      barrier.expected -= value;
      [[fallthrough]];
    case Kind::Arrive:
    case Kind::ArriveWithoutEnd:
    case Kind::ArriveAndExpectBytes:
      if (value > barrier.pending)
        return warp.fault(op, EmulationFault::Kind::IllegalAddress, lane,
                          "arrives at a barrier in memory that expects " +
                              std::to_string(barrier.pending) + " more, as " +
                              std::to_string(value));
      barrier.bytes += bytes;
      barrier.pending -= value;
      if (kind != Kind::ArriveWithoutEnd && kind != Kind::DropWithoutEnd)
        barrier.endPhase();
      break;
    case Kind::ExpectBytes:
      barrier.bytes += value;
      break;
    case Kind::CompleteBytes:
      barrier.bytes -= value;
      barrier.endPhase();
      break;
    case Kind::TestState:
      over |= uint32_t(MemoryBarrier::unpack(value).phase != barrier.phase)
              << lane;
      continue;
    case Kind::TestParity:
      over |= uint32_t((value & 1) != (barrier.phase & 1)) << lane;
      continue;
    }
    slot<uint64_t>(warp, op->result)[lane] = word;
    word = barrier.pack();
    std::memcpy(at, &word, sizeof(word));
  }
  if (isTest)
    maskSlot(warp, op->result) = over;
  return op + 1;
}

void emulator::addMemoryBarrierHandlers(HandlerTable &table) {
  table[indexOf(Opcode::MemoryBarrier)] = memoryBarrier;
}

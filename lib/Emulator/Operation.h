// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the interpreter executes: operations over slots.
///
/// A slot holds one scalar value for the 32 lanes of a warp: integers in
/// elements of the next power of 2 of bits with zeros above, floats as their
/// bits, an i1 as one mask of 32 bits. Vectors and aggregates are one slot an
/// element. Operations compute all lanes, also those that are not active; only
/// Merge, memory and whatever else others could see looks at the mask. So a
/// value that outlives its basic block is merged into a slot of its own.
#ifndef AUSPEX_LIB_EMULATOR_OPERATION_H
#define AUSPEX_LIB_EMULATOR_OPERATION_H

#include <cstddef>
#include <cstdint>

namespace auspex::emulator {

__extension__ typedef unsigned __int128 uint128_t;
__extension__ typedef __int128 int128_t;

constexpr unsigned Lanes = 32;
constexpr uint32_t FullMask = ~0u;

struct Warp;
struct Operation;

/// Executes an operation and says which comes next; null if the warp stops.
using Handler = const Operation *(*)(const Operation *, Warp &);

/// Where a slot is: the upper two bits choose what the rest is an offset in.
using SlotOffset = uint32_t;
enum class SlotSpace : uint32_t {
  /// Of the function's activation.
  Frame,
  /// Constants of the function and, in kernels, arguments: the same for all
  /// warps of a launch.
  Pool,
  /// Thread and block indices; the same for all functions.
  Warp,
};
constexpr unsigned SlotSpaceShift = 30;
constexpr SlotOffset inSpace(SlotSpace space, uint32_t offset) {
  return static_cast<uint32_t>(space) << SlotSpaceShift | offset;
}
constexpr SlotOffset NoSlot = ~0u;

/// Slots of SlotSpace::Warp, in units of 32 words.
enum WarpSlot : uint32_t {
  TidX,
  TidY,
  TidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NtidX,
  NtidY,
  NtidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  WarpSlots
};

/// What ReadSpecial reads.
enum SpecialRegister : uint32_t {
  WarpNumber,
  NumWarps,
  SmNumber,
  NumSms,
  Clock,
  ClockHigh,
  GlobalTimer,
  GridNumber,
  DynamicSharedSize,
  TotalSharedSize,
  EnvironmentHigh,
  EnvironmentLow,
  /// The lower half of the address of shared memory kept for the system.
  ReservedShared,
};

/// Shared memory behind that of the program.
constexpr unsigned ReservedSharedBytes = 1024;

enum class ShuffleKind : uint32_t { Index, Up, Down, Butterfly };
enum class VoteKind : uint32_t { Ballot, All, Any, Uniform };
/// What a barrier makes of the votes of those who come.
enum class BarrierVote : uint32_t { Count, All, Any };

/// What to do with an mbarrier.
enum class MemoryBarrierKind : uint32_t {
  Initialize,
  /// Counts arrivals, and ends the phase with the last.
  Arrive,
  ArriveWithoutEnd,
  /// And expects so many less from the next phase on.
  ArriveAndDrop,
  DropWithoutEnd,
  /// More bytes to come in the phase.
  ExpectBytes,
  ArriveAndExpectBytes,
  DropAndExpectBytes,
  CompleteBytes,
  /// Whether the phase of a state, or of a parity, is over.
  TestState,
  TestParity,
};

constexpr uint32_t NoAccess = ~0u;

struct alignas(64) Operation {
  Handler handler = nullptr;
  SlotOffset result = NoSlot;
  SlotOffset operands[4] = {NoSlot, NoSlot, NoSlot, NoSlot};
  /// Elements of a memory access, a kind, a count; as the operation says.
  uint32_t count : 31 = 0;
  /// Whether the index is that of a memory access.
  uint32_t isAccess : 1 = false;
  /// A displacement, a scale, a second table index; as the operation says.
  int64_t immediate = 0;
  /// The index of the memory access's state; the index of a block.
  uint32_t index = NoAccess;
  /// A second block, an alignment.
  uint32_t second = 0;
  /// What does not fit; as the operation says.
  const void *extra = nullptr;
};
static_assert(sizeof(Operation) == 64);

/// Bits a lane takes in a slot; a mask takes one.
enum class Width : uint8_t { Mask, W8, W16, W32, W64, W128 };

constexpr unsigned bytesPerLane(Width width) {
  return width == Width::Mask ? 0 : 1u << (static_cast<unsigned>(width) - 1);
}
constexpr unsigned slotBytes(Width width) {
  return width == Width::Mask ? 4 : Lanes * bytesPerLane(width);
}

enum class Opcode : uint16_t {
#define OPERATION(name, ...) name,
#include "Operations.def"
#undef OPERATION
  Count
};
constexpr size_t NumOpcodes = static_cast<size_t>(Opcode::Count);

/// For opcodes that are listed side by side.
constexpr Opcode next(Opcode opcode, unsigned by = 1) {
  return static_cast<Opcode>(static_cast<unsigned>(opcode) + by);
}

/// The opcode of a family that has one for every width from 8 to 128 bits.
constexpr Opcode ofWidth(Opcode first, Width width) {
  return next(first, static_cast<unsigned>(width) - 1);
}

/// Handlers by opcode.
using HandlerTable = Handler[NumOpcodes];

/// The handlers for the processor this runs on.
const HandlerTable &handlerTable();

} // namespace auspex::emulator

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between slots and the arithmetic of addresses; compiled for every
// instruction set.
#include "Arithmetic.h"
#include "Handlers.h"
#include "Slots.h"

namespace auspex::emulator::AUSPEX_ISA {
namespace {

template <class T> const Operation *copy(const Operation *op, Warp &warp) {
  std::memcpy(slot<T>(warp, op->result), slot<T>(warp, op->operands[0]),
              Lanes * sizeof(T));
  return op + 1;
}
const Operation *copyMask(const Operation *op, Warp &warp) {
  maskSlot(warp, op->result) = maskSlot(warp, op->operands[0]);
  return op + 1;
}

template <class T> const Operation *merge(const Operation *op, Warp &warp) {
  T *__restrict result = slot<T>(warp, op->result);
  const T *from = slot<T>(warp, op->operands[0]);
  uint32_t mask = warp.active;
  if (mask == FullMask) {
    std::memcpy(result, from, Lanes * sizeof(T));
    return op + 1;
  }
  alignas(64) T chosen[Lanes];
  expandMask(mask, chosen);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    result[lane] = (from[lane] & chosen[lane]) | (result[lane] & ~chosen[lane]);
  return op + 1;
}
const Operation *mergeMask(const Operation *op, Warp &warp) {
  uint32_t &result = maskSlot(warp, op->result);
  result =
      (result & ~warp.active) | (maskSlot(warp, op->operands[0]) & warp.active);
  return op + 1;
}

template <class Index, bool isShift>
const Operation *address(const Operation *op, Warp &warp) {
  uint64_t *__restrict result = slot<uint64_t>(warp, op->result);
  const uint64_t *base = slot<uint64_t>(warp, op->operands[0]);
  const Index *index = slot<Index>(warp, op->operands[1]);
  int64_t scale = op->immediate;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    auto wide = static_cast<uint64_t>(static_cast<int64_t>(index[lane]));
    result[lane] = base[lane] + (isShift ? wide << scale : wide * scale);
  }
  return op + 1;
}

} // namespace

void addDataHandlers(HandlerTable &table) {
  auto set = [&](Opcode opcode, Handler handler) {
    table[indexOf(opcode)] = handler;
  };
#define FAMILY(name, function)                                                 \
  set(Opcode::name##8, function<uint8_t>);                                     \
  set(Opcode::name##16, function<uint16_t>);                                   \
  set(Opcode::name##32, function<uint32_t>);                                   \
  set(Opcode::name##64, function<uint64_t>);                                   \
  set(Opcode::name##128, function<uint128_t>);
  FAMILY(Copy, copy)
  FAMILY(Merge, merge)
#undef FAMILY
  set(Opcode::CopyMask, copyMask);
  set(Opcode::MergeMask, mergeMask);
  set(Opcode::AddressSigned32, address<int32_t, false>);
  set(Opcode::AddressUnsigned32, address<uint32_t, false>);
  set(Opcode::Address64, address<int64_t, false>);
  set(Opcode::AddressShiftSigned32, address<int32_t, true>);
  set(Opcode::AddressShiftUnsigned32, address<uint32_t, true>);
  set(Opcode::AddressShift64, address<int64_t, true>);
}

} // namespace auspex::emulator::AUSPEX_ISA

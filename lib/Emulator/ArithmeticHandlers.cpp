// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that compute each lane by itself; compiled for every
// instruction set.
#include "Arithmetic.h"
#include "Handlers.h"
#include "Slots.h"

#include <utility>

namespace auspex::emulator::AUSPEX_ISA {
namespace {

/// The operand's values; a mask is one word for all lanes.
template <class T> struct Operand {
  const T *values;
  Operand(const Warp &warp, SlotOffset offset)
      : values(slot<T>(warp, offset)) {}
  [[gnu::always_inline]] T operator[](unsigned lane) const {
    return values[lane];
  }
};
template <> struct Operand<bool> {
  uint32_t bits;
  Operand(const Warp &warp, SlotOffset offset) : bits(maskSlot(warp, offset)) {}
  [[gnu::always_inline]] bool operator[](unsigned lane) const {
    return bits >> lane & 1;
  }
};

template <auto function> struct Map;
template <class R, class... A, R (*function)(A...)> struct Map<function> {
  template <size_t... i>
  [[gnu::always_inline]] static void compute(const Operation *op, Warp &warp,
                                             std::index_sequence<i...>) {
    auto run = [&](auto... operands) __attribute__((always_inline)) {
      if constexpr (std::is_same_v<R, bool>) {
        uint32_t bits = 0;
        for (unsigned lane = 0; lane < Lanes; ++lane)
          bits |= static_cast<uint32_t>(function(operands[lane]...)) << lane;
        maskSlot(warp, op->result) = bits;
      } else {
        // The decoder gives results slots that no operand is in.
        R *__restrict result = slot<R>(warp, op->result);
        for (unsigned lane = 0; lane < Lanes; ++lane)
          result[lane] = function(operands[lane]...);
      }
    };
    run(Operand<A>(warp, op->operands[i])...);
  }
  static const Operation *handle(const Operation *op, Warp &warp) {
    compute(op, warp, std::index_sequence_for<A...>());
    return op + 1;
  }
};

template <bool (*function)(bool, bool)>
const Operation *handleMasks(const Operation *op, Warp &warp) {
  static_assert(sizeof(uint32_t) * 8 == Lanes);
  uint32_t a = maskSlot(warp, op->operands[0]);
  uint32_t b = maskSlot(warp, op->operands[1]);
  uint32_t result = 0;
  // All four cases of one bit, for all bits.
  result |= function(false, false) ? ~a & ~b : 0;
  result |= function(false, true) ? ~a & b : 0;
  result |= function(true, false) ? a & ~b : 0;
  result |= function(true, true) ? a & b : 0;
  maskSlot(warp, op->result) = result;
  return op + 1;
}

template <class T>
const Operation *handleSelect(const Operation *op, Warp &warp) {
  alignas(64) T chosen[Lanes];
  expandMask(maskSlot(warp, op->operands[0]), chosen);
  const T *a = slot<T>(warp, op->operands[1]);
  const T *b = slot<T>(warp, op->operands[2]);
  T *__restrict result = slot<T>(warp, op->result);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    result[lane] = (a[lane] & chosen[lane]) | (b[lane] & ~chosen[lane]);
  return op + 1;
}

template <class T, bool isSigned>
const Operation *handleFromMask(const Operation *op, Warp &warp) {
  alignas(64) T ones[Lanes];
  expandMask(maskSlot(warp, op->operands[0]), ones);
  T *__restrict result = slot<T>(warp, op->result);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    result[lane] = isSigned ? ones[lane] : T(ones[lane] & 1);
  return op + 1;
}

} // namespace

void addArithmeticHandlers(HandlerTable &table) {
#define ARITHMETIC(name, function)                                             \
  table[indexOf(Opcode::name)] = Map<function>::handle;
#include "ArithmeticOperations.def"
#undef ARITHMETIC
  table[indexOf(Opcode::MaskAnd)] = handleMasks<maskAnd>;
  table[indexOf(Opcode::MaskOr)] = handleMasks<maskOr>;
  table[indexOf(Opcode::MaskXor)] = handleMasks<maskXor>;
#define FAMILY(name, ...)                                                      \
  table[indexOf(Opcode::name##8)] = __VA_ARGS__(uint8_t);                      \
  table[indexOf(Opcode::name##16)] = __VA_ARGS__(uint16_t);                    \
  table[indexOf(Opcode::name##32)] = __VA_ARGS__(uint32_t);                    \
  table[indexOf(Opcode::name##64)] = __VA_ARGS__(uint64_t);
#define SELECT(type) handleSelect<type>
#define FROM_MASK(type) handleFromMask<type, false>
#define SIGN_FROM_MASK(type) handleFromMask<type, true>
  FAMILY(Select, SELECT)
  FAMILY(FromMask, FROM_MASK)
  FAMILY(SignFromMask, SIGN_FROM_MASK)
#undef FAMILY
#undef SELECT
#undef FROM_MASK
#undef SIGN_FROM_MASK
}

} // namespace auspex::emulator::AUSPEX_ISA

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The new value that an atomic operation makes of an old one.
#ifndef AUSPEX_LIB_EMULATOR_ATOMICOPERATIONS_H
#define AUSPEX_LIB_EMULATOR_ATOMICOPERATIONS_H

#ifndef AUSPEX_ISA
#define AUSPEX_ISA baseline
#endif
#include "Arithmetic.h"
#include "Atomics.h"

namespace auspex::emulator {

namespace isa = AUSPEX_ISA;

/// Not for CompareAndSwap.
template <class T> T applyAtomic(AtomicKind kind, T old, T value) {
  using namespace isa;
  // As a float of the same width; none for other widths.
  auto floating = [&](auto compute) -> T {
    if constexpr (sizeof(T) == 4)
      return isa::bitCast<T>(
          compute(isa::bitCast<float>(old), isa::bitCast<float>(value)));
    else if constexpr (sizeof(T) == 8)
      return isa::bitCast<T>(
          compute(isa::bitCast<double>(old), isa::bitCast<double>(value)));
    else
      return old;
  };
  auto half = [&](auto compute) -> T {
    if constexpr (sizeof(T) == 2)
      return floatToHalf(compute(halfToFloat(old), halfToFloat(value)));
    else
      return old;
  };
  auto bfloat = [&](auto compute) -> T {
    if constexpr (sizeof(T) == 2)
      return floatToBfloat(compute(bfloatToFloat(old), bfloatToFloat(value)));
    else
      return old;
  };
  auto sum = [](auto a, auto b) { return a + b; };
  auto difference = [](auto a, auto b) { return a - b; };
  auto larger = [](auto a, auto b) { return maxNumber(a, b); };
  auto smaller = [](auto a, auto b) { return minNumber(a, b); };
  switch (kind) {
  case AtomicKind::Exchange:
  case AtomicKind::CompareAndSwap:
    return value;
  case AtomicKind::Add:
    return old + value;
  case AtomicKind::Sub:
    return old - value;
  case AtomicKind::And:
    return old & value;
  case AtomicKind::Nand:
    return ~(old & value);
  case AtomicKind::Or:
    return old | value;
  case AtomicKind::Xor:
    return old ^ value;
  case AtomicKind::SMax:
    return maxSigned(old, value);
  case AtomicKind::SMin:
    return minSigned(old, value);
  case AtomicKind::UMax:
    return maxUnsigned(old, value);
  case AtomicKind::UMin:
    return minUnsigned(old, value);
  case AtomicKind::Increment:
    return old >= value ? T(0) : T(old + 1);
  case AtomicKind::Decrement:
    return old == 0 || old > value ? value : T(old - 1);
  case AtomicKind::ConditionalSub:
    return old >= value ? T(old - value) : old;
  case AtomicKind::SaturatingSub:
    return old >= value ? T(old - value) : T(0);
  case AtomicKind::FAdd:
    return floating(sum);
  case AtomicKind::FSub:
    return floating(difference);
  case AtomicKind::FMax:
    return floating(larger);
  case AtomicKind::FMin:
    return floating(smaller);
  case AtomicKind::HalfAdd:
    return half(sum);
  case AtomicKind::HalfSub:
    return half(difference);
  case AtomicKind::HalfMax:
    return half(larger);
  case AtomicKind::HalfMin:
    return half(smaller);
  case AtomicKind::BfloatAdd:
    return bfloat(sum);
  case AtomicKind::BfloatSub:
    return bfloat(difference);
  case AtomicKind::BfloatMax:
    return bfloat(larger);
  case AtomicKind::BfloatMin:
    return bfloat(smaller);
  }
  return value;
}

} // namespace auspex::emulator

#endif

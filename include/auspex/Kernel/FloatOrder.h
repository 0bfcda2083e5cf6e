// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Floating-point arguments in expressions, which are of integers: a symbol
/// stands for the place of the number among all numbers, so that comparisons
/// come out right.
#ifndef AUSPEX_KERNEL_FLOATORDER_H
#define AUSPEX_KERNEL_FLOATORDER_H

#include <bit>
#include <cstdint>

namespace auspex {

/// Greater numbers have greater places, and 0 has 0, whatever its sign. Numbers
/// may share a place that only the last three bits of a double tell apart, so
/// that places can be subtracted from each other. No NaN has one.
inline int64_t floatPlace(double number) {
  constexpr unsigned Shared = 3;
  auto bits = std::bit_cast<int64_t>(number);
  return bits >= 0 ? bits >> Shared : -((bits & INT64_MAX) >> Shared);
}

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What expressions for machine integers are as numbers. Expressions do not
/// wrap around where the values do, so they stand for these modulo 2^bits only:
/// what sums, differences and products can live with, and nothing else.
#ifndef AUSPEX_LIB_ANALYSIS_MACHINEINTEGERS_H
#define AUSPEX_LIB_ANALYSIS_MACHINEINTEGERS_H

#include "auspex/Expr/Expr.h"

namespace auspex {

/// Widths that arithmetic is meant to stay in. Going from one to the other is a
/// conversion; anything else is a mask that the optimiser wrote as a
/// conversion, or a small type that arithmetic comes to the end of.
inline bool isNaturalWidth(uint64_t bits) { return bits == 32 || bits == 64; }

/// What a value of \p bits bits is as a number.
Expr asNumber(const Expr &expr, uint64_t bits, bool isSigned);
inline Expr asUnsigned(const Expr &expr, uint64_t bits) {
  return asNumber(expr, bits, /*isSigned=*/false);
}
inline Expr asSigned(const Expr &expr, uint64_t bits) {
  return asNumber(expr, bits, /*isSigned=*/true);
}

/// Whether \p expr, of a signed number, counts the iterations of a loop in a
/// type of \p bits bits, and is taken not to count beyond it. Unsigned numbers
/// of these sizes may be masks.
bool isSmallCounter(const Expr &expr, uint64_t bits);

/// C's division of signed numbers, which rounds towards 0. Divisors are taken
/// to be positive unless they are constants.
Expr truncatingDiv(const Expr &a, const Expr &b);
/// The remainder of that division: its sign is that of \p a.
Expr truncatingMod(const Expr &a, const Expr &b);

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic of intervals: an interval with all results that the values of the
/// operands can have.
#ifndef AUSPEX_LIB_EXPR_INTERVALS_H
#define AUSPEX_LIB_EXPR_INTERVALS_H

#include "auspex/Expr/Expr.h"

namespace auspex::intervals {

Interval add(Interval a, Interval b);
Interval multiply(Interval a, Interval b);
Interval power(Interval base, unsigned exponent);
/// A function; \p b is ignored where one operand is taken.
Interval apply(Atom::Kind kind, Interval a, Interval b);

} // namespace auspex::intervals

#endif

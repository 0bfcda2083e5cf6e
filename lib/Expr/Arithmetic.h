// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The one place that says what atoms compute; folding and evaluation share it.
#ifndef AUSPEX_LIB_EXPR_ARITHMETIC_H
#define AUSPEX_LIB_EXPR_ARITHMETIC_H

#include "auspex/Expr/Expr.h"

namespace auspex {

/// How many operands an atom of this kind takes; min and max take 2 at a time.
inline unsigned arity(Atom::Kind kind) {
  switch (kind) {
  case Atom::Kind::Symbol:
    return 0;
  case Atom::Kind::Pow2:
  case Atom::Kind::Log2:
  case Atom::Kind::AtLeastZero:
  case Atom::Kind::EqualZero:
  case Atom::Kind::NotZero:
    return 1;
  default:
    return 2;
  }
}

/// Applies a function to numbers (b is ignored where one operand is taken).
/// False where the function is not defined.
inline bool applyAtom(Atom::Kind kind, int64_t a, int64_t b, int64_t &result) {
  switch (kind) {
  case Atom::Kind::Symbol:
    return false;
  case Atom::Kind::FloorDiv:
    if (b == 0 || (a == INT64_MIN && b == -1))
      return false;
    result = floorDiv(a, b);
    return true;
  case Atom::Kind::Mod:
    if (b == 0)
      return false;
    result = b == -1 ? 0 : floorMod(a, b);
    return true;
  case Atom::Kind::Min:
    result = a < b ? a : b;
    return true;
  case Atom::Kind::Max:
    result = a > b ? a : b;
    return true;
  case Atom::Kind::And:
    result = a & b;
    return true;
  case Atom::Kind::Or:
    result = a | b;
    return true;
  case Atom::Kind::Xor:
    result = a ^ b;
    return true;
  case Atom::Kind::Pow2:
    if (a < 0 || a > 62)
      return false;
    result = int64_t(1) << a;
    return true;
  case Atom::Kind::Log2:
    if (a <= 0)
      return false;
    result = 63 - __builtin_clzll(static_cast<uint64_t>(a));
    return true;
  case Atom::Kind::AtLeastZero:
    result = a >= 0;
    return true;
  case Atom::Kind::EqualZero:
    result = a == 0;
    return true;
  case Atom::Kind::NotZero:
    result = a != 0;
    return true;
  }
  __builtin_unreachable();
}

} // namespace auspex

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Closed forms of what a loop changes: counters that start again at a bound,
/// positions in a ring, clamps, flags, sums.
#ifndef AUSPEX_EXPR_RECURRENCE_H
#define AUSPEX_EXPR_RECURRENCE_H

#include "auspex/Expr/Expr.h"

namespace auspex {

/// A value that is \p start before the first iteration and \p next after each.
struct Recurrence {
  Expr start;
  /// In terms of \p self, the value before the iteration, and \p counter.
  Expr next;
  /// Symbols; the counter is 0 in the first iteration.
  std::string self, counter;
  /// Nothing sets it before the loop: it may start with anything.
  bool startsUnset = false;
};

/// The value before iteration number \p counter, for as long as the symbols
/// stay in their intervals; none where no rule here fits, or where it would
/// need more than the intervals say.
std::optional<Expr>
solve(const Recurrence &recurrence,
      llvm::function_ref<Interval(llvm::StringRef)> symbols);

} // namespace auspex

#endif

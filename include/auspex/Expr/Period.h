// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Expressions that repeat themselves along a symbol, as quotients and
/// remainders by constants do.
#ifndef AUSPEX_EXPR_PERIOD_H
#define AUSPEX_EXPR_PERIOD_H

#include "auspex/Expr/Expr.h"

namespace auspex {

/// Where a symbol is larger by \c length, at least 1, the expression is larger
/// by \c shift, whatever the values of all symbols.
struct Period {
  int64_t length = 1, shift = 0;
};

/// The period of \p expr along \p symbol: of mod(6*symbol + x, 30) a length of
/// 5 and a shift of 0, of floordiv(6*symbol + x, 30) one of 5 and of 1. None if
/// nothing shows that there is one.
std::optional<Period> periodAlong(const Expr &expr, llvm::StringRef symbol);

/// By how much \p expr is larger where \p symbol is larger by 1, whatever the
/// values of all symbols; 0 if that is not always the same.
int64_t stepAlong(const Expr &expr, llvm::StringRef symbol);

} // namespace auspex

#endif

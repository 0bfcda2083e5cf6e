// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Upper bounds that minima give, and maxima that are subtracted, where some of
/// their operands are not known.
#ifndef AUSPEX_EXPR_MINIMA_H
#define AUSPEX_EXPR_MINIMA_H

#include "auspex/Expr/Expr.h"

namespace auspex {

/// Something that \p isKnown and that \p expr is never above, since no operand
/// is below its minimum or above its maximum; none if the minima among its
/// terms, and the maxima taken off, do not say so.
std::optional<Expr>
boundByMinima(const Expr &expr, llvm::function_ref<bool(const Expr &)> isKnown);

} // namespace auspex

#endif

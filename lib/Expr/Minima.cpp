// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Expr/Minima.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

/// The minimum that \p term is a positive multiple of; null if it is none.
static const Atom *minimumIn(const Expr::Term &term) {
  bool isMultiple = term.coefficient > 0 && term.factors.size() == 1 &&
                    term.factors[0].power == 1;
  const Atom *atom = isMultiple ? term.factors[0].atom.get() : nullptr;
  return atom && atom->kind == Atom::Kind::Min ? atom : nullptr;
}

static std::optional<Expr>
boundBy(const Expr &expr, llvm::function_ref<bool(const Expr &)> isKnown,
        unsigned minimaLeft) {
  if (isKnown(expr))
    return expr;
  std::optional<Expr> least;
  for (const Expr::Term &term : expr.sum()) {
    const Atom *minimum = minimaLeft ? minimumIn(term) : nullptr;
    if (!minimum)
      continue;
    Expr whole = minimum->operands.front();
    for (const Expr &operand : llvm::drop_begin(minimum->operands))
      whole = Expr::min(whole, operand);
    for (const Expr &operand : minimum->operands)
      if (auto bound =
              boundBy(expr + Expr(term.coefficient) * (operand - whole),
                      isKnown, minimaLeft - 1))
        least = least ? Expr::min(*least, *bound) : *bound;
  }
  return least;
}

std::optional<Expr>
auspex::boundByMinima(const Expr &expr,
                      llvm::function_ref<bool(const Expr &)> isKnown) {
  constexpr unsigned MostMinima = 3;
  return boundBy(expr, isKnown, MostMinima);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Expr/Minima.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

/// The minimum that \p term is a positive multiple of, or the maximum that it
/// is a negative one of; null if it is neither.
static const Atom *boundIn(const Expr::Term &term) {
  if (term.factors.size() != 1 || term.factors[0].power != 1)
    return nullptr;
  const Atom *atom = term.factors[0].atom.get();
  Atom::Kind bounding =
      term.coefficient > 0 ? Atom::Kind::Min : Atom::Kind::Max;
  return atom->kind == bounding ? atom : nullptr;
}

static std::optional<Expr>
boundBy(const Expr &expr, llvm::function_ref<bool(const Expr &)> isKnown,
        unsigned boundsLeft) {
  if (isKnown(expr))
    return expr;
  std::optional<Expr> least;
  for (const Expr::Term &term : expr.sum()) {
    const Atom *bound = boundsLeft ? boundIn(term) : nullptr;
    if (!bound)
      continue;
    auto join = bound->kind == Atom::Kind::Min ? Expr::min : Expr::max;
    Expr whole = bound->operands.front();
    for (const Expr &operand : llvm::drop_begin(bound->operands))
      whole = join(whole, operand);
    for (const Expr &operand : bound->operands)
      if (auto most = boundBy(expr + Expr(term.coefficient) * (operand - whole),
                              isKnown, boundsLeft - 1))
        least = least ? Expr::min(*least, *most) : *most;
  }
  return least;
}

std::optional<Expr>
auspex::boundByMinima(const Expr &expr,
                      llvm::function_ref<bool(const Expr &)> isKnown) {
  constexpr unsigned Most = 3;
  return boundBy(expr, isKnown, Most);
}

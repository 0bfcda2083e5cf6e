// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Expr/Period.h"

#include "llvm/ADT/bit.h"

#include <numeric>

using namespace auspex;

/// What an operand may grow by a multiple of so that the function grows evenly
/// or not at all; 1 if that is not known.
static int64_t modulusOf(const Atom &function) {
  switch (function.kind) {
  case Atom::Kind::FloorDiv:
  case Atom::Kind::Mod:
    return std::max<int64_t>(function.operands[1].constant().value_or(1), 1);
  case Atom::Kind::And:
  case Atom::Kind::Or:
  case Atom::Kind::Xor:
    for (const Expr &operand : function.operands)
      if (std::optional<int64_t> bits = operand.constant();
          bits && *bits >= 0 && *bits < INT64_MAX / 2)
        return static_cast<int64_t>(llvm::bit_ceil(uint64_t(*bits) + 1));
    return 1;
  default:
    return 1;
  }
}

/// Makes \p length a multiple of \p other; false if that is too long.
static bool extend(int64_t &length, int64_t other) {
  constexpr int64_t Longest = int64_t(1) << 40;
  return !__builtin_mul_overflow(length, other / std::gcd(length, other),
                                 &length) &&
         length <= Longest;
}

std::optional<Period> auspex::periodAlong(const Expr &expr,
                                          llvm::StringRef symbol) {
  Period period;
  if (!expr.usesAny([&](llvm::StringRef name) { return name == symbol; }))
    return period;
  for (const Expr::Term &term : expr.sum())
    for (const Expr::Factor &factor : term.factors)
      for (const Expr &operand : factor.atom->operands) {
        std::optional<Period> inner = periodAlong(operand, symbol);
        if (!inner)
          return std::nullopt;
        int64_t modulus = modulusOf(*factor.atom);
        int64_t repeats = modulus / std::gcd(inner->shift, modulus);
        if (__builtin_mul_overflow(inner->length, repeats, &inner->length) ||
            !extend(period.length, inner->length))
          return std::nullopt;
      }
  Expr next = Expr::symbol(symbol) + Expr(period.length);
  Expr shifted = expr.substitute([&](llvm::StringRef name) {
    return name == symbol ? std::optional(next) : std::nullopt;
  });
  std::optional<int64_t> shift = (shifted - expr).constant();
  if (!shift)
    return std::nullopt;
  period.shift = *shift;
  return period;
}

int64_t auspex::stepAlong(const Expr &expr, llvm::StringRef symbol) {
  std::optional<Period> period = periodAlong(expr, symbol);
  return period && period->length == 1 ? period->shift : 0;
}

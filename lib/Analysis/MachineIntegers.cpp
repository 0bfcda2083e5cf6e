// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MachineIntegers.h"

#include "ValueTranslator.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

/// Whether a number of 32 bits is made as no index is: multiplied by a large
/// number that is no stride, as in hash functions and random numbers, or beyond
/// its type at the smallest indices, where the optimiser has replaced a
/// negative constant by one that is the same in the bits that matter.
static bool isScrambled(const Expr &expr) {
  constexpr int64_t LargestOdd = 1 << 16, Largest = 1 << 24;
  std::optional<int64_t> sample =
      expr.evaluate([](llvm::StringRef) { return 1; });
  if (sample && (*sample > INT32_MAX || *sample < INT32_MIN))
    return true;
  return llvm::any_of(expr.sum(), [](const Expr::Term &term) {
    int64_t factor = term.coefficient;
    int64_t largest = factor % 2 ? LargestOdd : Largest;
    return !term.isConstant() && (factor > largest || factor < -largest);
  });
}

/// How many of the low bits of an expression are 0 whatever its symbols are.
static unsigned zeroBits(const Expr &expr) {
  unsigned bits = 64;
  for (const Expr::Term &term : expr.sum())
    bits = std::min<unsigned>(
        bits, llvm::countr_zero(static_cast<uint64_t>(term.coefficient)));
  return bits;
}

bool auspex::isSmallCounter(const Expr &expr, uint64_t bits) {
  return (bits == 8 || bits == 16) &&
         llvm::any_of(expr.sum(), [](const Expr::Term &term) {
           return llvm::any_of(term.factors, [](const Expr::Factor &factor) {
             return factor.atom->kind == Atom::Kind::Symbol &&
                    (factor.atom->name.starts_with("i") ||
                     factor.atom->name.starts_with("self"));
           });
         });
}

/// What is left of \p expr in \p bits bits: the number that differs from it by
/// a multiple of 2^bits and is in range.
static Expr reduce(const Expr &expr, uint64_t bits, bool isSigned) {
  if (isSigned && isSmallCounter(expr, bits))
    return expr;
  int64_t values = int64_t(1) << bits;
  int64_t low = isSigned ? -(values / 2) : 0;
  Interval range = expr.range(launchRange);
  if (range.low >= low && range.high < low + values)
    return expr;
  return Expr::mod(expr - Expr(low), values) + Expr(low);
}

Expr auspex::asNumber(const Expr &expr, uint64_t bits, bool isSigned) {
  if (bits == 1 && isSigned)
    return -asNumber(expr, bits, false);
  // What is passed or read is in range.
  llvm::StringRef symbol = expr.asSymbol().value_or("");
  if (!expr.isValid() || expr.isZero() || isSetByHost(symbol) || isData(symbol))
    return expr;
  // An unsigned constant beyond the largest signed one.
  if (std::optional<int64_t> number = expr.constant();
      number && *number < 0 && !isSigned)
    return bits < 64 ? Expr(*number + (int64_t(1) << bits)) : Expr::invalid();
  if (!isNaturalWidth(bits)) {
    constexpr uint64_t MostBits = 62;
    return bits <= MostBits ? reduce(expr, bits, isSigned) : expr;
  }
  // A small number at the top of a large one, to be shifted down.
  unsigned zeros = zeroBits(expr);
  if (zeros >= bits / 2 && zeros < bits) {
    Expr step = Expr::pow2(Expr(zeros)), number = Expr::floorDiv(expr, step);
    bool fits = isNaturalWidth(bits - zeros);
    return fits ? expr : step * reduce(number, bits - zeros, isSigned);
  }
  return bits == 32 && isScrambled(expr) ? reduce(expr, bits, isSigned) : expr;
}

/// Arguments are taken to be sizes.
static bool mayBeNegative(const Expr &expr) {
  Interval range = expr.range([](llvm::StringRef symbol) {
    return isSetByHost(symbol) ? Interval{0, INT32_MAX} : launchRange(symbol);
  });
  return range.low < 0;
}

Expr auspex::truncatingDiv(const Expr &a, const Expr &b) {
  if (b.constant().value_or(1) < 0)
    return -truncatingDiv(a, -b);
  Expr upwards = (b - Expr(1)) * Expr::isLess(a, 0);
  return Expr::floorDiv(mayBeNegative(a) ? a + upwards : a, b);
}

Expr auspex::truncatingMod(const Expr &a, const Expr &b) {
  if (b.constant().value_or(1) < 0)
    return truncatingMod(a, -b);
  return mayBeNegative(a) ? a - b * truncatingDiv(a, b) : Expr::mod(a, b);
}

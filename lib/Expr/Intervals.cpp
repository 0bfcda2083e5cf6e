// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Intervals.h"

#include "Arithmetic.h"

#include <algorithm>

using namespace auspex;

/// Sums and products saturate at the ends, which stand for "no bound".
static int64_t saturate(__int128 value) {
  return value <= Interval::Min   ? Interval::Min
         : value >= Interval::Max ? Interval::Max
                                  : static_cast<int64_t>(value);
}

static bool isUnbounded(int64_t end) {
  return end == Interval::Min || end == Interval::Max;
}

Interval intervals::add(Interval a, Interval b) {
  Interval sum;
  if (!isUnbounded(a.low) && !isUnbounded(b.low))
    sum.low = saturate(static_cast<__int128>(a.low) + b.low);
  if (!isUnbounded(a.high) && !isUnbounded(b.high))
    sum.high = saturate(static_cast<__int128>(a.high) + b.high);
  return sum;
}

static int64_t multiplyEnds(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  if (isUnbounded(a) || isUnbounded(b))
    return (a < 0) == (b < 0) ? Interval::Max : Interval::Min;
  return saturate(static_cast<__int128>(a) * b);
}

Interval intervals::multiply(Interval a, Interval b) {
  auto [low, high] =
      std::minmax({multiplyEnds(a.low, b.low), multiplyEnds(a.low, b.high),
                   multiplyEnds(a.high, b.low), multiplyEnds(a.high, b.high)});
  // Beyond all numbers there is no bound on the other side either.
  return {low == Interval::Max ? Interval::Min : low,
          high == Interval::Min ? Interval::Max : high};
}

Interval intervals::power(Interval base, unsigned exponent) {
  Interval result = base;
  for (unsigned i = 1; i < exponent; ++i)
    result = multiply(result, base);
  // An even power is never negative, which the product does not know.
  if (exponent % 2 == 0 && base.low < 0)
    result.low = base.high < 0 ? result.low : 0;
  return result;
}

static int64_t divideEnd(int64_t end, int64_t divisor) {
  return isUnbounded(end) ? end : floorDiv(end, divisor);
}

static Interval divide(Interval a, Interval b) {
  if (b.low <= 0)
    return {};
  // For a positive divisor the quotient grows with a; towards which end of b
  // depends on a's sign.
  int64_t low = a.low >= 0
                    ? (isUnbounded(b.high) ? 0 : divideEnd(a.low, b.high))
                    : divideEnd(a.low, b.low);
  int64_t high = a.high >= 0
                     ? divideEnd(a.high, b.low)
                     : (isUnbounded(b.high) ? -1 : divideEnd(a.high, b.high));
  return {low, high};
}

static Interval remainder(Interval a, Interval b) {
  if (b.low <= 0)
    return {};
  if (b.isPoint() && !isUnbounded(a.low) && !isUnbounded(a.high) &&
      floorDiv(a.low, b.low) == floorDiv(a.high, b.low))
    return {floorMod(a.low, b.low), floorMod(a.high, b.low)};
  if (a.low >= 0 && a.high < b.low)
    return a;
  int64_t high = isUnbounded(b.high) ? Interval::Max : b.high - 1;
  if (a.low >= 0)
    high = std::min(high, a.high);
  return {0, high};
}

/// Bits needed for every value up to \p high: 2^k - 1.
static int64_t allOnesUpTo(int64_t high) {
  int64_t ones = 0;
  while (ones < high)
    ones = ones * 2 + 1;
  return ones;
}

static Interval bitRange(Atom::Kind kind, Interval a, Interval b) {
  if (a.low < 0 || b.low < 0)
    return {};
  if (kind == Atom::Kind::And)
    return {0, std::min(a.high, b.high)};
  if (isUnbounded(a.high) || isUnbounded(b.high))
    return {0, Interval::Max};
  int64_t high = allOnesUpTo(std::max(a.high, b.high));
  return {kind == Atom::Kind::Or ? std::max(a.low, b.low) : 0, high};
}

static Interval bracketRange(Atom::Kind kind, Interval a) {
  bool canHold = true, canFail = true;
  switch (kind) {
  case Atom::Kind::AtLeastZero:
    canHold = a.high >= 0;
    canFail = a.low < 0;
    break;
  case Atom::Kind::EqualZero:
    canHold = a.contains(0);
    canFail = !(a.isPoint() && a.low == 0);
    break;
  default:
    canHold = !(a.isPoint() && a.low == 0);
    canFail = a.contains(0);
  }
  return {canFail ? 0 : 1, canHold ? 1 : 0};
}

static Interval unaryRange(Atom::Kind kind, Interval a) {
  int64_t low = 0, high = Interval::Max;
  if (kind == Atom::Kind::Pow2) {
    bool known = applyAtom(kind, std::max<int64_t>(a.low, 0), 0, low) &&
                 applyAtom(kind, a.high, 0, high);
    return known ? Interval{low, high} : Interval{1, Interval::Max};
  }
  if (kind == Atom::Kind::Log2) {
    if (a.high <= 0)
      return {0, 62};
    applyAtom(kind, std::max<int64_t>(a.low, 1), 0, low);
    applyAtom(kind, a.high, 0, high);
    return {low, high};
  }
  return bracketRange(kind, a);
}

Interval intervals::apply(Atom::Kind kind, Interval a, Interval b) {
  if (arity(kind) == 1)
    return unaryRange(kind, a);
  switch (kind) {
  case Atom::Kind::FloorDiv:
    return divide(a, b);
  case Atom::Kind::Mod:
    return remainder(a, b);
  case Atom::Kind::Min:
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  case Atom::Kind::Max:
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  default:
    return bitRange(kind, a, b);
  }
}

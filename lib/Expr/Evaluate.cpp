// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values and intervals of expressions.
#include "auspex/Expr/Expr.h"

#include "Arithmetic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace auspex;

/// Results by function; the terms of an expression share many, of which each is
/// worked out once.
template <typename Result>
using ResultOfAtom = llvm::SmallDenseMap<const Atom *, Result, 8>;

namespace {
class Evaluation {
public:
  using Symbols = llvm::function_ref<std::optional<int64_t>(llvm::StringRef)>;
  explicit Evaluation(Symbols symbols) : symbols(symbols) {}

  std::optional<int64_t> of(const Expr &expr) {
    if (!expr.isValid())
      return std::nullopt;
    int64_t sum = 0;
    for (const Expr::Term &term : expr.sum()) {
      int64_t product = term.coefficient;
      for (const Expr::Factor &factor : term.factors) {
        std::optional<int64_t> base = of(*factor.atom);
        if (!base)
          return std::nullopt;
        for (unsigned i = 0; i < factor.power; ++i)
          if (__builtin_mul_overflow(product, *base, &product))
            return std::nullopt;
      }
      if (__builtin_add_overflow(sum, product, &sum))
        return std::nullopt;
    }
    return sum;
  }

private:
  Symbols symbols;
  ResultOfAtom<std::optional<int64_t>> known;

  std::optional<int64_t> of(const Atom &atom) {
    if (atom.kind == Atom::Kind::Symbol)
      return symbols(atom.name);
    if (auto found = known.find(&atom); found != known.end())
      return found->second;
    return known[&atom] = apply(atom);
  }

  std::optional<int64_t> apply(const Atom &atom) {
    std::optional<int64_t> result = of(atom.operands[0]);
    if (arity(atom.kind) == 1) {
      if (!result || !applyAtom(atom.kind, *result, 0, *result))
        return std::nullopt;
      return result;
    }
    for (const Expr &operand : llvm::drop_begin(atom.operands)) {
      std::optional<int64_t> next = of(operand);
      if (!result || !next || !applyAtom(atom.kind, *result, *next, *result))
        return std::nullopt;
    }
    return result;
  }
};
} // namespace

std::optional<int64_t> Expr::evaluate(
    llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> value) const {
  return Evaluation(value).of(*this);
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

/// Sums and products saturate at the ends, which stand for "no bound".
static int64_t saturate(__int128 value) {
  return value <= Interval::Min   ? Interval::Min
         : value >= Interval::Max ? Interval::Max
                                  : static_cast<int64_t>(value);
}

static bool isUnbounded(int64_t end) {
  return end == Interval::Min || end == Interval::Max;
}

static Interval add(Interval a, Interval b) {
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

static Interval multiply(Interval a, Interval b) {
  auto [low, high] =
      std::minmax({multiplyEnds(a.low, b.low), multiplyEnds(a.low, b.high),
                   multiplyEnds(a.high, b.low), multiplyEnds(a.high, b.high)});
  return {low, high};
}

static Interval power(Interval base, unsigned exponent) {
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

static Interval binaryRange(Atom::Kind kind, Interval a, Interval b) {
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

namespace {
class RangeOf {
public:
  using Symbols = llvm::function_ref<Interval(llvm::StringRef)>;
  explicit RangeOf(Symbols symbols) : symbols(symbols) {}

  Interval expression(const Expr &expr) {
    if (!expr.isValid())
      return {};
    Interval sum{0, 0};
    for (const Expr::Term &term : expr.sum()) {
      Interval product{term.coefficient, term.coefficient};
      for (const Expr::Factor &factor : term.factors)
        product =
            multiply(product, power(function(*factor.atom), factor.power));
      sum = add(sum, product);
    }
    return sum;
  }

private:
  Symbols symbols;
  ResultOfAtom<Interval> known;

  Interval function(const Atom &atom) {
    if (atom.kind == Atom::Kind::Symbol)
      return symbols(atom.name);
    if (auto found = known.find(&atom); found != known.end())
      return found->second;
    Interval result = expression(atom.operands[0]);
    if (arity(atom.kind) == 1)
      result = unaryRange(atom.kind, result);
    for (const Expr &operand : llvm::drop_begin(atom.operands))
      result = binaryRange(atom.kind, result, expression(operand));
    return known[&atom] = result;
  }
};
} // namespace

Interval
Expr::range(llvm::function_ref<Interval(llvm::StringRef)> symbols) const {
  return RangeOf(symbols).expression(*this);
}

//===----------------------------------------------------------------------===//
// Compiled expressions
//===----------------------------------------------------------------------===//

CompiledExpr::CompiledExpr(const Expr &expr,
                           llvm::ArrayRef<std::string> slots) {
  usable = compile(expr, slots);
  // Each step pushes one value at most.
  for (size_t i = 0, now = 0; i < steps.size(); ++i) {
    Step::Code code = steps[i].code;
    if (code == Step::Code::Push || code == Step::Code::Load)
      depth = std::max(depth, ++now);
    else if (code != Step::Code::Atom || arity(steps[i].kind) == 2)
      --now;
  }
}

bool CompiledExpr::compile(const Expr &expr,
                           llvm::ArrayRef<std::string> slots) {
  if (!expr.isValid())
    return false;
  bool first = true;
  for (const Expr::Term &term : expr.sum()) {
    bool one = term.coefficient == 1 && !term.isConstant();
    if (!one)
      steps.push_back({Step::Code::Push, {}, term.coefficient});
    for (const Expr::Factor &factor : term.factors)
      for (unsigned i = 0; i < factor.power; ++i) {
        const Atom &atom = *factor.atom;
        if (atom.kind == Atom::Kind::Symbol) {
          auto slot = llvm::find(slots, atom.name);
          if (slot == slots.end())
            return false;
          steps.push_back({Step::Code::Load, {}, slot - slots.begin()});
        }
        for (size_t k = 0; k < atom.operands.size(); ++k) {
          if (!compile(atom.operands[k], slots))
            return false;
          if (k || arity(atom.kind) == 1)
            steps.push_back({Step::Code::Atom, atom.kind, 0});
        }
        if (!one)
          steps.push_back({Step::Code::Multiply});
        one = false;
      }
    if (!first)
      steps.push_back({Step::Code::Add});
    first = false;
  }
  if (first)
    steps.push_back({Step::Code::Push, {}, 0});
  return true;
}

int64_t CompiledExpr::evaluate(llvm::ArrayRef<int64_t> values,
                               bool &failed) const {
  llvm::SmallVector<int64_t, 32> stack(depth);
  size_t top = 0;
  for (const Step &step : steps) {
    switch (step.code) {
    case Step::Code::Push:
      stack[top++] = step.operand;
      break;
    case Step::Code::Load:
      stack[top++] = values[step.operand];
      break;
    case Step::Code::Add:
      --top;
      failed |=
          __builtin_add_overflow(stack[top - 1], stack[top], &stack[top - 1]);
      break;
    case Step::Code::Multiply:
      --top;
      failed |=
          __builtin_mul_overflow(stack[top - 1], stack[top], &stack[top - 1]);
      break;
    case Step::Code::Atom: {
      int64_t other = 0;
      if (arity(step.kind) == 2)
        other = stack[--top];
      failed |= !applyAtom(step.kind, stack[top - 1], other, stack[top - 1]);
      break;
    }
    }
  }
  return stack[0];
}

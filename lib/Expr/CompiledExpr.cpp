// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Expr/CompiledExpr.h"

#include "Arithmetic.h"
#include "Intervals.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace auspex;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace auspex {
/// Numbers slots, constants and steps apart, and puts them one behind the other
/// at the end, when all are known.
class ExprCompiler {
public:
  ExprCompiler(llvm::ArrayRef<std::string> slots, CompiledExpr &out)
      : slots(slots), out(out) {}

  void run(const Expr &expr) {
    std::optional<unsigned> value = compile(expr);
    if (!value)
      return;
    out.usable = true;
    out.slotCount = slots.size();
    out.result = place(*value);
    for (Step &step : out.steps) {
      step.a = place(step.a);
      if (step.code != Step::Code::Power)
        step.b = place(step.b);
    }
  }

private:
  using Step = CompiledExpr::Step;
  static constexpr unsigned FirstConstant = 1u << 30, FirstStep = 2u << 30;

  llvm::ArrayRef<std::string> slots;
  CompiledExpr &out;
  llvm::SmallDenseMap<const Atom *, unsigned, 16> functions;
  std::map<std::tuple<Step::Code, Atom::Kind, unsigned, unsigned>, unsigned>
      known;

  unsigned place(unsigned value) const {
    if (value >= FirstStep)
      return value - FirstStep + slots.size() + out.constants.size();
    return value >= FirstConstant ? value - FirstConstant + slots.size()
                                  : value;
  }

  unsigned constant(int64_t number) {
    auto found = llvm::find(out.constants, number);
    unsigned index = found - out.constants.begin();
    if (found == out.constants.end())
      out.constants.push_back(number);
    return FirstConstant + index;
  }

  unsigned add(Step step) {
    auto [entry, isNew] = known.try_emplace(
        {step.code, step.function, step.a, step.b}, out.steps.size());
    if (isNew)
      out.steps.push_back(step);
    return FirstStep + entry->second;
  }

  std::optional<unsigned> compile(const Expr &expr) {
    if (!expr.isValid())
      return std::nullopt;
    std::optional<unsigned> sum;
    for (const Expr::Term &term : expr.sum()) {
      std::optional<unsigned> product = compile(term);
      if (!product)
        return std::nullopt;
      sum = sum ? add({Step::Code::Add, {}, *sum, *product}) : *product;
    }
    return sum ? *sum : constant(0);
  }

  std::optional<unsigned> compile(const Expr::Term &term) {
    std::optional<unsigned> product;
    if (term.coefficient != 1 || term.isConstant())
      product = constant(term.coefficient);
    for (const Expr::Factor &factor : term.factors) {
      std::optional<unsigned> value = compile(*factor.atom);
      if (!value)
        return std::nullopt;
      if (factor.power > 1)
        value = add({Step::Code::Power, {}, *value, factor.power});
      product =
          product ? add({Step::Code::Multiply, {}, *product, *value}) : *value;
    }
    return product;
  }

  std::optional<unsigned> compile(const Atom &atom) {
    if (atom.kind == Atom::Kind::Symbol) {
      auto slot = llvm::find(slots, atom.name);
      if (slot == slots.end())
        return std::nullopt;
      return slot - slots.begin();
    }
    if (auto found = functions.find(&atom); found != functions.end())
      return found->second;
    std::optional<unsigned> value = compile(atom.operands[0]);
    if (value && arity(atom.kind) == 1)
      value = add({Step::Code::Function, atom.kind, *value, *value});
    for (const Expr &operand : llvm::drop_begin(atom.operands)) {
      std::optional<unsigned> next = compile(operand);
      if (!value || !next)
        return std::nullopt;
      value = add({Step::Code::Function, atom.kind, *value, *next});
    }
    if (value)
      functions[&atom] = *value;
    return value;
  }
};
} // namespace auspex

CompiledExpr::CompiledExpr(const Expr &expr,
                           llvm::ArrayRef<std::string> slots) {
  ExprCompiler(slots, *this).run(expr);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// False on overflow, and where a function is not defined.
bool CompiledExpr::Step::apply(int64_t x, int64_t y, int64_t &value) const {
  switch (code) {
  case Code::Add:
    return !__builtin_add_overflow(x, y, &value);
  case Code::Multiply:
    return !__builtin_mul_overflow(x, y, &value);
  case Code::Function:
    return applyAtom(function, x, y, value);
  case Code::Power:
    break;
  }
  value = x;
  for (unsigned i = 1; i < b; ++i)
    if (__builtin_mul_overflow(value, x, &value))
      return false;
  return true;
}

int64_t CompiledExpr::evaluate(llvm::ArrayRef<int64_t> values,
                               bool &failed) const {
  llvm::SmallVector<int64_t, 64> all(values.take_front(slotCount));
  llvm::append_range(all, constants);
  for (const Step &step : steps) {
    int64_t value = 0;
    failed |= !step.apply(all[step.a], all[step.second()], value);
    all.push_back(value);
  }
  return all[result];
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Applies \p apply to all lanes; returns those for which it is false.
template <typename Apply>
static uint32_t forEachLane(const LaneValues &x, const LaneValues &y,
                            LaneValues &out, Apply apply) {
  bool all = true;
  for (unsigned lane = 0; lane < 32; ++lane)
    all &= apply(x[lane], y[lane], out[lane]);
  uint32_t failed = 0;
  for (unsigned lane = 0; !all && lane < 32; ++lane)
    failed |= uint32_t(!apply(x[lane], y[lane], out[lane])) << lane;
  return failed;
}

/// The functions that most addresses and conditions are made of, all lanes at a
/// time; false for others.
static bool applyToAll(Atom::Kind kind, const LaneValues &a,
                       const LaneValues &b, LaneValues &out) {
  auto along = [&](auto apply) {
    for (unsigned lane = 0; lane < 32; ++lane)
      out[lane] = apply(a[lane], b[lane]);
    return true;
  };
  switch (kind) {
  case Atom::Kind::Min:
    return along([](int64_t x, int64_t y) { return std::min(x, y); });
  case Atom::Kind::Max:
    return along([](int64_t x, int64_t y) { return std::max(x, y); });
  case Atom::Kind::And:
    return along([](int64_t x, int64_t y) { return x & y; });
  case Atom::Kind::Or:
    return along([](int64_t x, int64_t y) { return x | y; });
  case Atom::Kind::Xor:
    return along([](int64_t x, int64_t y) { return x ^ y; });
  case Atom::Kind::AtLeastZero:
    return along([](int64_t x, int64_t) { return x >= 0; });
  case Atom::Kind::EqualZero:
    return along([](int64_t x, int64_t) { return x == 0; });
  case Atom::Kind::NotZero:
    return along([](int64_t x, int64_t) { return x != 0; });
  default:
    return false;
  }
}

/// Division of numbers in [0, 2^31) as a multiplication and a shift (Granlund
/// and Montgomery 1994); false for others.
static bool divideByFactor(bool isDivision, const LaneValues &a,
                           int64_t divisor, LaneValues &out) {
  constexpr unsigned Bits = 31;
  constexpr int64_t End = int64_t(1) << Bits;
  if (divisor >= End ||
      !llvm::all_of(a, [](int64_t value) { return 0 <= value && value < End; }))
    return false;
  unsigned shift = Bits + llvm::Log2_64_Ceil(divisor);
  uint64_t factor = (uint64_t(1) << shift) / divisor + 1;
  for (unsigned lane = 0; lane < 32; ++lane) {
    auto quotient = static_cast<int64_t>((a[lane] * factor) >> shift);
    out[lane] = isDivision ? quotient : a[lane] - quotient * divisor;
  }
  return true;
}

/// Division and remainder by a positive number that is the same for all; false
/// for others.
static bool divideAll(Atom::Kind kind, const LaneValues &a, int64_t divisor,
                      LaneValues &out) {
  bool isDivision = kind == Atom::Kind::FloorDiv;
  if ((!isDivision && kind != Atom::Kind::Mod) || divisor <= 0)
    return false;
  if (!llvm::isPowerOf2_64(divisor))
    return divideByFactor(isDivision, a, divisor, out);
  unsigned shift = llvm::Log2_64(divisor);
  for (unsigned lane = 0; lane < 32; ++lane)
    out[lane] = isDivision ? a[lane] >> shift : a[lane] & (divisor - 1);
  return true;
}

/// The lanes that fail.
uint32_t CompiledExpr::Step::applyToLanes(const LaneValues &x,
                                          const LaneValues &y,
                                          LaneValues &out) const {
  if (code == Code::Function && applyToAll(function, x, y, out))
    return 0;
  if (code == Code::Add)
    return forEachLane(x, y, out, [](int64_t x, int64_t y, int64_t &value) {
      return !__builtin_add_overflow(x, y, &value);
    });
  if (code == Code::Multiply)
    return forEachLane(x, y, out, [](int64_t x, int64_t y, int64_t &value) {
      return !__builtin_mul_overflow(x, y, &value);
    });
  return forEachLane(x, y, out, [&](int64_t x, int64_t y, int64_t &value) {
    value = 0;
    return apply(x, y, value);
  });
}

LaneValues CompiledExpr::evaluateLanes(llvm::ArrayRef<LaneValues> first,
                                       llvm::ArrayRef<int64_t> rest,
                                       uint32_t &failed) const {
  // Each value is one number for all lanes, or there are those of the lanes.
  llvm::SmallVector<int64_t, 64> numbers(first.size());
  llvm::append_range(numbers, rest.take_front(slotCount - first.size()));
  llvm::append_range(numbers, constants);
  llvm::SmallVector<const LaneValues *, 64> lanes(numbers.size(), nullptr);
  for (size_t slot = 0; slot < first.size(); ++slot)
    lanes[slot] = &first[slot];
  llvm::SmallVector<LaneValues, 8> made;
  made.resize_for_overwrite(steps.size());
  std::array<LaneValues, 2> spaces;
  auto lanesOf = [&](unsigned value, LaneValues &space) -> const LaneValues & {
    if (lanes[value])
      return *lanes[value];
    space.fill(numbers[value]);
    return space;
  };
  for (auto [step, out] : llvm::zip(steps, made)) {
    unsigned b = step.second();
    bool isNumber = !lanes[step.a] && !lanes[b];
    int64_t number = 0;
    if (isNumber && !step.apply(numbers[step.a], numbers[b], number))
      failed = ~uint32_t(0);
    if (!isNumber) {
      const LaneValues &x = lanesOf(step.a, spaces[0]);
      bool isDivided = step.code == Step::Code::Function && !lanes[b] &&
                       divideAll(step.function, x, numbers[b], out);
      if (!isDivided)
        failed |= step.applyToLanes(x, lanesOf(b, spaces[1]), out);
    }
    numbers.push_back(number);
    lanes.push_back(isNumber ? nullptr : &out);
  }
  return lanesOf(result, spaces[0]);
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

Interval CompiledExpr::range(llvm::ArrayRef<Interval> values) const {
  llvm::SmallVector<Interval, 64> all(values.take_front(slotCount));
  for (int64_t constant : constants) {
    // The largest numbers stand for no bound.
    bool isBound = constant != Interval::Min && constant != Interval::Max;
    all.push_back(isBound ? Interval{constant, constant} : Interval());
  }
  for (const Step &step : steps) {
    Interval a = all[step.a], b = all[step.second()];
    switch (step.code) {
    case Step::Code::Add:
      all.push_back(intervals::add(a, b));
      break;
    case Step::Code::Multiply:
      all.push_back(intervals::multiply(a, b));
      break;
    case Step::Code::Power:
      all.push_back(intervals::power(a, step.b));
      break;
    case Step::Code::Function:
      all.push_back(intervals::apply(step.function, a, b));
      break;
    }
  }
  return all[result];
}

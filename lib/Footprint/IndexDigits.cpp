// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IndexDigits.h"

#include "Intervals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace auspex;

/// Of one launch there are fewer threads.
static constexpr int64_t MaxIndex = int64_t(1) << 60;

/// number -= times * other; false if that overflows.
static bool subtract(int64_t times, int64_t other, int64_t &number) {
  int64_t product = 0;
  return !llvm::MulOverflow(times, other, product) &&
         !llvm::SubOverflow(number, product, number);
}

/// number += times * other; false if that overflows.
static bool add(int64_t times, int64_t other, int64_t &number) {
  int64_t product = 0;
  return !llvm::MulOverflow(times, other, product) &&
         !llvm::AddOverflow(number, product, number);
}

//===----------------------------------------------------------------------===//
// The index
//===----------------------------------------------------------------------===//

/// The function or symbol of a term that is linear in one.
static const Atom *atomOf(const Expr::Term &term) {
  if (term.factors.size() != 1 || term.factors.front().power != 1)
    return nullptr;
  return term.factors.front().atom.get();
}

static bool isDivision(const Atom &atom) {
  return atom.kind == Atom::Kind::FloorDiv || atom.kind == Atom::Kind::Mod;
}

namespace {
/// divided / divisor, rounded down.
struct Quotient {
  Expr divided;
  int64_t divisor = 1;
};
} // namespace

/// n + floordiv(a, q) is floordiv(q*n + a, q).
static std::optional<Quotient> asQuotient(const Expr &expr) {
  for (const Expr::Term &term : expr.sum()) {
    const Atom *atom = term.isConstant() ? nullptr : atomOf(term);
    if (!atom || atom->kind != Atom::Kind::FloorDiv || term.coefficient != 1)
      continue;
    const Expr &divided = atom->operands[0], &divisor = atom->operands[1];
    std::optional<int64_t> number = divisor.constant();
    if (!number || *number <= 0)
      return std::nullopt;
    Expr rest = expr - Expr::floorDiv(divided, divisor);
    return Quotient{divisor * rest + divided, *number};
  }
  return std::nullopt;
}

IndexDigits::IndexDigits(llvm::ArrayRef<std::string> names,
                         llvm::ArrayRef<Interval> ranges,
                         llvm::ArrayRef<Expr> exprs)
    : names(names), ranges(ranges) {
  std::vector<Sum> divided;
  for (const Expr &expr : exprs)
    findDivided(expr, divided);
  if (divided.empty())
    return;
  index = std::move(divided.front());
  weights = {1};
  for (const Sum &next : llvm::drop_begin(divided))
    if (!addAbove(next))
      return;
}

/// The expression if it is linear in symbols, and rises in each, by no more
/// than an index of threads does.
std::optional<IndexDigits::Sum> IndexDigits::sumOf(const Expr &expr) const {
  if (!isWithin(expr.constantTerm(), MaxIndex))
    return std::nullopt;
  Sum sum{expr.constantTerm(), {}};
  sum.slopes.assign(names.size(), 0);
  for (const Expr::Term &term : expr.sum()) {
    if (term.isConstant())
      continue;
    const Atom *atom = atomOf(term);
    if (!atom || atom->kind != Atom::Kind::Symbol || term.coefficient <= 0 ||
        term.coefficient > MaxIndex)
      return std::nullopt;
    auto name = llvm::find(names, atom->name);
    if (name == names.end())
      return std::nullopt;
    sum.slopes[name - names.begin()] = term.coefficient;
  }
  return sum;
}

/// Of two sums of the same symbols the finer goes by more of them, or in larger
/// steps: a remainder has been made of the other.
bool IndexDigits::isFiner(const Sum &a, const Sum &b) {
  auto fineness = [](const Sum &sum) {
    return std::pair(llvm::count_if(sum.slopes, [](int64_t s) { return s; }),
                     *llvm::max_element(sum.slopes));
  };
  return fineness(a) > fineness(b);
}

/// The sums that \p expr divides, the finest of those that share symbols, in
/// the order of these.
void IndexDigits::findDivided(const Expr &expr,
                              std::vector<Sum> &divided) const {
  auto sharesSymbol = [](const Sum &a, const Sum &b) {
    return llvm::any_of(llvm::zip(a.slopes, b.slopes), [](auto slopes) {
      auto [one, other] = slopes;
      return one != 0 && other != 0;
    });
  };
  auto add = [&](Sum sum) {
    if (llvm::any_of(divided, [&](const Sum &other) {
          return sharesSymbol(sum, other) && !isFiner(sum, other);
        }))
      return;
    llvm::erase_if(divided,
                   [&](const Sum &other) { return sharesSymbol(sum, other); });
    auto isBefore = [](const Sum &a, const Sum &b) {
      return std::ranges::lexicographical_compare(b.slopes, a.slopes);
    };
    divided.insert(llvm::upper_bound(divided, sum, isBefore), std::move(sum));
  };
  for (const Expr::Term &term : expr.sum())
    for (const Expr::Factor &factor : term.factors) {
      for (const Expr &operand : factor.atom->operands)
        findDivided(operand, divided);
      if (!isDivision(*factor.atom))
        continue;
      Expr whole = factor.atom->operands[0];
      std::optional<Sum> sum = sumOf(whole);
      if (auto quotient = sum ? std::nullopt : asQuotient(whole))
        sum = sumOf(quotient->divided);
      if (sum)
        add(std::move(*sum));
    }
}

/// Makes the index one of which it is a remainder, and \p sum the quotient.
bool IndexDigits::addAbove(const Sum &sum) {
  Interval range{index.constant, index.constant};
  for (auto [slope, side] : llvm::zip(index.slopes, ranges))
    if (!addProduct(slope, side, range))
      return false;
  int64_t size = range.high + 1;
  Sum whole = index;
  bool fits = range.low >= 0 && size <= MaxIndex &&
              add(size, sum.constant, whole.constant);
  for (auto [slope, added] : llvm::zip(whole.slopes, sum.slopes))
    fits = fits && add(size, added, slope);
  if (fits)
    index = std::move(whole);
  return fits;
}

//===----------------------------------------------------------------------===//
// Parts of the index
//===----------------------------------------------------------------------===//

/// Weights are there as long as each is a multiple of the one before.
bool IndexDigits::admitWeight(int64_t weight) {
  auto place = llvm::lower_bound(weights, weight);
  if (place != weights.end() && *place == weight)
    return true;
  if ((place != weights.end() && *place % weight != 0) ||
      (place != weights.begin() && weight % *std::prev(place) != 0))
    return false;
  weights.insert(place, weight);
  return true;
}

std::optional<IndexDigits::Part> IndexDigits::quotient(std::optional<Part> part,
                                                       int64_t divisor) {
  if (!part || llvm::MulOverflow(part->weight, divisor, part->weight) ||
      (part->end && *part->end % part->weight != 0) ||
      !admitWeight(part->weight))
    return std::nullopt;
  return part;
}

std::optional<IndexDigits::Part>
IndexDigits::remainder(std::optional<Part> part, int64_t divisor) {
  int64_t end = 0;
  if (!part || llvm::MulOverflow(part->weight, divisor, end) ||
      (part->end && *part->end % end != 0) || !admitWeight(end))
    return std::nullopt;
  part->end = end;
  return part;
}

std::optional<IndexDigits::Part> IndexDigits::partOf(const Atom &division) {
  std::optional<int64_t> divisor = division.operands[1].constant();
  if (!divisor || *divisor <= 0)
    return std::nullopt;
  const Expr &divided = division.operands[0];
  if (division.kind == Atom::Kind::FloorDiv)
    return quotient(partOf(divided), *divisor);
  if (std::optional<Sum> sum = sumOf(divided);
      sum && isCongruent(*sum, *divisor))
    return remainder(Part(), *divisor);
  return remainder(partOf(divided), *divisor);
}

std::optional<IndexDigits::Part> IndexDigits::partOf(const Expr &expr) {
  if (std::optional<Sum> sum = sumOf(expr))
    return partOf(*sum);
  if (const Atom *atom = expr.asAtom(); atom && isDivision(*atom))
    return partOf(*atom);
  if (std::optional<Quotient> quotient = asQuotient(expr))
    return this->quotient(partOf(quotient->divided), quotient->divisor);
  return std::nullopt;
}

/// The index itself, its remainder by what the other symbols move it by, or its
/// quotient by what they add up to.
std::optional<IndexDigits::Part> IndexDigits::partOf(const Sum &sum) {
  if (sum == index)
    return Part();
  auto used = llvm::find_if(sum.slopes, [](int64_t slope) { return slope; });
  if (used == sum.slopes.end())
    return std::nullopt;
  int64_t weight = index.slopes[used - sum.slopes.begin()] / *used;
  Sum rest = index;
  if (weight > 1) {
    bool fits = subtract(weight, sum.constant, rest.constant);
    for (auto [slope, taken] : llvm::zip(rest.slopes, sum.slopes))
      fits &= subtract(weight, taken, slope);
    if (fits && staysBelow(rest, weight))
      return quotient(Part(), weight);
  }
  int64_t end = 0;
  for (auto [slope, taken] : llvm::zip(index.slopes, sum.slopes))
    if (taken == 0 && slope != 0 && (end == 0 || slope < end))
      end = slope;
  if (end > 0 && isCongruent(sum, end) && staysBelow(sum, end))
    return remainder(Part(), end);
  return std::nullopt;
}

/// Whether a remainder of it is the index's.
bool IndexDigits::isCongruent(const Sum &sum, int64_t divisor) const {
  return (sum.constant - index.constant) % divisor == 0 &&
         llvm::all_of(llvm::zip(sum.slopes, index.slopes), [&](auto slopes) {
           auto [a, b] = slopes;
           return (a - b) % divisor == 0;
         });
}

/// Whether it is in [0, end) whatever the symbols are.
bool IndexDigits::staysBelow(const Sum &sum, int64_t end) const {
  int64_t most = sum.constant, least = sum.constant;
  for (auto [slope, range] : llvm::zip(sum.slopes, ranges)) {
    int64_t low = 0, high = 0;
    if (slope < 0 || llvm::MulOverflow(slope, range.low, low) ||
        llvm::MulOverflow(slope, range.high, high) ||
        llvm::AddOverflow(least, low, least) ||
        llvm::AddOverflow(most, high, most))
      return false;
  }
  return least >= 0 && most < end;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

std::optional<IndexDigits::Reading> IndexDigits::read(const Expr &expr) {
  Reading reading;
  Sum sum{0, {}};
  sum.slopes.assign(names.size(), 0);
  for (const Expr::Term &term : expr.sum()) {
    if (term.isConstant()) {
      reading.constant = term.coefficient;
      continue;
    }
    const Atom *atom = atomOf(term);
    if (!atom)
      return std::nullopt;
    if (auto name = llvm::find(names, atom->name);
        atom->kind == Atom::Kind::Symbol && name != names.end()) {
      sum.slopes[name - names.begin()] = term.coefficient;
      continue;
    }
    std::optional<Part> part = isDivision(*atom) ? partOf(*atom) : std::nullopt;
    if (!part)
      return std::nullopt;
    reading.parts.emplace_back(term.coefficient, *part);
  }
  if (!readSymbols(std::move(sum), reading))
    return std::nullopt;
  return reading;
}

/// Symbols of the index are as much of it as the smallest moves it by, and what
/// is left of each is a part of its own.
bool IndexDigits::readSymbols(Sum sum, Reading &reading) {
  if (!isEmpty()) {
    size_t finest = names.size();
    for (size_t i = 0; i < names.size(); ++i)
      if (index.slopes[i] &&
          (finest == names.size() || index.slopes[i] < index.slopes[finest]))
        finest = i;
    int64_t times = sum.slopes[finest] / index.slopes[finest];
    if (times != 0)
      reading.parts.emplace_back(times, Part());
    if (!subtract(times, index.constant, reading.constant))
      return false;
    for (auto [i, slope] : llvm::enumerate(sum.slopes)) {
      if (!subtract(times, index.slopes[i], slope))
        return false;
      if (index.slopes[i] == 0 || slope == 0)
        continue;
      Sum alone{0, {}};
      alone.slopes.assign(names.size(), 0);
      alone.slopes[i] = 1;
      std::optional<Part> part = partOf(alone);
      if (!part)
        return false;
      reading.parts.emplace_back(slope, *part);
      slope = 0;
    }
  }
  reading.symbols = std::move(sum.slopes);
  return true;
}

bool IndexDigits::admit(const Expr &expr) {
  llvm::SmallVector<int64_t, 4> before = weights;
  if (read(expr))
    return true;
  weights = std::move(before);
  return false;
}

std::optional<DigitForm> IndexDigits::formOf(const Expr &expr) const {
  IndexDigits reader = *this;
  std::optional<Reading> reading = reader.read(expr);
  if (!reading || reader.weights != weights)
    return std::nullopt;
  DigitForm form{reading->constant, {}, std::move(reading->symbols)};
  form.digits.assign(weights.size(), 0);
  for (const auto &[slope, part] : reading->parts)
    for (auto [weight, digit] : llvm::zip(weights, form.digits))
      if (weight >= part.weight && (!part.end || weight < *part.end) &&
          !add(slope, weight / part.weight, digit))
        return std::nullopt;
  return form;
}

std::optional<Interval> IndexDigits::rangeOf(const DigitForm &form) const {
  Interval sum{form.constant, form.constant}, whole;
  if (!isEmpty())
    whole = {index.constant, index.constant};
  for (unsigned symbol = 0; symbol < names.size(); ++symbol)
    if (!addProduct(form.symbols[symbol], ranges[symbol], sum) ||
        (goesBy(symbol) &&
         !addProduct(index.slopes[symbol], ranges[symbol], whole)))
      return std::nullopt;
  for (size_t digit = 0; digit < weights.size(); ++digit) {
    // The highest digit goes as far as the index does, others start again.
    Interval side{floorDiv(whole.low, weights[digit]),
                  floorDiv(whole.high, weights[digit])};
    if (digit + 1 < weights.size())
      side = {0, std::min(side.low >= 0 ? side.high : Interval::Max,
                          weights[digit + 1] / weights[digit] - 1)};
    if (!addProduct(form.digits[digit], side, sum))
      return std::nullopt;
  }
  constexpr int64_t Most = int64_t(1) << 62;
  if (sum.low <= -Most || sum.high >= Most)
    return std::nullopt;
  return sum;
}

//===----------------------------------------------------------------------===//
// Runs and boxes
//===----------------------------------------------------------------------===//

std::optional<llvm::SmallVector<Interval, 4>>
IndexDigits::runsIn(llvm::ArrayRef<Interval> box) const {
  constexpr size_t MaxRuns = 64;
  llvm::SmallVector<unsigned, 4> ascending;
  for (unsigned symbol = 0; symbol < names.size(); ++symbol)
    if (index.slopes[symbol] != 0)
      ascending.push_back(symbol);
  llvm::sort(ascending, [&](unsigned a, unsigned b) {
    return index.slopes[a] < index.slopes[b];
  });
  // Every run has as many indices; all of them lie within a span.
  int64_t first = index.constant, length = 1, span = 1;
  llvm::SmallVector<int64_t, 4> starts{0};
  for (unsigned symbol : ascending) {
    Interval side = box[symbol];
    int64_t slope = index.slopes[symbol], count = sizeOf(side);
    if (!add(slope, side.low, first))
      return std::nullopt;
    if (count == 1)
      continue;
    if (slope < span || count > MaxIndex / slope)
      return std::nullopt;
    if (starts.size() == 1 && slope == length) {
      span = length *= count;
      continue;
    }
    if (count > static_cast<int64_t>(MaxRuns / starts.size()))
      return std::nullopt;
    llvm::SmallVector<int64_t, 4> before = std::move(starts);
    starts.clear();
    for (int64_t i = 0; i < count; ++i)
      for (int64_t start : before)
        starts.push_back(start + i * slope);
    span += slope * (count - 1);
  }
  if (first < 0)
    return std::nullopt;
  llvm::SmallVector<Interval, 4> runs;
  for (int64_t start : starts)
    runs.push_back({first + start, first + start + length - 1});
  return runs;
}

static void addBoxes(llvm::ArrayRef<int64_t> weights, Interval run,
                     DigitBox &box, llvm::SmallVectorImpl<DigitBox> &boxes) {
  size_t digit = weights.size() - 1;
  if (digit == 0) {
    box[0] = run;
    boxes.push_back(box);
    return;
  }
  int64_t weight = weights.back();
  Interval values{run.low / weight, run.high / weight};
  int64_t low = run.low % weight, high = run.high % weight;
  auto add = [&](Interval side, Interval below) {
    box[digit] = side;
    addBoxes(weights.drop_back(), below, box, boxes);
  };
  if (values.isPoint())
    return add(values, {low, high});
  if (low != 0) {
    add({values.low, values.low}, {low, weight - 1});
    ++values.low;
  }
  if (high != weight - 1) {
    add({values.high, values.high}, {0, high});
    --values.high;
  }
  if (values.low <= values.high)
    add(values, {0, weight - 1});
}

llvm::SmallVector<DigitBox, 8> IndexDigits::boxesOf(Interval run) const {
  llvm::SmallVector<DigitBox, 8> boxes;
  DigitBox box(weights.size());
  addBoxes(weights, run, box, boxes);
  return boxes;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ClampedOffset.h"

#include "Intervals.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

static std::optional<ClampedIndex> indexOf(const Expr &value,
                                           llvm::ArrayRef<std::string> symbols);

/// A number that is kept within bounds again and again is kept within those
/// that are left of them all.
static std::optional<ClampedIndex>
indexOf(const Atom &atom, llvm::ArrayRef<std::string> symbols) {
  bool isMin = atom.kind == Atom::Kind::Min;
  if (!isMin && atom.kind != Atom::Kind::Max)
    return std::nullopt;
  std::optional<ClampedIndex> index;
  int64_t limit = isMin ? Interval::Max : Interval::Min;
  for (const Expr &operand : atom.operands) {
    if (std::optional<int64_t> constant = operand.constant())
      limit = isMin ? std::min(limit, *constant) : std::max(limit, *constant);
    else if (index || !(index = indexOf(operand, symbols)))
      return std::nullopt;
  }
  if (!index)
    return std::nullopt;
  for (int64_t *bound : {&index->bounds.low, &index->bounds.high})
    *bound = isMin ? std::min(*bound, limit) : std::max(*bound, limit);
  return index;
}

static std::optional<ClampedIndex>
indexOf(const Expr &value, llvm::ArrayRef<std::string> symbols) {
  if (const Atom *atom = value.asAtom();
      atom && atom->kind != Atom::Kind::Symbol)
    return indexOf(*atom, symbols);
  ClampedIndex index;
  Expr rest = value;
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    auto linear = rest.linearIn(symbol);
    auto slope = linear ? linear->factor->constant() : std::nullopt;
    if (!slope)
      return std::nullopt;
    if (*slope)
      index.slopes.emplace_back(number, *slope);
    rest = *linear->rest;
  }
  std::optional<int64_t> constant = rest.constant();
  if (!constant)
    return std::nullopt;
  index.first = *constant;
  return index;
}

std::optional<ClampedOffset>
ClampedOffset::of(const Expr &offset, llvm::ArrayRef<std::string> symbols) {
  ClampedOffset result;
  llvm::SmallVector<bool, 8> isUsed(symbols.size(), false);
  for (const Expr::Term &term : offset.sum()) {
    if (term.isConstant()) {
      result.constant = term.coefficient;
      continue;
    }
    const Expr::Factor &factor = term.factors.front();
    if (term.factors.size() > 1 || factor.power > 1)
      return std::nullopt;
    std::optional<ClampedIndex> index = indexOf(*factor.atom, symbols);
    if (!index)
      return std::nullopt;
    index->scale = term.coefficient;
    for (auto [symbol, slope] : index->slopes)
      if (std::exchange(isUsed[symbol], true))
        return std::nullopt;
    result.indices.push_back(std::move(*index));
  }
  return result;
}

std::optional<Interval>
ClampedIndex::valuesIn(llvm::ArrayRef<Interval> box) const {
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> steps;
  Interval values = {first, first};
  for (auto [symbol, slope] : slopes) {
    if (!addProduct(slope, box[symbol], values))
      return std::nullopt;
    steps.emplace_back(std::abs(slope), sizeOf(box[symbol]) - 1);
  }
  if (values.low >= bounds.high || values.high <= bounds.low)
    return Interval{std::clamp(values.low, bounds.low, bounds.high),
                    std::clamp(values.high, bounds.low, bounds.high)};
  // Each step has to reach no further than the smaller ones fill.
  llvm::sort(steps);
  int64_t reached = 0;
  for (auto [step, count] : steps) {
    if (count > 0 && step > reached + 1)
      return std::nullopt;
    reached += step * count;
  }
  return Interval{std::clamp(values.low, bounds.low, bounds.high),
                  std::clamp(values.high, bounds.low, bounds.high)};
}

bool ClampedIndex::isPlainIn(llvm::ArrayRef<Interval> box) const {
  return valuesIn(box) || isFreeIn(box);
}

/// Whether no bound matters in \p box.
bool ClampedIndex::isFreeIn(llvm::ArrayRef<Interval> box) const {
  Interval values = {first, first};
  for (auto [symbol, slope] : slopes)
    if (!addProduct(slope, box[symbol], values))
      return false;
  return values.low >= bounds.low && values.high <= bounds.high;
}

namespace {
/// A side of a box, in parts.
struct SideCuts {
  unsigned symbol = 0;
  llvm::SmallVector<Interval, 8> parts;
};
} // namespace

/// Cuts the side of the largest step, so that in each part bounds matter
/// nowhere or everywhere, or it is one value; none if that makes many, or one.
static std::optional<SideCuts> cutsOf(const ClampedIndex &index,
                                      llvm::ArrayRef<Interval> box) {
  constexpr size_t Most = 16;
  SideCuts cuts;
  int64_t slope = 0;
  Interval values = {index.first, index.first};
  for (auto [symbol, step] : index.slopes) {
    if (!addProduct(step, box[symbol], values))
      return std::nullopt;
    if (sizeOf(box[symbol]) > 1 && std::abs(step) > std::abs(slope)) {
      cuts.symbol = symbol;
      slope = step;
    }
  }
  if (slope == 0)
    return std::nullopt;
  Interval side = box[cuts.symbol];
  // Of the values along the side, the end that is lower, and how far all reach.
  int64_t along = std::min(slope * side.low, slope * side.high);
  int64_t low = values.low - along;
  int64_t reach =
      values.high - values.low - std::abs(slope) * (sizeOf(side) - 1);
  enum Kind { Below, AtLower, Free, AtUpper, Above };
  auto kindAt = [&](int64_t x) {
    Interval here = {low + slope * x, low + slope * x + reach};
    if (here.high <= index.bounds.low)
      return Below;
    if (here.low >= index.bounds.high)
      return Above;
    if (here.low < index.bounds.low)
      return AtLower;
    return here.high > index.bounds.high ? AtUpper : Free;
  };
  // The kinds ascend or descend along the side.
  for (int64_t x = side.low; x <= side.high;) {
    Kind kind = kindAt(x);
    Interval last = {x, kind == AtLower || kind == AtUpper ? x : side.high};
    while (last.low < last.high) {
      int64_t middle = last.low + (last.high - last.low + 1) / 2;
      if (kindAt(middle) == kind)
        last.low = middle;
      else
        last.high = middle - 1;
    }
    cuts.parts.push_back({x, last.low});
    if (cuts.parts.size() > Most)
      return std::nullopt;
    x = last.low + 1;
  }
  return cuts.parts.size() > 1 ? std::optional(std::move(cuts)) : std::nullopt;
}

std::optional<llvm::SmallVector<llvm::SmallVector<Interval, 8>, 8>>
ClampedOffset::partsOf(llvm::ArrayRef<Interval> box) const {
  constexpr size_t Most = 256;
  llvm::SmallVector<llvm::SmallVector<Interval, 8>, 8> done, open;
  open.emplace_back(box.begin(), box.end());
  while (!open.empty()) {
    llvm::SmallVector<Interval, 8> part = open.pop_back_val();
    auto blocking = llvm::find_if(indices, [&](const ClampedIndex &index) {
      return !index.isPlainIn(part);
    });
    if (blocking == indices.end()) {
      done.push_back(std::move(part));
    } else {
      auto cuts = cutsOf(*blocking, part);
      if (!cuts)
        return std::nullopt;
      for (Interval side : cuts->parts) {
        open.push_back(part);
        open.back()[cuts->symbol] = side;
      }
    }
    if (done.size() + open.size() > Most)
      return std::nullopt;
  }
  return done;
}

std::optional<llvm::SmallVector<Interval, 2>>
ClampedOffset::valuesIn(llvm::ArrayRef<Interval> box) const {
  llvm::SmallVector<Interval, 2> result;
  for (const ClampedIndex &index : indices) {
    std::optional<Interval> values = index.valuesIn(box);
    if (!values)
      return std::nullopt;
    result.push_back(*values);
  }
  return result;
}

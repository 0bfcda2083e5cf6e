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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/IterationDomain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace auspex;

namespace {
using Box = llvm::SmallVector<Interval, 6>;
using Masks = std::shared_ptr<const std::vector<uint32_t>>;
} // namespace

namespace auspex {

/// Cuts a domain by recursion over boxes: conditions that hold everywhere on a
/// box are dropped, a condition that fails everywhere drops the box, and a box
/// on which some condition still depends on the block or the iteration is
/// split.
class DomainCutter {
public:
  explicit DomainCutter(IterationDomain &domain)
      : domain(domain), slots({"tid.x", "tid.y", "tid.z"}),
        full(std::make_shared<const std::vector<uint32_t>>(
            domain.launch.fullMasks())) {
    llvm::append_range(slots, domain.names);
  }

  /// Boxes before the rest is sampled: enough for guards that depend on several
  /// coordinates at once, few enough to stay within milliseconds.
  static constexpr double MaxBoxes = 4096;

  void cut(Box box, std::vector<Expr> conditions, double budget = MaxBoxes);

private:
  struct Split {
    unsigned dimension;
    llvm::SmallVector<Interval, 3> parts;
  };

  IterationDomain &domain;
  std::vector<std::string> slots;
  Masks full;

  bool dropDecided(std::vector<Expr> &conditions, const Box &box) const;
  bool isOpen(const Expr &condition, const Box &box, unsigned dimension) const;
  std::optional<Interval> mixedPart(const Expr &condition, const Box &box,
                                    unsigned dimension) const;
  std::optional<Split> chooseSplit(const Box &box,
                                   llvm::ArrayRef<Expr> conditions) const;
  Masks masksAt(llvm::ArrayRef<Expr> conditions, const Box &box) const;
  void emit(const Box &box, Masks masks);
};

} // namespace auspex

/// Removes conditions that hold on the whole box; false if one never holds.
bool DomainCutter::dropDecided(std::vector<Expr> &conditions,
                               const Box &box) const {
  bool possible = true;
  llvm::erase_if(conditions, [&](const Expr &condition) {
    Interval range = condition.range(
        [&](llvm::StringRef symbol) { return domain.rangeIn(box, symbol); });
    possible &= range.high != 0;
    return range.low >= 1;
  });
  return possible;
}

/// Whether a condition still depends on a dimension of the box.
bool DomainCutter::isOpen(const Expr &condition, const Box &box,
                          unsigned dimension) const {
  return !box[dimension].isPoint() && condition.uses(domain.names[dimension]);
}

/// The part of a dimension where a condition that is linear in it is neither
/// surely true nor surely false; possibly empty (low > high). None if the
/// condition is not of that kind.
std::optional<Interval> DomainCutter::mixedPart(const Expr &condition,
                                                const Box &box,
                                                unsigned dimension) const {
  const Atom *bracket = condition.asAtom();
  if (!bracket || (bracket->kind != Atom::Kind::AtLeastZero &&
                   bracket->kind != Atom::Kind::EqualZero &&
                   bracket->kind != Atom::Kind::NotZero))
    return std::nullopt;
  auto linear = bracket->operands[0].linearIn(domain.names[dimension]);
  std::optional<int64_t> slope =
      linear ? linear->factor->constant() : std::nullopt;
  if (!slope || *slope == 0 || std::abs(*slope) > INT32_MAX)
    return std::nullopt;
  Interval rest = linear->rest->range(
      [&](llvm::StringRef symbol) { return domain.rangeIn(box, symbol); });
  if (rest.low < -(INT64_MAX / 4) || rest.high > INT64_MAX / 4)
    return std::nullopt;
  // slope * s + rest reaches 0 between these two values of s.
  int64_t a =
      *slope > 0 ? ceilDiv(-rest.high, *slope) : ceilDiv(rest.low, -*slope);
  int64_t b =
      *slope > 0 ? floorDiv(-rest.low, *slope) : floorDiv(rest.high, -*slope);
  if (bracket->kind != Atom::Kind::AtLeastZero)
    return Interval{a, b};
  // slope * s + rest >= 0 is sure from the far end on, and impossible before
  // the near end.
  return *slope > 0 ? Interval{a, ceilDiv(-rest.low, *slope) - 1}
                    : Interval{floorDiv(rest.low, -*slope) + 1, b};
}

/// How to split a box where it does most good: the dimension and its parts;
/// none if no condition is open.
std::optional<DomainCutter::Split>
DomainCutter::chooseSplit(const Box &box,
                          llvm::ArrayRef<Expr> conditions) const {
  std::optional<unsigned> widest;
  for (const Expr &condition : conditions)
    for (unsigned i = 0; i < box.size(); ++i) {
      if (!isOpen(condition, box, i))
        continue;
      if (std::optional<Interval> mixed = mixedPart(condition, box, i)) {
        // Cut out the mixed part (or, if it is empty, where the sides meet).
        int64_t low = std::clamp(mixed->low, box[i].low, box[i].high + 1);
        int64_t high = std::clamp(mixed->high, low - 1, box[i].high);
        if (low > box[i].low || high < box[i].high)
          return Split{
              i, {{box[i].low, low - 1}, {low, high}, {high + 1, box[i].high}}};
      }
      if (!widest ||
          box[i].high - box[i].low > box[*widest].high - box[*widest].low)
        widest = i;
    }
  if (!widest)
    return std::nullopt;
  Interval whole = box[*widest];
  int64_t middle = whole.low + (whole.high - whole.low) / 2;
  return Split{*widest, {{whole.low, middle}, {middle + 1, whole.high}}};
}

namespace {
/// Whether conditions hold for each thread of a block, the rest being fixed.
/// They are evaluated along those axes of the thread index that they use.
class ThreadConditions {
public:
  ThreadConditions(llvm::ArrayRef<std::string> slots,
                   llvm::MutableArrayRef<int64_t> values, const Dim3 &block)
      : slots(slots), values(values), block(block) {
    for (unsigned i = 0; i < 3; ++i)
      along[i].assign(block[i], true);
  }

  void add(const Expr &condition) {
    std::array<bool, 3> uses;
    for (unsigned i = 0; i < 3; ++i)
      uses[i] = condition.uses(slots[i]);
    Grid grid = evaluate(condition, uses);
    if (uses[0] + uses[1] + uses[2] > 1) {
      grids.push_back(std::move(grid));
      return;
    }
    for (unsigned i = 0; i < 3; ++i)
      if (uses[i] || (i == 0 && !uses[1] && !uses[2]))
        for (int64_t k = 0; k < block[i]; ++k)
          along[i][k] &= grid.holds[k * grid.strides[i]];
  }

  /// Marks the threads of a row for which all hold; \p first is its first one.
  void markRow(int64_t y, int64_t z, int64_t first,
               std::vector<uint32_t> &masks) const {
    if (!along[1][y] || !along[2][z])
      return;
    for (int64_t x = 0; x < block.x; ++x)
      if (along[0][x] && llvm::all_of(grids, [&](const Grid &grid) {
            return grid.holds[x * grid.strides[0] + y * grid.strides[1] +
                              z * grid.strides[2]];
          }))
        masks[(first + x) / LaunchShape::WarpSize] |=
            1u << ((first + x) % LaunchShape::WarpSize);
  }

private:
  /// Where a condition holds; an axis it does not use has a stride of 0.
  struct Grid {
    std::array<int64_t, 3> strides;
    llvm::SmallVector<char, 64> holds;
  };

  llvm::ArrayRef<std::string> slots;
  llvm::MutableArrayRef<int64_t> values;
  const Dim3 &block;
  /// What the conditions on one axis alone say together, by axis.
  std::array<llvm::SmallVector<char, 64>, 3> along;
  std::vector<Grid> grids;

  Grid evaluate(const Expr &condition, const std::array<bool, 3> &uses) const {
    CompiledExpr compiled(condition, slots);
    Grid grid;
    std::array<int64_t, 3> extents;
    int64_t size = 1;
    for (unsigned i = 0; i < 3; ++i) {
      extents[i] = uses[i] ? block[i] : 1;
      grid.strides[i] = uses[i] ? size : 0;
      size *= extents[i];
    }
    grid.holds.reserve(size);
    for (values[2] = 0; values[2] < extents[2]; ++values[2])
      for (values[1] = 0; values[1] < extents[1]; ++values[1])
        for (values[0] = 0; values[0] < extents[0]; ++values[0]) {
          bool failed = !compiled.isUsable();
          bool holds = !failed && compiled.evaluate(values, failed) != 0;
          grid.holds.push_back(holds && !failed);
        }
    return grid;
  }
};
} // namespace

/// The lanes for which the conditions hold at the middle of the box.
Masks DomainCutter::masksAt(llvm::ArrayRef<Expr> conditions,
                            const Box &box) const {
  std::vector<int64_t> values(3);
  for (const Interval &side : box)
    values.push_back(side.low + (side.high - side.low) / 2);
  const Dim3 &block = domain.launch.block;
  ThreadConditions threads(slots, values, block);
  for (const Expr &condition : conditions)
    threads.add(condition);
  auto masks = std::make_shared<std::vector<uint32_t>>(full->size(), 0);
  for (int64_t z = 0; z < block.z; ++z)
    for (int64_t y = 0; y < block.y; ++y)
      threads.markRow(y, z, (z * block.y + y) * block.x, *masks);
  return masks;
}

void DomainCutter::emit(const Box &box, Masks masks) {
  IterationDomain::Piece piece{box, 1, std::move(masks)};
  for (const Interval &side : box)
    piece.points *= static_cast<double>(side.high - side.low + 1);
  double warps = 0, lanes = 0;
  for (uint32_t mask : *piece.masks) {
    warps += mask != 0;
    lanes += llvm::popcount(mask);
  }
  if (warps == 0)
    return;
  domain.runs += piece.points;
  domain.executions += piece.points * warps;
  domain.lanes += piece.points * lanes;
  for (auto [all, side] : llvm::zip(domain.hull, box))
    all = {std::min(all.low, side.low), std::max(all.high, side.high)};
  domain.cut.push_back(std::move(piece));
}

void DomainCutter::cut(Box box, std::vector<Expr> conditions, double budget) {
  if (!dropDecided(conditions, box))
    return;
  if (conditions.empty())
    return emit(box, full);
  std::optional<Split> split = chooseSplit(box, conditions);
  if (!split || budget < 1) {
    domain.exact &= !split;
    return emit(box, masksAt(conditions, box));
  }
  std::vector<std::pair<Box, std::vector<Expr>>> undecided;
  for (const Interval &part : split->parts) {
    if (part.low > part.high)
      continue;
    Box piece = box;
    piece[split->dimension] = part;
    std::vector<Expr> open = conditions;
    if (!dropDecided(open, piece))
      continue;
    if (open.empty())
      emit(piece, full);
    else
      undecided.emplace_back(std::move(piece), std::move(open));
  }
  // Parts that are decided cost nothing, so a chain of guards never runs out.
  double share = undecided.size() == 1 ? budget - 1 : budget / 2;
  for (auto &[piece, open] : undecided)
    cut(std::move(piece), std::move(open), share);
}

std::optional<IterationDomain>
IterationDomain::create(const LaunchShape &shape,
                        llvm::ArrayRef<DomainLoop> loops,
                        const Expr &condition) {
  IterationDomain domain;
  domain.launch = shape;
  domain.names = {"ctaid.x", "ctaid.y", "ctaid.z"};
  for (const DomainLoop &loop : loops)
    domain.names.push_back(loop.counter);
  domain.hull.assign(domain.names.size(), {Interval::Max, Interval::Min});

  DomainCutter cutter(domain);
  Box box;
  for (unsigned i = 0; i < 3; ++i)
    box.push_back({0, shape.grid[i] - 1});
  std::vector<Expr> conditions = condition.conjuncts();
  for (const DomainLoop &loop : loops) {
    Interval trips = loop.tripCount.range(
        [&](llvm::StringRef symbol) { return domain.rangeIn(box, symbol); });
    if (!loop.tripCount.isValid() || trips.high == Interval::Max)
      return std::nullopt;
    if (trips.high <= 0)
      return domain;
    box.push_back({0, trips.high - 1});
    if (!trips.isPoint())
      conditions.push_back(
          Expr::isLess(Expr::symbol(loop.counter), loop.tripCount));
  }
  cutter.cut(std::move(box), std::move(conditions));
  return domain;
}

Interval IterationDomain::rangeIn(llvm::ArrayRef<Interval> box,
                                  llvm::StringRef symbol) const {
  for (auto [name, side] : llvm::zip(names, box))
    if (name == symbol)
      return side;
  static constexpr llvm::StringRef threads[] = {"tid.x", "tid.y", "tid.z"};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (symbol == threads[axis])
      return {0, launch.block[axis] - 1};
  return {};
}

Expr IterationDomain::simplify(const Expr &expr) const {
  bool hasFunctions = llvm::any_of(expr.sum(), [](const Expr::Term &term) {
    return llvm::any_of(term.factors, [](const Expr::Factor &factor) {
      return factor.atom->kind != Atom::Kind::Symbol;
    });
  });
  if (!hasFunctions || cut.empty())
    return expr;
  return expr.simplify([&](llvm::StringRef symbol) { return range(symbol); });
}

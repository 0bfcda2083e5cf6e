// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/IterationDomain.h"

#include "SamplePoints.h"
#include "auspex/Expr/CompiledExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace auspex;

namespace {
/// A side for each thread index, block index and loop counter.
using Box = llvm::SmallVector<Interval, 8>;
constexpr unsigned Block = 3;
using Masks = std::shared_ptr<const std::vector<uint32_t>>;

/// A condition as the cutting asks for it, again and again.
class Condition {
public:
  /// \p symbols are those of a box.
  Condition(const Expr &expr, llvm::ArrayRef<std::string> symbols)
      : expr(expr), symbols(symbols), compiled(expr, symbols),
        isUsed(symbols.size(), false), lines(symbols.size()) {
    expr.forEachSymbol([&](llvm::StringRef name) {
      auto symbol = llvm::find(symbols, name);
      if (symbol != symbols.end())
        isUsed[symbol - symbols.begin()] = true;
    });
  }

  Interval range(const Box &box) const {
    return compiled.isUsable() ? compiled.range(box) : Interval();
  }

  bool uses(unsigned side) const { return isUsed[side]; }

  /// Whether it still depends on a side of \p box.
  bool isOpen(const Box &box, unsigned side) const {
    return isUsed[side] && !box[side].isPoint();
  }

  bool isLinearIn(unsigned side) { return lineIn(side).slope != 0; }

  /// The part of a side where a condition that is linear in it is neither
  /// surely true nor surely false; possibly empty (low > high). None if the
  /// condition is not of that kind.
  std::optional<Interval> mixedPart(const Box &box, unsigned side);

  /// The lanes of a warp for which it holds. \p threads are their indices,
  /// \p point is the rest of a point. Adds those for which it has no value, and
  /// does not hold, to \p failed.
  uint32_t lanesAt(llvm::ArrayRef<LaneValues> threads,
                   llvm::ArrayRef<int64_t> point, uint32_t &failed) const {
    if (!compiled.isUsable()) {
      failed = ~0U;
      return 0;
    }
    uint32_t holds = 0;
    LaneValues values = compiled.evaluateLanes(threads, point, failed);
    for (auto [lane, value] : llvm::enumerate(values))
      holds |= uint32_t(value != 0) << lane;
    return holds & ~failed;
  }

private:
  /// What a bracket is about, as slope * symbol + rest.
  struct Line {
    /// 0 if it is not of that kind.
    int64_t slope = 0;
    CompiledExpr rest;
  };

  Expr expr;
  llvm::ArrayRef<std::string> symbols;
  CompiledExpr compiled;
  llvm::SmallVector<bool, 8> isUsed;
  /// By symbol, once somebody asked.
  llvm::SmallVector<std::optional<Line>, 8> lines;

  const Line &lineIn(unsigned side);
};
} // namespace

const Condition::Line &Condition::lineIn(unsigned side) {
  std::optional<Line> &line = lines[side];
  if (line)
    return *line;
  line.emplace();
  const Atom *bracket = expr.asAtom();
  if (!bracket || (bracket->kind != Atom::Kind::AtLeastZero &&
                   bracket->kind != Atom::Kind::EqualZero &&
                   bracket->kind != Atom::Kind::NotZero))
    return *line;
  auto linear = bracket->operands[0].linearIn(symbols[side]);
  std::optional<int64_t> slope =
      linear ? linear->factor->constant() : std::nullopt;
  if (slope && isWithin(*slope, INT32_MAX))
    *line = {*slope, CompiledExpr(*linear->rest, symbols)};
  return *line;
}

std::optional<Interval> Condition::mixedPart(const Box &box, unsigned side) {
  const auto &[slope, restOfLine] = lineIn(side);
  if (slope == 0 || !restOfLine.isUsable())
    return std::nullopt;
  Interval rest = restOfLine.range(box);
  if (rest.low < -(INT64_MAX / 4) || rest.high > INT64_MAX / 4)
    return std::nullopt;
  // slope * s + rest reaches 0 between these two values of s.
  int64_t a =
      slope > 0 ? ceilDiv(-rest.high, slope) : ceilDiv(rest.low, -slope);
  int64_t b =
      slope > 0 ? floorDiv(-rest.low, slope) : floorDiv(rest.high, -slope);
  if (expr.asAtom()->kind != Atom::Kind::AtLeastZero)
    return Interval{a, b};
  // slope * s + rest >= 0 is sure from the far end on, and impossible before
  // the near end.
  return slope > 0 ? Interval{a, ceilDiv(-rest.low, slope) - 1}
                   : Interval{floorDiv(rest.low, -slope) + 1, b};
}

namespace {
/// The thread indices of a warp, and between which they are by axis.
struct WarpOfBlock {
  explicit WarpOfBlock(const LaunchShape::WarpIndices &indices)
      : indices(indices) {
    for (auto [side, axis] : llvm::zip(reach, indices)) {
      auto [low, high] = std::minmax_element(axis.begin(), axis.end());
      side = {*low, *high};
    }
  }

  LaunchShape::WarpIndices indices;
  std::array<Interval, 3> reach;
};
} // namespace

/// The conditions that are numbers in what \p condition is of.
static std::vector<Expr> choicesIn(const Expr &condition) {
  std::vector<Expr> choices;
  if (const Atom *atom = condition.asAtom())
    for (const Expr &operand : atom->operands)
      llvm::append_range(choices, operand.choices());
  return choices;
}

namespace auspex {

/// Cuts a domain into boxes: conditions that hold everywhere on a box are
/// dropped, a condition that fails everywhere drops the box, and a box on which
/// some condition still depends on the block or the iteration is split, the
/// largest first.
class DomainCutter {
public:
  /// \p symbols are those of a box; \p tripCounts, of all loops, are among
  /// the conditions.
  DomainCutter(IterationDomain &domain, llvm::ArrayRef<std::string> symbols,
               llvm::ArrayRef<Expr> tripCounts, llvm::ArrayRef<Expr> all)
      : domain(domain), symbols(symbols), tripCounts(tripCounts),
        full(std::make_shared<const std::vector<uint32_t>>(
            domain.launch.fullMasks())) {
    for (const Expr &condition : all) {
      conditions.emplace_back(condition, symbols);
      choices.emplace_back();
      for (const Expr &choice : choicesIn(condition))
        choices.back().emplace_back(choice, symbols);
    }
  }

  void run(Box box) {
    Open open(conditions.size());
    std::iota(open.begin(), open.end(), 0);
    if (!dropDecided(open, box, std::nullopt))
      return;
    add(std::move(box), std::move(open));
    while (!undecided.empty()) {
      Undecided next = takeLargest();
      std::optional<Split> split = chooseSplit(next.box, next.open);
      bool isSplit = split && domain.cut.size() + undecided.size() < MaxBoxes;
      domain.exact &= !split || isSplit;
      if (isSplit)
        cut(next, *split);
      else if (auto point = sampleOf(next.box, /*isRough=*/split.has_value()))
        emit(next.box, masksAt(*point, next.open));
    }
    for (unsigned side = 0; side < domain.names.size(); ++side)
      joinAlong(side);
  }

private:
  /// Before the rest is sampled: enough for guards that depend on several
  /// coordinates at once, few enough to stay within milliseconds.
  static constexpr size_t MaxBoxes = 4096;

  struct Split {
    unsigned side;
    llvm::SmallVector<Interval, 3> parts;
  };
  /// The numbers of conditions.
  using Open = llvm::SmallVector<unsigned, 8>;
  /// A box on which conditions are open.
  struct Undecided {
    Box box;
    Open open;
    /// Blocks and iterations in it.
    double points;
    bool operator<(const Undecided &other) const {
      return points < other.points;
    }
  };

  IterationDomain &domain;
  llvm::ArrayRef<std::string> symbols;
  llvm::ArrayRef<Expr> tripCounts;
  /// The trip counts, once somebody needs them.
  std::vector<CompiledExpr> trips;
  std::vector<Condition> conditions;
  /// By condition, those that stand inside of it, as in a choice.
  std::vector<std::vector<Condition>> choices;
  Masks full;
  /// Of each warp; once somebody needs them.
  std::vector<WarpOfBlock> warps;
  /// Points looked at so far.
  uint64_t samples = 0;
  /// A heap.
  std::vector<Undecided> undecided;

  void add(Box box, Open open);
  Undecided takeLargest();
  void cut(const Undecided &whole, const Split &split);
  bool dropDecided(Open &open, const Box &box,
                   std::optional<unsigned> changed) const;
  static std::optional<Split> splitAt(Condition &condition, const Box &box,
                                      unsigned side);
  static std::optional<Split> splitIntoPoints(Condition &condition,
                                              const Box &box);
  std::optional<Split> chooseSplit(const Box &box,
                                   llvm::ArrayRef<unsigned> open);
  using Point = llvm::SmallVector<int64_t, 8>;
  std::optional<Point> sampleOf(Box &box, bool isRough);
  int64_t tripsAt(const CompiledExpr &count, const Point &point) const;
  Masks masksAt(const Point &point, llvm::ArrayRef<unsigned> open) const;
  void emit(const Box &box, Masks masks);
  void joinAlong(unsigned side);
};

} // namespace auspex

/// Removes conditions that hold on the whole box; false if one never holds. Of
/// a box that differs in one side from one that was looked at, \p changed is
/// that side.
bool DomainCutter::dropDecided(Open &open, const Box &box,
                               std::optional<unsigned> changed) const {
  bool possible = true;
  llvm::erase_if(open, [&](unsigned number) {
    if (changed && !conditions[number].uses(*changed))
      return false;
    Interval range = conditions[number].range(box);
    possible &= range.high != 0;
    return range.low >= 1;
  });
  return possible;
}

/// Cuts out of a side where \p condition is neither surely true nor surely
/// false, or, if that is nowhere, where the one meets the other.
std::optional<DomainCutter::Split>
DomainCutter::splitAt(Condition &condition, const Box &box, unsigned side) {
  if (!condition.isOpen(box, side))
    return std::nullopt;
  std::optional<Interval> mixed = condition.mixedPart(box, side);
  if (!mixed)
    return std::nullopt;
  Interval whole = box[side];
  int64_t low = std::clamp(mixed->low, whole.low, whole.high + 1);
  int64_t high = std::clamp(mixed->high, low - 1, whole.high);
  Split split{side,
              {{whole.low, low - 1}, {low, high}, {high + 1, whole.high}}};
  auto parts = llvm::count_if(
      split.parts, [](const Interval &part) { return part.low <= part.high; });
  return parts > 1 ? std::optional(split) : std::nullopt;
}

/// A short side that \p condition is not linear in, as it is in another: point
/// by point it is cut in two by that one, where both cut each other to pieces.
std::optional<DomainCutter::Split>
DomainCutter::splitIntoPoints(Condition &condition, const Box &box) {
  constexpr int64_t Short = 32;
  auto sides = llvm::seq<unsigned>(Block, box.size());
  if (llvm::none_of(sides, [&](unsigned side) {
        return condition.isOpen(box, side) && condition.isLinearIn(side);
      }))
    return std::nullopt;
  for (unsigned side : sides) {
    if (!condition.isOpen(box, side) || condition.isLinearIn(side) ||
        box[side].high - box[side].low >= Short)
      continue;
    Split split{side, {}};
    for (int64_t at = box[side].low; at <= box[side].high; ++at)
      split.parts.push_back({at, at});
    return split;
  }
  return std::nullopt;
}

/// How to split a box where it does most good: the side and its parts; none if
/// no condition is open.
std::optional<DomainCutter::Split>
DomainCutter::chooseSplit(const Box &box, llvm::ArrayRef<unsigned> open) {
  for (unsigned number : open)
    if (auto split = splitIntoPoints(conditions[number], box))
      return split;
  std::optional<unsigned> widest;
  for (unsigned number : open)
    for (unsigned i = Block; i < box.size(); ++i) {
      if (auto split = splitAt(conditions[number], box, i))
        return split;
      if (conditions[number].isOpen(box, i) &&
          (!widest ||
           box[i].high - box[i].low > box[*widest].high - box[*widest].low))
        widest = i;
    }
  for (unsigned number : open)
    for (Condition &choice : choices[number])
      for (unsigned i = Block; i < box.size(); ++i)
        if (auto split = splitAt(choice, box, i))
          return split;
  if (!widest)
    return std::nullopt;
  Interval whole = box[*widest];
  int64_t middle = whole.low + (whole.high - whole.low) / 2;
  return Split{*widest, {{whole.low, middle}, {middle + 1, whole.high}}};
}

/// The lanes for which \p condition holds: most often all or none, as the
/// warp's \p reach says at once. Adds those for which it has no value to
/// \p failed.
static uint32_t lanesOf(const Condition &condition, const WarpOfBlock &warp,
                        llvm::ArrayRef<int64_t> point, const Box &reach,
                        uint32_t &failed) {
  Interval range = condition.range(reach);
  if (range.low >= 1)
    return ~0U;
  return range.high == 0 ? 0 : condition.lanesAt(warp.indices, point, failed);
}

/// The most turns that a lane has there; as many as one likes if some lane has
/// no such number.
int64_t DomainCutter::tripsAt(const CompiledExpr &count,
                              const Point &point) const {
  int64_t most = 0;
  uint32_t failed = 0;
  for (const WarpOfBlock &warp : warps)
    for (int64_t turns : count.evaluateLanes(warp.indices, point, failed))
      most = std::max(most, turns);
  return failed ? Interval::Max : most;
}

/// A point of \p box. It is \p isRough if it ought to be split: then its loops
/// are cut to the turns that there are at the point, as of a box in which few
/// points are any code's hardly one would be found; none if there are no turns.
std::optional<DomainCutter::Point> DomainCutter::sampleOf(Box &box,
                                                          bool isRough) {
  if (warps.empty())
    for (const LaunchShape::WarpIndices &indices :
         domain.launch.indicesOfWarps())
      warps.emplace_back(indices);
  if (isRough && trips.empty())
    for (const Expr &count : tripCounts)
      trips.emplace_back(count, symbols);
  Point point;
  for (const Interval &side : llvm::drop_begin(box, Block))
    point.push_back(side.low);
  constexpr size_t Axes = 3;
  for (size_t i = 0; i < point.size(); ++i) {
    Interval &side = box[Block + i];
    if (isRough && i >= Axes && trips[i - Axes].isUsable())
      side.high = std::min(side.high, tripsAt(trips[i - Axes], point) - 1);
    if (side.low > side.high)
      return std::nullopt;
    point[i] = side.low + samplePoint(samples, i, side.high - side.low + 1);
  }
  ++samples;
  return point;
}

/// The lanes for which the conditions hold at \p point.
Masks DomainCutter::masksAt(const Point &point,
                            llvm::ArrayRef<unsigned> open) const {
  Box reach(Block);
  for (int64_t at : point)
    reach.push_back({at, at});
  auto masks = std::make_shared<std::vector<uint32_t>>(*full);
  for (auto [mask, warp] : llvm::zip(*masks, warps)) {
    llvm::copy(warp.reach, reach.begin());
    uint32_t withoutValue = 0;
    for (unsigned number : open) {
      if (!mask)
        break;
      uint32_t failed = 0;
      mask &= lanesOf(conditions[number], warp, point, reach, failed) | failed;
      withoutValue |= failed;
    }
    // Those that no other condition leaves out.
    domain.exact &= (mask & withoutValue) == 0;
    mask &= ~withoutValue;
  }
  return masks;
}

/// Blocks and iterations in \p box.
static double pointsIn(const Box &box) {
  double points = 1;
  for (const Interval &side : llvm::drop_begin(box, Block))
    points *= static_cast<double>(side.high - side.low + 1);
  return points;
}

void DomainCutter::emit(const Box &box, Masks masks) {
  auto sides = llvm::ArrayRef(box).drop_front(Block);
  IterationDomain::Piece piece{
      {sides.begin(), sides.end()}, pointsIn(box), std::move(masks)};
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
  for (auto [all, side] : llvm::zip(domain.hull, sides))
    all = {std::min(all.low, side.low), std::max(all.high, side.high)};
  domain.cut.push_back(std::move(piece));
}

/// Joins pieces that are one but for a cut across \p side of their boxes, as
/// one condition needed it and the next did not.
void DomainCutter::joinAlong(unsigned side) {
  using Piece = IterationDomain::Piece;
  std::vector<Piece> &pieces = domain.cut;
  if (pieces.size() < 2)
    return;
  // As boxes do not overlap, those with the same other sides stand in a row.
  auto isBefore = [&](const Piece &a, const Piece &b) {
    for (unsigned i = 0; i < a.box.size(); ++i)
      if (i != side && a.box[i] != b.box[i])
        return std::tie(a.box[i].low, a.box[i].high) <
               std::tie(b.box[i].low, b.box[i].high);
    return a.box[side].low < b.box[side].low;
  };
  auto continues = [&](const Piece &a, const Piece &b) {
    for (unsigned i = 0; i < a.box.size(); ++i)
      if (i != side && a.box[i] != b.box[i])
        return false;
    return a.box[side].high + 1 == b.box[side].low && *a.masks == *b.masks;
  };
  llvm::sort(pieces, isBefore);
  auto last = pieces.begin();
  for (Piece &next : llvm::drop_begin(pieces)) {
    if (continues(*last, next)) {
      last->box[side].high = next.box[side].high;
      last->points += next.points;
    } else if (++last; &*last != &next) {
      *last = std::move(next);
    }
  }
  pieces.erase(last + 1, pieces.end());
}

/// None of the conditions in \p open is decided on \p box.
void DomainCutter::add(Box box, Open open) {
  if (open.empty())
    return emit(box, full);
  double points = pointsIn(box);
  undecided.push_back({std::move(box), std::move(open), points});
  std::push_heap(undecided.begin(), undecided.end());
}

DomainCutter::Undecided DomainCutter::takeLargest() {
  std::pop_heap(undecided.begin(), undecided.end());
  Undecided largest = std::move(undecided.back());
  undecided.pop_back();
  return largest;
}

void DomainCutter::cut(const Undecided &whole, const Split &split) {
  for (const Interval &part : split.parts) {
    if (part.low > part.high)
      continue;
    Box piece = whole.box;
    piece[split.side] = part;
    Open open = whole.open;
    if (dropDecided(open, piece, split.side))
      add(std::move(piece), std::move(open));
  }
}

/// \p condition, one of a conjunction, as ranges say most of it.
static Expr tightened(const Expr &condition,
                      llvm::function_ref<Interval(llvm::StringRef)> symbols) {
  const Atom *bracket = condition.asAtom();
  if (!bracket || bracket->kind != Atom::Kind::AtLeastZero)
    return condition;
  return Expr::isAtLeastZero(bracket->operands[0].tighten(symbols));
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
  for (unsigned axis = 0; axis < 3; ++axis)
    domain.threads[axis] = {0, shape.block[axis] - 1};

  std::vector<std::string> symbols{"tid.x", "tid.y", "tid.z"};
  llvm::append_range(symbols, domain.names);
  Box box;
  for (const Dim3 &size : {shape.block, shape.grid})
    for (unsigned i = 0; i < 3; ++i)
      box.push_back({0, size[i] - 1});
  auto range = [&](llvm::StringRef symbol) {
    return domain.rangeIn(llvm::ArrayRef(box).drop_front(Block), symbol);
  };
  std::vector<Expr> tripCounts, conditions;
  for (const DomainLoop &loop : loops) {
    Expr &tripCount =
        tripCounts.emplace_back(loop.tripCount.simplify(range).tighten(range));
    Interval trips = tripCount.range(range);
    if (!tripCount.isValid() || trips.high == Interval::Max)
      return std::nullopt;
    if (trips.high <= 0)
      return domain;
    box.push_back({0, trips.high - 1});
    if (!trips.isPoint())
      conditions.push_back(Expr::isLess(Expr::symbol(loop.counter), tripCount));
  }
  for (const Expr &part : condition.conjuncts())
    conditions.push_back(tightened(part, range));
  DomainCutter(domain, symbols, tripCounts, conditions).run(std::move(box));
  if (domain.exact && !conditions.empty())
    domain.boundThreads();
  return domain;
}

IterationDomain IterationDomain::withLoop(llvm::StringRef counter,
                                          int64_t trips) const {
  IterationDomain result = *this;
  auto times = static_cast<double>(trips);
  Interval side{0, trips - 1};
  result.names.push_back(counter.str());
  result.hull.push_back(cut.empty() ? Interval{Interval::Max, Interval::Min}
                                    : side);
  for (Piece &piece : result.cut) {
    piece.box.push_back(side);
    piece.points *= times;
  }
  result.executions *= times;
  result.lanes *= times;
  result.runs *= times;
  return result;
}

Interval IterationDomain::rangeIn(llvm::ArrayRef<Interval> box,
                                  llvm::StringRef symbol) const {
  for (auto [name, side] : llvm::zip(names, box))
    if (name == symbol)
      return side;
  static constexpr llvm::StringRef indices[] = {"tid.x", "tid.y", "tid.z"};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (symbol == indices[axis])
      return threads[axis];
  return {};
}

void IterationDomain::boundThreads() {
  constexpr Interval None = {Interval::Max, Interval::Min};
  std::array<Interval, 3> found{None, None, None};
  const std::vector<uint32_t> *last = nullptr;
  for (const Piece &piece : cut) {
    if (piece.masks.get() == last)
      continue;
    last = piece.masks.get();
    for (auto [warp, mask] : llvm::enumerate(*last))
      for (uint32_t left = mask; left; left &= left - 1) {
        auto place = launch.threadIndex(static_cast<int64_t>(warp) *
                                            LaunchShape::WarpSize +
                                        llvm::countr_zero(left));
        for (auto [side, at] : llvm::zip(found, place))
          side = {std::min(side.low, at), std::max(side.high, at)};
      }
  }
  threads = found;
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

/// Of a piece, the points that each block has.
static double pointsOfBlock(const IterationDomain::Piece &piece) {
  double blocks = 1;
  for (const Interval &side : llvm::ArrayRef(piece.box).take_front(3))
    blocks *= static_cast<double>(side.high - side.low + 1);
  return piece.points / blocks;
}

double
IterationDomain::blockExecutions(const std::array<int64_t, 3> &block) const {
  double executions = 0;
  for (const Piece &piece : cut)
    if (piece.box[0].contains(block[0]) && piece.box[1].contains(block[1]) &&
        piece.box[2].contains(block[2]))
      executions += pointsOfBlock(piece);
  return executions;
}

std::optional<std::array<int64_t, 3>> IterationDomain::busiestBlock() const {
  constexpr size_t MostPieces = 32;
  std::vector<const Piece *> pieces;
  for (const Piece &piece : cut)
    pieces.push_back(&piece);
  auto end = pieces.begin() + std::min(pieces.size(), MostPieces);
  std::partial_sort(pieces.begin(), end, pieces.end(),
                    [](const Piece *a, const Piece *b) {
                      return pointsOfBlock(*a) > pointsOfBlock(*b);
                    });
  std::optional<std::array<int64_t, 3>> busiest;
  double most = 0;
  for (auto piece = pieces.begin(); piece != end; ++piece) {
    llvm::ArrayRef<Interval> box = (*piece)->box;
    for (std::array block : {std::array{box[0].low, box[1].low, box[2].low},
                             std::array{box[0].high, box[1].high, box[2].high}})
      if (double executions = blockExecutions(block); executions > most) {
        most = executions;
        busiest = block;
      }
  }
  return busiest;
}

/// As many warps as are in the last turn of a group do the group.
std::optional<double> IterationDomain::groupsOfTurns(llvm::StringRef counter,
                                                     int64_t size) const {
  auto symbol = llvm::find(names, counter);
  if (!exact || symbol == names.end())
    return std::nullopt;
  double groups = 0;
  for (const Piece &piece : cut) {
    Interval turns = piece.box[symbol - names.begin()];
    double warps = static_cast<double>(
        llvm::count_if(*piece.masks, [](uint32_t mask) { return mask != 0; }));
    double lastTurns = static_cast<double>(floorDiv(turns.high + 1, size) -
                                           floorDiv(turns.low, size));
    groups += warps * piece.points /
              static_cast<double>(turns.high - turns.low + 1) * lastTurns;
  }
  return groups;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RowCounter.h"

#include "auspex/Expr/Expr.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace auspex;

using Dimension = StridedAccess::Dimension;

namespace {
/// A ruler that is fast where its unit is a power of 2, as units are.
class Divider {
public:
  explicit Divider(Ruler ruler)
      : ruler(ruler),
        log2(llvm::isPowerOf2_64(ruler.unit) ? llvm::Log2_64(ruler.unit) : -1) {
  }

  /// The number of the unit in which \p address is.
  int64_t operator()(int64_t address) const {
    address += ruler.shift;
    return log2 >= 0 ? address >> log2 : floorDiv(address, ruler.unit);
  }

  /// The units of intervals, sorted by their beginnings.
  int64_t unitsOf(llvm::ArrayRef<Interval> sorted, int64_t shift = 0) const {
    int64_t units = 0, last = INT64_MIN;
    for (const Interval &piece : sorted) {
      int64_t from = std::max((*this)(piece.low + shift), last + 1);
      int64_t to = (*this)(piece.high + shift);
      if (to >= from) {
        units += to - from + 1;
        last = to;
      }
    }
    return units;
  }

  Ruler ruler;

private:
  int log2;
};
using Dividers = llvm::SmallVector<Divider, 8>;
} // namespace

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {

constexpr unsigned MaxDimensions = 5;

/// An access as a box of rows: a row is at a point of the lattice and has the
/// bytes [low, high], relative to there.
struct RowBox {
  int64_t low = 0, high = 0;
  /// Per stride of the lattice; both ends belong to it.
  std::array<Interval, MaxDimensions> index;
  /// While the box is placed: where it is, in bytes at first, then in steps of
  /// the smallest stride, of the next one and so on, and how often each stride
  /// is gone.
  Interval at;
  std::array<int64_t, MaxDimensions> count;
  /// How often the way to it goes round the circle that is looked at.
  int64_t round = 0;
};

/// Finds the lattice of accesses and their boxes there.
class RowBoxes {
public:
  RowBoxes(AccessRefs set, const Dividers &rulers) {
    for (const Divider &divider : rulers)
      unit = std::lcm(unit, divider.ruler.unit);
    hasLattice = findLattice(set);
    if (hasLattice)
      place(set);
  }

  /// False if the strides span no lattice, or rows at different points may
  /// share a unit of \p ruler.
  bool lieApart(const Divider &ruler) const;

  /// A multiple of all rulers' units.
  int64_t unit = 1;
  int64_t origin = 0;
  /// What all strides have in common with the unit: rows begin at multiples of
  /// it. The unit itself where all rows begin alike.
  int64_t grain = 0;
  llvm::SmallVector<int64_t, MaxDimensions> strides;
  llvm::SmallVector<RowBox, 16> boxes;

private:
  bool hasLattice = false;
  /// What all boxes are within: in bytes, and by stride.
  Interval bytes{INT64_MAX, INT64_MIN};
  llvm::SmallVector<Interval, MaxDimensions> reach;

  bool findLattice(AccessRefs set);
  void place(AccessRefs set);
  void placeAlong(size_t level, Interval circle);
  int64_t cutOf(int64_t size) const;

  /// Sets the bytes of a row, or the index by which the stride below \p level
  /// goes.
  void setSide(RowBox &box, size_t level, Interval side) const {
    if (level > 0)
      box.index[level - 1] = side;
    else
      box.low = side.low - origin, box.high = side.high - origin;
  }
};

} // namespace

bool RowBoxes::findLattice(AccessRefs set) {
  for (const StridedAccess *access : set)
    for (const Dimension &dimension : access->dimensions)
      if (!llvm::is_contained(strides, dimension.stride)) {
        if (strides.size() == MaxDimensions)
          return false;
        strides.push_back(dimension.stride);
      }
  std::sort(strides.begin(), strides.end());
  grain = unit;
  for (int64_t stride : strides)
    grain = std::gcd(grain, stride);
  for (size_t i = 1; i < strides.size(); ++i)
    if (strides[i] % strides[i - 1])
      return false;
  return true;
}

/// Finds for each access the point of the lattice where it begins, and what is
/// left. Rows and planes are cut where most of them is empty, so that what lies
/// on both sides of a row's beginning, as halos do, stays together; what goes
/// on over a cut becomes several boxes.
void RowBoxes::place(AccessRefs set) {
  boxes.resize_for_overwrite(set.size());
  for (auto [box, access] : llvm::zip(boxes, set)) {
    box.at = {access->first, access->first + access->bytes - 1};
    // The dimensions ascend as the strides do.
    const Dimension *dimension = access->dimensions.begin();
    for (size_t i = 0; i < strides.size(); ++i)
      box.count[i] = dimension != access->dimensions.end() &&
                             dimension->stride == strides[i]
                         ? dimension++->count
                         : 1;
  }
  for (size_t i = 0; i < strides.size(); ++i) {
    int64_t size = strides[i] / (i ? strides[i - 1] : 1);
    // The rest of each place on the circle, as it is needed twice.
    for (RowBox &box : boxes) {
      box.round = floorDiv(box.at.low, size);
      int64_t rest = box.at.low - box.round * size;
      box.at = {rest, box.at.high - box.at.low + rest};
    }
    Interval circle;
    circle.low = cutOf(size);
    // Not through a unit, if rows begin alike.
    if (i == 0 && grain == unit)
      circle.low = floorDiv(circle.low, unit) * unit;
    circle.high = circle.low + size - 1;
    if (i == 0)
      origin = circle.low;
    placeAlong(i, circle);
  }
  auto include = [](Interval &whole, Interval part) {
    whole = {std::min(whole.low, part.low), std::max(whole.high, part.high)};
  };
  reach.assign(strides.size(), {INT64_MAX, INT64_MIN});
  for (RowBox &box : boxes) {
    setSide(box, strides.size(), box.at);
    include(bytes, {box.low, box.high});
    for (size_t i = 0; i < strides.size(); ++i)
      include(reach[i], box.index[i]);
  }
}

void RowBoxes::placeAlong(size_t level, Interval circle) {
  int64_t size = circle.high - circle.low + 1;
  // Parts of boxes that are cut come behind.
  for (size_t i = 0, end = boxes.size(); i < end; ++i) {
    Interval at = boxes[i].at;
    int64_t count = boxes[i].count[level], first = boxes[i].round;
    Interval side = at;
    if (at.low < circle.low) {
      side = {at.low + size, at.high + size};
      --first;
    }
    auto set = [&](RowBox &box, Interval part, Interval points) {
      setSide(box, level, part);
      box.at = points;
    };
    if (side.high <= circle.high) {
      set(boxes[i], side, {first, first + count - 1});
      continue;
    }
    int64_t more = (side.high - circle.low) / size, last = first + more;
    set(boxes[i], {side.low, circle.high}, {first, first + count - 1});
    if (more > 1) {
      boxes.push_back(RowBox(boxes[i]));
      set(boxes.back(), circle, {first + 1, last + count - 2});
    }
    boxes.push_back(RowBox(boxes[i]));
    set(boxes.back(), {circle.low, side.high - more * size},
        {last, last + count - 1});
  }
}

/// Where to cut a circle of \p size: at the end of the largest gap between what
/// lies on it.
int64_t RowBoxes::cutOf(int64_t size) const {
  Interval all{INT64_MAX, INT64_MIN};
  for (const RowBox &box : boxes)
    all = {std::min(all.low, box.at.low), std::max(all.high, box.at.high)};
  // No other gap is as large as half the circle.
  if (all.low + size - all.high > size / 2)
    return all.low;
  llvm::SmallVector<Interval, 16> sorted;
  for (const RowBox &box : boxes)
    sorted.push_back(box.at);
  std::sort(sorted.begin(), sorted.end(),
            [](const Interval &a, const Interval &b) { return a.low < b.low; });
  int64_t cut = all.low, widest = cut + size - all.high;
  int64_t last = sorted.front().high;
  for (const Interval &place : sorted) {
    if (place.low - last > widest) {
      widest = place.low - last;
      cut = place.low;
    }
    last = std::max(last, place.high);
  }
  return cut;
}

bool RowBoxes::lieApart(const Divider &ruler) const {
  if (!hasLattice)
    return false;
  auto [low, high] = bytes;
  for (auto [stride, side] : llvm::zip(strides, reach)) {
    bool apart = grain == unit
                     ? ruler(origin + low + stride) > ruler(origin + high)
                     : low + stride - high >= ruler.ruler.unit;
    if (side.low != side.high && !apart)
      return false;
    high += stride * (side.high - side.low);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

namespace {

/// As much of a BitVector as fits into a word, which nearly all sets do.
class WordSet {
public:
  static constexpr unsigned MaxSize = 64;

  explicit WordSet(unsigned size, bool all = false)
      : bits(all ? llvm::maskTrailingOnes<uint64_t>(size) : 0) {}
  void flip(unsigned i) { bits ^= uint64_t(1) << i; }
  bool none() const { return !bits; }
  WordSet &operator&=(const WordSet &other) {
    bits &= other.bits;
    return *this;
  }
  WordSet &operator^=(const WordSet &other) {
    bits ^= other.bits;
    return *this;
  }
  bool operator==(const WordSet &) const = default;
  int find_first() const { return bits ? llvm::countr_zero(bits) : -1; }
  int find_next(unsigned i) const {
    uint64_t rest = i + 1 < MaxSize ? bits >> (i + 1) : 0;
    return rest ? static_cast<int>(i) + 1 + llvm::countr_zero(rest) : -1;
  }

private:
  uint64_t bits;
};

/// Goes through the regions that the same boxes, a \p Set of bits, cover.
template <typename Set> class RegionSweep {
public:
  /// \p rows lie apart.
  RegionSweep(RowBoxes &rows, const Dividers &rulers,
              llvm::MutableArrayRef<int64_t> counts)
      : unit(rows.unit), grain(rows.grain), strides(rows.strides),
        rulers(rulers), counts(counts) {
    llvm::SmallVector<const RowBox *, 16> sorted;
    for (const RowBox &box : rows.boxes)
      sorted.push_back(&box);
    std::sort(sorted.begin(), sorted.end(),
              [](const RowBox *a, const RowBox *b) { return a->low < b->low; });
    for (const RowBox *box : sorted)
      bytes.push_back({rows.origin + box->low, rows.origin + box->high});
    for (size_t i = 0; i < strides.size(); ++i)
      cut(sorted, i);
  }

  /// Adds to the counts.
  void run() {
    Phases phases(unit / grain, 0);
    phases.front() = 1;
    sweep(strides.size(), Set(bytes.size(), true), phases);
  }

private:
  /// Where one and the same boxes are along a dimension.
  struct Slab {
    Interval range;
    Set boxes;
  };
  /// How many rows begin at each multiple of grain modulo the unit.
  using Phases = llvm::SmallVector<int64_t, 16>;

  int64_t unit, grain;
  llvm::ArrayRef<int64_t> strides;
  const Dividers &rulers;
  llvm::MutableArrayRef<int64_t> counts;
  /// Of each box, by their beginnings.
  llvm::SmallVector<Interval, 16> bytes;
  std::array<llvm::SmallVector<Slab, 16>, MaxDimensions> slabs;

  void cut(llvm::ArrayRef<const RowBox *> boxes, size_t dimension) {
    // Where boxes begin or end; many do at the same place.
    llvm::SmallVector<std::pair<int64_t, Set>, 32> ends;
    auto flip = [&](int64_t at, unsigned box) {
      auto end = llvm::lower_bound(
          ends, at, [](const auto &a, int64_t b) { return a.first < b; });
      if (end == ends.end() || end->first != at)
        end = ends.insert(end, {at, Set(boxes.size())});
      end->second.flip(box);
    };
    for (auto [i, box] : llvm::enumerate(boxes)) {
      flip(box->index[dimension].low, i);
      flip(box->index[dimension].high + 1, i);
    }
    Set inside(boxes.size());
    for (size_t i = 0; i + 1 < ends.size(); ++i) {
      inside ^= ends[i].second;
      if (!inside.none())
        slabs[dimension].push_back(
            {{ends[i].first, ends[i + 1].first - 1}, inside});
    }
  }

  /// Adds the units of \p active in the dimensions below \p dimension.
  void sweep(size_t dimension, const Set &active, const Phases &phases) {
    if (dimension == 0)
      return addRows(active, phases);
    --dimension;
    Interval range;
    auto finish = [&](const Set &inside) {
      if (!inside.none())
        sweep(dimension, inside, spread(phases, strides[dimension], range));
    };
    // Neighbours of the same boxes are one.
    Set before(bytes.size());
    for (const Slab &slab : slabs[dimension]) {
      Set inside = slab.boxes;
      inside &= active;
      if (inside == before && slab.range.low - 1 == range.high) {
        range.high = slab.range.high;
        continue;
      }
      finish(before);
      before = std::move(inside);
      range = slab.range;
    }
    finish(before);
  }

  /// Adds stride * k for every k of the range to where rows begin.
  Phases spread(const Phases &phases, int64_t stride, Interval range) const {
    int64_t size = unit / grain, count = range.high - range.low + 1;
    if (size == 1)
      return {phases.front() * count};
    int64_t step = floorMod(stride / grain, size);
    int64_t cycle = step ? size / std::gcd(step, size) : 1;
    Phases result(size, 0);
    for (int64_t phase = 0; phase < size; ++phase) {
      int64_t rows = phases[phase];
      if (!rows)
        continue;
      int64_t at = floorMod(phase + floorMod(range.low, size) * step, size);
      for (int64_t k = 0; k < std::min(cycle, count); ++k) {
        result[at] += rows * ((count - k - 1) / cycle + 1);
        at = (at + step) % size;
      }
    }
    return result;
  }

  /// Adds the units of rows made of what the boxes have at one point of the
  /// lattice.
  void addRows(const Set &active, const Phases &phases) {
    llvm::SmallVector<Interval, 16> pieces;
    for (int i = active.find_first(); i >= 0; i = active.find_next(i))
      // Most lie side by side or over each other.
      if (!pieces.empty() && bytes[i].low <= pieces.back().high + 1)
        pieces.back().high = std::max(pieces.back().high, bytes[i].high);
      else
        pieces.push_back(bytes[i]);
    for (auto [phase, rows] : llvm::enumerate(phases))
      if (rows)
        for (auto [ruler, count] : llvm::zip(rulers, counts))
          count +=
              rows * ruler.unitsOf(pieces, static_cast<int64_t>(phase) * grain);
  }
};

} // namespace

/// One access whose rows begin alike and lie apart; the most frequent case by
/// far.
static bool addAlone(const StridedAccess &access, const Dividers &rulers,
                     llvm::MutableArrayRef<int64_t> counts) {
  int64_t last = access.first + access.bytes - 1, rows = 1;
  for (auto [stride, count] : access.dimensions) {
    for (const Divider &ruler : rulers)
      if (stride % ruler.ruler.unit ||
          ruler(access.first + stride) <= ruler(last))
        return false;
    last += stride * (count - 1);
    rows *= count;
  }
  Interval row{access.first, access.first + access.bytes - 1};
  for (auto [ruler, count] : llvm::zip(rulers, counts))
    count += rows * ruler.unitsOf(row);
  return true;
}

bool auspex::addBoxesOfRows(AccessRefs set, llvm::ArrayRef<Ruler> rulers,
                            llvm::MutableArrayRef<int64_t> counts) {
  if (set.empty())
    return true;
  Dividers dividers;
  for (const Ruler &ruler : rulers)
    dividers.emplace_back(ruler);
  if (set.size() == 1 && addAlone(*set.front(), dividers, counts))
    return true;
  RowBoxes rows(set, dividers);
  if (!llvm::all_of(dividers,
                    [&](const Divider &ruler) { return rows.lieApart(ruler); }))
    return false;
  if (rows.boxes.size() <= WordSet::MaxSize)
    RegionSweep<WordSet>(rows, dividers, counts).run();
  else
    RegionSweep<llvm::BitVector>(rows, dividers, counts).run();
  return true;
}

//===----------------------------------------------------------------------===//
// Rows one by one
//===----------------------------------------------------------------------===//

/// Calls \p visit with the first byte of every row.
template <typename Visit>
static void forEachRow(const StridedAccess &access, size_t dimension,
                       int64_t at, Visit visit) {
  if (dimension == 0)
    return visit(at);
  auto [stride, count] = access.dimensions[dimension - 1];
  for (int64_t i = 0; i < count; ++i)
    forEachRow(access, dimension - 1, at + i * stride, visit);
}

template <typename Visit> static void forEachRow(AccessRefs set, Visit visit) {
  for (const StridedAccess *access : set)
    forEachRow(
        *access, access->dimensions.size(), access->first,
        [&](int64_t at) { visit(Interval{at, at + access->bytes - 1}); });
}

/// Where rows lie close to each other, units are ticked off one by one. None
/// if there are many more units between them than \p rows.
static std::optional<int64_t> tickOff(AccessRefs set, const Divider &ruler,
                                      double rows) {
  constexpr double MostUnitsOfRow = 64;
  Interval all{INT64_MAX, INT64_MIN};
  for (const StridedAccess *access : set) {
    Interval side{access->first, access->first + access->bytes - 1};
    for (auto [stride, count] : access->dimensions)
      (stride < 0 ? side.low : side.high) += stride * (count - 1);
    all = {std::min(all.low, side.low), std::max(all.high, side.high)};
  }
  int64_t first = ruler(all.low), units = ruler(all.high) - first + 1;
  if (static_cast<double>(units) > MostUnitsOfRow * rows)
    return std::nullopt;
  llvm::BitVector touched(units);
  forEachRow(set, [&](Interval row) {
    touched.set(ruler(row.low) - first, ruler(row.high) - first + 1);
  });
  return touched.count();
}

double auspex::countRows(AccessRefs set) {
  double rows = 0;
  for (const StridedAccess *access : set) {
    double product = 1;
    for (const Dimension &dimension : access->dimensions)
      product *= static_cast<double>(dimension.count);
    rows += product;
  }
  return rows;
}

std::optional<int64_t> auspex::countEachRow(AccessRefs set, Ruler ruler) {
  constexpr double MaxRows = 1 << 24;
  double rows = countRows(set);
  if (rows > MaxRows)
    return std::nullopt;
  Divider divider(ruler);
  if (std::optional<int64_t> units = tickOff(set, divider, rows))
    return units;
  std::vector<Interval> pieces;
  pieces.reserve(static_cast<size_t>(rows));
  forEachRow(set, [&](Interval row) { pieces.push_back(row); });
  llvm::sort(pieces, [](const Interval &a, const Interval &b) {
    return a.low < b.low;
  });
  return divider.unitsOf(pieces);
}

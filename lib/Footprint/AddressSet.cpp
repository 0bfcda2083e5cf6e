// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/AddressSet.h"

#include "auspex/Expr/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace auspex;

using Dimension = StridedAccess::Dimension;

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// Beyond it sums might overflow.
static constexpr int64_t MaxAddress = int64_t(1) << 60;

/// The distance from the first to the last address, or nothing if it is too
/// large.
static std::optional<int64_t> spanOf(const Dimension &dimension) {
  int64_t span = 0;
  if (llvm::MulOverflow(dimension.stride, dimension.count - 1, span) ||
      span > MaxAddress || span < -MaxAddress)
    return std::nullopt;
  return span;
}

/// Brings an access into the normal form: dimensions with positive strides in
/// ascending order, none that the one below or the bytes can take in. False if
/// addresses are too large.
static bool normalize(StridedAccess &access, int64_t unit) {
  if (access.first > MaxAddress || access.first < -MaxAddress ||
      access.bytes > MaxAddress)
    return false;
  int64_t reach = 0;
  for (Dimension &dimension : access.dimensions) {
    std::optional<int64_t> span = spanOf(dimension);
    if (!span)
      return false;
    access.first += std::min<int64_t>(*span, 0);
    dimension.stride = std::abs(dimension.stride);
    reach += std::abs(*span);
    if (reach > MaxAddress)
      return false;
  }
  llvm::erase_if(access.dimensions, [](const Dimension &dimension) {
    return dimension.stride == 0 || dimension.count == 1;
  });
  llvm::sort(access.dimensions, std::less<>());
  size_t kept = 0;
  for (const Dimension &dimension : access.dimensions) {
    auto [stride, count] = dimension;
    Dimension *below = kept ? &access.dimensions[kept - 1] : nullptr;
    // No unit fits into a gap smaller than it.
    if (!below && stride < access.bytes + unit)
      access.bytes += stride * (count - 1);
    else if (below && stride % below->stride == 0 &&
             stride / below->stride <= below->count)
      below->count += stride / below->stride * (count - 1);
    else
      access.dimensions[kept++] = dimension;
  }
  access.dimensions.truncate(kept);
  return true;
}

namespace {
/// Joins accesses of the same shape that lie side by side.
class Joiner {
public:
  Joiner(AddressSet &set, int64_t unit) : set(set), unit(unit) {}

  void run() {
    sortBy([](const StridedAccess &) { return int64_t(0); });
    joinBytes();
    for (size_t number = 0; number < mostDimensions(); ++number)
      joinSteps(number);
  }

private:
  AddressSet &set;
  int64_t unit;

  size_t mostDimensions() const {
    size_t most = 0;
    for (const StridedAccess &access : set)
      most = std::max(most, access.dimensions.size());
    return most;
  }

  static bool haveSameShape(const StridedAccess &a, const StridedAccess &b) {
    return a.bytes == b.bytes && a.dimensions == b.dimensions;
  }

  /// Sorts by shape, then by a key of the access, then by address.
  template <typename Key> void sortBy(Key key) {
    llvm::sort(set, [&](const StridedAccess &a, const StridedAccess &b) {
      if (a.bytes != b.bytes)
        return a.bytes < b.bytes;
      if (a.dimensions != b.dimensions)
        return std::lexicographical_compare(
            a.dimensions.begin(), a.dimensions.end(), b.dimensions.begin(),
            b.dimensions.end());
      if (int64_t left = key(a), right = key(b); left != right)
        return left < right;
      return a.first < b.first;
    });
  }

  /// Joins neighbours, in their order, if \p take lets the first of them take
  /// in the second; \p take sees the first as it was and as it has become.
  template <typename Take> void joinNeighbours(Take take) {
    size_t kept = 0;
    for (size_t i = 0; i < set.size();) {
      StridedAccess shape = set[i];
      StridedAccess joined = std::move(set[i++]);
      while (i < set.size() && haveSameShape(shape, set[i]) &&
             take(shape, joined, set[i]))
        ++i;
      normalize(joined, unit);
      set[kept++] = std::move(joined);
    }
    set.truncate(kept);
  }

  void joinBytes() {
    joinNeighbours([&](const StridedAccess &, StridedAccess &joined,
                       const StridedAccess &next) {
      int64_t end = joined.first + joined.bytes;
      if (next.first - end >= unit)
        return false;
      joined.bytes =
          std::max(joined.bytes, next.first + next.bytes - joined.first);
      return true;
    });
  }

  /// How far accesses of the same shape are from the next one.
  llvm::SmallVector<int64_t, 16> distancesOfNeighbours() {
    sortBy([](const StridedAccess &) { return int64_t(0); });
    llvm::SmallVector<int64_t, 16> distances;
    for (size_t i = 1; i < set.size(); ++i)
      if (haveSameShape(set[i - 1], set[i]))
        if (int64_t distance = set[i].first - set[i - 1].first;
            !llvm::is_contained(distances, distance))
          distances.push_back(distance);
    return distances;
  }

  /// Joins accesses that are whole steps of a dimension apart, or equal parts
  /// of a step that fill it.
  void joinSteps(size_t number) {
    constexpr int64_t MostParts = 8;
    llvm::SmallVector<int64_t, 16> distances = distancesOfNeighbours();
    if (distances.empty())
      return;
    for (int64_t parts = MostParts; parts >= 1; --parts) {
      auto stepOf = [&](const StridedAccess &access) {
        if (number >= access.dimensions.size())
          return int64_t(0);
        int64_t stride = access.dimensions[number].stride;
        return stride % parts == 0 ? stride / parts : 0;
      };
      auto canJoin = [&](const StridedAccess &access) {
        int64_t step = stepOf(access);
        return step && (parts == 1 || llvm::is_contained(distances, step));
      };
      if (llvm::none_of(set, canJoin))
        continue;
      sortBy([&](const StridedAccess &access) {
        int64_t step = stepOf(access);
        return step ? floorMod(access.first, step) : 0;
      });
      parts == 1 ? joinWholeSteps(number) : joinParts(number, stepOf, parts);
    }
  }

  void joinWholeSteps(size_t number) {
    joinNeighbours([&](const StridedAccess &shape, StridedAccess &joined,
                       const StridedAccess &next) {
      if (number >= shape.dimensions.size())
        return next.first == joined.first;
      auto [stride, count] = shape.dimensions[number];
      int64_t distance = next.first - joined.first;
      Dimension &dimension = joined.dimensions[number];
      if (distance % stride || distance / stride > dimension.count)
        return false;
      dimension.count = std::max(dimension.count, distance / stride + count);
      return true;
    });
  }

  /// Runs of at least \p parts accesses a part of a step apart.
  template <typename StepOf>
  void joinParts(size_t number, StepOf stepOf, int64_t parts) {
    AddressSet result;
    for (size_t i = 0; i < set.size();) {
      int64_t step = stepOf(set[i]);
      size_t end = i + 1;
      while (step && end < set.size() && haveSameShape(set[i], set[end]) &&
             set[end].first == set[end - 1].first + step)
        ++end;
      auto run = static_cast<int64_t>(end - i);
      if (run < parts) {
        result.append(set.begin() + i, set.begin() + end);
      } else {
        result.push_back(set[i]);
        result.back().dimensions.push_back({step, run});
        normalize(result.back(), unit);
      }
      i = end;
    }
    set = std::move(result);
  }
};
} // namespace

std::optional<AddressSet> auspex::simplify(llvm::ArrayRef<StridedAccess> set,
                                           int64_t unit) {
  AddressSet result;
  for (const StridedAccess &access : set) {
    if (access.bytes <= 0 ||
        llvm::any_of(access.dimensions,
                     [](const Dimension &d) { return d.count <= 0; }))
      continue;
    result.push_back(access);
    if (!normalize(result.back(), unit))
      return std::nullopt;
  }
  if (result.size() > 1)
    Joiner(result, unit).run();
  return result;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

namespace {

/// An access as a box of rows: the strides of all accesses span a lattice; a
/// row is at a point of it and has the bytes [low, high], relative to there.
struct RowBox {
  static constexpr unsigned MaxDimensions = 5;

  int64_t low = 0, high = 0;
  /// Inclusive, per stride of the lattice.
  std::array<Interval, MaxDimensions> index;
};

/// Counts the units of boxes of rows.
class RowCounter {
public:
  RowCounter(llvm::ArrayRef<StridedAccess> set, int64_t unit)
      : set(set), unit(unit) {}

  /// None if rows do not lie apart.
  std::optional<int64_t> countBoxes() {
    if (set.empty())
      return 0;
    if (set.size() == 1 && set.front().dimensions.empty())
      return unitsOf(set.front().first,
                     set.front().first + set.front().bytes - 1);
    if (!findLattice())
      return std::nullopt;
    placeBoxes();
    if (!liesApart())
      return std::nullopt;
    Boxes all;
    for (const RowBox &box : boxes)
      all.push_back(&box);
    return sweep(strides.size(), all, {});
  }

  /// Looks at every row. None if there are too many.
  std::optional<int64_t> countRows() const {
    constexpr double MaxRows = 1 << 24;
    double rows = 0;
    for (const StridedAccess &access : set) {
      double product = 1;
      for (const Dimension &dimension : access.dimensions)
        product *= static_cast<double>(dimension.count);
      rows += product;
    }
    if (rows > MaxRows)
      return std::nullopt;
    std::vector<Interval> pieces;
    pieces.reserve(static_cast<size_t>(rows));
    for (const StridedAccess &access : set)
      appendRows(access, access.dimensions.size(), access.first, pieces);
    llvm::sort(pieces, [](const Interval &a, const Interval &b) {
      return a.low < b.low;
    });
    return unitsOf(pieces, 0);
  }

private:
  using Boxes = llvm::SmallVector<const RowBox *, 16>;
  /// How many rows begin at each multiple of grain modulo the unit.
  using Phases = llvm::SmallVector<int64_t, 16>;

  llvm::ArrayRef<StridedAccess> set;
  int64_t unit;
  int64_t origin = 0;
  /// What all strides have in common with the unit: rows begin at multiples of
  /// it. The unit itself where all rows begin alike.
  int64_t grain = 0;
  llvm::SmallVector<int64_t, RowBox::MaxDimensions> strides;
  llvm::SmallVector<RowBox, 16> boxes;

  int64_t unitsOf(int64_t low, int64_t high) const {
    return floorDiv(high, unit) - floorDiv(low, unit) + 1;
  }

  bool findLattice() {
    for (const StridedAccess &access : set)
      for (const Dimension &dimension : access.dimensions)
        if (!llvm::is_contained(strides, dimension.stride)) {
          if (strides.size() == RowBox::MaxDimensions)
            return false;
          strides.push_back(dimension.stride);
        }
    llvm::sort(strides);
    grain = unit;
    for (int64_t stride : strides)
      grain = std::gcd(grain, stride);
    for (size_t i = 1; i < strides.size(); ++i)
      if (strides[i] % strides[i - 1])
        return false;
    return true;
  }

  /// A box on its way to the lattice: where it is, in bytes at first, then in
  /// steps of the smallest stride, of the next one and so on.
  struct Placing {
    const StridedAccess *access = nullptr;
    Interval at;
    RowBox box;
  };
  using Placings = llvm::SmallVector<Placing, 16>;

  /// Finds for each access the point of the lattice where it begins, and what
  /// is left. Rows and planes are cut where most of them is empty, so that what
  /// lies on both sides of a row's beginning, as halos do, stays together; what
  /// goes on over a cut becomes several boxes.
  void placeBoxes() {
    Placings placings;
    for (const StridedAccess &access : set)
      placings.push_back(
          {&access, {access.first, access.first + access.bytes - 1}, {}});
    for (size_t i = 0; i < strides.size(); ++i) {
      int64_t size = strides[i] / (i ? strides[i - 1] : 1);
      Interval circle;
      circle.low = cutOf(placings, size);
      // Not through a unit, if rows begin alike.
      if (i == 0 && grain == unit)
        circle.low = floorDiv(circle.low, unit) * unit;
      circle.high = circle.low + size - 1;
      if (i == 0)
        origin = circle.low;
      Placings next;
      for (const Placing &placing : placings)
        place(placing, i, circle, next);
      placings = std::move(next);
    }
    for (const Placing &placing : placings) {
      boxes.push_back(placing.box);
      setSide(boxes.back(), strides.size(), placing.at);
    }
  }

  /// Sets the bytes of a row, or the index by which the stride below \p level
  /// goes.
  void setSide(RowBox &box, size_t level, Interval side) const {
    if (level > 0)
      box.index[level - 1] = side;
    else
      box.low = side.low - origin, box.high = side.high - origin;
  }

  void place(const Placing &placing, size_t level, Interval circle,
             Placings &next) const {
    int64_t size = circle.high - circle.low + 1;
    int64_t count = countAlong(*placing.access, strides[level]);
    int64_t first = floorDiv(placing.at.low - circle.low, size);
    Interval side{placing.at.low - first * size,
                  placing.at.high - first * size};
    auto add = [&](Interval part, Interval at) {
      next.push_back({placing.access, at, placing.box});
      setSide(next.back().box, level, part);
    };
    if (side.high <= circle.high)
      return add(side, {first, first + count - 1});
    int64_t last = floorDiv(placing.at.high - circle.low, size);
    add({side.low, circle.high}, {first, first + count - 1});
    if (last > first + 1)
      add(circle, {first + 1, last + count - 2});
    add({circle.low, placing.at.high - last * size}, {last, last + count - 1});
  }

  static int64_t countAlong(const StridedAccess &access, int64_t stride) {
    for (const Dimension &dimension : access.dimensions)
      if (dimension.stride == stride)
        return dimension.count;
    return 1;
  }

  /// Where to cut a circle of \p size: at the end of the largest gap between
  /// what lies on it.
  static int64_t cutOf(llvm::ArrayRef<Placing> placings, int64_t size) {
    llvm::SmallVector<Interval, 16> sorted;
    for (const Placing &placing : placings) {
      int64_t low = floorMod(placing.at.low, size);
      sorted.push_back({low, low + placing.at.high - placing.at.low});
    }
    llvm::sort(sorted, [](const Interval &a, const Interval &b) {
      return a.low < b.low;
    });
    int64_t last = sorted.front().high;
    for (const Interval &place : sorted)
      last = std::max(last, place.high);
    int64_t cut = sorted.front().low, widest = cut + size - last;
    last = sorted.front().high;
    for (const Interval &place : sorted) {
      if (place.low - last > widest) {
        widest = place.low - last;
        cut = place.low;
      }
      last = std::max(last, place.high);
    }
    return cut;
  }

  /// Whether rows at different points never share a unit.
  bool liesApart() const {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (const RowBox &box : boxes) {
      low = std::min(low, box.low);
      high = std::max(high, box.high);
    }
    for (size_t i = 0; i < strides.size(); ++i) {
      Interval index{INT64_MAX, INT64_MIN};
      for (const RowBox &box : boxes) {
        index.low = std::min(index.low, box.index[i].low);
        index.high = std::max(index.high, box.index[i].high);
      }
      bool apart = grain == unit ? floorDiv(origin + low + strides[i], unit) >
                                       floorDiv(origin + high, unit)
                                 : low + strides[i] - high >= unit;
      if (index.low != index.high && !apart)
        return false;
      high += strides[i] * (index.high - index.low);
    }
    return true;
  }

  /// The units of the boxes in the dimensions below \p dimension.
  int64_t sweep(size_t dimension, const Boxes &active, const Phases &phases) {
    if (dimension == 0)
      return countRow(active, phases);
    --dimension;
    llvm::SmallVector<int64_t, 32> cuts;
    for (const RowBox *box : active) {
      cuts.push_back(box->index[dimension].low);
      cuts.push_back(box->index[dimension].high + 1);
    }
    llvm::sort(cuts, std::less<>()); // std::sort; qsort without the comparison
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    int64_t total = 0;
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      Interval slab{cuts[i], cuts[i + 1] - 1};
      Boxes inside;
      for (const RowBox *box : active)
        if (box->index[dimension].contains(slab.low))
          inside.push_back(box);
      if (inside.empty())
        continue;
      if (grain == unit)
        total += (slab.high - slab.low + 1) * sweep(dimension, inside, {});
      else
        total +=
            sweep(dimension, inside, spread(phases, strides[dimension], slab));
    }
    return total;
  }

  /// Adds stride * k for every k of the slab to where rows begin.
  Phases spread(const Phases &phases, int64_t stride, Interval slab) const {
    int64_t size = unit / grain, count = slab.high - slab.low + 1;
    int64_t step = floorMod(stride / grain, size);
    int64_t cycle = step ? size / std::gcd(step, size) : 1;
    Phases result(size, 0);
    for (int64_t phase = 0; phase < size; ++phase) {
      int64_t rows = phases.empty() ? phase == 0 : phases[phase];
      if (!rows)
        continue;
      int64_t at = floorMod(phase + floorMod(slab.low, size) * step, size);
      for (int64_t k = 0; k < std::min(cycle, count); ++k) {
        result[at] += rows * ((count - k - 1) / cycle + 1);
        at = (at + step) % size;
      }
    }
    return result;
  }

  /// The units of rows made of what the boxes have at one point of the lattice.
  int64_t countRow(const Boxes &active, const Phases &phases) const {
    llvm::SmallVector<Interval, 16> pieces;
    for (const RowBox *box : active)
      pieces.push_back({origin + box->low, origin + box->high});
    llvm::sort(pieces, [](const Interval &a, const Interval &b) {
      return a.low < b.low;
    });
    if (phases.empty())
      return unitsOf(pieces, 0);
    int64_t total = 0;
    for (auto [phase, rows] : llvm::enumerate(phases))
      if (rows)
        total += rows * unitsOf(pieces, static_cast<int64_t>(phase) * grain);
    return total;
  }

  /// The units of intervals, sorted by their beginnings, moved by \p shift.
  int64_t unitsOf(llvm::ArrayRef<Interval> sorted, int64_t shift) const {
    int64_t units = 0, last = INT64_MIN;
    for (const Interval &piece : sorted) {
      int64_t from = std::max(floorDiv(piece.low + shift, unit), last + 1);
      int64_t to = floorDiv(piece.high + shift, unit);
      if (to >= from) {
        units += to - from + 1;
        last = to;
      }
    }
    return units;
  }

  static void appendRows(const StridedAccess &access, size_t dimension,
                         int64_t at, std::vector<Interval> &rows) {
    if (dimension == 0) {
      rows.push_back({at, at + access.bytes - 1});
      return;
    }
    auto [stride, count] = access.dimensions[dimension - 1];
    for (int64_t i = 0; i < count; ++i)
      appendRows(access, dimension - 1, at + i * stride, rows);
  }
};

} // namespace

/// Writes out the widest dimension, if few accesses come of it: a block higher
/// than a plane reaches into the next one, but its rows still lie apart.
static bool unrollWidest(AddressSet &set) {
  constexpr int64_t MostAccesses = 64;
  int64_t widest = 0, total = 0;
  for (const StridedAccess &access : set)
    if (!access.dimensions.empty())
      widest = std::max(widest, access.dimensions.back().stride);
  auto isWidest = [&](const StridedAccess &access) {
    return !access.dimensions.empty() &&
           access.dimensions.back().stride == widest;
  };
  for (const StridedAccess &access : set) {
    total += isWidest(access) ? access.dimensions.back().count : 1;
    if (total > MostAccesses)
      return false;
  }
  AddressSet unrolled;
  for (StridedAccess &access : set) {
    int64_t count = 1;
    if (isWidest(access))
      count = access.dimensions.pop_back_val().count;
    for (int64_t i = 0; i < count; ++i) {
      unrolled.push_back(access);
      unrolled.back().first += i * widest;
    }
  }
  set = std::move(unrolled);
  return widest > 0;
}

/// Counts the units of accesses in normal form.
static std::optional<int64_t> countTogether(AddressSet set, int64_t unit) {
  do {
    if (std::optional<int64_t> units = RowCounter(set, unit).countBoxes())
      return units;
  } while (unrollWidest(set));
  return RowCounter(set, unit).countRows();
}

static int64_t lastByte(const StridedAccess &access) {
  int64_t last = access.first + access.bytes - 1;
  for (const Dimension &dimension : access.dimensions)
    last += dimension.stride * (dimension.count - 1);
  return last;
}

std::optional<int64_t> auspex::countUnits(llvm::ArrayRef<StridedAccess> set,
                                          int64_t unit) {
  std::optional<AddressSet> simple = simplify(set, unit);
  return simple ? countSimplified(std::move(*simple), unit) : std::nullopt;
}

std::optional<int64_t> auspex::countSimplified(AddressSet set, int64_t unit) {
  // What lies far apart, as fields of one array do, has nothing in common.
  llvm::sort(set, [](const StridedAccess &a, const StridedAccess &b) {
    return a.first < b.first;
  });
  int64_t total = 0;
  for (size_t i = 0; i < set.size();) {
    AddressSet near;
    int64_t last = INT64_MIN;
    do {
      last = std::max(last, floorDiv(lastByte(set[i]), unit));
      near.push_back(std::move(set[i++]));
    } while (i < set.size() && floorDiv(set[i].first, unit) <= last);
    std::optional<int64_t> units = countTogether(std::move(near), unit);
    if (!units)
      return std::nullopt;
    total += *units;
  }
  return total;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/AddressSet.h"

#include "PlaneCounter.h"
#include "RowCounter.h"
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

bool auspex::normalize(StridedAccess &access, int64_t unit) {
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
  if (!llvm::is_sorted(access.dimensions))
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

/// Has \p access take in \p next, which has its dimensions and begins no
/// earlier, if no unit fits into the gap between them.
static bool takeIn(StridedAccess &access, const StridedAccess &next,
                   int64_t unit) {
  if (next.first - (access.first + access.bytes) >= unit)
    return false;
  access.bytes = std::max(access.bytes, next.first + next.bytes - access.first);
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
    joinNeighbours(
        [&](const StridedAccess &, StridedAccess &joined,
            const StridedAccess &next) { return takeIn(joined, next, unit); });
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

  /// The parts of steps that accesses may be apart, most first; at least one.
  llvm::SmallVector<int64_t, 8>
  partsOfSteps(size_t number, llvm::ArrayRef<int64_t> distances) const {
    // The rows of a block that step from block to block.
    constexpr int64_t MostParts = 32;
    llvm::SmallVector<int64_t, 8> parts{1};
    int64_t known = 0;
    for (const StridedAccess &access : set) {
      if (number >= access.dimensions.size() ||
          access.dimensions[number].stride == known)
        continue;
      known = access.dimensions[number].stride;
      for (int64_t distance : distances)
        if (distance > 0 && known % distance == 0 &&
            known / distance <= MostParts)
          parts.push_back(known / distance);
    }
    std::sort(parts.begin(), parts.end(), std::greater<>());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    return parts;
  }

  /// Joins accesses that are whole steps of a dimension apart, or equal parts
  /// of a step that fill it.
  void joinSteps(size_t number) {
    llvm::SmallVector<int64_t, 16> distances = distancesOfNeighbours();
    if (distances.empty())
      return;
    for (int64_t parts : partsOfSteps(number, distances)) {
      auto stepOf = [&](const StridedAccess &access) {
        if (number >= access.dimensions.size())
          return int64_t(0);
        int64_t stride = access.dimensions[number].stride;
        return stride % parts == 0 ? stride / parts : 0;
      };
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
  result.reserve(set.size());
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

static llvm::SmallVector<const StridedAccess *, 16>
refsTo(const AddressSet &set) {
  return llvm::to_vector<16>(llvm::make_pointer_range(set));
}

/// Whether to look at each row takes less time than to join accesses.
static bool haveFewRows(AccessRefs set) {
  constexpr double FewOfAccess = 16;
  return countRows(set) <= FewOfAccess * static_cast<double>(set.size());
}

/// Joins pieces of rows that go on where the one before ends, however long they
/// are: the parts of an image at its borders and inside are cut apart by
/// guards. \p sorted is so by its beginnings, and the result too; none if there
/// is nothing to join.
static std::optional<AddressSet> joinPieces(AccessRefs sorted, int64_t unit) {
  AddressSet set;
  for (const StridedAccess *access : sorted)
    set.push_back(*access);
  size_t before;
  do {
    before = set.size();
    size_t kept = 0;
    for (size_t i = 0; i < before;) {
      StridedAccess joined = std::move(set[i++]);
      while (i < before && set[i].dimensions == joined.dimensions &&
             takeIn(joined, set[i], unit))
        ++i;
      normalize(joined, unit);
      set[kept++] = std::move(joined);
    }
    set.truncate(kept);
  } while (set.size() < before);
  if (set.size() == sorted.size())
    return std::nullopt;
  return set;
}

static int64_t commonUnit(llvm::ArrayRef<Ruler> rulers) {
  int64_t common = 0;
  for (const Ruler &ruler : rulers)
    common = std::gcd(common, ruler.unit);
  return common;
}

/// Adds the units of accesses in normal form, sorted by their beginnings, ruler
/// by ruler; none where there are too many rows.
static void addTogether(AccessRefs set, llvm::ArrayRef<Ruler> rulers,
                        llvm::MutableArrayRef<std::optional<int64_t>> counts) {
  auto add = [](AccessRefs refs, llvm::ArrayRef<Ruler> by,
                llvm::MutableArrayRef<std::optional<int64_t>> to) {
    llvm::SmallVector<int64_t, 8> units(by.size(), 0);
    if (!addBoxesOfRows(refs, by, units))
      return false;
    for (auto [count, number] : llvm::zip(to, units))
      if (count)
        *count += number;
    return true;
  };
  if (add(set, rulers, counts))
    return;
  if (std::optional<AddressSet> joined = joinPieces(set, commonUnit(rulers)))
    return addTogether(refsTo(*joined), rulers, counts);
  std::optional<Planes> planes = Planes::of(set);
  if (planes && planes->shareNoUnit(rulers))
    return planes->addAlike(rulers, counts);
  if (rulers.size() > 1) {
    for (size_t i = 0; i < rulers.size(); ++i)
      addTogether(set, rulers.slice(i, 1), counts.slice(i, 1));
    return;
  }
  std::optional<int64_t> &count = counts.front();
  auto addRows = [&](AccessRefs refs) {
    std::optional<int64_t> units = countEachRow(refs, rulers.front());
    count = units && count ? std::optional(*count + *units) : std::nullopt;
  };
  if (auto units =
          planes ? planes->countInTurns(rulers.front()) : std::nullopt) {
    if (count)
      *count += *units;
    return;
  }
  if (haveFewRows(set))
    return addRows(set);
  AddressSet unrolled;
  for (const StridedAccess *access : set)
    unrolled.push_back(*access);
  // What is joined may lie apart.
  Joiner(unrolled, rulers.front().unit).run();
  do {
    if (add(refsTo(unrolled), rulers, counts))
      return;
  } while (unrollWidest(unrolled));
  addRows(refsTo(unrolled));
}

std::optional<int64_t> auspex::countUnits(llvm::ArrayRef<StridedAccess> set,
                                          int64_t unit) {
  std::optional<AddressSet> simple = simplify(set, unit);
  return simple ? countNormalized(*simple, Ruler{unit}).front() : std::nullopt;
}

llvm::SmallVector<std::optional<int64_t>, 8>
auspex::countNormalized(llvm::ArrayRef<StridedAccess> set,
                        llvm::ArrayRef<Ruler> rulers) {
  llvm::SmallVector<std::optional<int64_t>, 8> counts(rulers.size(), 0);
  llvm::SmallVector<const StridedAccess *, 16> sorted;
  for (const StridedAccess &access : set)
    sorted.push_back(&access);
  std::sort(sorted.begin(), sorted.end(),
            [](const StridedAccess *a, const StridedAccess *b) {
              return a->first < b->first;
            });
  // What lies far apart, as fields of one array do, has nothing in common.
  int64_t largest = 1;
  for (const Ruler &ruler : rulers)
    largest = std::max(largest, ruler.unit);
  for (size_t i = 0; i < sorted.size();) {
    size_t from = i;
    int64_t last = INT64_MIN;
    do
      last = std::max(last, lastByte(*sorted[i++]));
    while (i < sorted.size() && sorted[i]->first - last < largest);
    addTogether(llvm::ArrayRef(sorted).slice(from, i - from), rulers, counts);
  }
  return counts;
}

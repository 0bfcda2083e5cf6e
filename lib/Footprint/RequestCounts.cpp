// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/RequestCounts.h"

#include "LinearOffset.h"
#include "MovableRequest.h"
#include "SamplePoints.h"
#include "SettledBounds.h"
#include "auspex/Expr/CompiledExpr.h"
#include "auspex/Expr/Period.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

using namespace auspex;

namespace {

/// Residues modulo a period and how often they occur; each once.
using Residues = std::vector<std::pair<int64_t, double>>;

/// Adds slope * k for every k of the interval to the residues.
void spread(Residues &residues, int64_t slope, Interval side, int64_t period) {
  int64_t step = floorMod(slope, period);
  int64_t count = side.high - side.low + 1;
  int64_t start = floorMod(floorMod(side.low, period) * step, period);
  if (step == 0 || count == 1) {
    for (auto &[residue, times] : residues) {
      residue = (residue + start) % period;
      times *= static_cast<double>(count);
    }
    return;
  }
  int64_t cycle = period / std::gcd(step, period);
  std::vector<double> sums(period, 0);
  for (auto [residue, times] : residues)
    for (int64_t k = 0; k < std::min(cycle, count); ++k)
      sums[(residue + start + k * step) % period] +=
          times * static_cast<double>((count - k - 1) / cycle + 1);
  residues.clear();
  for (int64_t residue = 0; residue < period; ++residue)
    if (sums[residue] != 0)
      residues.emplace_back(residue, sums[residue]);
}

/// The residues of the linear part of an offset over a box.
Residues residuesOf(const SeparatedOffset &offset, llvm::ArrayRef<Interval> box,
                    int64_t period) {
  Residues residues{{0, 1}};
  for (unsigned i = 0; i < box.size(); ++i)
    if (!llvm::is_contained(offset.mixed, i))
      spread(residues, offset.slopes[i], box[i], period);
  return residues;
}

/// Tells requests apart: only the distances between lanes and the position
/// within a period matter.
class RequestCounter {
public:
  RequestCounter(unsigned bytesPerLane, const MemoryGranularity &granularity)
      : period(granularity.period()), bytesPerLane(bytesPerLane),
        granularity(granularity) {}

  /// The offsets of a warp: which distances, and where it begins.
  struct Warp {
    unsigned pattern = 0;
    int64_t position = 0;
  };

  Warp describe(llvm::ArrayRef<int64_t> offsets) {
    Distances distances;
    for (unsigned lane = 0; lane < 32; ++lane)
      distances[lane] = offsets[lane] - offsets[0];
    auto [entry, isNew] = numbers.try_emplace(distances, patterns.size());
    if (isNew)
      patterns.push_back(&entry->first);
    return {entry->second, floorMod(offsets[0], period)};
  }

  /// The requests of warps of one pattern with the lanes of \p mask.
  MovableRequest &request(unsigned pattern, uint32_t mask) {
    return requests
        .try_emplace({mask, pattern}, *patterns[pattern], mask, bytesPerLane,
                     granularity)
        .first->second;
  }

  const int64_t period;

private:
  using Distances = std::array<int64_t, 32>;
  unsigned bytesPerLane;
  MemoryGranularity granularity;
  struct Hash {
    size_t operator()(const Distances &distances) const {
      return llvm::hash_combine_range(distances.begin(), distances.end());
    }
  };
  std::unordered_map<Distances, unsigned, Hash> numbers;
  std::vector<const Distances *> patterns;
  std::map<std::pair<uint32_t, unsigned>, MovableRequest> requests;
};

} // namespace

/// The requests of an access over a domain, if it begins at 0: which there are,
/// and how often they are where. Of the same access that begins elsewhere they
/// are moved.
class auspex::RequestGroups {
public:
  RequestGroups(unsigned bytesPerLane, const MemoryGranularity &granularity,
                bool isExact)
      : counter(bytesPerLane, granularity), isExact(isExact) {}

  RequestCounter counter;
  bool isExact;

  /// Warps of one pattern and mask.
  struct Group {
    /// How often one is where in a period, and where that is not never.
    std::vector<double> times;
    llvm::SmallVector<int64_t, 16> positions;
    MovableRequest *request = nullptr;

    void add(int64_t position, double occurrences) {
      if (times[position] == 0)
        positions.push_back(position);
      times[position] += occurrences;
    }
  };

  Group &group(unsigned pattern, uint32_t mask) {
    Group &group = groups[{pattern, mask}];
    if (!group.request) {
      group.times.resize(counter.period, 0);
      group.request = &counter.request(pattern, mask);
    }
    return group;
  }

  /// The warps of a block, in all the blocks and iterations of a piece that
  /// move them to \p residues, times \p times.
  void add(llvm::ArrayRef<RequestCounter::Warp> warps,
           const IterationDomain::Piece &piece, const Residues &residues,
           double times) {
    for (auto [warp, mask] : llvm::zip(warps, *piece.masks)) {
      if (!mask)
        continue;
      Group &warpsAlike = group(warp.pattern, mask);
      for (auto [residue, occurrences] : residues)
        warpsAlike.add((warp.position + residue) % counter.period,
                       occurrences * times);
    }
  }

  const RequestCounts &countsFrom(int64_t first) {
    auto [entry, isNew] = known.try_emplace(floorMod(first, counter.period));
    RequestCounts &counts = entry->second;
    if (!isNew)
      return counts;
    counts.exact = isExact;
    for (auto &[key, group] : groups)
      for (int64_t position : group.positions) {
        int64_t moved = floorMod(position + first, counter.period);
        counts.add(group.request->countsAt(moved), group.times[position]);
      }
    return counts;
  }

private:
  std::map<std::pair<unsigned, uint32_t>, Group> groups;
  std::map<int64_t, RequestCounts> known;
};

namespace {

/// Collects the requests of an access that is linear in everything.
class LinearCollector {
public:
  LinearCollector(const IterationDomain &domain, const LinearOffset &offset,
                  llvm::ArrayRef<IterationDomain::Piece> pieces,
                  RequestGroups &groups)
      : domain(domain), slopes(offset.slopes), groups(groups) {
    describeWarps();
    int64_t period = groups.counter.period;
    for (const IterationDomain::Piece &piece : pieces) {
      Residues residues{{floorMod(offset.first, period), 1}};
      for (auto [slope, side] : llvm::zip(slopes.drop_front(3), piece.box))
        spread(residues, slope, side, period);
      groups.add(warps, piece, residues, 1);
    }
  }

private:
  const IterationDomain &domain;
  llvm::ArrayRef<int64_t> slopes;
  RequestGroups &groups;
  std::vector<RequestCounter::Warp> warps;

  int64_t offsetAt(int64_t thread) const {
    auto index = domain.shape().threadIndex(thread);
    return slopes[0] * index[0] + slopes[1] * index[1] + slopes[2] * index[2];
  }

  /// The distances between the lanes of a warp depend on where in a row it
  /// begins and, if it goes over the end of a plane, in which row; few warps of
  /// a block differ in that.
  void describeWarps() {
    const Dim3 &block = domain.shape().block;
    llvm::SmallDenseMap<int64_t, unsigned, 32> seen;
    std::array<int64_t, LaunchShape::WarpSize> offsets;
    for (int64_t first = 0; first < block.count();
         first += LaunchShape::WarpSize) {
      int64_t place = first % (block.x * block.y);
      bool staysInPlane = place + LaunchShape::WarpSize <= block.x * block.y;
      auto [entry, isNew] =
          seen.try_emplace(staysInPlane ? place % block.x : -1 - place);
      if (isNew) {
        // Lanes beyond the last thread are in no mask.
        for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane)
          offsets[lane] = offsetAt(first + lane);
        entry->second = groups.counter.describe(offsets).pattern;
      }
      warps.push_back(
          {entry->second, floorMod(offsetAt(first), groups.counter.period)});
    }
  }
};

/// Collects the requests of any access, point by point where it has to be.
class PointCollector {
public:
  PointCollector(const IterationDomain &domain, const Expr &offset,
                 llvm::ArrayRef<IterationDomain::Piece> pieces,
                 RequestGroups &groups)
      : domain(domain), offset(offset, domain.symbols()), pieces(pieces),
        groups(groups), slots({"tid.x", "tid.y", "tid.z"}) {
    llvm::append_range(slots, domain.symbols());
    values.resize(slots.size());
    splitRest();
  }

  /// How many warps are looked at if all that is needed is.
  double warpsOfAll() const {
    double all = 0;
    for (const IterationDomain::Piece &piece : pieces)
      all += static_cast<double>(samplesOf(piece) * indices.size());
    return all;
  }

  /// Looks at so many of \p all warps that are to be looked at as it may; false
  /// if the offset cannot be evaluated.
  bool run(double all) {
    CompiledExpr threads(ofThreads, slots), points(ofPoints, slots);
    if (!threads.isUsable() || !points.isUsable())
      return false;
    double share = std::min(1.0, MaxWarps / all);
    for (const IterationDomain::Piece &piece : pieces)
      addPiece(piece, std::ceil(share * samplesOf(piece)), threads, points);
    return !failed;
  }

private:
  /// Where the offset is not linear in blocks and counters, so many points of a
  /// period are looked at one by one; of more, some. And of pieces so many that
  /// these have more warps than MaxWarps, fewer each.
  static constexpr int64_t MaxPoints = 4096, Samples = 1024;
  static constexpr double MaxWarps = 32 * MaxPoints;

  const IterationDomain &domain;
  SeparatedOffset offset;
  llvm::ArrayRef<IterationDomain::Piece> pieces;
  RequestGroups &groups;
  std::vector<std::string> slots;
  std::vector<int64_t> values;
  /// The terms of the rest that differ between threads, and the others.
  Expr ofThreads, ofPoints;
  /// Of the mixed symbols, how the rest repeats itself.
  llvm::SmallVector<std::optional<Period>, 3> periods;
  /// The mixed symbols of the former, by slot, and their values at the point
  /// for which the warps are described.
  llvm::SmallVector<unsigned, 3> moving;
  std::optional<llvm::SmallVector<int64_t, 3>> described;
  /// Of each warp of a block, the thread indices and the lanes.
  std::vector<LaunchShape::WarpIndices> indices;
  std::vector<uint32_t> masks;
  std::vector<RequestCounter::Warp> warps;
  bool failed = false;

  void splitRest() {
    auto isOfThreads = [](const Expr &term) {
      return term.uses("tid.x") || term.uses("tid.y") || term.uses("tid.z");
    };
    ofThreads = offset.rest.filterTerms(isOfThreads);
    ofPoints = offset.rest - ofThreads;
    for (unsigned symbol : offset.mixed) {
      llvm::StringRef name = domain.symbols()[symbol];
      periods.push_back(periodAlong(offset.rest, name));
      if (ofThreads.uses(name))
        moving.push_back(3 + symbol);
    }
    masks = domain.shape().fullMasks();
    indices = domain.shape().indicesOfWarps();
  }

  /// Where one of so many equal parts of a range begins.
  static int64_t partStart(int64_t part, int64_t parts, int64_t range) {
    return static_cast<int64_t>(static_cast<__int128>(part) * range / parts);
  }

  int64_t evaluate(const CompiledExpr &expr) {
    int64_t value = expr.evaluate(values, failed);
    failed |= !isWithin(value, MaxOffset);
    return value;
  }

  /// The warps at the point that the values say; many differ in nothing that
  /// matters for it.
  void describeWarps(const CompiledExpr &threads) {
    llvm::SmallVector<int64_t, 3> point;
    for (unsigned slot : moving)
      point.push_back(values[slot]);
    if (described == point)
      return;
    described = std::move(point);
    warps.clear();
    for (auto [threadsOfWarp, mask] : llvm::zip(indices, masks)) {
      uint32_t failedLanes = 0;
      LaneValues offsets = threads.evaluateLanes(
          threadsOfWarp, llvm::ArrayRef(values).drop_front(3), failedLanes);
      failed |= (failedLanes & mask) != 0;
      for (auto [lane, offset] : llvm::enumerate(offsets)) {
        if (!(mask >> lane & 1))
          offset = 0;
        failed |= !isWithin(offset, MaxOffset);
      }
      warps.push_back(groups.counter.describe(offsets));
    }
  }

  /// Of each mixed symbol the values in a piece that stand for all.
  llvm::SmallVector<Period, 3>
  periodsIn(const IterationDomain::Piece &piece) const {
    llvm::SmallVector<Period, 3> once;
    for (auto [symbol, known] : llvm::zip(offset.mixed, periods)) {
      int64_t extent = piece.box[symbol].high - piece.box[symbol].low + 1;
      Period whole = {extent, 0};
      once.push_back(known && known->length < extent ? *known : whole);
    }
    return once;
  }

  static int64_t countOf(llvm::ArrayRef<Period> once) {
    double all = 1;
    for (const Period &period : once)
      all *= static_cast<double>(period.length);
    return static_cast<int64_t>(std::min(all, 9e18));
  }

  /// How many points of a piece are looked at, were it the only one.
  int64_t samplesOf(const IterationDomain::Piece &piece) const {
    int64_t count = countOf(periodsIn(piece));
    return count <= MaxPoints ? count : Samples;
  }

  /// Moves the values of the mixed symbols to a sample, which lies somewhere in
  /// the part of all that it stands for. How often they repeat themselves from
  /// there on in the piece.
  double moveTo(int64_t sample, int64_t samples, int64_t count,
                const IterationDomain::Piece &piece,
                llvm::ArrayRef<Period> once) {
    int64_t position = partStart(sample, samples, count);
    position += samplePoint(sample, 0,
                            partStart(sample + 1, samples, count) - position);
    double repeats = 1;
    for (auto [symbol, step] : llvm::zip(offset.mixed, once)) {
      int64_t first = piece.box[symbol].low + position % step.length;
      values[3 + symbol] = first;
      position /= step.length;
      repeats *= static_cast<double>(
          (piece.box[symbol].high - first) / step.length + 1);
    }
    return repeats;
  }

  /// Goes through the values of the mixed symbols in one period of each, or
  /// through so many of them.
  void addPiece(const IterationDomain::Piece &piece, int64_t samples,
                const CompiledExpr &threads, const CompiledExpr &points) {
    llvm::SmallVector<Period, 3> once = periodsIn(piece);
    int64_t count = countOf(once);
    groups.isExact &= samples == count;
    int64_t period = groups.counter.period;
    Residues linear = residuesOf(offset, piece.box, period);
    // Samples stand for more points or fewer; where all are looked at, each for
    // itself.
    double all = 1, seen = 0;
    for (unsigned symbol : offset.mixed)
      all *= static_cast<double>(piece.box[symbol].high -
                                 piece.box[symbol].low + 1);
    if (samples == count)
      seen = all;
    else
      for (int64_t sample = 0; sample < samples; ++sample)
        seen += moveTo(sample, samples, count, piece, once);
    for (int64_t sample = 0; sample < samples; ++sample) {
      moveTo(sample, samples, count, piece, once);
      Residues moved = linear;
      for (auto [symbol, step] : llvm::zip(offset.mixed, once))
        spread(moved, step.shift,
               {0, (piece.box[symbol].high - values[3 + symbol]) / step.length},
               period);
      describeWarps(threads);
      spread(moved, evaluate(points), {1, 1}, period);
      groups.add(warps, piece, moved, all / seen);
    }
  }
};

} // namespace

double MemoryGranularity::tagCycles(double lines, double windows) const {
  switch (l1Rule) {
  case L1Rule::Lines:
    return lines;
  case L1Rule::Windows:
    return windows;
  case L1Rule::Tags:
    return tagQuarters(std::lround(std::max(1.0, lines))) / 4.0;
  }
  llvm_unreachable("all rules are above");
}

RequestFamily::RequestFamily(const IterationDomain &domain, const Expr &offset,
                             unsigned bytesPerLane,
                             const MemoryGranularity &granularity) {
  if (!offset.isValid())
    return;
  auto collected = std::make_shared<RequestGroups>(bytesPerLane, granularity,
                                                   domain.isExact());
  if (auto linear = linearOffset(offset, domain)) {
    LinearCollector(domain, *linear, domain.pieces(), *collected);
  } else {
    std::vector<SettledPieces> settled = settleBounds(domain, offset);
    std::vector<PointCollector> unsettled;
    double all = 0;
    for (const SettledPieces &part : settled) {
      if (auto linear = linearOffset(part.offset, domain)) {
        LinearCollector(domain, *linear, part.pieces, *collected);
        continue;
      }
      unsettled.emplace_back(domain, part.offset, part.pieces, *collected);
      all += unsettled.back().warpsOfAll();
    }
    if (!llvm::all_of(unsettled, [&](PointCollector &collector) {
          return collector.run(all);
        }))
      return;
  }
  requests = std::move(collected);
}

RequestFamily::RequestFamily(RequestFamily &&) = default;
RequestFamily::RequestFamily(const RequestFamily &) = default;
RequestFamily::~RequestFamily() = default;

std::optional<RequestCounts> RequestFamily::countsAt(int64_t constant) {
  if (!requests || !isWithin(constant, MaxOffset))
    return std::nullopt;
  return requests->countsFrom(first + constant);
}

std::optional<RequestCounts>
auspex::countRequests(const IterationDomain &domain, const Expr &offset,
                      unsigned bytesPerLane,
                      const MemoryGranularity &granularity) {
  return RequestFamily(domain, offset, bytesPerLane, granularity).countsAt(0);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/MemoryTraffic.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

using namespace auspex;

//===----------------------------------------------------------------------===//
// Footprints of windows
//===----------------------------------------------------------------------===//

namespace {

/// Which accesses a footprint is of.
enum class Kinds { CachedLoads, Reads, Writes, All };

bool belongsTo(AccessKind kind, Kinds kinds) {
  switch (kinds) {
  case Kinds::CachedLoads:
    return kind == AccessKind::Load;
  case Kinds::Reads:
    return kind != AccessKind::Store;
  case Kinds::Writes:
    return kind != AccessKind::Load;
  case Kinds::All:
    return true;
  }
  return false;
}

/// Which iterations are looked at: of the loops down to depth `cutLoops` the
/// middle one, but of the innermost of these `count`, aligned to a multiple of
/// it; of loops inside of them, all.
struct Iterations {
  unsigned cutLoops = 0;
  int64_t count = 1;

  Interval cut(unsigned depth, Interval all) const {
    int64_t size = depth + 1 == cutLoops ? count : 1;
    int64_t extent = all.high - all.low + 1;
    if (depth >= cutLoops || extent <= size)
      return all;
    int64_t first = all.low + extent / 2 / size * size;
    return {first, std::min(first + size - 1, all.high)};
  }
};

/// A part of the launch that is looked at as one.
struct Window {
  llvm::SmallVector<BlockBox, 8> blocks;
  Iterations iterations;
  /// How many accesses, one after the other in the code; 0 for all.
  unsigned accesses = 0;
};

/// What a group of accesses runs in: the innermost loop that is cut, or -1, and
/// the number of the part of the code.
struct Place {
  int loop = -1;
  unsigned part = 0;

  auto operator<=>(const Place &) const = default;
};

/// Accesses to one object that are counted as one set.
struct Group {
  int object = 0;
  Place place;
  std::vector<unsigned> accesses;
};

/// Bytes by object.
using Bytes = std::vector<double>;

/// Counts footprints of the known objects of a kernel.
class Footprints {
public:
  explicit Footprints(const BoundKernel &kernel)
      : kernel(kernel), known(kernel.objects.size(), true) {
    for (auto [access, bound] :
         llvm::zip(kernel.summary->accesses, kernel.accesses)) {
      std::vector<int> chain;
      for (int loop = kernel.summary->blocks[access.block].loop; loop >= 0;
           loop = kernel.summary->loops[loop].parent)
        chain.insert(chain.begin(), loop);
      mostLoops = std::max<unsigned>(mostLoops, chain.size());
      chains.push_back(std::move(chain));
      if (bound.object >= 0 && !bound.pattern)
        known[bound.object] = false;
    }
  }

  bool isKnown(int object) const { return known[object]; }
  size_t mostAccesses() const { return kernel.accesses.size(); }

  /// Windows of iterations from small to large, all of them at last: 1, 2, 4
  /// ... of the innermost loops, then of the loops around.
  std::vector<Iterations> windowsOfIterations() const {
    std::vector<Iterations> windows;
    for (unsigned depth = mostLoops; depth > 0; --depth)
      for (int64_t count = 1; count < 2 * mostTrips(depth - 1); count *= 2)
        windows.push_back({depth, count});
    if (windows.empty())
      windows.push_back({});
    return windows;
  }

  /// What the launch would touch if every part of it were like the window and
  /// shared nothing with the others, in units of \p unit bytes. What the
  /// window shares with \p before does not count.
  Bytes scaled(const Window &window, Kinds kinds, int64_t unit,
               const Window *before = nullptr) {
    Bytes bytes(known.size(), 0);
    for (const Group &group : groups(kinds, window)) {
      AddressSet set;
      std::optional<double> executions = collect(group, window, set);
      double distinct = 0;
      if (executions && before) {
        AddressSet old;
        if (collect(group, *before, old)) {
          double alone = count(old, unit);
          old.append(set.begin(), set.end());
          distinct = count(old, unit) - alone;
        }
      } else if (executions) {
        distinct = count(set, unit);
      }
      if (!executions || failed)
        known[group.object] = false;
      else if (*executions > 0)
        bytes[group.object] +=
            distinct * static_cast<double>(unit) * lanesOf(group) / *executions;
      failed = false;
    }
    return bytes;
  }

  /// What the window itself touches; of parts of the code one after the other,
  /// the one that touches most.
  double touched(const Window &window, Kinds kinds, int64_t unit) {
    std::map<Place, double> perPlace;
    double most = 0;
    for (const Group &group : groups(kinds, window)) {
      AddressSet set;
      if (!collect(group, window, set))
        continue;
      double &sum = perPlace[group.place];
      sum += count(set, unit) * static_cast<double>(unit);
      most = std::max(most, sum);
    }
    failed = false;
    return most;
  }

private:
  const BoundKernel &kernel;
  std::vector<bool> known;
  std::vector<std::vector<int>> chains;
  unsigned mostLoops = 0;
  bool failed = false;
  std::map<std::tuple<Kinds, unsigned, unsigned>, std::vector<Group>>
      knownGroups;

  int64_t mostTrips(unsigned depth) const {
    int64_t most = 1;
    for (const BoundAccess &access : kernel.accesses)
      if (access.pattern && depth < access.pattern->iterations().size()) {
        Interval all = access.pattern->iterations()[depth];
        most = std::max(most, all.high - all.low + 1);
      }
    return most;
  }

  const std::vector<Group> &groups(Kinds kinds, const Window &window) {
    unsigned cutLoops = window.iterations.cutLoops;
    auto [entry, isNew] =
        knownGroups.try_emplace({kinds, cutLoops, window.accesses});
    if (!isNew)
      return entry->second;
    std::map<std::pair<int, Place>, unsigned> numbers;
    std::map<int, unsigned> accessesOfLoop;
    for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
      int object = kernel.accesses[i].object;
      if (object < 0 || !known[object] ||
          !belongsTo(kernel.summary->accesses[i].kind, kinds))
        continue;
      size_t depth = std::min<size_t>(cutLoops, chains[i].size());
      Place place{depth ? chains[i][depth - 1] : -1};
      if (window.accesses)
        place.part = accessesOfLoop[place.loop]++ / window.accesses;
      auto [number, isFirst] =
          numbers.try_emplace({object, place}, entry->second.size());
      if (isFirst)
        entry->second.push_back({object, place, {}});
      entry->second[number->second].accesses.push_back(i);
    }
    return entry->second;
  }

  double lanesOf(const Group &group) const {
    double lanes = 0;
    for (unsigned access : group.accesses)
      lanes += kernel.accesses[access].counts.lanes;
    return lanes;
  }

  /// How often the accesses of the group are executed in the window.
  std::optional<double> collect(const Group &group, const Window &window,
                                AddressSet &set) const {
    double executions = 0;
    for (unsigned number : group.accesses) {
      const AccessPattern &pattern = *kernel.accesses[number].pattern;
      llvm::SmallVector<Interval, 4> iterations(pattern.iterations());
      for (auto [depth, side] : llvm::enumerate(iterations))
        side = window.iterations.cut(depth, side);
      for (const BlockBox &blocks : window.blocks) {
        auto added = pattern.append(blocks, iterations, set);
        if (!added)
          return std::nullopt;
        executions += *added;
      }
    }
    return executions;
  }

  double count(const AddressSet &set, int64_t unit) {
    std::optional<int64_t> units = countUnits(set, unit);
    failed |= !units;
    return static_cast<double>(units.value_or(0));
  }
};

//===----------------------------------------------------------------------===//
// From windows to traffic
//===----------------------------------------------------------------------===//

/// The share of reused bytes that has left a cache before it is used again,
/// when the window of the reuse touches \p fill times the capacity: from 0 for
/// small windows to `most`, half of it at `half`.
///
/// Fitted to the L2 and DRAM volumes that Ernst et al. measured for a 13-point
/// stencil with folds of 1, 2 and 4 in 30 block sizes on a V100
/// (utils/accuracy.py compares with them and with a 25-point stencil).
struct MissCurve {
  double most, half, steepness;

  double operator()(double fill) const {
    return fill > 0 ? most / (1 + std::pow(half / fill, steepness)) : 0;
  }
};

/// Warps of a block, side by side.
constexpr MissCurve L1Curve{0.68, 2.36, 2.74};
/// Blocks of a wave, side by side.
constexpr MissCurve L2Curve{0.49, 2.26, 2.71};
/// Waves, one after the other: as good as least recently used.
constexpr MissCurve WavesCurve{1, 1.29, 4.9};

/// What a level of memory passes on: reuse comes in steps, from small windows
/// to large ones.
class Level {
public:
  Level(Bytes requested, std::vector<ReuseStep> *steps)
      : left(requested), missed(requested.size(), 0), steps(steps) {}

  /// The window of \p after is large enough for all reuse inside of it; it
  /// touches \p fill times the capacity.
  void step(llvm::StringRef window, const Bytes &after, double fill,
            const MissCurve &curve) {
    double missRate = curve(fill);
    ReuseStep step{window.str(), sum(left), 0, fill, 1 - missRate};
    for (size_t i = 0; i < left.size(); ++i) {
      double less = std::min(left[i], after[i]);
      missed[i] += missRate * (left[i] - less);
      left[i] = less;
    }
    step.afterInBytes = sum(left);
    if (steps)
      steps->push_back(std::move(step));
  }

  Bytes passedOn() const {
    Bytes bytes = left;
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] += missed[i];
    return bytes;
  }

private:
  Bytes left, missed;
  std::vector<ReuseStep> *steps;

  static double sum(const Bytes &bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), 0.0);
  }
};

class TrafficCounter {
public:
  TrafficCounter(const BoundKernel &kernel, const GPU &gpu)
      : kernel(kernel), gpu(gpu), footprints(kernel),
        sector(static_cast<int64_t>(gpu[Q::Sector])) {}

  MemoryTraffic run() {
    sumRequests();
    Bytes loads = member(&ObjectTraffic::requestedLoadInBytes);
    Bytes stores = member(&ObjectTraffic::requestedStoreInBytes);
    Bytes l2Loads = cachesLoads() ? throughL1(loads) : loads;
    Bytes dramLoads, dramStores;
    throughL2(l2Loads, stores, dramLoads, dramStores);
    for (auto [i, object] : llvm::enumerate(result.objects)) {
      object.isKnown = footprints.isKnown(i);
      object.l2LoadInBytes = object.isKnown ? l2Loads[i] : loads[i];
      object.l2StoreInBytes = stores[i];
      std::optional<double> extent = kernel.objects[i].extentInBytes;
      auto onceEach = [&](double bytes) {
        return extent ? std::min(bytes, *extent) : bytes;
      };
      object.dramLoadInBytes =
          object.isKnown ? dramLoads[i] : onceEach(loads[i]);
      object.dramStoreInBytes =
          object.isKnown ? dramStores[i] : onceEach(stores[i]);
    }
    return std::move(result);
  }

private:
  const BoundKernel &kernel;
  const GPU &gpu;
  Footprints footprints;
  int64_t sector;
  MemoryTraffic result;

  Bytes member(double ObjectTraffic::*field) const {
    Bytes bytes;
    for (const ObjectTraffic &object : result.objects)
      bytes.push_back(object.*field);
    return bytes;
  }

  void sumRequests();
  bool cachesLoads() const;
  double l1InBytes() const;
  std::vector<BlockBox> sampleBlocks() const;
  struct NamedWindow {
    std::string name;
    Iterations iterations;
    unsigned accesses = 0;
  };
  std::vector<NamedWindow> windowsOfBlocks(llvm::StringRef whole) const;
  Bytes throughL1(const Bytes &requested);
  void throughL2(const Bytes &loads, const Bytes &stores, Bytes &dramLoads,
                 Bytes &dramStores);
};

} // namespace

void TrafficCounter::sumRequests() {
  for (const BoundObject &object : kernel.objects) {
    result.objects.emplace_back();
    result.objects.back().name = object.name;
    result.objects.back().requestedLoadInBytes = object.loadedInBytes;
    result.objects.back().requestedStoreInBytes = object.storedInBytes;
  }
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (bound.object < 0)
      continue;
    ObjectTraffic &object = result.objects[bound.object];
    double bytes = bound.counts.lanes * access.bytesPerLane;
    if (access.kind != AccessKind::Store)
      object.usefulLoadInBytes += bytes;
    if (access.kind != AccessKind::Load)
      object.usefulStoreInBytes += bytes;
  }
}

//===----------------------------------------------------------------------===//
// L1
//===----------------------------------------------------------------------===//

/// Whether plain loads from global memory stay in L1: on Fermi, and again since
/// the unified caches of GP100 and Volta; in between only if asked for.
bool TrafficCounter::cachesLoads() const {
  return gpu.find(Q::L1Unified) &&
         (gpu.arch / 10 == 2 || gpu.arch == 60 || gpu.arch >= 70);
}

/// What shared memory leaves of the unified memory: the driver takes the
/// smallest carve-out that holds the resident blocks. Pascal has them apart.
double TrafficCounter::l1InBytes() const {
  double unified = gpu[Q::L1Unified] * 1024;
  if (gpu.arch / 10 == 6)
    return unified;
  const Occupancy &occupancy = kernel.occupancy;
  uint64_t shared =
      occupancy.allocatedSharedPerBlock * occupancy.activeBlocksPerSM;
  constexpr double Least = 4096;
  return std::max(Least,
                  unified - static_cast<double>(smallestCarveout(gpu, shared)));
}

/// Blocks in the middle of the grid, as many as have different positions within
/// a line, within reason.
std::vector<BlockBox> TrafficCounter::sampleBlocks() const {
  constexpr int64_t Line = 128, MostPerAxis = 4;
  std::array<int64_t, 3> count{1, 1, 1};
  for (unsigned axis = 0; axis < 3; ++axis)
    for (const BoundAccess &access : kernel.accesses) {
      if (!access.pattern)
        continue;
      int64_t stride = access.pattern->blockStride(axis).value_or(1);
      int64_t positions = Line / std::gcd(stride, Line);
      count[axis] = std::max(count[axis], std::min(positions, MostPerAxis));
    }
  Dim3 grid = kernel.shape.grid;
  std::vector<BlockBox> boxes;
  auto first = [&](unsigned axis) {
    count[axis] = std::min(count[axis], grid[axis]);
    return std::min(grid[axis] / 2, grid[axis] - count[axis]);
  };
  int64_t x = first(0), y = first(1), z = first(2);
  for (int64_t k = 0; k < count[2]; ++k)
    for (int64_t j = 0; j < count[1]; ++j)
      for (int64_t i = 0; i < count[0]; ++i)
        boxes.push_back(
            {Interval{x + i, x + i}, {y + j, y + j}, {z + k, z + k}});
  return boxes;
}

static std::string count(int64_t number, llvm::StringRef what) {
  return std::to_string(number) + " " + what.str() + (number == 1 ? "" : "s");
}

/// Windows from small to large, up to all accesses in all iterations.
std::vector<TrafficCounter::NamedWindow>
TrafficCounter::windowsOfBlocks(llvm::StringRef whole) const {
  std::vector<NamedWindow> windows;
  std::vector<Iterations> parts = footprints.windowsOfIterations();
  for (unsigned n = 1; n < footprints.mostAccesses(); n *= 2)
    windows.push_back(
        {count(n, "access") + " of " + whole.str(), parts.front(), n});
  for (const Iterations &part : parts)
    windows.push_back(
        {part.cutLoops ? count(part.count, "iteration") + " of " + whole.str()
                       : whole.str(),
         part});
  return windows;
}

/// Warps go through the code side by side, so windows are of 1, 2, 4 ...
/// accesses by all warps of a block in one iteration, then of more and more
/// iterations. All resident blocks of the SM go on like the one.
Bytes TrafficCounter::throughL1(const Bytes &requested) {
  constexpr int64_t Line = 128;
  Level level(requested, &result.l1Steps);
  double blocks = kernel.occupancy.activeBlocksPerSM, capacity = l1InBytes();
  std::vector<BlockBox> samples = sampleBlocks();
  auto share = 1.0 / static_cast<double>(samples.size());
  for (const auto &[name, part, accesses] : windowsOfBlocks("a block")) {
    Bytes mean(requested.size(), 0);
    double touched = 0;
    for (const BlockBox &block : samples) {
      Window window{{block}, part, accesses};
      Bytes bytes = footprints.scaled(window, Kinds::CachedLoads, sector);
      for (size_t i = 0; i < mean.size(); ++i)
        mean[i] += bytes[i] * share;
      touched += footprints.touched(window, Kinds::CachedLoads, Line) * share;
    }
    level.step(name, mean, touched * blocks / capacity, L1Curve);
  }
  return level.passedOn();
}

//===----------------------------------------------------------------------===//
// L2
//===----------------------------------------------------------------------===//

/// Windows of 1, 2, 4 ... warps of each of the blocks that are resident
/// together, which go on side by side, in one iteration; of more and more
/// iterations; and of the blocks before.
void TrafficCounter::throughL2(const Bytes &loads, const Bytes &stores,
                               Bytes &dramLoads, Bytes &dramStores) {
  auto fetch = static_cast<int64_t>(gpu.valueOr(Q::DramFetch, sector));
  double capacity = gpu.valueOr(Q::L2Effective, gpu[Q::L2Size]) * 1024;
  Level reads(loads, &result.l2Steps), writes(stores, nullptr);
  const Dim3 &grid = kernel.shape.grid;
  int64_t total = grid.count();
  auto resident = static_cast<int64_t>(gpu[Q::SMCount]) *
                  std::max(1u, kernel.occupancy.activeBlocksPerSM);
  int64_t wave = std::min(total, resident);
  // In the middle of the middle plane, away from its ends.
  int64_t middle = (grid.z / 2 * grid.y + grid.y / 2) * grid.x + grid.x / 2;
  int64_t first = std::clamp<int64_t>(middle - wave / 2, 0, total - wave);
  Window now{blocksInOrder(grid, first, wave)};
  for (const auto &[name, part, accesses] : windowsOfBlocks("a wave")) {
    now.iterations = part;
    now.accesses = accesses;
    double fill = footprints.touched(now, Kinds::All, sector) / capacity;
    reads.step(name, footprints.scaled(now, Kinds::Reads, fetch), fill,
               L2Curve);
    writes.step(name, footprints.scaled(now, Kinds::Writes, sector), fill,
                L2Curve);
  }
  now.iterations = {};
  now.accesses = 0;
  // Reuse between rows and planes of blocks, and between waves.
  std::vector<int64_t> distances;
  for (int64_t unit : {grid.x, grid.x * grid.y, wave})
    for (int64_t times = 1; times <= 16; times *= 2)
      if (unit * times <= first)
        distances.push_back(unit * times);
  llvm::sort(distances);
  distances.erase(llvm::unique(distances), distances.end());
  constexpr double MostFill = 4;
  for (int64_t distance : distances) {
    Window before{blocksInOrder(grid, first - distance, distance)};
    Window both = before;
    both.blocks.append(now.blocks.begin(), now.blocks.end());
    double fill = footprints.touched(both, Kinds::All, sector) / capacity;
    std::string name = std::to_string(distance) + " blocks before";
    reads.step(name, footprints.scaled(now, Kinds::Reads, fetch, &before), fill,
               WavesCurve);
    writes.step(name, footprints.scaled(now, Kinds::Writes, sector, &before),
                fill, WavesCurve);
    if (fill > MostFill)
      break;
  }
  dramLoads = reads.passedOn();
  dramStores = writes.passedOn();
}

MemoryTraffic auspex::computeTraffic(const BoundKernel &kernel,
                                     const GPU &gpu) {
  return TrafficCounter(kernel, gpu).run();
}

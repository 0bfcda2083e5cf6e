// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/MemoryTraffic.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

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
  llvm::SmallVector<IndexBox, 8> blocks, threads;
  Iterations iterations;
};

/// Accesses to one object that are counted as one set.
struct Group {
  int object = 0;
  /// The innermost loop that is cut, or -1.
  int loop = -1;
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
    for (const Group &group : groups(kinds, window.iterations.cutLoops)) {
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

  /// What the window itself touches; of loops one after the other, the one
  /// that touches most.
  double touched(const Window &window, Kinds kinds, int64_t unit) {
    std::map<int, double> perLoop;
    double most = 0;
    for (const Group &group : groups(kinds, window.iterations.cutLoops)) {
      AddressSet set;
      if (!collect(group, window, set))
        continue;
      double &sum = perLoop[group.loop];
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
  std::map<std::pair<Kinds, unsigned>, std::vector<Group>> knownGroups;

  int64_t mostTrips(unsigned depth) const {
    int64_t most = 1;
    for (const BoundAccess &access : kernel.accesses)
      if (access.pattern && depth < access.pattern->iterations().size()) {
        Interval all = access.pattern->iterations()[depth];
        most = std::max(most, all.high - all.low + 1);
      }
    return most;
  }

  const std::vector<Group> &groups(Kinds kinds, unsigned cutLoops) {
    auto [entry, isNew] = knownGroups.try_emplace({kinds, cutLoops});
    if (!isNew)
      return entry->second;
    std::map<std::pair<int, int>, unsigned> numbers;
    for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
      int object = kernel.accesses[i].object;
      if (object < 0 || !known[object] ||
          !belongsTo(kernel.summary->accesses[i].kind, kinds))
        continue;
      size_t depth = std::min<size_t>(cutLoops, chains[i].size());
      int loop = depth ? chains[i][depth - 1] : -1;
      auto [number, isFirst] =
          numbers.try_emplace({object, loop}, entry->second.size());
      if (isFirst)
        entry->second.push_back({object, loop, {}});
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
      for (const IndexBox &blocks : window.blocks)
        for (const IndexBox &threads : window.threads) {
          auto added = pattern.append(blocks, threads, iterations, set);
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
/// when the window of the reuse touches \p fill times the capacity.
struct MissCurve {
  double most, steepness, shift;

  double operator()(double fill) const {
    return most * std::exp(-shift * std::exp(-steepness * fill));
  }
};

/// What a level of memory passes on: reuse comes in steps, from small windows
/// to large ones.
class Level {
public:
  Level(Bytes requested, MissCurve curve, std::vector<ReuseStep> *steps)
      : left(requested), missed(requested.size(), 0), curve(curve),
        steps(steps) {}

  /// The window of \p after is large enough for all reuse inside of it; it
  /// touches \p fill times the capacity.
  void step(llvm::StringRef window, const Bytes &after, double fill) {
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
  MissCurve curve;
  std::vector<ReuseStep> *steps;

  static double sum(const Bytes &bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), 0.0);
  }
};

class TrafficCounter {
public:
  TrafficCounter(const BoundKernel &kernel, const GPU &gpu)
      : kernel(kernel), gpu(gpu), footprints(kernel),
        sector(static_cast<int64_t>(gpu[Q::Sector])),
        whole(wholeBox(kernel.shape.block)) {}

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
  IndexBox whole;
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
  std::vector<IndexBox> sampleBlocks() const;
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

/// What shared memory leaves of the unified memory. Pascal has them apart.
double TrafficCounter::l1InBytes() const {
  double unified = gpu[Q::L1Unified] * 1024;
  if (gpu.arch / 10 == 6)
    return unified;
  constexpr double Least = 4096;
  return std::max(Least,
                  unified - static_cast<double>(kernel.occupancy.sharedBudget));
}

/// Blocks in the middle of the grid, as many as have different positions within
/// a line, within reason.
std::vector<IndexBox> TrafficCounter::sampleBlocks() const {
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
  std::vector<IndexBox> boxes;
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

static std::string describe(const Iterations &part, llvm::StringRef whole) {
  if (!part.cutLoops)
    return whole.str();
  return std::to_string(part.count) +
         (part.count == 1 ? " iteration of " : " iterations of ") + whole.str();
}

/// Windows of 1, 2, 4 ... warps of a block, in one iteration; then of more and
/// more iterations. All resident blocks of the SM go on like the one.
Bytes TrafficCounter::throughL1(const Bytes &requested) {
  constexpr int64_t Line = 128;
  constexpr MissCurve Curve{0.73, 0.34, 4.6};
  Level level(requested, Curve, &result.l1Steps);
  double blocks = kernel.occupancy.activeBlocksPerSM, capacity = l1InBytes();
  int64_t warps = kernel.shape.warpsPerBlock();
  std::vector<IndexBox> samples = sampleBlocks();
  auto step = [&](std::string name, int64_t windowWarps, Iterations part) {
    Bytes mean(requested.size(), 0);
    double touched = 0;
    constexpr int64_t Warp = LaunchShape::WarpSize;
    int64_t first = warps / 2 / windowWarps * windowWarps;
    for (const IndexBox &block : samples) {
      Window window{
          {block},
          boxesInOrder(kernel.shape.block, first * Warp, windowWarps * Warp),
          part};
      Bytes bytes = footprints.scaled(window, Kinds::CachedLoads, sector);
      for (size_t i = 0; i < mean.size(); ++i)
        mean[i] += bytes[i] / static_cast<double>(samples.size());
      touched += footprints.touched(window, Kinds::CachedLoads, Line) /
                 static_cast<double>(samples.size());
    }
    level.step(name, mean, touched * blocks / capacity);
  };
  std::vector<Iterations> parts = footprints.windowsOfIterations();
  for (int64_t w = 1; w < warps; w *= 2)
    step(std::to_string(w) + (w == 1 ? " warp" : " warps"), w, parts.front());
  for (const Iterations &part : parts)
    step(describe(part, "a block"), warps, part);
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
  constexpr MissCurve Curve{1, 1.5, 8};
  auto fetch = static_cast<int64_t>(gpu.valueOr(Q::DramFetch, sector));
  double capacity = gpu.valueOr(Q::L2Effective, gpu[Q::L2Size]) * 1024;
  Level reads(loads, Curve, &result.l2Steps), writes(stores, Curve, nullptr);
  const Dim3 &grid = kernel.shape.grid;
  int64_t total = grid.count();
  auto resident = static_cast<int64_t>(gpu[Q::SMCount]) *
                  std::max(1u, kernel.occupancy.activeBlocksPerSM);
  int64_t wave = std::min(total, resident);
  int64_t first = (total - wave) / 2;
  Window now{boxesInOrder(grid, first, wave), {}};
  int64_t warps = kernel.shape.warpsPerBlock();
  auto step = [&](std::string name, int64_t windowWarps,
                  const Iterations &part) {
    constexpr int64_t Warp = LaunchShape::WarpSize;
    int64_t firstWarp = warps / 2 / windowWarps * windowWarps;
    now.threads =
        boxesInOrder(kernel.shape.block, firstWarp * Warp, windowWarps * Warp);
    now.iterations = part;
    double fill = footprints.touched(now, Kinds::All, sector) / capacity;
    reads.step(name, footprints.scaled(now, Kinds::Reads, fetch), fill);
    writes.step(name, footprints.scaled(now, Kinds::Writes, sector), fill);
  };
  std::vector<Iterations> parts = footprints.windowsOfIterations();
  for (int64_t w = 1; w < warps; w *= 2)
    step(std::to_string(w) + " of each block's warps", w, parts.front());
  for (const Iterations &part : parts)
    step(describe(part, "a wave"), warps, part);
  now.iterations = {};
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
    Window before{boxesInOrder(grid, first - distance, distance), {whole}};
    Window both = before;
    both.blocks.append(now.blocks.begin(), now.blocks.end());
    double fill = footprints.touched(both, Kinds::All, sector) / capacity;
    std::string name = std::to_string(distance) + " blocks before";
    reads.step(name, footprints.scaled(now, Kinds::Reads, fetch, &before),
               fill);
    writes.step(name, footprints.scaled(now, Kinds::Writes, sector, &before),
                fill);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheLevel.h"
#include "Caches.h"
#include "TrafficCount.h"
#include "TrafficWindows.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

namespace {

class L2Counter {
public:
  explicit L2Counter(TrafficCount &count)
      : count(count), kernel(count.kernel), gpu(count.gpu),
        sector(count.sector), fetch(count.fetch), footprints(count.footprints),
        wave(middleWave(kernel, gpu, count.active)), capacity(l2InBytes(gpu)) {}

  DramVolumes run(const Bytes &loads, const Bytes &stores);

private:
  TrafficCount &count;
  const BoundKernel &kernel;
  const GPU &gpu;
  const int64_t sector, fetch;
  WindowFootprints &footprints;
  const Wave wave;
  const double capacity;

  struct Windows {
    /// From large to small.
    std::vector<WindowStep> steps;
    /// Of the largest window, the whole wave.
    Footprint reads, writes;
    /// The loads from L2 as DRAM serves them: a sector costs a fetch, which it
    /// shares with those beside it in the smallest window.
    Bytes inFetches;
  };
  Windows windowsOfWave(const Bytes &loads, const Bytes &stores);
  Bytes sharesOfOneHalf(Windows &windows);
  bool isStoredFirst(size_t object) const;
  void reuseStores(Windows &windows, CacheLevel &reads);
  void reuseEarlierWaves(Windows &windows, CacheLevel &reads,
                         CacheLevel &writes);
  void reuseEarlierLaunch(CacheLevel &reads, CacheLevel &writes);
};

} // namespace

/// Numbers of blocks back from a wave: to rows and planes of blocks, and waves,
/// or all there are. Shorter ones than a part of a wave tell nothing new.
static std::vector<int64_t> distancesBefore(const Dim3 &grid, int64_t wave,
                                            int64_t first) {
  constexpr int64_t MostTimes = 16;
  std::vector<int64_t> distances;
  if (first > 0)
    distances.push_back(std::min(wave, first));
  for (int64_t unit : {grid.x, grid.x * grid.y, wave})
    for (int64_t times = 1; times <= MostTimes; times *= 2)
      if (unit * times >= wave / 4 && unit * times <= first)
        distances.push_back(unit * times);
  llvm::sort(distances);
  distances.erase(llvm::unique(distances), distances.end());
  return distances;
}

static bool isNoLess(const Bytes &a, const Bytes &b) {
  return llvm::equal(a, b, std::greater_equal<>());
}

/// Blocks of a wave go through the code side by side like the warps of a block,
/// so the windows are the same, of all blocks of a wave. From large to small,
/// until they are so small that L1 has kept all that is used again in them.
L2Counter::Windows L2Counter::windowsOfWave(const Bytes &loads,
                                            const Bytes &stores) {
  Windows result;
  auto &[steps, wholeReads, wholeWrites, inFetches] = result;
  auto blocks = blocksInOrder(kernel.shape.grid, wave.first, wave.blocks);
  std::vector<NamedWindow> windows = windowsOf("a wave", footprints);
  std::optional<WindowFootprints::View> view;
  for (const auto &[name, part, accesses, isInTurns] : llvm::reverse(windows)) {
    if (!view || view->iterations() != part)
      view.emplace(std::vector{Window{blocks, part}});
    Footprint read =
        footprints.of(*view, Kinds::Reads, {fetch, sector}, accesses);
    Footprint written = footprints.of(*view, Kinds::Writes, sector, accesses);
    WindowStep step{name, footprints.scaled(read, fetch),
                    footprints.scaled(written, sector),
                    footprints.touched({&read, &written}, sector) / capacity,
                    isInTurns};
    Bytes inSectors = footprints.scaled(read, sector);
    inFetches = step.read;
    for (size_t i = 0; i < loads.size(); ++i)
      if (inSectors[i] > 0) {
        inFetches[i] *= loads[i] / inSectors[i];
        // More than was asked for is there where guards are left out.
        step.read[i] = std::min(step.read[i], inFetches[i]);
      }
    bool isSmallest =
        isNoLess(inSectors, loads) && isNoLess(step.written, stores);
    if (steps.empty()) {
      wholeReads = std::move(read);
      wholeWrites = std::move(written);
    } else {
      step.limitBy(steps.back());
    }
    steps.push_back(std::move(step));
    if (isSmallest)
      break;
  }
  for (size_t i = 0; i < loads.size(); ++i)
    inFetches[i] = std::min(std::max(inFetches[i], steps.front().read[i]),
                            loads[i] * static_cast<double>(fetch) /
                                static_cast<double>(sector));
  return result;
}

/// Where L2 has two halves: of what a wave reads again in turns, the share by
/// object that only one half has, for all who ask are on its side. SMs of the k
/// blocks that ask for the same are on one side or the other, as it comes.
Bytes L2Counter::sharesOfOneHalf(Windows &windows) {
  Bytes shares(kernel.objects.size(), 0);
  if (!isL2Halved(gpu) ||
      llvm::none_of(windows.steps,
                    [](const WindowStep &step) { return step.isInTurns; }))
    return shares;
  std::vector<Window> ofSamples;
  for (const BlockBox &block : sampleBlocks(kernel, count.active))
    ofSamples.push_back({{block}});
  WindowFootprints::View view(std::move(ofSamples));
  std::vector<Footprint> reads = footprints.ofEach(view, Kinds::Reads, sector);
  Bytes ofBlocks = footprints.scaled(reads, sector),
        ofWave = footprints.scaled(windows.reads, sector);
  for (auto [share, ofBlock, all] : llvm::zip(shares, ofBlocks, ofWave))
    if (all > 0)
      share = std::exp2(1 - std::max(1.0, ofBlock / all));
  return shares;
}

/// Whether a thread comes to \p one before the other, which is behind it in the
/// summary: blocks behind a loop may be before it there, but not in the source.
static bool comesFirst(const SourceLocation &one, const SourceLocation &other) {
  bool isTold = one.isKnown() && one.file == other.file &&
                one.inlinedAt.empty() && other.inlinedAt.empty();
  return !isTold ||
         std::tie(one.line, one.column) <= std::tie(other.line, other.column);
}

/// Whether the code stores to the object before it loads from it.
bool L2Counter::isStoredFirst(size_t object) const {
  const Access *stored = nullptr;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (bound.object != static_cast<int>(object) || bound.counts.requests == 0)
      continue;
    if (access.kind != AccessKind::Store)
      return stored && comesFirst(stored->location, access.location);
    stored = stored ? stored : &access;
  }
  return false;
}

/// What a wave has stored is in L2 when it loads it, like what an earlier loop
/// has loaded.
void L2Counter::reuseStores(Windows &windows, CacheLevel &reads) {
  const WindowStep &whole = windows.steps.front();
  Bytes after = whole.read;
  bool isAny = false;
  for (size_t i = 0; i < after.size(); ++i) {
    if (!footprints.isKnown(i) || after[i] == 0 || !isStoredFirst(i))
      continue;
    Bytes alone(after.size(), 0);
    alone[i] = 1;
    auto touched = [&](llvm::ArrayRef<Footprint *> parts) {
      return footprints.touched(parts, sector, alone);
    };
    double read = touched({&windows.reads}),
           written = touched({&windows.writes});
    double either = touched({&windows.reads, &windows.writes});
    if (read == 0 || !footprints.isKnown(i))
      continue;
    after[i] *= std::clamp((either - written) / read, 0.0, 1.0);
    isAny = true;
  }
  if (isAny)
    reads.step("stores of " + whole.name, after, whole.fill, WavesCurve);
}

/// Whether what moves of each object is no more than \p all there is, but for
/// a little: earlier blocks have nothing that could be found.
static bool areAllNew(const Bytes &moved, const Bytes &all) {
  constexpr double Little = 0.002;
  for (auto [bytes, most] : llvm::zip(moved, all))
    if (bytes > (1 + Little) * most)
      return false;
  return true;
}

/// What a wave finds of the blocks before it, as far back as they can be
/// counted; the first wave has none.
void L2Counter::reuseEarlierWaves(Windows &windows, CacheLevel &reads,
                                  CacheLevel &writes) {
  const Dim3 &grid = kernel.shape.grid;
  constexpr double MostFill = 3;
  const std::vector<bool> known = footprints.knownObjects();
  WindowFootprints::View launch({Window{blocksInOrder(grid, 0, grid.count())}});
  Footprint allReads = footprints.of(launch, Kinds::Reads, fetch);
  Footprint allWrites = footprints.of(launch, Kinds::Writes, sector);
  Bytes readable = footprints.scaled(allReads, fetch);
  Bytes writable = footprints.scaled(allWrites, sector);
  bool isBounded = footprints.knownObjects() == known;
  footprints.restoreKnown(known);
  for (int64_t distance : distancesBefore(grid, wave.blocks, wave.first)) {
    if (distance >= wave.blocksOfLaunch)
      break;
    int64_t from = wave.first - distance;
    WindowFootprints::View before(
        {Window{blocksInOrder(grid, from, distance)}});
    // The blocks before and the wave follow each other.
    WindowFootprints::View both(
        {Window{blocksInOrder(grid, from, distance + wave.blocks)}});
    Footprint readsBefore = footprints.of(before, Kinds::Reads, fetch);
    Footprint writesBefore = footprints.of(before, Kinds::Writes, sector);
    Footprint readsOfBoth = footprints.of(both, Kinds::Reads, {fetch, sector});
    Footprint writesOfBoth = footprints.of(both, Kinds::Writes, sector);
    double fill =
        footprints.touched({&readsOfBoth, &writesOfBoth}, sector) / capacity;
    Bytes read =
        footprints.scaledAfter(windows.reads, readsBefore, readsOfBoth, fetch);
    Bytes written = footprints.scaledAfter(windows.writes, writesBefore,
                                           writesOfBoth, sector);
    if (footprints.knownObjects() != known) {
      footprints.restoreKnown(known);
      break;
    }
    std::string name = std::to_string(distance) + " blocks before";
    double share = 1 - static_cast<double>(std::max(distance, wave.blocks)) /
                           static_cast<double>(wave.blocksOfLaunch);
    reads.step(name, read, fill, WavesCurve, share);
    writes.step(name, written, fill, WavesCurve, share);
    if (fill > MostFill || (isBounded && areAllNew(read, readable) &&
                            areAllNew(written, writable)))
      break;
  }
}

/// What the launch finds of an equal one just before it: nothing is new, but
/// the launch has to fit. A line takes its place whole, of which as little as a
/// sector may be there.
void L2Counter::reuseEarlierLaunch(CacheLevel &reads, CacheLevel &writes) {
  const Dim3 &grid = kernel.shape.grid;
  WindowFootprints ofLaunch(kernel, sector);
  ofLaunch.forgetPicked();
  WindowFootprints::View whole({Window{blocksInOrder(grid, 0, grid.count())}});
  Footprint read = ofLaunch.of(whole, Kinds::Reads, LineInBytes);
  Footprint written = ofLaunch.of(whole, Kinds::Writes, LineInBytes);
  double touched = ofLaunch.touched({&read, &written}, LineInBytes);
  bool isOpen = false;
  for (auto [i, object] : llvm::enumerate(kernel.objects)) {
    if (ofLaunch.isKnown(i))
      continue;
    std::optional<double> inLaunch =
        object.touched ? object.touched->inLaunch : reachOf(count, i);
    if (!inLaunch)
      return;
    isOpen |= !object.touched;
    touched += *inLaunch;
  }
  count.traffic.isL2TakenWarm = isOpen;
  touched += static_cast<double>(kernel.launch.bytesBetween);
  double fill = touched / (gpu[Q::L2Size] * 1024);
  const MissCurve &curve = curveBetweenLaunches(gpu);
  count.missedAfterLaunch = curve(fill);
  Bytes none(kernel.objects.size(), 0);
  reads.step("the launch before", none, fill, curve);
  writes.step("the launch before", none, fill, curve);
}

DramVolumes L2Counter::run(const Bytes &loads, const Bytes &stores) {
  if (capacity == 0)
    return {loads, stores};
  Bytes stored = count.ofKnown(stores);
  Windows windows = windowsOfWave(count.ofKnown(loads), stored);
  CacheLevel reads(windows.inFetches, &count.traffic.l2Steps),
      writes(stored, nullptr);
  double ofAll = capacity / (gpu[Q::L2Size] * 1024);
  Bytes ofOneHalf = sharesOfOneHalf(windows);
  for (const WindowStep &step : llvm::reverse(windows.steps)) {
    auto missRateOf = [&](size_t object) {
      if (!step.isInTurns)
        return L2Curve(step.fill);
      return std::lerp(WavesCurve(step.fill), OwnCurve(step.fill * ofAll),
                       ofOneHalf[object]);
    };
    for (auto [level, after] :
         {std::pair(&reads, &step.read), std::pair(&writes, &step.written)})
      level->stepOfEach(step.name, *after, step.fill, /*share=*/1, missRateOf);
  }
  reuseStores(windows, reads);
  reuseEarlierWaves(windows, reads, writes);
  if (kernel.launch.isL2Warm())
    reuseEarlierLaunch(reads, writes);
  return {reads.passedOn(), writes.passedOn()};
}

DramVolumes auspex::throughL2(TrafficCount &count, const Bytes &loads,
                              const Bytes &stores) {
  return L2Counter(count).run(loads, stores);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/MemoryTraffic.h"

#include "CacheLevel.h"
#include "OperationalStations.h"
#include "RandomPicks.h"
#include "SourceVolumes.h"
#include "StoreMerging.h"
#include "WindowFootprints.h"
#include "auspex/Expr/Period.h"
#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

using namespace auspex;

//===----------------------------------------------------------------------===//
// From windows to traffic
//===----------------------------------------------------------------------===//

/// What a line of L1 and of L2 holds, in bytes.
static constexpr int64_t Line = 128;

/// What of L2 an SM can use.
static double l2InBytes(const GPU &gpu) {
  return gpu.valueOr(Q::L2Effective, gpu[Q::L2Size]) * 1024;
}

namespace {

class TrafficCounter {
public:
  TrafficCounter(const BoundKernel &kernel, const GPU &gpu)
      : kernel(kernel), gpu(gpu), sector(static_cast<int64_t>(gpu[Q::Sector])),
        fetch(static_cast<int64_t>(gpu.valueOr(Q::DramFetch, gpu[Q::Sector]))),
        footprints(kernel, sector) {}

  MemoryTraffic run() {
    addObjects();
    addTextures();
    if (ObjectTraffic local = localMemoryTraffic(kernel, gpu);
        local.requestedLoadInBytes + local.requestedStoreInBytes > 0)
      result.objects.push_back(std::move(local));
    openRows();
    return std::move(result);
  }

private:
  const BoundKernel &kernel;
  const GPU &gpu;
  /// What L2 and DRAM move at least, in bytes.
  int64_t sector, fetch;
  WindowFootprints footprints;
  MemoryTraffic result;
  /// Of requestedLoadInBytes, what atomics read; and what L1 is not asked for,
  /// by them and others.
  Bytes atomicsInBytes, pastL1InBytes;
  /// Of objects that data pick from: lines that DRAM reads.
  std::vector<double> linesLoadedInNoOrder;
  const BlockBox active = activeBlocks();
  /// The share that L2 does not have from an equal launch before.
  double missedAfterLaunch = 1;

  void addObjects() {
    sumRequests();
    Bytes loads = member(&ObjectTraffic::requestedLoadInBytes);
    Bytes stores = member(&ObjectTraffic::requestedStoreInBytes);
    Bytes l2Loads = cachesLoads() ? throughL1(loads) : loads;
    const std::vector<bool> knownInBlocks = footprints.knownObjects();
    footprints.forgetPicked();
    Bytes dramLoads, dramStores;
    throughL2(l2Loads, stores, dramLoads, dramStores);
    asRun(loads, stores, l2Loads, dramLoads, dramStores);
    Bytes mergedInBytes = storesMerged();
    for (auto [i, object] : llvm::enumerate(result.objects)) {
      object.isKnown = footprints.isKnown(i) || kernel.objects[i].touched;
      object.l2LoadInBytes = l2Loads[i];
      object.l2StoreInBytes = stores[i] - mergedInBytes[i];
      object.dramLoadInBytes = dramLoads[i];
      object.dramStoreInBytes = dramStores[i];
    }
    passInNoOrder(knownInBlocks);
    fillPartialSectors();
  }

  void passInNoOrder(const std::vector<bool> &knownInBlocks);
  bool isPicked(size_t number) const {
    return llvm::any_of(kernel.accesses, [&](const BoundAccess &access) {
      return access.object == static_cast<int>(number) && access.isPicked;
    });
  }

  double storedInPart(const ObjectTraffic &object) const;
  void fillPartialSectors();
  void openRows();
  Bytes sectorsOfStoredLines() const;
  double linesInNoOrder(size_t number, AccessKind other) const;
  double linesPerByte(size_t number, AccessKind other) const;

  /// Nothing of objects that cannot be looked at.
  Bytes ofKnown(Bytes bytes) const {
    for (size_t i = 0; i < bytes.size(); ++i)
      if (!footprints.isKnown(i))
        bytes[i] = 0;
    return bytes;
  }

  Bytes member(double ObjectTraffic::*field) const {
    Bytes bytes;
    for (const ObjectTraffic &object : result.objects)
      bytes.push_back(object.*field);
    return bytes;
  }

  void sumRequests();
  Bytes storesMerged() const;
  void addTextures();
  bool cachesLoads() const;
  BlockBox activeBlocks() const;
  std::vector<BlockBox> sampleBlocks() const;
  struct NamedWindow {
    std::string name;
    Iterations iterations;
    unsigned accesses = 0;
    /// What it has twice, a later iteration uses again, or a later loop; else
    /// warps do that are side by side.
    bool isInTurns = false;
  };
  std::vector<NamedWindow> windowsOfBlocks(llvm::StringRef whole) const;
  Bytes blocksWithOwnData() const;
  Bytes throughL1(const Bytes &requested);
  void addDistinctLoads(llvm::ArrayRef<BlockBox> samples);
  /// Consecutive blocks.
  struct Wave {
    int64_t first = 0, blocks = 0;
    /// From the first to the last block of the launch that has something to do.
    int64_t blocksOfLaunch = 0;
  };
  struct L2Windows {
    /// From large to small.
    std::vector<WindowStep> steps;
    /// Of the largest window, the whole wave.
    Footprint reads, writes;
    /// The loads from L2 as DRAM serves them: a sector costs a fetch, which it
    /// shares with those beside it in the smallest window.
    Bytes inFetches;
  };
  Wave middleWave() const;
  L2Windows windowsOfWave(const Wave &wave, const Bytes &loads,
                          const Bytes &stores, double capacity);
  void reuseEarlierWaves(const Wave &wave, L2Windows &windows, double capacity,
                         CacheLevel &reads, CacheLevel &writes);
  std::optional<double> reachOf(size_t number) const;
  std::vector<RandomPicks> picksFrom(size_t number) const;
  bool isReadByData(size_t number) const;
  double fetchedBesides(double picked, double reach) const;
  void shareCaches(std::vector<std::vector<RandomPicks>> &picks,
                   double capacity, double caches) const;
  void reuseEarlierLaunch(CacheLevel &reads, CacheLevel &writes);
  void throughL2(const Bytes &loads, const Bytes &stores, Bytes &dramLoads,
                 Bytes &dramStores);
  void asRun(const Bytes &loads, const Bytes &stores, Bytes &l2Loads,
             Bytes &dramLoads, Bytes &dramStores);
};

} // namespace

void TrafficCounter::sumRequests() {
  atomicsInBytes.assign(kernel.objects.size(), 0);
  pastL1InBytes = linesLoadedInNoOrder = atomicsInBytes;
  for (const BoundObject &object : kernel.objects) {
    result.objects.emplace_back();
    result.objects.back().name = object.name;
    result.objects.back().argument = argumentName(*kernel.summary, object.name);
    result.objects.back().requestedLoadInBytes = object.loadedInBytes;
    result.objects.back().requestedStoreInBytes = object.storedInBytes;
  }
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (bound.object < 0)
      continue;
    ObjectTraffic &object = result.objects[bound.object];
    double inSectors = bound.counts.sectors * static_cast<double>(sector);
    if (access.kind == AccessKind::Atomic)
      atomicsInBytes[bound.object] += inSectors;
    if (access.kind != AccessKind::Store && !access.goesThroughL1())
      pastL1InBytes[bound.object] += inSectors;
    double bytes = bound.counts.lanes * access.bytesPerLane;
    if (access.kind != AccessKind::Store)
      object.usefulLoadInBytes += bytes;
    if (access.kind != AccessKind::Load)
      object.usefulStoreInBytes += bytes;
  }
}

/// How many sectors of a line stores write in a wave, object by object; 0 where
/// the addresses are not known.
Bytes TrafficCounter::sectorsOfStoredLines() const {
  Bytes result(kernel.objects.size(), 0);
  WindowFootprints ofWave(kernel, sector);
  ofWave.forgetPicked();
  Wave wave = middleWave();
  WindowFootprints::View view(
      {Window{blocksInOrder(kernel.shape.grid, wave.first, wave.blocks)}});
  Footprint written = ofWave.of(view, Kinds::Writes, {Line, sector});
  Bytes inLines = ofWave.scaled(written, Line);
  Bytes inSectors = ofWave.scaled(written, sector);
  for (size_t i = 0; i < result.size(); ++i)
    if (ofWave.isKnown(i) && inLines[i] > 0)
      result[i] = static_cast<double>(Line) / static_cast<double>(sector) *
                  inSectors[i] / inLines[i];
  return result;
}

/// What lanes side by side come to in places side by side, more or less: what
/// they calculate, or what data pick and their index goes on from.
static bool isInOrder(const Access &access) {
  llvm::StringRef reason = access.offset.reason;
  bool result = access.offset.isKnown() || reason == "float" ||
                reason == "phi" || reason == "rank";
  if (access.picked.isValid())
    access.picked.forEachTerm([&](const Expr &term) {
      bool isOfThread = false, isOfData = false;
      term.forEachSymbol([&](llvm::StringRef name) {
        isOfThread |= name.starts_with("tid.") || name.starts_with("ctaid.");
        isOfData |= name.starts_with("data");
      });
      result |= isOfThread && !isOfData;
    });
  return result;
}

/// Each lane goes on from the place that data pick, as over a row.
static bool goesOn(const Access &access, llvm::ArrayRef<Loop> loops) {
  return access.picked.isValid() && llvm::any_of(loops, [&](const Loop &loop) {
           int64_t step = stepAlong(access.picked, loop.iv);
           return step != 0 && std::abs(step) <= Line;
         });
}

/// How many lines come to DRAM in no order, for each sector that the requests
/// to an object have, but for those of kind \p other.
double TrafficCounter::linesInNoOrder(size_t number, AccessKind other) const {
  double lines = 0, sectors = 0;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (bound.object != static_cast<int>(number) || access.kind == other)
      continue;
    sectors += bound.counts.sectors;
    if (!isInOrder(access))
      lines += goesOn(access, kernel.summary->loops)
                   ? bound.counts.sectors * static_cast<double>(sector) /
                         static_cast<double>(Line)
                   : bound.counts.lines;
  }
  return sectors > 0 ? lines / sectors : 0;
}

/// How much more than their sectors the lines of the requests to an object are,
/// but for those of kind \p other.
double TrafficCounter::linesPerByte(size_t number, AccessKind other) const {
  RequestCounts all;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (bound.object == static_cast<int>(number) && access.kind != other)
      all.add(bound.counts, 1);
  double sectors = all.lines > 0 ? all.sectors / all.lines : 1;
  return static_cast<double>(Line) / (static_cast<double>(sector) * sectors);
}

/// The bytes of sectors that are written in part: each of them lacks a word at
/// least, which bounds their number.
double TrafficCounter::storedInPart(const ObjectTraffic &object) const {
  if (object.dramStoreInBytes == 0)
    return 0;
  double lacking = 1 - object.usefulStoreInBytes / object.dramStoreInBytes;
  double words = gpu[Q::Sector] / MemoryGranularity::BankInBytes;
  return object.dramStoreInBytes * std::clamp(lacking * words, 0.0, 1.0);
}

/// Sectors that are written in part are read before, unless they are read
/// anyway.
void TrafficCounter::fillPartialSectors() {
  double fill = gpu.valueOr(Q::PartialWriteFill, 0);
  for (ObjectTraffic &object : result.objects)
    object.dramLoadInBytes =
        std::max(object.dramLoadInBytes, storedInPart(object) * fill);
}

/// Lines that are written in part come to DRAM one by one, and so does what is
/// loaded or stored in no order.
void TrafficCounter::openRows() {
  std::optional<double> random = gpu.find(Q::DramRandomRate);
  std::optional<double> partial = gpu.find(Q::DramPartialRate);
  if (!random && !partial)
    return;
  double bandwidth =
      dramBandwidth(gpu, result.sum(&ObjectTraffic::dramLoadInBytes),
                    result.sum(&ObjectTraffic::dramStoreInBytes));
  double fill = gpu.valueOr(Q::PartialWriteFill, 0);
  auto idle = [&](double lines, std::optional<double> rate, double moved) {
    return rate ? std::max(0.0, lines * bandwidth / *rate - moved) : 0;
  };
  Bytes sectorsOfLine;
  for (size_t i = 0; i < kernel.objects.size(); ++i) {
    ObjectTraffic &object = result.objects[i];
    object.dramIdleInBytes =
        idle(linesLoadedInNoOrder[i], random, object.dramLoadInBytes);
    double inPart = storedInPart(object), filled = inPart * fill;
    // Loads whose sectors are stored to have no row to open of their own.
    if (double read = object.dramLoadInBytes * gpu[Q::Sector]; read > 0)
      object.dramIdleInBytes *=
          1 - std::min(1.0, filled * static_cast<double>(fetch) / read);
    if (object.dramStoreInBytes == 0 || (inPart == 0 && object.isKnown))
      continue;
    if (sectorsOfLine.empty())
      sectorsOfLine = sectorsOfStoredLines();
    bool isKnown = sectorsOfLine[i] > 0;
    double linesOfSector =
        isKnown ? 1 / sectorsOfLine[i] : linesInNoOrder(i, AccessKind::Load);
    double ofParts =
        idle(inPart / gpu[Q::Sector] * linesOfSector, partial, inPart + filled);
    double inNoOrder =
        isKnown ? 0
                : idle(object.dramStoreInBytes / gpu[Q::Sector] * linesOfSector,
                       random, object.dramStoreInBytes);
    object.dramIdleInBytes += std::max(ofParts, inNoOrder);
  }
}

/// What L1 spares L2 of the stores of each object.
Bytes TrafficCounter::storesMerged() const {
  Bytes merged(kernel.objects.size(), 0);
  std::vector<StoredSectors> stored =
      storedSectors(kernel, static_cast<double>(sector));
  for (auto [access, bound, toL2] :
       llvm::zip(kernel.summary->accesses, kernel.accesses, stored))
    if (bound.object >= 0 && access.kind == AccessKind::Store)
      merged[bound.object] +=
          (bound.counts.sectors - toL2.toL2) * static_cast<double>(sector);
  return merged;
}

/// Of textures the addresses are not known. Threads side by side fetch texels
/// side by side, so that the cache has all but one of each thread; what is
/// written to surfaces all goes to DRAM.
void TrafficCounter::addTextures() {
  constexpr double TexelInBytes = 4;
  size_t first = result.objects.size();
  std::vector<double> fetches;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (access.space != MemorySpace::Texture || bound.counts.requests == 0)
      continue;
    size_t place = first;
    while (place < result.objects.size() &&
           result.objects[place].name != access.base)
      ++place;
    if (place == result.objects.size()) {
      result.objects.push_back(
          {access.base, argumentName(*kernel.summary, access.base)});
      result.objects.back().isKnown = false;
      fetches.push_back(0);
    }
    ObjectTraffic &object = result.objects[place];
    double bytes = bound.counts.lanes * access.bytesPerLane;
    if (access.kind == AccessKind::Load) {
      object.usefulLoadInBytes += bytes;
      object.requestedLoadInBytes += bytes;
      fetches[place - first] += bound.counts.requests;
    } else {
      for (auto member :
           {&ObjectTraffic::usefulStoreInBytes,
            &ObjectTraffic::requestedStoreInBytes,
            &ObjectTraffic::l2StoreInBytes, &ObjectTraffic::dramStoreInBytes})
        object.*member += bytes;
    }
  }
  double all = std::accumulate(fetches.begin(), fetches.end(), 0.0);
  if (all == 0)
    return;
  double missed =
      std::min(kernel.warps(), all) * LaunchShape::WarpSize * TexelInBytes;
  for (auto [i, share] : llvm::enumerate(fetches)) {
    ObjectTraffic &object = result.objects[first + i];
    object.l2LoadInBytes = object.dramLoadInBytes = missed * share / all;
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

/// Blocks go to the SMs in turn, so that a small grid leaves room on all.
static double blocksOnSM(const BoundKernel &kernel, const GPU &gpu) {
  double most = std::max(1u, kernel.occupancy.activeBlocksPerSM);
  return std::min(most,
                  std::ceil(static_cast<double>(kernel.shape.grid.count()) /
                            gpu[Q::SMCount]));
}

/// What shared memory leaves of the unified memory: the driver takes the
/// smallest carve-out that holds the resident blocks. Pascal has them apart.
static double l1InBytes(const BoundKernel &kernel, const GPU &gpu) {
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

/// The blocks that have something to do: those that all accesses run in, or
/// most of them, the frequent ones first. Which part of a grid that is guards
/// say.
BlockBox TrafficCounter::activeBlocks() const {
  llvm::SmallVector<const BoundAccess *, 32> inOrder;
  for (const BoundAccess &access : kernel.accesses)
    if (access.pattern && access.object >= 0)
      inOrder.push_back(&access);
  llvm::stable_sort(inOrder, [](const auto *a, const auto *b) {
    return a->counts.lanes > b->counts.lanes;
  });
  const Dim3 &grid = kernel.shape.grid;
  BlockBox common{{{0, grid.x - 1}, {0, grid.y - 1}, {0, grid.z - 1}}};
  for (const BoundAccess *access : inOrder)
    if (auto both = commonBlocks(access->pattern->blocks(), common))
      common = *both;
  return common;
}

/// Blocks in the middle of those that have something to do, as many as have
/// different positions within a line, within reason.
std::vector<BlockBox> TrafficCounter::sampleBlocks() const {
  constexpr int64_t MostPerAxis = 4;
  std::array<int64_t, 3> count{1, 1, 1};
  for (unsigned axis = 0; axis < 3; ++axis)
    for (const BoundAccess &access : kernel.accesses) {
      if (!access.pattern)
        continue;
      int64_t stride = access.pattern->blockStride(axis).value_or(1);
      int64_t positions = Line / std::gcd(stride, Line);
      count[axis] = std::max(count[axis], std::min(positions, MostPerAxis));
    }
  std::vector<BlockBox> boxes;
  auto first = [&](unsigned axis) {
    int64_t extent = active[axis].high - active[axis].low + 1;
    count[axis] = std::min(count[axis], extent);
    return active[axis].low + std::min(extent / 2, extent - count[axis]);
  };
  int64_t x = first(0), y = first(1), z = first(2);
  for (int64_t i = 0; i < std::max({count[0], count[1], count[2]}); ++i) {
    int64_t atX = x + i % count[0], atY = y + i % count[1],
            atZ = z + i % count[2];
    boxes.push_back({Interval{atX, atX}, {atY, atY}, {atZ, atZ}});
  }
  return boxes;
}

/// How many of an SM's blocks have data of their own in L1, object by object:
/// one stands for all where no address hangs on the block.
Bytes TrafficCounter::blocksWithOwnData() const {
  Bytes blocks(kernel.objects.size(), 1);
  double all = blocksOnSM(kernel, gpu);
  for (const BoundAccess &access : kernel.accesses) {
    if (access.object < 0 || !access.pattern)
      continue;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (kernel.shape.grid[axis] > 1 && access.pattern->blockStride(axis) != 0)
        blocks[access.object] = all;
  }
  return blocks;
}

static std::string count(int64_t number, llvm::StringRef one,
                         llvm::StringRef many) {
  return std::to_string(number) + " " + (number == 1 ? one : many).str();
}

/// Windows from small to large, up to all accesses in all iterations.
std::vector<TrafficCounter::NamedWindow>
TrafficCounter::windowsOfBlocks(llvm::StringRef whole) const {
  std::vector<NamedWindow> windows;
  std::vector<Iterations> parts = footprints.windowsOfIterations();
  for (unsigned n = 1; n < footprints.mostAccesses(); n *= 2)
    windows.push_back({count(n, "access", "accesses") + " of " + whole.str(),
                       parts.front(), n});
  for (const Iterations &part : parts)
    windows.push_back({part.cutLoops
                           ? count(part.count, "iteration", "iterations") +
                                 " of " + whole.str()
                           : whole.str(),
                       part, 0, part != parts.front()});
  return windows;
}

/// Warps go through the code side by side, so windows are of 1, 2, 4 ...
/// accesses by all warps of a block in one iteration, then of more and more
/// iterations. All resident blocks of the SM go on like the one.
Bytes TrafficCounter::throughL1(const Bytes &requested) {
  Bytes plain = ofKnown(requested);
  for (size_t i = 0; i < plain.size(); ++i)
    plain[i] = std::max(0.0, plain[i] - pastL1InBytes[i]);
  CacheLevel level(plain, &result.l1Steps);
  std::vector<WindowStep> steps;
  double capacity = l1InBytes(kernel, gpu);
  Bytes times = blocksWithOwnData();
  std::vector<BlockBox> samples = sampleBlocks();
  auto share = 1.0 / static_cast<double>(samples.size());
  std::vector<NamedWindow> windows = windowsOfBlocks("a block");
  std::optional<WindowFootprints::View> view;
  for (const auto &[name, part, accesses, isInTurns] : llvm::reverse(windows)) {
    double touched = 0;
    if (!view || view->iterations() != part) {
      std::vector<Window> ofSamples;
      for (const BlockBox &block : samples)
        ofSamples.push_back({{block}, part});
      view.emplace(std::move(ofSamples));
    }
    std::vector<Footprint> ofEach = footprints.ofEach(
        *view, Kinds::LoadsThroughL1, {sector, Line}, accesses);
    for (Footprint &loads : ofEach)
      touched += footprints.touched({&loads}, Line, times) * share;
    WindowStep step{name, footprints.scaled(ofEach, sector),
                    Bytes(requested.size(), 0), touched / capacity};
    if (!steps.empty())
      step.limitBy(steps.back());
    steps.push_back(std::move(step));
  }
  for (const WindowStep &step : llvm::reverse(steps))
    level.step(step.name, step.read, step.fill, L1Curve);
  for (auto [object, bytes] : llvm::zip(result.objects, steps.back().read))
    object.sideBySideLoadInBytes = bytes;
  addDistinctLoads(samples);
  Bytes passedOn = level.passedOn();
  for (size_t i = 0; i < passedOn.size(); ++i)
    passedOn[i] += pastL1InBytes[i];
  return passedOn;
}

/// Of objects that more than one loop loads from.
void TrafficCounter::addDistinctLoads(llvm::ArrayRef<BlockBox> samples) {
  std::vector<std::set<int>> loops(kernel.objects.size());
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (bound.object >= 0 && access.goesThroughL1())
      loops[bound.object].insert(kernel.summary->blocks[access.block].loop);
  if (llvm::all_of(loops, [](const auto &of) { return of.size() < 2; }))
    return;
  std::vector<Window> windows;
  for (const BlockBox &block : samples)
    windows.push_back({{block}});
  WindowFootprints::View view(std::move(windows));
  std::map<std::pair<int, int>, double> distinct;
  for (const Footprint &loads :
       footprints.ofEachByLoop(view, Kinds::LoadsThroughL1, sector))
    for (const GroupFootprint &group : loads)
      if (group.executions > 0 && !group.units.empty())
        distinct[{group.object, group.place.loop}] +=
            static_cast<double>(group.units.front().second * sector) *
            group.lanes / group.executions /
            static_cast<double>(samples.size());
  for (const auto &[place, bytes] : distinct)
    if (footprints.isKnown(place.first) && loops[place.first].size() > 1)
      result.objects[place.first].distinctLoadInBytes.emplace_back(place.second,
                                                                   bytes);
}

//===----------------------------------------------------------------------===//
// L2
//===----------------------------------------------------------------------===//

/// What is missed of an equal launch before, against all of L2. Within a launch
/// SMs of both halves ask for the same; between launches an SM has its own
/// data.
static const MissCurve &curveBetweenLaunches(const GPU &gpu) {
  double all = gpu[Q::L2Size];
  return gpu.valueOr(Q::L2Effective, all) < all ? HalvedLaunchesCurve
                                                : LaunchesCurve;
}

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

/// A wave in the middle of the middle plane of the blocks that have something
/// to do, away from their ends, and not the first one.
TrafficCounter::Wave TrafficCounter::middleWave() const {
  const Dim3 &grid = kernel.shape.grid;
  auto resident = static_cast<int64_t>(gpu[Q::SMCount]) *
                  std::max(1u, kernel.occupancy.activeBlocksPerSM);
  auto number = [&](auto at) {
    return (at(active[2]) * grid.y + at(active[1])) * grid.x + at(active[0]);
  };
  int64_t begin = number([](Interval side) { return side.low; });
  int64_t end = number([](Interval side) { return side.high; }) + 1;
  int64_t middle = number(
      [](Interval side) { return side.low + (side.high - side.low + 1) / 2; });
  int64_t blocks = std::min(grid.count(), resident);
  int64_t first =
      std::min(std::max(middle - blocks / 2, begin + blocks), end - blocks);
  return {std::max<int64_t>(first, 0), blocks, end - begin};
}

/// Blocks of a wave go through the code side by side like the warps of a block,
/// so the windows are the same, of all blocks of a wave. From large to small,
/// until they are so small that L1 has kept all that is used again in them.
TrafficCounter::L2Windows TrafficCounter::windowsOfWave(const Wave &wave,
                                                        const Bytes &loads,
                                                        const Bytes &stores,
                                                        double capacity) {
  L2Windows result;
  auto &[steps, wholeReads, wholeWrites, inFetches] = result;
  auto blocks = blocksInOrder(kernel.shape.grid, wave.first, wave.blocks);
  std::vector<NamedWindow> windows = windowsOfBlocks("a wave");
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
      if (inSectors[i] > 0)
        inFetches[i] *= loads[i] / inSectors[i];
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
void TrafficCounter::reuseEarlierWaves(const Wave &wave, L2Windows &windows,
                                       double capacity, CacheLevel &reads,
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

/// The bytes that any access to the object may touch. Nobody knows how large an
/// array is: of one that data pick from, each element is expected to be picked
/// once in the mean, as by a permutation; of one whose places are calculated,
/// by each access.
std::optional<double> TrafficCounter::reachOf(size_t number) const {
  const BoundObject &bound = kernel.objects[number];
  const ObjectTraffic &object = result.objects[number];
  std::optional<double> reach = bound.extentInBytes;
  if (bound.sizeInBytes)
    return std::min(*bound.sizeInBytes, reach.value_or(*bound.sizeInBytes));
  if (reach || kernel.scenario != Scenario::Expected)
    return reach;
  double most = 0;
  for (auto [access, of] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (of.object != static_cast<int>(number))
      continue;
    if (!of.isKnown && !access.offset.isCalculated())
      return std::max(object.usefulLoadInBytes, object.usefulStoreInBytes);
    most = std::max(most, of.counts.lanes * access.bytesPerLane);
  }
  return most;
}

/// What the launch finds of an equal one just before it: nothing is new, but
/// the launch has to fit. A line takes its place whole, of which as little as a
/// sector may be there.
void TrafficCounter::reuseEarlierLaunch(CacheLevel &reads, CacheLevel &writes) {
  const Dim3 &grid = kernel.shape.grid;
  WindowFootprints ofLaunch(kernel, sector);
  ofLaunch.forgetPicked();
  WindowFootprints::View whole({Window{blocksInOrder(grid, 0, grid.count())}});
  Footprint read = ofLaunch.of(whole, Kinds::Reads, Line);
  Footprint written = ofLaunch.of(whole, Kinds::Writes, Line);
  double touched = ofLaunch.touched({&read, &written}, Line);
  bool isOpen = false;
  for (auto [i, object] : llvm::enumerate(kernel.objects)) {
    if (ofLaunch.isKnown(i))
      continue;
    std::optional<double> inLaunch =
        object.touched ? object.touched->inLaunch : reachOf(i);
    if (!inLaunch)
      return;
    isOpen |= !object.touched;
    touched += *inLaunch;
  }
  result.isL2TakenWarm = isOpen;
  double fill = touched / (gpu[Q::L2Size] * 1024);
  const MissCurve &curve = curveBetweenLaunches(gpu);
  missedAfterLaunch = curve(fill);
  Bytes none(kernel.objects.size(), 0);
  reads.step("the launch before", none, fill, curve);
  writes.step("the launch before", none, fill, curve);
}

void TrafficCounter::throughL2(const Bytes &loads, const Bytes &stores,
                               Bytes &dramLoads, Bytes &dramStores) {
  double capacity = l2InBytes(gpu);
  dramLoads = loads;
  dramStores = stores;
  if (capacity == 0)
    return;
  Wave wave = middleWave();
  Bytes stored = ofKnown(stores);
  L2Windows windows = windowsOfWave(wave, ofKnown(loads), stored, capacity);
  CacheLevel reads(windows.inFetches, &result.l2Steps), writes(stored, nullptr);
  for (const WindowStep &step : llvm::reverse(windows.steps)) {
    const MissCurve &curve = step.curveOfL2();
    reads.step(step.name, step.read, step.fill, curve);
    writes.step(step.name, step.written, step.fill, curve);
  }
  reuseEarlierWaves(wave, windows, capacity, reads, writes);
  if (kernel.launch.isL2Warm())
    reuseEarlierLaunch(reads, writes);
  dramLoads = reads.passedOn();
  dramStores = writes.passedOn();
}

//===----------------------------------------------------------------------===//
// Objects that cannot be looked at
//===----------------------------------------------------------------------===//

/// What loads pick from an object by way of L1.
std::vector<RandomPicks> TrafficCounter::picksFrom(size_t number) const {
  double reach =
      reachOf(number).value_or(std::numeric_limits<double>::infinity());
  std::vector<RandomPicks> picks{
      {result.objects[number].requestedLoadInBytes - pastL1InBytes[number],
       reach, reach, linesPerByte(number, AccessKind::Store)}};
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (bound.object == static_cast<int>(number) && bound.halvings > 0 &&
        access.goesThroughL1())
      for (const RandomPicks &turn :
           turnsOfSearch(access, bound, reach, static_cast<double>(sector),
                         static_cast<double>(Line))) {
        picks.front().bytes -= turn.bytes;
        picks.push_back(turn);
      }
  return picks;
}

/// Whether data, not indices alone, say what is read of an object.
bool TrafficCounter::isReadByData(size_t number) const {
  return llvm::any_of(llvm::zip(kernel.summary->accesses, kernel.accesses),
                      [&](const auto &pair) {
                        const auto &[access, bound] = pair;
                        return bound.object == static_cast<int>(number) &&
                               !bound.isKnown &&
                               access.kind == AccessKind::Load &&
                               !access.offset.isCalculated();
                      });
}

/// Leaves of \p picks, by object, what \p caches of \p capacity each pass on.
/// Those that data read share them.
void TrafficCounter::shareCaches(std::vector<std::vector<RandomPicks>> &picks,
                                 double capacity, double caches) const {
  std::vector<RandomPicks> ofData;
  auto isShared = [&](size_t number) {
    return !footprints.isKnown(number) && isReadByData(number);
  };
  for (size_t i = 0; i < picks.size(); ++i)
    if (isShared(i))
      llvm::append_range(ofData, picks[i]);
  double ofAll = shareKept(ofData, capacity);
  for (auto [i, ofObject] : llvm::enumerate(picks)) {
    double kept = isShared(i) ? ofAll : shareKept(ofObject, capacity);
    throughCaches(ofObject, kept, caches);
  }
}

/// The bytes that are fetched together with the sectors of \p picked bytes,
/// from any place in \p reach, and not picked: there is no more to fetch than
/// all there is, and what is fetched again L2 has lost.
double TrafficCounter::fetchedBesides(double picked, double reach) const {
  double lost = 1 - std::min(1.0, l2InBytes(gpu) / reach);
  double alone =
      picked < reach ? std::min(picked, reach - picked) : picked - reach;
  return lost * alone * static_cast<double>(fetch - sector) /
         static_cast<double>(sector);
}

void TrafficCounter::passInNoOrder(const std::vector<bool> &knownInBlocks) {
  std::vector<std::vector<RandomPicks>> picks(result.objects.size()),
      stored = picks;
  for (auto [i, object] : llvm::enumerate(result.objects))
    if (!object.isKnown || isPicked(i))
      picks[i] = picksFrom(i);
  if (llvm::all_of(picks, [](const auto &of) { return of.empty(); }))
    return;
  if (cachesLoads())
    shareCaches(picks, l1InBytes(kernel, gpu),
                std::min(gpu[Q::SMCount],
                         static_cast<double>(kernel.shape.grid.count())));
  for (auto [i, object] : llvm::enumerate(result.objects)) {
    if (picks[i].empty())
      continue;
    double pastL1 = pastL1InBytes[i];
    // What blocks touch may be known where it is not what many of them do: L1
    // then has at least what has been counted.
    if (double past = bytesOf(picks[i]) + pastL1; knownInBlocks[i] && past > 0)
      for (RandomPicks &some : picks[i])
        some.bytes *= std::min(1.0, object.l2LoadInBytes / past);
    object.l2LoadInBytes = bytesOf(picks[i]) + pastL1;
    // Many atomics are expected to be on few words, which stay in L2, unless it
    // is known what they pick from.
    bool areFew =
        kernel.scenario == Scenario::Expected && !kernel.objects[i].sizeInBytes;
    double inL2 = areFew ? atomicsInBytes[i] : 0;
    picks[i].front().bytes += pastL1 - inL2;
    double reach = picks[i].front().reach;
    stored[i] = {{object.requestedStoreInBytes - inL2, reach, reach,
                  linesPerByte(i, AccessKind::Load)}};
  }
  shareCaches(picks, l2InBytes(gpu), 1);
  for (auto [i, object] : llvm::enumerate(result.objects)) {
    if (picks[i].empty())
      continue;
    throughCaches(stored[i], shareKept(stored[i], l2InBytes(gpu)), 1);
    double picked = bytesOf(picks[i]);
    double loads = missedAfterLaunch *
                   (picked + fetchedBesides(picked, picks[i].front().reach)),
           stores = missedAfterLaunch * bytesOf(stored[i]);
    // Of rows that blocks pick, as many as there are, each once.
    object.dramLoadInBytes =
        object.isKnown ? std::min(object.dramLoadInBytes, loads) : loads;
    object.dramStoreInBytes =
        object.isKnown ? std::min(object.dramStoreInBytes, stores) : stores;
    if (object.isKnown)
      continue;
    linesLoadedInNoOrder[i] = missedAfterLaunch * picked *
                              linesInNoOrder(i, AccessKind::Store) /
                              static_cast<double>(sector);
  }
}

//===----------------------------------------------------------------------===//
// Objects of which a run saw the addresses
//===----------------------------------------------------------------------===//

/// Objects without patterns, whose sectors a run has counted block by block and
/// wave by wave: the windows are a block, a wave and the launch.
void TrafficCounter::asRun(const Bytes &loads, const Bytes &stores,
                           Bytes &l2Loads, Bytes &dramLoads,
                           Bytes &dramStores) {
  size_t count = result.objects.size();
  Bytes none(count, 0), requested = none, loadedInBlocks = none,
                        storedInBlocks = none, inWaves = none, inLaunch = none;
  double inBlocks = 0, inAllWaves = 0, inWholeLaunch = 0;
  std::vector<size_t> seen;
  for (auto [i, object] : llvm::enumerate(kernel.objects)) {
    if (!object.touched)
      continue;
    inBlocks +=
        object.touched->byLoadsInBlocks + object.touched->byStoresInBlocks;
    inAllWaves += object.touched->inWaves;
    inWholeLaunch += object.touched->inLaunch;
    if (footprints.isKnown(i))
      continue;
    seen.push_back(i);
    requested[i] = std::max(0.0, loads[i] - pastL1InBytes[i]);
    loadedInBlocks[i] = object.touched->byLoadsInBlocks;
    storedInBlocks[i] = stores[i];
    inWaves[i] = object.touched->inWaves;
    inLaunch[i] = object.touched->inLaunch;
  }
  if (seen.empty())
    return;
  auto blocks = static_cast<double>(kernel.shape.grid.count());
  double waves = std::ceil(blocks / std::max(1.0, kernel.blocksPerWave));
  double resident = blocksOnSM(kernel, gpu);
  double l2 = l2InBytes(gpu);

  CacheLevel l1(requested, &result.l1Steps);
  if (cachesLoads())
    l1.step("a block, as run", loadedInBlocks,
            inBlocks / blocks * resident / l1InBytes(kernel, gpu), L1Curve);
  Bytes read = l1.passedOn();
  for (size_t i : seen)
    l2Loads[i] = read[i] += pastL1InBytes[i];
  CacheLevel reads(read, &result.l2Steps), writes(storedInBlocks, nullptr);
  if (l2 > 0)
    for (CacheLevel *level : {&reads, &writes}) {
      level->step("a wave, as run", inWaves, inAllWaves / waves / l2, L2Curve);
      level->step("the launch, as run", inLaunch, inWholeLaunch / l2,
                  WavesCurve);
      if (kernel.launch.isL2Warm())
        level->step("the launch before, as run", none,
                    inWholeLaunch / (gpu[Q::L2Size] * 1024),
                    curveBetweenLaunches(gpu));
    }
  Bytes missed = reads.passedOn(), written = writes.passedOn();
  for (size_t i : seen) {
    dramLoads[i] = missed[i];
    dramStores[i] = written[i];
  }
}

//===----------------------------------------------------------------------===//
// Local memory
//===----------------------------------------------------------------------===//

/// The words of a warp's lanes lie side by side, and what threads had that are
/// done is written over. A thread stores all it has before it loads it again,
/// so that L1 and L2 keep it like the waves that follow each other. Stores go
/// on to L2.
ObjectTraffic auspex::localMemoryTraffic(const BoundKernel &kernel,
                                         const GPU &gpu) {
  using enum InstructionClass;
  double bytes = kernel.warps() * LaunchShape::WarpSize * RegisterInBytes;
  double loads = kernel.instructions[LoadLocal] * bytes,
         stores = kernel.instructions[StoreLocal] * bytes;
  double ofBlock = kernel.shape.warpsPerBlock() * LaunchShape::WarpSize *
                   static_cast<double>(kernel.summary->localInBytes);
  auto missRate = [&](double blocks, double capacity) {
    return capacity > 0 ? WavesCurve(blocks * ofBlock / capacity) : 1;
  };
  double blocksOfSM = blocksOnSM(kernel, gpu);
  double resident = std::min(static_cast<double>(kernel.shape.grid.count()),
                             blocksOfSM * gpu[Q::SMCount]);
  double l1 = gpu.find(Q::L1Unified) ? l1InBytes(kernel, gpu) : 0,
         l2 = l2InBytes(gpu);
  ObjectTraffic traffic;
  traffic.name = ObjectTraffic::LocalMemory.str();
  traffic.usefulLoadInBytes = traffic.requestedLoadInBytes = loads;
  traffic.usefulStoreInBytes = traffic.requestedStoreInBytes = stores;
  traffic.l2LoadInBytes = loads * missRate(blocksOfSM, l1);
  ScatteredStores scattered = scatteredLocalStores(kernel);
  traffic.l2StoreInBytes = stores + scattered.stored.toL2 * gpu[Q::Sector] -
                           scattered.requests * static_cast<double>(Line);
  traffic.dramLoadInBytes = traffic.l2LoadInBytes * missRate(resident, l2);
  traffic.dramStoreInBytes = stores * missRate(resident, l2);
  return traffic;
}

MemoryTraffic auspex::computeTraffic(const BoundKernel &kernel,
                                     const GPU &gpu) {
  return TrafficCounter(kernel, gpu).run();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Launch.h"

#include "ProgramCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include <algorithm>
#include <cstdlib>

using namespace auspex;
using namespace auspex::emulator;

void LaunchRun::setFault(EmulationFault newFault) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!fault)
    fault = std::move(newFault);
  stopped = true;
}

void LaunchRun::addRunning(const BlockRun &block) {
  std::lock_guard<std::mutex> lock(mutex);
  running.push_back(block.place());
}

bool LaunchRun::shouldStop() {
  if (stopped)
    return true;
  if (options->stop && options->stop->load(std::memory_order_relaxed))
    return true;
  if (options->timeLimitInSeconds <= 0)
    return false;
  std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - start;
  return spent.count() > options->timeLimitInSeconds;
}

SourceLocation emulator::locationOf(const llvm::Instruction *instruction) {
  SourceLocation result;
  const llvm::DILocation *location =
      instruction ? instruction->getDebugLoc().get() : nullptr;
  if (!location)
    return result;
  result = {location->getFilename().str(),
            location->getLine(),
            std::max(1u, location->getColumn()),
            {}};
  for (const llvm::DILocation *at = location->getInlinedAt(); at;
       at = at->getInlinedAt())
    result.inlinedAt.push_back(
        {at->getFilename().str(), at->getLine(), at->getColumn(), {}});
  return result;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

ThreadContext::ThreadContext() = default;
ThreadContext::~ThreadContext() = default;

MemoryRange ThreadContext::findRange(const Warp &warp, uint64_t low,
                                     uint64_t high) {
  using Kind = MemoryRange::Kind;
  auto within = [&](const void *begin, uint64_t size, Kind kind) {
    MemoryRange range;
    range.begin = reinterpret_cast<uint64_t>(begin);
    range.end = range.begin + size;
    range.kind = range.contains(low, high) ? kind : Kind::None;
    return range;
  };
  if (MemoryRange range =
          within(warp.block->shared, launch->sharedInBytes, Kind::Shared);
      range.kind != Kind::None)
    return range;
  if (MemoryRange range =
          within(warp.block->shared + launch->reservedSharedOffset(),
                 ReservedSharedBytes, Kind::Parameter);
      range.kind != Kind::None)
    return range;
  if (MemoryRange range =
          within(warp.local, warp.localStride * Lanes, Kind::Local);
      range.kind != Kind::None)
    return range;
  if (MemoryRange range = within(launch->parameters, launch->parametersInBytes,
                                 Kind::Parameter);
      range.kind != Kind::None)
    return range;
  if (MemoryRange range =
          within(launch->gridWorkspace, sizeof(launch->gridWorkspace),
                 Kind::Parameter);
      range.kind != Kind::None)
    return range;
  refreshMemory();
  auto after = std::upper_bound(
      memory.allocations.begin(), memory.allocations.end(), low,
      [](uint64_t address, const Allocation &allocation) {
        return address < reinterpret_cast<uint64_t>(allocation.begin);
      });
  if (after == memory.allocations.begin())
    return {};
  const Allocation &allocation = *std::prev(after);
  MemoryRange range =
      within(allocation.begin, allocation.sizeInBytes, Kind::Global);
  if (range.kind == Kind::None)
    return {};
  range.allocation =
      static_cast<uint32_t>(&allocation - memory.allocations.data());
  range.sectors = sectorsOf(range.allocation);
  return range;
}

void ThreadContext::refreshMemory() {
  DeviceMemory &device = launch->program->memory;
  if (memory.epoch != device.epoch())
    takeMemory(device.snapshot());
}

void ThreadContext::takeMemory(DeviceMemory::Snapshot now) {
  if (memory.epoch == now.epoch)
    return;
  std::vector<Allocation> old = std::move(memory.allocations);
  memory = std::move(now);
  std::vector<uint32_t> moved(old.size(), AccessState::SeveralAllocations);
  std::vector<std::unique_ptr<SectorMap>> oldSectors = std::move(sectors);
  sectors.clear();
  sectors.resize(memory.allocations.size());
  usedSectors.clear();
  size_t at = 0;
  for (size_t i = 0; i < memory.allocations.size(); ++i) {
    const Allocation &now = memory.allocations[i];
    while (at < old.size() && old[at].begin < now.begin)
      ++at;
    if (at == old.size() || old[at].begin != now.begin ||
        old[at].sizeInBytes != now.sizeInBytes)
      continue;
    moved[at] = static_cast<uint32_t>(i);
    if (!oldSectors[at])
      continue;
    sectors[i] = std::move(oldSectors[at]);
    if (sectors[i]->isUsed)
      usedSectors.push_back(static_cast<uint32_t>(i));
  }
  for (AccessState &state : accesses) {
    state.range = {};
    if (state.allocation < moved.size())
      state.allocation = moved[state.allocation];
  }
}

SectorMap *ThreadContext::sectorsOf(uint32_t allocation) {
  if (!launch->options->profile)
    return nullptr;
  auto &map = sectors[allocation];
  if (!map)
    map = std::make_unique<SectorMap>(
        memory.allocations[allocation].sizeInBytes /
            launch->options->granularity.sectorInBytes +
        2);
  if (!map->isUsed) {
    map->isUsed = true;
    usedSectors.push_back(allocation);
  }
  return map.get();
}

void ThreadContext::noteSample() {
  const Code &code = *launch->code;
  std::vector<SampledCounts> sample(code.accesses.size());
  for (size_t i = 0; i < sample.size(); ++i) {
    AccessState &state = accesses[code.firstAccess + i];
    state.collect();
    SampledCounts now = {state.requests, state.sectors, state.bankPasses,
                         state.sameAddress, state.newSectors};
    for (size_t j = 0; j < now.size(); ++j)
      sample[i][j] = now[j] - std::exchange(sampledSoFar[i][j], now[j]);
  }
  samples.push_back(std::move(sample));
}

void ThreadContext::endBlock() {
  for (uint32_t allocation : usedSectors)
    sectors[allocation]->endBlock();
}

void ThreadContext::endWave() {
  for (uint32_t allocation : usedSectors)
    sectors[allocation]->endWave();
}

void ThreadContext::endLaunch() {
  for (uint32_t allocation : usedSectors)
    sectors[allocation]->reset();
  usedSectors.clear();
}

void ThreadContext::beginLaunch(LaunchRun &run) {
  launch = &run;
  blocks.assign(run.code->instructions.size(), BlockCounter());
  calleeWarpInstructions = calleeThreadInstructions = 0;
  mostInstructionsOfWarp = 0;
  clock = 0;
  if (accesses.size() < run.program->numAccesses())
    accesses.resize(run.program->numAccesses());
  const MemoryGranularity &granularity = run.options->granularity;
  auto key = std::tuple(granularity.sectorInBytes, granularity.lineInBytes,
                        granularity.banks, granularity.l1Rule);
  if (key != granularityKey) {
    accesses.clear();
    accesses.resize(run.program->numAccesses());
    sectors.clear();
    usedSectors.clear();
    memory = {};
    granularityKey = key;
  }
  // Other kernels' are reset when they run.
  auto reset = [&](const Code &code) {
    for (size_t i = 0; i < code.accesses.size(); ++i)
      accesses[code.firstAccess + i].reset();
  };
  reset(*run.code);
  for (const Code *callee : run.program->calleeCodes())
    reset(*callee);
  samples.clear();
  sampledSoFar.assign(run.code->accesses.size(), {});
  refreshMemory();
}

std::unique_ptr<BlockRun> ThreadContext::takeBlock() {
  if (freeBlocks.empty())
    return std::make_unique<BlockRun>();
  std::unique_ptr<BlockRun> block = std::move(freeBlocks.back());
  freeBlocks.pop_back();
  return block;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
constexpr uint64_t SharedAlignment = 1024;
} // namespace

BlockRun::~BlockRun() { std::free(sharedMemory); }

void BlockRun::reserveShared(uint64_t bytes) {
  if (bytes <= sharedCapacity)
    return;
  std::free(sharedMemory);
  // Twice as much, so that one half lies within a multiple of 4 GB.
  uint64_t half = (bytes + SharedAlignment - 1) & ~(SharedAlignment - 1);
  sharedMemory = std::aligned_alloc(SharedAlignment, 2 * half);
  auto begin = reinterpret_cast<uint64_t>(sharedMemory);
  bool crosses = begin >> 32 != (begin + half - 1) >> 32;
  shared = static_cast<char *>(sharedMemory) + (crosses ? half : 0);
  sharedCapacity = half;
}

void BlockRun::begin(ThreadContext &threadContext, int64_t blockNumber) {
  context = &threadContext;
  LaunchRun &launch = *context->launch;
  number = blockNumber;
  const LaunchShape &shape = launch.shape;
  index = {number % shape.grid.x, number / shape.grid.x % shape.grid.y,
           number / (shape.grid.x * shape.grid.y)};
  reserveShared(launch.reservedSharedOffset() + ReservedSharedBytes);
  barriers.fill({});
  usedBarriers = 0;
  finished = 0;
  cutShort = 0;
  numWarps = static_cast<unsigned>(shape.warpsPerBlock());
  while (warps.size() < numWarps)
    warps.push_back(std::make_unique<Warp>());
  bool isSameShape = shapeOfWarps == shape.block && numPrepared >= numWarps &&
                     gridOfWarps == shape.grid;
  for (unsigned i = 0; i < numWarps; ++i) {
    Warp &warp = *warps[i];
    warp.block = this;
    warp.context = context;
    warp.counters = context->blocks.data();
    warp.instructions = 0;
    warp.number = i;
    uint64_t localBytes = launch.localStride * Lanes;
    if (warp.localCapacity < localBytes) {
      warp.localMemory.reset(
          static_cast<char *>(std::calloc(1, localBytes + 16)));
      warp.localCapacity = localBytes;
    }
    warp.local = warp.localMemory.get();
    warp.localStride = launch.localStride;
    if (!isSameShape)
      prepareWarp(warp, shape);
    for (unsigned axis = 0; axis < 3; ++axis)
      std::fill_n(warp.own + (CtaidX + axis) * Lanes, Lanes,
                  static_cast<uint32_t>(index[axis]));
    int64_t threads =
        std::min<int64_t>(Lanes, shape.block.count() - int64_t(i) * Lanes);
    uint32_t lanes = threads == Lanes ? FullMask : (uint32_t(1) << threads) - 1;
    warp.setBase(SlotSpace::Warp, reinterpret_cast<char *>(warp.own));
    warp.begin(*launch.code, launch.poolBegin(), lanes);
    warp.budget = Warp::Turn;
  }
  shapeOfWarps = shape.block;
  gridOfWarps = shape.grid;
  numPrepared = numWarps;
}

void BlockRun::prepareWarp(Warp &warp, const LaunchShape &shape) {
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    auto thread = shape.threadIndex(int64_t(warp.number) * Lanes + lane);
    for (unsigned axis = 0; axis < 3; ++axis)
      warp.own[(TidX + axis) * Lanes + lane] =
          static_cast<uint32_t>(thread[axis]);
  }
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::fill_n(warp.own + (NtidX + axis) * Lanes, Lanes,
                static_cast<uint32_t>(shape.block[axis]));
    std::fill_n(warp.own + (NctaidX + axis) * Lanes, Lanes,
                static_cast<uint32_t>(shape.grid[axis]));
  }
}

static void runWarp(Warp &warp) {
  const Operation *op = warp.resume;
  while (op)
    op = op->handler(op, warp);
}

BlockRun::Progress BlockRun::run(bool mayYield) {
  LaunchRun &launch = *context->launch;
  for (;;) {
    bool ran = false, allCutShort = true;
    for (unsigned i = 0; i < numWarps; ++i) {
      Warp &warp = *warps[i];
      if (warp.state != WarpState::Ready)
        continue;
      ran = true;
      uint32_t live = warp.live;
      runWarp(warp);
      if (launch.stopped)
        return Progress::Done;
      if (warp.live != live)
        checkBarriers();
      if (warp.state == WarpState::Finished) {
        ++finished;
        context->mostInstructionsOfWarp =
            std::max(context->mostInstructionsOfWarp, warp.instructions);
      }
      allCutShort &= warp.state == WarpState::Ready;
    }
    if (finished == numWarps)
      return Progress::Done;
    if (!ran) {
      faultAtBarrier();
      return Progress::Done;
    }
    if (launch.shouldStop())
      continue; // the next turn of a warp says where it was
    if (mayYield && allCutShort)
      return Progress::CutShort;
  }
}

EmulationFault::RunningBlock BlockRun::place() const {
  EmulationFault::RunningBlock result{index, {}};
  for (unsigned i = 0; i < numWarps; ++i) {
    const Warp &warp = *warps[i];
    if (!warp.live)
      continue;
    // What waits at a barrier goes on behind it.
    const Operation *at = warp.state == WarpState::AtBarrier
                              ? warp.top->groups.front().resume - 1
                              : warp.resume;
    SourceLocation location =
        locationOf(warp.top->code->origin(at)).outsideSystemHeaders();
    if (location.isKnown() && !llvm::is_contained(result.locations, location))
      result.locations.push_back(std::move(location));
  }
  return result;
}

void BlockRun::faultAtBarrier() {
  for (unsigned i = 0; i < numWarps; ++i) {
    Warp &warp = *warps[i];
    if (warp.state != WarpState::AtBarrier || warp.top->groups.empty())
      continue;
    const WaitingGroup &group = warp.top->groups.front();
    const BarrierState &state = barriers[group.barrier];
    unsigned missing = 0;
    for (unsigned other = 0; other < numWarps; ++other)
      missing += llvm::popcount(warps[other]->live &
                                ~warps[other]->waitingAt(group.barrier));
    warp.fault(group.resume - 1, EmulationFault::Kind::DivergentBarrier,
               llvm::countr_zero(group.lanes),
               "waits at barrier " + std::to_string(group.barrier) +
                   (state.expected ? " for " + std::to_string(state.expected) +
                                         " threads, of which only " +
                                         std::to_string(state.arrived) + " come"
                                   : ", to which " + std::to_string(missing) +
                                         " threads of the block never come"));
    return;
  }
}

void BlockRun::swapSectors() {
  const std::vector<Allocation> &all = context->memory.allocations;
  for (auto &[begin, set] : sectors) {
    auto found = std::lower_bound(
        all.begin(), all.end(), begin,
        [](const Allocation &a, const char *b) { return a.begin < b; });
    if (found == all.end() || found->begin != begin)
      continue;
    auto &map = context->sectors[found - all.begin()];
    if (map && map->block.size() == set.size())
      std::swap(map->block, set);
  }
}

void BlockRun::suspend() {
  sectors.clear();
  for (uint32_t allocation : context->usedSectors) {
    SectorMap &map = *context->sectors[allocation];
    if (!map.block.empty())
      sectors.emplace_back(context->memory.allocations[allocation].begin,
                           std::exchange(map.block, BitSet(map.block.size())));
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OperationalNetwork.h"

#include "auspex/Model/QueueingNetwork.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

/// Phases of a block, which begin with its warps together: its start, and what
/// follows each barrier.
static double phases(const OperationalInput &input) {
  return 1 + input.path[InstructionClass::Barrier];
}

/// Pieces of work between two waits for memory, at least one a phase.
static double pieces(const OperationalInput &input) {
  static const auto loads = llvm::filter_to_vector(
      llvm::map_range(instructionClassInfos(),
                      [](const InstructionClassInfo &info) { return info.id; }),
      [](InstructionClass id) { return isMemory(id) && isLoad(id); });
  double waits = 0;
  for (InstructionClass id : loads)
    waits += input.path[id];
  return std::max(phases(input), waits);
}

/// The share of their work that the warps of a block do side by side: they
/// start together, and once they are staggered they do not meet again. So it
/// happens once a phase, and only for what lies between two waits.
static double shareInStep(const OperationalInput &input) {
  return phases(input) / pieces(input);
}

/// Of the warps in step the last one finds all others before it at the slowest
/// of the SM's ways to memory, however short the mean queue is. At a pipe the
/// share is an instruction or two, and is left out.
static double siblingsFound(const OperationalInput &input) {
  return (input.warpsPerBlock - 1) * shareInStep(input);
}

/// Whom a warp finds at \p part, however short the mean queue is, which is the
/// slowest of the SM's ways to memory or not: to a barrier all warps of the
/// block come at once.
static double leastFound(const NetworkPart &part, bool isSlowestMemory,
                         const OperationalInput &input) {
  if (part.name == NetworkPart::BarrierUnit)
    return input.warpsPerBlock - 1;
  return isSlowestMemory ? siblingsFound(input) : 0;
}

/// What a warp waits besides its service, one with \p instructions times those
/// of the mean warp. The latency of an instruction has its time in a pipe in
/// it, and what does not depend on each other goes through the pipe meanwhile:
/// of a warp alone the longer of the two counts.
static double delayBesidesService(llvm::ArrayRef<NetworkPart> parts,
                                  double instructions = 1) {
  double delays = 0, dependence = 0, service = 0;
  for (const NetworkPart &part : parts) {
    if (part.isDelay())
      delays += part.cycles;
    if (part.name == NetworkPart::DependenceLatency)
      dependence = part.cycles;
    if (part.place == NetworkPart::Place::Partition)
      service += part.cycles * part.partitions * instructions;
  }
  return delays - std::min(dependence, service);
}

/// A pipe serves each instruction in the same time: who finds a queue waits
/// half as long as with exponential service (Pollaczek and Khinchine).
static double queueing(const NetworkPart &part, const GPU &gpu) {
  constexpr double FixedService = 0.5;
  return gpu.valueOr(Q::QueueingFactor, 1) *
         (part.place == NetworkPart::Place::Partition ? FixedService : 1);
}

/// What a warp waits for the work of others, for each of them that the SM
/// completes in a cycle.
static double delayByRate(llvm::ArrayRef<NetworkPart> parts) {
  double delay = 0;
  for (const NetworkPart &part : parts)
    delay += part.cyclesByRate;
  return delay;
}

static QueueingNetwork networkOf(const OperationalInput &input, const GPU &gpu,
                                 llvm::ArrayRef<NetworkPart> parts,
                                 double delay) {
  QueueingNetwork network;
  network.delay = delay;
  network.delayByRate = delayByRate(parts);
  const NetworkPart *slowest = nullptr;
  for (const NetworkPart &part : parts)
    // Who waits at a station that depends on its load is known from that.
    if (part.place == NetworkPart::Place::SM && part.cyclesByLoad.empty() &&
        part.name != NetworkPart::BarrierUnit &&
        (!slowest || part.cycles > slowest->cycles))
      slowest = &part;
  for (const NetworkPart &part : parts)
    if (!part.isDelay())
      network.stations.push_back({part.cycles, queueing(part, gpu),
                                  part.stayedFor,
                                  leastFound(part, &part == slowest, input),
                                  part.partitions, part.cyclesByLoad});
  return network;
}

/// What a warp waits for memory, the others of its scheduler hide by their
/// arithmetic: the share of them that is at work, of \p warps a scheduler. The
/// first one has nobody to hide it.
static double othersAtWork(double warps, const OperationalInput &input) {
  if (warps <= 1)
    return 1;
  return std::max(0.0, (warps * input.shareAtWork - 1) / (warps - 1));
}

/// The time of two kinds of work that are done partly side by side: between the
/// longer of them (an exponent without end) and the sum (1).
static double overlapping(double a, double b, double exponent) {
  return std::pow(std::pow(a, exponent) + std::pow(b, exponent), 1 / exponent);
}

/// Of work on both sides of L2's port, with other blocks on the SM and without:
/// fitted to box stencils on V100 and the kernels of nvdvfs, and to 25-point
/// stencils on V100.
constexpr double ExponentOfFar = 2.7, ExponentOfFarAlone = 1.6;

/// What \p cycles of work take with \p other on the other side of L2's port,
/// which overlaps in part, by \p exponent, with the share of it that warps do
/// in step: L2 and DRAM have less to do while the SM is at what it has loaded.
static double withFarMemory(const OperationalInput &input, double cycles,
                            double other, double exponent) {
  double longer = std::max(cycles, other);
  return longer +
         shareInStep(input) * (overlapping(cycles, other, exponent) - longer);
}

/// What all warps of a block wait for at once, while nothing of their own is
/// left to do. A block with barriers fills shared memory, and then works with
/// what is there: in each of the two parts its waits beyond its own work there,
/// of \p work cycles in all. Of the work that fills, most comes after what it
/// waits for. A block without barriers waits for the last of its warps to end,
/// so with the share of its waits that they do in step, half of which find work
/// of its other warps.
static double waitsOfBlock(const OperationalInput &input, double work,
                           const MemoryWaits &waits) {
  constexpr double ShareNotHidden = 0.5;
  // Fitted to S. Boehm's and CLBlast's products.
  constexpr double ShareBeforeLoads = 0.25;
  if (input.path[InstructionClass::Barrier] <= 0)
    return ShareNotHidden * shareInStep(input) * (waits.far + waits.near);
  double filling = input.fillingWaits * waits.far;
  double filled = waits.far - filling + waits.near;
  return std::max(0.0, filling - ShareBeforeLoads * input.fillingWork * work) +
         std::max(0.0, filled - (1 - input.fillingWork) * work);
}

/// The time of a wave whose blocks ask for \p cycles of work a warp, and for \p
/// inPhases if nobody else has any. What all warps of a block wait for only
/// other blocks hide, and those are few: they are customers of a network of
/// their own, with all their work as its one station. Blocks with barriers
/// start together too and take turns at the schedulers, so half of them are in
/// step.
static double cyclesOfBlocks(const OperationalInput &input, const GPU &gpu,
                             const SMLoad &load, double cycles,
                             double inPhases) {
  // Fitted to KTT's and Kernel Tuner's convolutions.
  constexpr double BlocksInStep = 0.5;
  double work = input.warpsPerBlock * cycles;
  QueueingStation station{work};
  if (input.path[InstructionClass::Barrier] > 0)
    station.leastQueue = BlocksInStep * (load.blocksPerSM - 1);
  QueueingNetwork blocks;
  blocks.stations.push_back(station);
  double alone = std::max(work, input.warpsPerBlock * inPhases);
  blocks.delay =
      alone - work + waitsOfBlock(input, alone, waitsForMemory(input, gpu));
  return solve(blocks, load.blocksPerSM).cycleTime;
}

/// The time of a wave of blocks with barriers that ask for \p work cycles of
/// the SM each: it is the longer the longer a block lives, which starts and
/// ends, waits for memory, and in each phase for a chain of instructions and
/// for the barrier unit, to which all its warps come at once. What its own work
/// does not hide of this, only other blocks do.
static double cyclesOfLives(const OperationalInput &input, const GPU &gpu,
                            const SMLoad &load,
                            llvm::ArrayRef<NetworkPart> parts, double work) {
  MemoryWaits waits = waitsForMemory(input, gpu);
  QueueingNetwork blocks;
  for (const NetworkPart &part : parts)
    if (part.name == NetworkPart::Turnover)
      blocks.delay += part.cycles;
    else if (part.name == NetworkPart::BarrierUnit)
      waits.near += part.cycles * (input.warpsPerBlock - 1);
    else if (part.name == NetworkPart::DependenceLatency ||
             part.name == NetworkPart::Barriers)
      waits.near += part.cycles;
  blocks.delay += waitsOfBlock(input, work, waits);
  blocks.stations.push_back({work});
  return solve(blocks, load.blocksPerSM).cycleTime;
}

/// The warps of an SM keep step: they wait for the same loads, and the
/// schedulers take turns among them. So part of the work that is the shorter,
/// on memory or on arithmetic, is done while the other pipes stand idle: of
/// memory's as much as a fifth of what the arithmetic takes to issue, one
/// instruction a cycle and scheduler, and more the closer they are. What has a
/// queue of its own is done meanwhile. At a barrier all warps of a block wait,
/// and only other blocks have work; so it is with pipes that stand idle in a
/// phase of the block.
static double leastCyclesWithPartialOverlap(const OperationalInput &input,
                                            const GPU &gpu, const SMLoad &load,
                                            llvm::ArrayRef<NetworkPart> parts) {
  // Fitted to five families of tuned kernels on five GPUs and to our own
  // kernels on H100.
  constexpr double ExponentOfPipes = 2.2, ShareNeverHidden = 0.2;
  double memory = 0, pipes = 0, issued = 0, queued = 0, far = 0;
  double barriers = 0;
  for (const NetworkPart &part : parts)
    if (part.name == NetworkPart::Barriers)
      barriers = part.cycles / load.blocksPerSM;
    else if (part.isShared)
      far = std::max(far, part.cycles);
    else if (part.place == NetworkPart::Place::SM)
      memory = std::max(memory, part.cycles);
    else if (part.hasQueue)
      queued = std::max(queued, part.cycles);
    else if (part.place == NetworkPart::Place::Partition) {
      pipes = std::max(pipes, part.cycles);
      if (part.name == NetworkPart::IssueSlots)
        issued = part.cycles * gpu[Q::DispatchPerScheduler];
    }
  unsigned warps = load.warpsOf(input);
  double sum = memory + std::max(pipes, queued);
  double arithmetic = std::max(
      pipes + std::min(memory, ShareNeverHidden * std::min(issued, pipes)),
      queued);
  double overlapped =
      std::min(sum, overlapping(memory, arithmetic, ExponentOfPipes));
  double hidden = othersAtWork(warps / gpu[Q::SubPartitions], input);
  double inSM = sum - hidden * (sum - overlapped);
  double cycles = cyclesOfBlocks(input, gpu, load,
                                 withFarMemory(input, inSM, far, ExponentOfFar),
                                 std::min(input.phaseCycles, sum)) +
                  barriers;
  return input.path[InstructionClass::Barrier] > 0
             ? std::max(cycles, cyclesOfLives(input, gpu, load, parts,
                                              input.warpsPerBlock * inSM))
             : cycles;
}

namespace {
/// What the first of several warps takes at a station, and each after it.
struct OneAndMore {
  double one = 0, more = 0;
};
} // namespace

static OneAndMore cyclesOfBlock(const NetworkPart &part, unsigned warps) {
  if (part.cyclesByLoad.empty())
    return {part.cycles, part.cycles};
  double first = part.cyclesByLoad.front();
  double last = part.cyclesByLoad[warps - 1] * warps;
  return {first, warps > 1 ? std::max(0.0, last - first) / (warps - 1) : 0};
}

/// What a pass takes of \p customers that go through one station, where all of
/// them together ask for \p work, and a \p delay: Schweitzer's approximation,
/// which of one customer is the sum and of very many the longer of the two (P.
/// Schweitzer, Approximate analysis of multiclass closed networks of queues,
/// 1979).
static double passThroughOne(double work, double delay, double customers) {
  double apart = work - delay;
  return (work + delay +
          std::sqrt(apart * apart + 4 * work * delay / customers)) /
         2;
}

namespace {
/// Cycles where the blocks of all SMs start together, and where they do not.
struct LifeOfBlock {
  double together = 0, apart = 0;
};
} // namespace

/// The least life of a block: its warps start together, each finds its siblings
/// at the slowest way to memory, and the block's place is free when the last of
/// them is through, each time the one that has most to do. Without other blocks
/// nothing fills the time in which the first of them gets there. A memory of
/// the whole GPU has the blocks of all SMs as its customers, a block each, and
/// these are at it at different times. Where they start together, all of them
/// wait for it at once, until the first of their loads is there.
static LifeOfBlock leastCyclesOfBlock(const OperationalInput &input,
                                      const SMLoad &load,
                                      llvm::ArrayRef<NetworkPart> parts) {
  double busiest = 1 / input.shareAtWork;
  double all = delayBesidesService(parts, busiest), own = 0, shared = 0;
  for (const NetworkPart &part : parts) {
    OneAndMore cycles = cyclesOfBlock(part, input.warpsPerBlock);
    if (!part.isDelay())
      all += cycles.one * part.partitions *
             (part.place == NetworkPart::Place::Partition ? busiest : 1);
    if (part.isShared)
      shared = std::max(shared, part.cycles);
    else if (part.place == NetworkPart::Place::SM)
      own = std::max(own, cycles.more);
  }
  double delay = all - shared;
  double lesser = std::min(own, shared);
  double ownWithShared = withFarMemory(input, own, lesser, ExponentOfFar);
  double work = input.warpsPerBlock *
                withFarMemory(input, shared, lesser, ExponentOfFarAlone);
  double least = all + siblingsFound(input) * ownWithShared;
  double pass = passThroughOne(work, delay, load.activeSMs);
  double apart =
      std::max(least, passWithDelayByRate(pass, delayByRate(parts) *
                                                    load.warpsOf(input)));
  double inStep = std::max(apart, delay + load.blocksPerSM * work);
  return {apart + (inStep - apart) / pieces(input), apart};
}

/// The share of the wave in which a station is busy. Of several warps each
/// sub-partition has its share; of fewer than sub-partitions some have none,
/// and it is the others that tell what limits the time.
static double utilizationOf(const NetworkPart &part, const GPU &gpu,
                            unsigned warps, double cycles) {
  if (part.isDelay())
    return 0;
  bool isInPartition = part.place == NetworkPart::Place::Partition;
  double customers = isInPartition && part.partitions != 1
                         ? std::max<double>(warps, gpu[Q::SubPartitions])
                         : warps;
  return std::min(1.0, customers * part.cycles / cycles);
}

double auspex::cyclesOfWave(const OperationalInput &input, const GPU &gpu,
                            const SMLoad &load, OperationalResult *result) {
  unsigned warps = load.warpsOf(input);
  NetworkParts parts = networkParts(input, gpu, load);
  double delay = delayBesidesService(parts);
  NetworkSolution solution = solve(networkOf(input, gpu, parts, delay), warps);
  double flow =
      std::max(solution.cycleTime,
               leastCyclesWithPartialOverlap(input, gpu, load, parts));
  LifeOfBlock life = leastCyclesOfBlock(input, load, parts);
  double apart = std::max(flow, life.apart);
  double together = std::max(flow, life.together);
  double cycles = apart + load.startTogether * (together - apart);
  if (!result)
    return cycles;
  result->cycleTime = cycles;
  result->activeSMs = load.activeSMs;
  result->residentWarps = warps;
  for (const NetworkPart &part : parts)
    result->stations.push_back(
        {part.name.str(), part.cycles + part.cyclesByRate * warps / cycles,
         utilizationOf(part, gpu, warps, cycles), part.isDelay()});
  return cycles;
}

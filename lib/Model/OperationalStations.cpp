// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OperationalStations.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

SMLoad::SMLoad(double blocks, const GPU &gpu, double startTogether)
    : startTogether(startTogether) {
  double sms = gpu[Q::SMCount];
  activeSMs = static_cast<unsigned>(std::min(sms, std::ceil(blocks)));
  blocksPerSM = static_cast<unsigned>(std::ceil(blocks / sms));
  sharers = blocks / blocksPerSM;
}

unsigned SMLoad::warpsOf(const OperationalInput &input) const {
  return std::max(1u, blocksPerSM * input.warpsPerBlock);
}

//===----------------------------------------------------------------------===//
// Stations
//===----------------------------------------------------------------------===//

/// Cycles a pipe needs for one instruction of a warp.
static double cyclesPerInstruction(const InstructionClassInfo &info,
                                   const GPU &gpu) {
  constexpr double Warp = LaunchShape::WarpSize;
  if (info.pipe == Pipe::Tensor) {
    constexpr double MultiplyAdds = 16 * 8 * 8;
    double rate = gpu.valueOr(Q::ThroughputTensorFp16, 512);
    if (info.id == InstructionClass::TensorFp32)
      rate = gpu.valueOr(Q::ThroughputTensorFp32, rate);
    return MultiplyAdds / rate;
  }
  if (!info.throughput)
    return 0;
  // An instruction has a pair of results, or room for one.
  double results = info.pipe == Pipe::Fp16 ? 2 : 1;
  if (std::optional<double> rate = gpu.find(*info.throughput))
    return results * Warp / *rate;
  // A description need not list every rate: rare operations then run on the
  // special function units, double precision at the rate of consumer parts.
  if (info.pipe == Pipe::Fp64)
    return Warp / (gpu[Q::ThroughputFp32] / 32);
  if (info.pipe == Pipe::Sfu)
    return Warp / gpu[Q::ThroughputSfu];
  if (info.pipe == Pipe::Fp16)
    return Warp / gpu[Q::ThroughputFp32];
  return Warp / gpu[Q::ThroughputIntAdd];
}

static constexpr llvm::StringLiteral Fp64Pipe = "fp64 pipe";

namespace {
/// Demands on pipes, where pipes that share their lanes are one.
class PipeDemands {
public:
  /// Of \p mix, \p asMultiplyAdds are multiplications of integers for the GPU.
  PipeDemands(const InstructionMix &mix, const InstructionMix &asMultiplyAdds,
              const GPU &gpu)
      : unified(gpu.arch < 70) {
    double multiplyAdds = 0;
    for (const InstructionClassInfo &info : instructionClassInfos()) {
      if (mix[info.id] <= 0 || info.pipe == Pipe::Memory ||
          info.pipe == Pipe::Control)
        continue;
      double moved = std::min(asMultiplyAdds[info.id], mix[info.id]);
      multiplyAdds += moved;
      demand(pipeOf(info, gpu)) +=
          (mix[info.id] - moved) * cyclesPerInstruction(info, gpu);
    }
    demand(Pipe::IntMul) +=
        multiplyAdds *
        cyclesPerInstruction(auspex::info(InstructionClass::IntMul), gpu);
  }

  /// Before Volta one set of cores did integers and floating point; since then
  /// multiplication of integers shares the floating-point multiply-add lanes.
  double &demand(Pipe pipe) {
    if (pipe == Pipe::IntMul)
      pipe = Pipe::Fp32;
    if (unified && pipe == Pipe::Int)
      pipe = Pipe::Fp32;
    return demands[static_cast<unsigned>(pipe)];
  }
  double slowest() const { return *llvm::max_element(demands); }

private:
  bool unified;
  std::array<double, 16> demands{};

  /// Where a GPU has a few lanes for double precision only, they also convert
  /// to and from 64 bits, at about the same rate; others have twice as many.
  static Pipe pipeOf(const InstructionClassInfo &info, const GPU &gpu) {
    std::optional<double> conversions = gpu.find(Q::ThroughputConvertWide);
    bool isShared = info.id == InstructionClass::ConvertWide && conversions &&
                    gpu.valueOr(Q::ThroughputFp64, 0) < 1.5 * *conversions;
    return isShared ? Pipe::Fp64 : info.pipe;
  }
};
} // namespace

/// Cycles of the pipe of class \p id beyond those of its full rate, which it
/// has for two operands from registers. Of three one need not be read again if
/// the same warp has just done so, which takes back-to-back instructions that
/// are independent. On a chain of dependences other warps come in between.
static double chainCycles(const OperationalInput &input, InstructionClass id,
                          std::optional<double> rate,
                          std::optional<double> onChain) {
  if (!rate || !onChain || *onChain >= *rate)
    return 0;
  double count = std::min(
      {input.threeOperands[id], input.path[id], input.instructions[id]});
  return count * LaunchShape::WarpSize * (1 / *onChain - 1 / *rate);
}

/// Maxwell and Pascal multiply integers in three instructions (XMAD).
static double issuedInstructions(const InstructionMix &mix, const GPU &gpu) {
  bool hasXmad = gpu.arch >= 50 && gpu.arch < 70;
  return mix.total() + (hasXmad ? 2 * mix[InstructionClass::IntMul] : 0);
}

/// Warp instructions that an SM issues in a cycle.
static double issueRate(const GPU &gpu) {
  return gpu[Q::WarpSchedulers] * gpu[Q::DispatchPerScheduler];
}

static double barrierCycles(const InstructionMix &mix, const GPU &gpu) {
  std::optional<double> rate = gpu.find(Q::ThroughputBarrier);
  return rate ? mix[InstructionClass::Barrier] * LaunchShape::WarpSize / *rate
              : 0;
}

/// Those of the load/store units; constant memory has a cache of its own.
static double loadStoreInstructions(const InstructionMix &mix) {
  double count = 0;
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (info.pipe == Pipe::Memory && info.id != InstructionClass::LoadConstant)
      count += mix[info.id];
  return count;
}

/// What they take at least.
static double loadStoreCycles(const InstructionMix &mix, const GPU &gpu) {
  return loadStoreInstructions(mix) * cyclesPerRequest(gpu);
}

static double constantCycles(const OperationalInput &input, const GPU &gpu) {
  std::optional<double> rate = gpu.find(Q::ThroughputConstant);
  return rate ? input.constantWords / *rate : 0;
}

/// A texture unit samples for one lane in a cycle.
static double textureCycles(const InstructionMix &mix, const GPU &gpu) {
  constexpr double SinceVolta = 4;
  return mix[InstructionClass::Texture] * LaunchShape::WarpSize /
         gpu.valueOr(Q::TextureUnits, SinceVolta);
}

double auspex::dramBandwidth(const GPU &gpu, double loads, double stores) {
  constexpr double Sustained = 0.9; // where nothing was measured
  double peak = gpu[Q::DramBandwidth] * Sustained;
  double read = gpu.valueOr(Q::DramReadBandwidth, peak);
  double write = gpu.valueOr(Q::DramWriteBandwidth, read);
  double mixed = gpu.valueOr(Q::DramMixedBandwidth, (read + write) / 2);
  double share = loads + stores > 0 ? stores / (loads + stores) : 0;
  double alone = share < 0.5 ? read : write;
  return alone + (mixed - alone) * 4 * share * (1 - share);
}

/// Cycles until \p bytes a warp have passed a unit that several SMs share; 0 if
/// its bandwidth is not known.
static double sharedBusCycles(double bytes, double bandwidthInGBps,
                              const GPU &gpu, double sharers) {
  if (bandwidthInGBps == 0)
    return 0;
  double bytesPerCycle = bandwidthInGBps * 1e3 / gpu.cyclesPerUs();
  return bytes * sharers / bytesPerCycle;
}

/// The port of one SM to L2 moves two sectors in a cycle, and the packets of
/// partial stores at a rate of their own.
static double portCycles(const OperationalInput &input, const GPU &gpu) {
  constexpr double BytesPerCycle = 64;
  std::optional<double> rate = gpu.find(Q::L1PartialStoreRate);
  return std::max((input.l2LoadInBytes + input.l2StoreInBytes) / BytesPerCycle,
                  rate ? input.partialStores / *rate : 0);
}

double auspex::l1BytesPerCycle(const GPU &gpu) {
  return gpu.valueOr(Q::L1Bandwidth,
                     gpu[Q::LoadStoreLanes] * MemoryGranularity::BankInBytes);
}

double auspex::cyclesPerRequest(const GPU &gpu) {
  return LaunchShape::WarpSize / gpu[Q::LoadStoreLanes];
}

double auspex::cyclesPerPass(const GPU &gpu) {
  double word = gpu[Q::SharedBanks] * MemoryGranularity::BankInBytes;
  return word / gpu.valueOr(Q::SharedBandwidth, word);
}

double auspex::sharedCycles(double passes, double requests, const GPU &gpu) {
  return std::max(passes * cyclesPerPass(gpu),
                  requests * cyclesPerRequest(gpu));
}

double auspex::leastL1Cycles(unsigned bytesPerLane, const GPU &gpu) {
  return std::max(cyclesPerRequest(gpu),
                  bytesPerLane * LaunchShape::WarpSize / l1BytesPerCycle(gpu));
}

/// Where L1 is half as wide as its banks, a pass takes two cycles, but one for
/// a lane that has it to itself.
static double cyclesOfPasses(const RequestCounts &counts, const GPU &gpu) {
  return std::min(counts.bankPasses * cyclesPerPass(gpu),
                  std::max(counts.bankPasses, counts.lanes));
}

double auspex::l1CyclesOf(const Access &access, const RequestCounts &counts,
                          const GPU &gpu) {
  if (access.isBulk())
    return 0;
  return std::max({counts.l1Cycles, cyclesOfPasses(counts, gpu),
                   counts.requests * leastL1Cycles(access.bytesPerLane, gpu)});
}

/// L1 and shared memory are one memory since Volta. Until Ampere sectors pass
/// whole, also those of which lanes want a word.
static double l1Cycles(const OperationalInput &input, const GPU &gpu) {
  double sectors =
      gpu.arch < 80
          ? (input.requestedLoadInBytes + input.requestedStoreInBytes) /
                l1BytesPerCycle(gpu)
          : 0;
  return std::max(sectors, input.l1Cycles) +
         sharedCycles(input.sharedPasses, input.sharedRequests, gpu);
}

static NetworkPart sharedAtomics(const OperationalInput &input, const GPU &gpu,
                                 unsigned warps) {
  NetworkPart part{"shared atomics", 0, NetworkPart::Place::SM};
  if (input.sharedAtomics.requests <= 0)
    return part;
  llvm::append_range(part.cyclesByLoad,
                     sharedAtomicCycles(input.sharedAtomics, gpu, warps));
  part.cycles = part.cyclesByLoad.back();
  return part;
}

/// What starts blocks takes as long for one warp as for many, and warps are not
/// there yet to wait for it; 0 if its rate is not known.
static double blockStartCycles(const OperationalInput &input, const GPU &gpu,
                               double sharers) {
  std::optional<double> rate = gpu.find(Q::BlockStartRate);
  return rate ? sharers / (*rate * input.warpsPerBlock) : 0;
}

/// A station that all SMs share.
static NetworkPart ofAllSMs(llvm::StringRef name, double cycles,
                            double stayedFor = 1) {
  NetworkPart part{name, cycles, NetworkPart::Place::WholeGPU};
  part.isShared = true;
  part.stayedFor = stayedFor;
  return part;
}

/// No warp waits for what it has stored: it stays for the share of its loads.
static double shareOfLoads(double loads, double stores) {
  return loads + stores > 0 ? loads / (loads + stores) : 1;
}

/// Cycles of L2 for packets of sectors that it is given a part of; 0 if its
/// rate is not known.
static double partialStoreCycles(const OperationalInput &input, const GPU &gpu,
                                 double sharers) {
  std::optional<double> rate = gpu.find(Q::L2PartialStoreRate);
  return rate ? input.partialStores * sharers / *rate : 0;
}

/// Cycles of L2 at the busiest address; 0 if its rate is not known.
static double globalAtomicCycles(const OperationalInput &input, const GPU &gpu,
                                 double sharers) {
  std::optional<double> rate = gpu.find(Q::GlobalAtomicRate);
  return rate ? input.globalAtomicSteps * sharers / *rate : 0;
}

double auspex::slowestInSM(const InstructionMix &mix,
                           const InstructionMix &asMultiplyAdds,
                           double l1Cycles, const GPU &gpu) {
  return std::max({PipeDemands(mix, asMultiplyAdds, gpu).slowest(),
                   issuedInstructions(mix, gpu) / issueRate(gpu),
                   loadStoreCycles(mix, gpu), l1Cycles});
}

//===----------------------------------------------------------------------===//
// Delays
//===----------------------------------------------------------------------===//

/// Of \p count loads on the chain those with data from DRAM.
static double loadsFromDram(double count,
                            const OperationalInput::Waits &waits) {
  return std::min(count, waits.dram);
}

/// Mean latency of \p count loads on the chain.
static double latencyThroughCaches(double count,
                                   const OperationalInput::Waits &waits,
                                   const GPU &gpu) {
  double dram = gpu[Q::LatencyDram];
  double l2 = gpu.valueOr(Q::LatencyL2, dram);
  double l1 = std::min(l2, gpu.valueOr(Q::LatencyL1, l2));
  if (count <= 0)
    return l1;
  double fromDram = loadsFromDram(count, waits) / count;
  double fromL2 = std::min(1 - fromDram, waits.l2 / count);
  return fromDram * dram + fromL2 * l2 + (1 - fromDram - fromL2) * l1;
}

double auspex::latencyOfGlobalAtomic(const GPU &gpu) {
  return gpu.valueOr(Q::LatencyGlobalAtomic,
                     gpu.valueOr(Q::LatencyL2, gpu[Q::LatencyDram]));
}

static double latency(const InstructionClassInfo &info,
                      const OperationalInput &input, const GPU &gpu) {
  if (info.id == InstructionClass::LoadGlobal)
    return latencyThroughCaches(input.path[info.id], input.globalWaits, gpu);
  if (info.id == InstructionClass::LoadLocal)
    return latencyThroughCaches(input.path[info.id], input.localWaits, gpu);
  // A table of service times has what a lone job waits.
  if (info.id == InstructionClass::AtomicShared && gpu.sharedAtomicTimes)
    return 1;
  if (!info.latency)
    return 1; // to issue
  // What a description leaves out: a few times the latency of plain arithmetic.
  double arithmetic = gpu[Q::LatencyInt];
  switch (*info.latency) {
  case Q::LatencySfu:
  case Q::LatencyShuffle:
  case Q::LatencyBarrier:
    return gpu.valueOr(*info.latency, 5 * arithmetic);
  case Q::LatencyFp64:
    return gpu.valueOr(*info.latency, 2 * arithmetic);
  case Q::LatencyL1:
  case Q::LatencySharedAtomic:
    return gpu.valueOr(*info.latency, gpu[Q::LatencyShared]);
  case Q::LatencyGlobalAtomic:
    return latencyOfGlobalAtomic(gpu);
  default:
    return gpu.valueOr(*info.latency, arithmetic);
  }
}

MemoryWaits auspex::waitsForMemory(const OperationalInput &input,
                                   const GPU &gpu) {
  using enum InstructionClass;
  MemoryWaits waits;
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (isMemory(info.id) && input.path[info.id] > 0) {
      bool isNear = info.id == LoadShared || info.id == AtomicShared ||
                    info.id == LoadConstant;
      (isNear ? waits.near : waits.far) +=
          input.path[info.id] * latency(info, input, gpu);
    }
  return waits;
}

/// A predicate reaches a branch later than a result of arithmetic reaches what
/// uses it: 13 cycles from the comparison, by ptxas's control codes for 8.0 to
/// 12.0 (12 for 7.5). So much more for each branch on the chain that has its
/// comparison there, too; but divisions and roots, each with a special
/// function, compare what they are given long before they branch.
static double waitsOfBranches(const OperationalInput &input, const GPU &gpu) {
  using enum InstructionClass;
  constexpr double FromComparison = 13;
  double branches =
      std::min(input.path[Compare], input.path[Control]) - input.path[Sfu];
  return std::max(0.0, branches) *
         std::max(0.0, FromComparison - gpu[Q::LatencyInt]);
}

namespace {
/// The life of a warp alone on the SM.
struct Delays {
  double memory = 0, dependence = 0, barrier = 0, turnover = 0;
};
} // namespace

static Delays delaysOf(const OperationalInput &input, const GPU &gpu) {
  Delays delays;
  for (const InstructionClassInfo &info : instructionClassInfos()) {
    if (input.path[info.id] == 0 || isMemory(info.id))
      continue;
    double cycles = input.path[info.id] * latency(info, input, gpu);
    if (info.id == InstructionClass::Barrier)
      delays.barrier += cycles;
    else
      delays.dependence += cycles;
  }
  delays.dependence += waitsOfBranches(input, gpu);
  MemoryWaits waits = waitsForMemory(input, gpu);
  delays.memory = waits.far + waits.near;
  delays.turnover = gpu.valueOr(Q::BlockTurnover, 0);
  return delays;
}

/// Of \p longest loads those that wait, if they are served like the \p loads of
/// a warp in the mean, of which \p waits do.
static OperationalInput::Waits
waitsAsInTheMean(double longest, double loads,
                 const OperationalInput::Waits &waits) {
  double times = loads > 0 ? longest / loads : 0;
  return {waits.dram * times, waits.l2 * times};
}

double auspex::cyclesOfLongestBlock(const OperationalInput &input,
                                    const GPU &gpu) {
  if (input.longestPath.total() == 0)
    return 0;
  OperationalInput alone;
  alone.path = input.longestPath;
  auto waits = [&](InstructionClass load, const OperationalInput::Waits &mean) {
    return waitsAsInTheMean(alone.path[load], input.path[load], mean);
  };
  alone.globalWaits = waits(InstructionClass::LoadGlobal, input.globalWaits);
  alone.localWaits = waits(InstructionClass::LoadLocal, input.localWaits);
  Delays delays = delaysOf(alone, gpu);
  return delays.memory + delays.dependence + delays.barrier + delays.turnover;
}

/// What the loads of a warp wait longer at DRAM for each warp that an SM
/// completes in a cycle. DRAM does not turn to a load before it is through with
/// the writes that it is at, and with other loads from the same banks: so the
/// longer the larger the share of the time in which it writes and reads.
static double waitForOthersAtDram(const OperationalInput &input, const GPU &gpu,
                                  double sharers) {
  // Of DRAM's latency, where DRAM does nothing but read. Fitted to streams.
  constexpr double WaitForLoads = 0.4;
  double loads =
      loadsFromDram(input.path[InstructionClass::LoadGlobal],
                    input.globalWaits) +
      loadsFromDram(input.path[InstructionClass::LoadLocal], input.localWaits);
  double reads = sharedBusCycles(input.dramLoadInBytes,
                                 dramBandwidth(gpu, 1, 0), gpu, sharers);
  double writes = sharedBusCycles(input.dramStoreInBytes,
                                  dramBandwidth(gpu, 0, 1), gpu, sharers);
  double waitForWrites =
      gpu.valueOr(Q::DramWriteWait, 0) * 1e-3 * gpu.cyclesPerUs();
  return loads *
         (WaitForLoads * gpu[Q::LatencyDram] * reads + waitForWrites * writes);
}

//===----------------------------------------------------------------------===//
// All parts
//===----------------------------------------------------------------------===//

/// Where there are fewer lanes for doubles than sub-partitions, these share
/// them. Measured: hotspot of Rodinia, tiled in time, on an RTX A4000.
static bool hasOneFp64Pipe(const GPU &gpu) {
  double subPartitions = gpu[Q::SubPartitions];
  return gpu.valueOr(Q::ThroughputFp64, subPartitions) < subPartitions;
}

/// An instruction passes the issue slots and its pipe at the same time, so the
/// slowest of them is what a warp passes; and that on its own sub-partition.
static void passSlowest(llvm::MutableArrayRef<NetworkPart> parts,
                        const GPU &gpu) {
  NetworkPart *slowest = nullptr;
  for (NetworkPart &part : parts)
    if (part.place == NetworkPart::Place::Partition) {
      part.partitions = 0;
      if (!slowest || part.cycles > slowest->cycles)
        slowest = &part;
    }
  if (!slowest)
    return;
  slowest->partitions = slowest->name == Fp64Pipe && hasOneFp64Pipe(gpu)
                            ? 1
                            : gpu[Q::SubPartitions];
}

NetworkParts auspex::networkParts(const OperationalInput &input, const GPU &gpu,
                                  const SMLoad &load) {
  const InstructionMix &mix = input.instructions;
  PipeDemands pipes(mix, input.asMultiplyAdds, gpu);
  double l2 = input.l2LoadInBytes + input.l2StoreInBytes;
  double dram =
      input.dramLoadInBytes + input.dramStoreInBytes + input.dramIdleInBytes;
  Delays delays = delaysOf(input, gpu);
  using enum NetworkPart::Place;
  NetworkParts parts{
      {NetworkPart::IssueSlots, issuedInstructions(mix, gpu) / issueRate(gpu),
       Partition},
      {"fp32 pipe",
       pipes.demand(Pipe::Fp32) + chainCycles(input, InstructionClass::Fp32,
                                              gpu.find(Q::ThroughputFp32),
                                              gpu.find(Q::ThroughputFp32Chain)),
       Partition},
      {"integer pipe", gpu.arch < 70 ? 0 : pipes.demand(Pipe::Int), Partition},
      {Fp64Pipe,
       pipes.demand(Pipe::Fp64) + chainCycles(input, InstructionClass::Fp64,
                                              gpu.find(Q::ThroughputFp64),
                                              gpu.find(Q::ThroughputFp64Chain)),
       Partition},
      {"fp16 pipe", pipes.demand(Pipe::Fp16), Partition},
      {NetworkPart::SpecialFunctions, pipes.demand(Pipe::Sfu), Partition},
      {"tensor cores", pipes.demand(Pipe::Tensor), Partition},
      {"load/store units", loadStoreCycles(mix, gpu), SM},
      {"constant cache", constantCycles(input, gpu), SM},
      {"texture units", textureCycles(mix, gpu), SM},
      {"L1 and shared memory", l1Cycles(input, gpu), SM},
      sharedAtomics(input, gpu, load.warpsOf(input)),
      {"port to L2", portCycles(input, gpu), SM},
      {NetworkPart::BarrierUnit, barrierCycles(mix, gpu), SM},
      ofAllSMs("L2 bandwidth",
               sharedBusCycles(l2, gpu.valueOr(Q::L2Bandwidth, 0), gpu,
                               load.sharers),
               shareOfLoads(input.l2LoadInBytes, input.l2StoreInBytes)),
      ofAllSMs("partial stores", partialStoreCycles(input, gpu, load.sharers),
               0),
      ofAllSMs("global atomics", globalAtomicCycles(input, gpu, load.sharers)),
      ofAllSMs("DRAM bandwidth",
               sharedBusCycles(dram,
                               dramBandwidth(gpu, input.dramLoadInBytes,
                                             input.dramStoreInBytes),
                               gpu, load.sharers),
               shareOfLoads(input.dramLoadInBytes, input.dramStoreInBytes)),
      {"block starts", blockStartCycles(input, gpu, load.sharers), WholeGPU, 0},
      {NetworkPart::MemoryLatency,
       delays.memory,
       Delay,
       1,
       false,
       {},
       waitForOthersAtDram(input, gpu, load.sharers)},
      {NetworkPart::DependenceLatency, delays.dependence, Delay},
      {NetworkPart::Barriers, delays.barrier, Delay},
      {NetworkPart::Turnover, delays.turnover, Delay},
  };
  for (NetworkPart &part : parts)
    part.hasQueue = part.name == NetworkPart::SpecialFunctions ||
                    (part.name == Fp64Pipe && hasOneFp64Pipe(gpu));
  llvm::erase_if(parts, [](const NetworkPart &part) { return !part.cycles; });
  passSlowest(parts, gpu);
  return parts;
}

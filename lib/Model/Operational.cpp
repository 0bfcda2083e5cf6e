// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/Operational.h"

#include "OperationalNetwork.h"
#include "Phases.h"
#include "SharedRequests.h"
#include "Traffic/LocalTraffic.h"
#include "Traffic/StoreMerging.h"
#include "auspex/Model/OperationalMembers.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace auspex;

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

/// Cycles of L1 for spills and private arrays, a word a lane, per warp.
static double localCycles(const BoundKernel &kernel, const GPU &gpu) {
  using enum InstructionClass;
  double least = leastL1Cycles(MemoryGranularity::BankInBytes, gpu);
  double cycles =
      (kernel.instructions[LoadLocal] + kernel.instructions[StoreLocal]) *
      least;
  for (AccessKind kind : {AccessKind::Load, AccessKind::Store}) {
    ScatteredLocal scattered = scatteredLocal(kernel, kind, gpu);
    cycles += scattered.requests * std::max(0.0, scattered.l1Cycles - least) /
              std::max(1.0, kernel.warps());
  }
  return cycles;
}

/// The loop that stands for an atomic on shared memory runs as code of the
/// kernel.
static void addLoop(const BoundKernel &kernel, const Access &access,
                    const BoundAccess &bound, const GPU &gpu,
                    OperationalInput &input) {
  double warps = std::max(1.0, kernel.warps());
  double attempts = attemptsOfLoop(kernel, access, bound, gpu) / warps;
  if (attempts <= 0)
    return;
  InstructionMix work = workOfAttempt(access);
  input.instructions.add(work, attempts);
  input.path.add(work, attempts * kernel.blocks[access.block].warpsPerRunner);
  input.atomicRetries.add(work, attempts - bound.counts.requests / warps);
}

static void addShared(const SharedRequests &all, double warps,
                      OperationalInput &input) {
  input.sharedRequests += all.requests / warps;
  input.sharedPasses += all.passes / warps;
  input.fewestSharedPasses += all.fewestPasses / warps;
}

namespace {
/// What loads from constant memory find apart. Those at a constant place are no
/// loads once they are machine code; nor do they count in the mix.
struct ConstantLoads {
  double requests = 0, places = 0;

  void add(const Access &load, const RequestCounts &counts) {
    if (load.offset.isKnown() && load.offset.expr.isConstant())
      return;
    double words = MemoryGranularity::words(load.bytesPerLane);
    requests += counts.requests;
    places += counts.sectors / words;
  }

  double wordsPerLoad() const {
    return requests > 0 ? std::max(1.0, places / requests) : 1;
  }
};
} // namespace

/// Of each access \p sharesLeft is in machine code.
static void addRequests(const BoundKernel &kernel, const GPU &gpu,
                        llvm::ArrayRef<LoadShare> sharesLeft,
                        OperationalInput &input) {
  double sector = gpu[Q::Sector], warps = std::max(1.0, kernel.warps());
  ConstantLoads constantLoads;
  for (auto [access, bound, left] :
       llvm::zip(kernel.summary->accesses, kernel.accesses, sharesLeft)) {
    const RequestCounts &counts = bound.inMachineCode();
    switch (access.space) {
    case MemorySpace::Shared:
      if (access.kind == AccessKind::Atomic) {
        input.sharedAtomics.add(
            sharedAtomicDemand(access,
                               countsOfFirstRound(kernel, access, counts), gpu),
            1 / warps);
        addLoop(kernel, access, bound, gpu, input);
      }
      addShared(sharedRequestsOf(kernel, access, bound, left, gpu), warps,
                input);
      break;
    case MemorySpace::Global:
    case MemorySpace::Unknown:
      input.l1Cycles += l1CyclesOf(access, counts, gpu) / warps;
      if (access.kind != AccessKind::Store) {
        input.requestedLoadInBytes += counts.sectors * sector / warps;
        input.fewestLoadInBytes +=
            std::min(counts.sectors, counts.fewestSectors) * sector / warps;
      }
      if (access.kind != AccessKind::Load) {
        input.requestedStoreInBytes += counts.sectors * sector / warps;
        input.fewestStoreInBytes +=
            std::min(counts.sectors, counts.fewestSectors) * sector / warps;
      }
      break;
    case MemorySpace::Constant:
      constantLoads.add(access, counts);
      break;
    case MemorySpace::Local:
    case MemorySpace::Texture:
      break;
    }
  }
  input.l1Cycles += localCycles(kernel, gpu);
  for (const StoredSectors &stored : storedSectors(kernel, sector))
    input.partialStores += stored.partialPackets / warps;
  input.partialStores +=
      scatteredLocal(kernel, AccessKind::Store, gpu).stored.partialPackets /
      warps;
  input.constantWords = kernel.instructions[InstructionClass::LoadConstant] *
                        constantLoads.wordsPerLoad();
}

static void addTraffic(const MemoryTraffic &traffic, double warps,
                       OperationalInput &input) {
  input.l2LoadInBytes = traffic.sum(&ObjectTraffic::l2LoadInBytes) / warps;
  input.l2StoreInBytes = traffic.sum(&ObjectTraffic::l2StoreInBytes) / warps;
  input.dramLoadInBytes = traffic.sum(&ObjectTraffic::dramLoadInBytes) / warps;
  input.dramStoreInBytes =
      traffic.sum(&ObjectTraffic::dramStoreInBytes) / warps;
  input.dramIdleInBytes = traffic.sum(&ObjectTraffic::dramIdleInBytes) / warps;
}

/// Where the loads of class \p id on the chain find their data. A wait is for
/// all loads of a block of code that overlap, and the slowest of them counts:
/// as many of the block's waits are for DRAM as it has loads from there, at
/// most all. \p far has, per block, the loads of all warps that go to DRAM, and
/// those that go to L2 at least. Where the loads of several blocks of a loop
/// overlap, the chain is that of one of them: what the others do not wait for
/// themselves, once each time they run, is waited for there.
static OperationalInput::Waits
waitsOf(const BoundKernel &kernel, InstructionClass id,
        llvm::ArrayRef<OperationalInput::Waits> far) {
  /// Of all waits of a loop, those that are for something far away.
  struct LoopWaits {
    double all = 0, dram = 0, atLeastL2 = 0;
  };
  std::map<int, LoopWaits> loops;
  for (auto [block, runs, loads] :
       llvm::zip(kernel.summary->blocks, kernel.blocks, far)) {
    double waits = 0;
    for (auto [code, times] :
         llvm::zip(block.code, codeExecutions(block, runs)))
      waits += times * waitedFor(code, id) * runs.warpsPerRunner;
    double ofAll = std::max(waits, runs.warpExecutions * runs.warpsPerRunner);
    auto waitsFor = [&](double far) {
      return std::min(far * runs.warpsPerRunner, ofAll);
    };
    LoopWaits &ofLoop = loops[block.loop];
    ofLoop.all += waits;
    ofLoop.dram += waitsFor(loads.dram);
    ofLoop.atLeastL2 += waitsFor(loads.l2);
  }
  OperationalInput::Waits result;
  double warps = std::max(1.0, kernel.warps());
  for (const auto &[loop, waits] : loops) {
    double dram = std::min(waits.all, waits.dram);
    result.dram += dram / warps;
    result.l2 +=
        std::clamp(waits.atLeastL2 - dram, 0.0, waits.all - dram) / warps;
  }
  return result;
}

/// Of \p count loads of an object those that find their data far away, by \p
/// weight more often than all that is requested of it. What several warps of a
/// block ask for side by side is under way for all of them.
static OperationalInput::Waits
farLoads(double count, const ObjectTraffic &object, double weight = 1) {
  double requested = object.requestedLoadInBytes;
  if (object.sideBySideLoadInBytes > 0)
    requested = std::min(requested, object.sideBySideLoadInBytes);
  auto share = [&](double bytes) {
    return std::min(1.0, weight * bytes / requested);
  };
  if (requested <= 0)
    return {};
  return {count * share(object.dramLoadInBytes),
          count * share(object.l2LoadInBytes)};
}

/// How much more often than in the mean \p loop asks for what its block of
/// threads has not asked for there, of \p requested bytes.
static double weightOfLoop(const ObjectTraffic &object, int loop,
                           double requested) {
  double all = 0, ofLoop = 0;
  for (const auto &[number, bytes] : object.distinctLoadInBytes) {
    all += bytes;
    if (number == loop)
      ofLoop = bytes;
  }
  if (all <= 0 || requested <= 0)
    return 1;
  return ofLoop / requested * object.requestedLoadInBytes / all;
}

static void addWaits(const BoundKernel &kernel, const MemoryTraffic &traffic,
                     const GPU &gpu, OperationalInput &input) {
  std::vector<OperationalInput::Waits> global(kernel.blocks.size()),
      local(kernel.blocks.size());
  auto add = [](OperationalInput::Waits &to,
                const OperationalInput::Waits &loads) {
    to.dram += loads.dram;
    to.l2 += loads.l2;
  };
  /// What a block of code loads of an object.
  struct Loads {
    double sectors = 0, fewestOfRequest = INFINITY;
  };
  std::map<std::pair<unsigned, int>, Loads> loadsOf;
  std::map<std::pair<int, int>, double> sectorsOfLoop;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (bound.object < 0 || access.kind != AccessKind::Load)
      continue;
    sectorsOfLoop[{bound.object, kernel.summary->blocks[access.block].loop}] +=
        bound.counts.sectors;
    Loads &loads = loadsOf[{access.block, bound.object}];
    loads.sectors += bound.counts.sectors;
    loads.fewestOfRequest = std::min(
        loads.fewestOfRequest, bound.counts.sectors / bound.counts.requests);
  }
  // Sectors that requests share count for the one that has the fewest: x[i + 1]
  // beside x[i] does not make the wait for x[i] shorter.
  std::map<std::pair<int, int>, OperationalInput::Waits> farOfLoop;
  auto loopOf = [&](unsigned block) {
    return kernel.summary->blocks[block].loop;
  };
  for (const auto &[place, loads] : loadsOf) {
    const ObjectTraffic &object = traffic.objects[place.second];
    int loop = loopOf(place.first);
    add(farOfLoop[{place.second, loop}],
        farLoads(loads.sectors / loads.fewestOfRequest, object,
                 weightOfLoop(object, loop,
                              sectorsOfLoop[{place.second, loop}] *
                                  gpu[Q::Sector])));
  }
  // Of several blocks of code the first ones find nothing, and the last ones
  // what these have loaded.
  for (const auto &[place, loads] : loadsOf) {
    double count = loads.sectors / loads.fewestOfRequest;
    OperationalInput::Waits &left =
        farOfLoop[{place.second, loopOf(place.first)}];
    OperationalInput::Waits taken{std::min(count, left.dram),
                                  std::min(count, left.l2)};
    add(global[place.first], taken);
    left.dram -= taken.dram;
    left.l2 -= taken.l2;
  }
  input.globalWaits = waitsOf(kernel, InstructionClass::LoadGlobal, global);
  if (kernel.instructions[InstructionClass::LoadLocal] <= 0)
    return;
  ObjectTraffic spills = localMemoryTraffic(kernel, gpu);
  for (auto [block, runs, loads] :
       llvm::zip(kernel.summary->blocks, kernel.blocks, local))
    for (auto [code, times] :
         llvm::zip(block.code, codeExecutions(block, runs)))
      add(loads,
          farLoads(times * code.mix[InstructionClass::LoadLocal], spills));
  input.localWaits = waitsOf(kernel, InstructionClass::LoadLocal, local);
}

OperationalInput auspex::operationalInput(const BoundKernel &kernel,
                                          const MemoryTraffic &traffic,
                                          const GPU &gpu) {
  OperationalInput input;
  input.blocks = static_cast<double>(kernel.shape.grid.count());
  input.warpsPerBlock = kernel.shape.warpsPerBlock();
  input.activeBlocksPerSM = std::max(1u, kernel.occupancy.activeBlocksPerSM);
  input.maxWarpsPerSM = gpu[Q::MaxThreadsPerSM] / LaunchShape::WarpSize;
  input.instructions = kernel.instructions;
  input.path = kernel.path;
  input.longestPath = kernel.longestPath;
  input.threeOperands = kernel.threeOperands;
  input.asMultiplyAdds = kernel.asMultiplyAdds;
  input.shareAtWork = kernel.shareAtWork;
  input.activeLanes = kernel.activeLanes;
  std::vector<LoadShare> sharesLeft = sharesLeftOfLoads(kernel);
  addRequests(kernel, gpu, sharesLeft, input);
  input.globalAtomicSteps =
      globalAtomicSteps(kernel, gpu) / std::max(1.0, kernel.warps());
  PhaseSums phases = sumPhases(kernel, gpu, sharesLeft);
  input.phaseCycles = phases.cycles;
  input.fillingWork = phases.fillingWork;
  input.fillingWaits = phases.fillingWaits;
  addTraffic(traffic, std::max(1.0, kernel.warps()), input);
  addWaits(kernel, traffic, gpu, input);
  return input;
}

void auspex::removeLocalMemory(OperationalInput &input,
                               const BoundKernel &kernel, const GPU &gpu) {
  for (InstructionClass id :
       {InstructionClass::LoadLocal, InstructionClass::StoreLocal})
    input.clear(id);
  ObjectTraffic traffic = localMemoryTraffic(kernel, gpu);
  input.localWaits = {};
  double warps = std::max(1.0, kernel.warps());
  auto remove = [](double &from, double part) {
    from = std::max(0.0, from - part);
  };
  remove(input.l1Cycles, localCycles(kernel, gpu));
  remove(input.partialStores,
         scatteredLocal(kernel, AccessKind::Store, gpu).stored.partialPackets /
             warps);
  remove(input.l2LoadInBytes, traffic.l2LoadInBytes / warps);
  remove(input.l2StoreInBytes, traffic.l2StoreInBytes / warps);
  remove(input.dramLoadInBytes, traffic.dramLoadInBytes / warps);
  remove(input.dramStoreInBytes, traffic.dramStoreInBytes / warps);
}

NamedValues auspex::listValues(const OperationalInput &input) {
  NamedValues values;
  visitMembers(input, [&](llvm::StringRef key, llvm::StringRef unit,
                          const auto &member) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(member)>>) {
      values.add(key, unit, member);
    } else {
      if (&member == &input.instructions)
        values.add("insts", unit, member.total());
      llvm::json::Object counts;
      for (const InstructionClassInfo &info : instructionClassInfos())
        if (member[info.id] > 0)
          counts[info.name] = member[info.id];
      values.addObject(key, unit, std::move(counts));
    }
  });
  return values;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

static double launchOverheadInUs(const GPU &gpu) {
  return gpu.valueOr(Q::LaunchOverhead, 0);
}

/// The wave that does not fill the GPU. Where only some SMs have one block more
/// than the others, it takes no less than without these blocks. \p result is of
/// a launch that has no other wave, so that its blocks start together; else
/// null.
static double cyclesOfRest(const OperationalInput &input, const GPU &gpu,
                           double blocks, OperationalResult *result) {
  double startTogether = result ? 1 : 0;
  SMLoad load(blocks, gpu, startTogether);
  double cycles = cyclesOfWave(input, gpu, load, result);
  double even = (load.blocksPerSM - 1) * gpu[Q::SMCount];
  if (even == 0)
    return cycles;
  return std::max(
      cycles,
      cyclesOfWave(input, gpu, SMLoad(even, gpu, startTogether), nullptr));
}

OperationalResult auspex::evaluateOperational(const OperationalInput &input,
                                              const GPU &gpu) {
  OperationalResult result;
  double sms = gpu[Q::SMCount];
  double resident = sms * input.activeBlocksPerSM;
  result.fullWaves = std::floor(input.blocks / resident);
  double rest = input.blocks - result.fullWaves * resident;
  result.launchOverheadInUs = launchOverheadInUs(gpu);

  double cycles = 0;
  if (result.fullWaves > 0) {
    SMLoad load(resident, gpu, 1 / result.fullWaves);
    cycles += result.fullWaves * cyclesOfWave(input, gpu, load, &result);
  }
  if (rest > 0) {
    double before = cycles;
    cycles += cyclesOfRest(input, gpu, rest,
                           result.fullWaves > 0 ? nullptr : &result);
    if (before > 0)
      result.shareAtPace =
          std::min(1.0, before / cycles * input.blocks / (input.blocks - rest));
  }
  double longest = cyclesOfLongestBlock(input, gpu);
  result.isOfLongestBlock = longest > cycles;
  result.timeInUs =
      result.launchOverheadInUs + std::max(cycles, longest) / gpu.cyclesPerUs();
  return result;
}

NamedValues auspex::operationalBounds(const OperationalInput &input,
                                      const GPU &gpu) {
  NamedValues bounds;
  SMLoad load(std::min(input.blocks, gpu[Q::SMCount] * input.activeBlocksPerSM),
              gpu);
  double warpsPerSM = input.blocks * input.warpsPerBlock / load.sharers;
  for (const NetworkPart &part : networkParts(input, gpu, load))
    if (!part.isDelay())
      bounds.add(part.name, "us", part.cycles * warpsPerSM / gpu.cyclesPerUs());
  return bounds;
}

//===----------------------------------------------------------------------===//
// What limits, and what would help
//===----------------------------------------------------------------------===//

Limiter auspex::operationalLimiter(const OperationalResult &result) {
  if (result.timeInUs <= 0)
    return {"launch overhead", 0};
  double overhead = result.launchOverheadInUs / result.timeInUs;
  Limiter limiter{"launch overhead", overhead};
  if (result.isOfLongestBlock)
    return overhead > 1 - overhead ? limiter
                                   : Limiter{"longest block", 1 - overhead};
  for (const Station &station : result.stations) {
    double busy = station.isDelay ? station.demandInCycles / result.cycleTime
                                  : station.utilization;
    double share = std::min(1.0, busy) * result.shareAtPace * (1 - overhead);
    if (share > limiter.share)
      limiter = {station.name, share};
  }
  return limiter;
}

namespace {
/// One what-if: how the input looks when one thing is ideal.
struct WhatIf {
  llvm::StringRef id, description;
  void (*apply)(OperationalInput &, const GPU &);
};
} // namespace

static void idealMemoryParallelism(OperationalInput &input, const GPU &) {
  // All loads of a warp wait together, once.
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (isMemory(info.id) && isLoad(info.id))
      for (InstructionMix *path : {&input.path, &input.longestPath})
        (*path)[info.id] = std::min(1.0, (*path)[info.id]);
}

static void idealInstructionParallelism(OperationalInput &input, const GPU &) {
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (!isMemory(info.id) && info.id != InstructionClass::Barrier)
      input.path[info.id] = input.longestPath[info.id] = 0;
}

static void idealSerialization(OperationalInput &input, const GPU &) {
  input.sharedPasses = std::min(input.sharedPasses, input.fewestSharedPasses);
  input.constantWords = std::min(
      input.constantWords, input.instructions[InstructionClass::LoadConstant]);
  input.sharedAtomics = input.sharedAtomics.withoutCollisions();
  input.globalAtomicSteps = 0;
  for (InstructionMix *mix : {&input.instructions, &input.path})
    for (const InstructionClassInfo &info : instructionClassInfos())
      (*mix)[info.id] =
          std::max(0.0, (*mix)[info.id] - input.atomicRetries[info.id]);
  input.clear(InstructionClass::Barrier);
  input.shareAtWork = 1;
  // With every lane active, fewer instructions do the same work.
  double share = input.activeLanes / LaunchShape::WarpSize;
  input.instructions = input.instructions.scaled(share);
}

static void idealComputing(OperationalInput &input, const GPU &) {
  using enum InstructionClass;
  for (const InstructionClassInfo &info : instructionClassInfos()) {
    bool essential = info.id == Fp32 || info.id == Fp64 || info.id == Fp16 ||
                     info.id == Sfu || info.pipe == Pipe::Tensor ||
                     isMemory(info.id) || info.id == Barrier;
    if (essential)
      continue;
    input.clear(info.id);
  }
}

static void idealCoalescing(OperationalInput &input, const GPU &gpu) {
  // L2 moves more than what is asked for here: textures and local memory.
  auto shrink = [](double &requested, double fewest, double &l2, double &dram) {
    if (requested <= fewest)
      return;
    l2 = std::max(std::min(l2, fewest), l2 - (requested - fewest));
    requested = fewest;
    dram = std::min(dram, l2);
  };
  using enum InstructionClass;
  double bytes = input.fewestLoadInBytes + input.fewestStoreInBytes;
  double requests = input.instructions[LoadGlobal] +
                    input.instructions[StoreGlobal] +
                    input.instructions[AtomicGlobal];
  input.l1Cycles =
      std::min(input.l1Cycles, std::max(bytes / l1BytesPerCycle(gpu),
                                        requests * cyclesPerRequest(gpu)));
  shrink(input.requestedLoadInBytes, input.fewestLoadInBytes,
         input.l2LoadInBytes, input.dramLoadInBytes);
  shrink(input.requestedStoreInBytes, input.fewestStoreInBytes,
         input.l2StoreInBytes, input.dramStoreInBytes);
  input.partialStores = 0;
  input.dramIdleInBytes = 0;
}

static void idealLocality(OperationalInput &input, const GPU &) {
  // Each byte moves once, through L2 too.
  input.l2LoadInBytes = std::min(input.l2LoadInBytes, input.dramLoadInBytes);
  input.l2StoreInBytes = std::min(input.l2StoreInBytes, input.dramStoreInBytes);
  input.globalWaits.l2 = 0;
}

static void idealOccupancy(OperationalInput &input, const GPU &gpu) {
  unsigned blocks = input.maxWarpsPerSM / input.warpsPerBlock;
  blocks = std::min<unsigned>(blocks, gpu[Q::MaxBlocksPerSM]);
  input.activeBlocksPerSM = std::max(input.activeBlocksPerSM, blocks);
}

static constexpr WhatIf whatIfs[] = {
    {"memory-parallelism", "all loads of a warp overlapping",
     idealMemoryParallelism},
    {"instruction-parallelism", "no instruction waiting for another's result",
     idealInstructionParallelism},
    {"serialization",
     "no barriers, bank conflicts, divergence or colliding atomics",
     idealSerialization},
    {"computing-efficiency", "only floating-point work and memory accesses",
     idealComputing},
    {"coalescing", "every access at its fewest sectors", idealCoalescing},
    {"locality", "each byte moved once", idealLocality},
    {"occupancy", "as many resident warps as the SM can hold", idealOccupancy},
};

std::vector<Benefit> auspex::operationalBenefits(const OperationalInput &input,
                                                 const GPU &gpu,
                                                 double timeInUs) {
  std::vector<Benefit> benefits;
  auto add = [&](llvm::StringRef id, llvm::StringRef description,
                 double ideal) {
    benefits.push_back({id.str(), description.str(),
                        std::clamp(timeInUs - ideal, 0.0, timeInUs)});
  };
  for (const WhatIf &whatIf : whatIfs) {
    OperationalInput ideal = input;
    whatIf.apply(ideal, gpu);
    add(whatIf.id, whatIf.description,
        ideal == input ? timeInUs : evaluateOperational(ideal, gpu).timeInUs);
  }
  // A grid that fills its waves: the same blocks at the pace of its full waves,
  // or of one.
  OperationalInput full = input;
  double resident = gpu[Q::SMCount] * input.activeBlocksPerSM;
  full.blocks = resident * std::max(1.0, std::floor(input.blocks / resident));
  double overhead = launchOverheadInUs(gpu);
  double pace =
      (evaluateOperational(full, gpu).timeInUs - overhead) / full.blocks;
  add("tail", "a grid that fills its last wave",
      overhead + pace * input.blocks);
  return benefits;
}

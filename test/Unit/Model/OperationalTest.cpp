// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the model takes into account, each on an input that shows it.

#include "auspex/Model/Operational.h"

#include "OperationalTime.h"
#include "auspex/HW/GPU.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>

using namespace auspex;
using namespace auspex::test;

namespace {

/// An input of so many waves, with \p blocks of 8 warps on each SM.
OperationalInput wavesOf(double waves, unsigned blocks, const GPU &gpu) {
  OperationalInput input;
  input.warpsPerBlock = 8;
  input.activeBlocksPerSM = blocks;
  input.blocks = gpu[Q::SMCount] * blocks * waves;
  return input;
}

// A block alone on its SM leaves DRAM to those of other SMs while it starts and
// ends; where all start at once, nobody has work for it then.
TEST(Operational, BlocksAloneOnTheirSMsShareDram) {
  GPU gpu = llvm::cantFail(findGPU("RTX-3090"));
  auto cyclesOf = [&](double waves) {
    OperationalInput input = wavesOf(waves, 1, gpu);
    input.warpsPerBlock = 32;
    input.instructions[InstructionClass::LoadGlobal] = 1;
    input.path[InstructionClass::LoadGlobal] = 1;
    input.path[InstructionClass::Fp32] = 400;
    input.instructions[InstructionClass::Fp32] = 400;
    input.globalWaits.dram = 1;
    input.l2LoadInBytes = input.dramLoadInBytes = input.requestedLoadInBytes =
        input.fewestLoadInBytes = 1024;
    return evaluateOperational(input, gpu);
  };
  OperationalResult one = cyclesOf(1), many = cyclesOf(1000);
  auto busy = [](const OperationalResult &result) {
    return llvm::find_if(result.stations,
                         [](const Station &station) {
                           return station.name == "DRAM bandwidth";
                         })
        ->utilization;
  };
  EXPECT_LT(busy(one), 0.7);
  EXPECT_GT(busy(many), 0.8);
}

TEST(Operational, ALoneWarpHasOneSubPartition) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  OperationalInput input;
  input.instructions[InstructionClass::Fp32] = 1e6;
  // A quarter of 64 lanes: two cycles an instruction.
  EXPECT_GE(timeOf(input, gpu), 2e6 / gpu.cyclesPerUs());
}

// GA10x has two lanes for doubles an SM, fewer than sub-partitions: a warp
// alone has both, 18 cycles an instruction, and a second one waits for them
// wherever it is.
TEST(Operational, FewLanesForDoublesServeAllSubPartitions) {
  GPU gpu = llvm::cantFail(findGPU("RTX-A4000"));
  OperationalInput input;
  input.instructions[InstructionClass::Fp64] = 1e6;
  double alone = timeOf(input, gpu);
  EXPECT_NEAR(alone * gpu.cyclesPerUs() / 18e6, 1, 0.01);
  input.warpsPerBlock = 2;
  EXPECT_NEAR(timeOf(input, gpu) / alone, 2, 0.01);
}

// Who waits for the few lanes for doubles stands in a queue, as for special
// functions, and the schedulers go on with loads.
TEST(Operational, FewLanesForDoublesAreHiddenLikeSpecialFunctions) {
  GPU gpu = llvm::cantFail(findGPU("RTX-A4000"));
  OperationalInput input = wavesOf(100, 6, gpu);
  input.l1Cycles = 1e6;
  auto cyclesWith = [&](InstructionClass id, double throughput) {
    OperationalInput both = input;
    both.instructions[id] = 0.5e6 * throughput / 32;
    return timeOf(both, gpu) * gpu.cyclesPerUs() / (48 * 100 * 1e6);
  };
  double doubles = cyclesWith(InstructionClass::Fp64, gpu[Q::ThroughputFp64]);
  EXPECT_NEAR(doubles, std::pow(1 + std::pow(0.5, 2.2), 1 / 2.2), 0.01);
  EXPECT_NEAR(cyclesWith(InstructionClass::Sfu, gpu[Q::ThroughputSfu]), doubles,
              0.01);
  EXPECT_GT(cyclesWith(InstructionClass::Fp32, gpu[Q::ThroughputFp32]),
            1.03 * doubles);
}

// What gives the time is what limits it, also where that is one sub-partition's
// pipe and the other three are idle.
TEST(Operational, TheSubPartitionOfALoneWarpIsBusy) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  OperationalInput input;
  input.instructions[InstructionClass::Fp32] = 1e6;
  input.path[InstructionClass::Fp32] = 1e5;
  OperationalResult result = evaluateOperational(input, gpu);
  Limiter limiter = operationalLimiter(result);
  EXPECT_EQ(limiter.name, "fp32 pipe");
  EXPECT_GT(limiter.share, 0.99);
  // Issuing takes a cycle of the scheduler, half of what the pipe takes.
  auto issue = llvm::find_if(result.stations, [](const Station &station) {
    return station.name == "issue slots";
  });
  ASSERT_NE(issue, result.stations.end());
  EXPECT_NEAR(issue->utilization, 0.5, 1e-3);
}

/// Eight warps on an SM whose instructions wait for each other.
double timeOfChain(const char *gpuName, unsigned activeBlocks) {
  GPU gpu = llvm::cantFail(findGPU(gpuName));
  OperationalInput input = wavesOf(1, activeBlocks, gpu);
  input.instructions[InstructionClass::Fp32] = 65536;
  input.path[InstructionClass::Fp32] = 65536;
  input.threeOperands[InstructionClass::Fp32] = 65536;
  double start = gpu.valueOr(Q::BlockTurnover, 0);
  return (timeOf(input, gpu) - gpu.valueOr(Q::LaunchOverhead, 0)) *
             gpu.cyclesPerUs() -
         start;
}

// A latency is that of an instruction alone, its time in the pipe included.
TEST(Operational, AChainTakesItsLatencies) {
  EXPECT_NEAR(timeOfChain("V100-PCIe", 1) / 65536, 4, 0.6);
  EXPECT_NEAR(timeOfChain("A40", 1) / 65536, 4, 0.6);
}

// Of the control codes of ptxas: ISETP waits 13 cycles before the BRA that it
// guards.
TEST(Operational, ABranchComes13CyclesAfterItsComparison) {
  for (const char *name : {"A40", "A100-40GB", "H100-SXM"}) {
    GPU gpu = llvm::cantFail(findGPU(name));
    OperationalInput input;
    input.blocks = gpu[Q::SMCount];
    input.instructions[InstructionClass::Compare] = 1e4;
    input.instructions[InstructionClass::Control] = 1e4;
    input.path = input.instructions;
    double cycles = (timeOf(input, gpu) - gpu.valueOr(Q::LaunchOverhead, 0)) *
                    gpu.cyclesPerUs() / 1e4;
    EXPECT_NEAR(cycles, 13 + gpu[Q::LatencyInt], 0.1) << name;
  }
}

// A multiply-add of doubles reads six registers.
TEST(Operational, AChainOfDoublesTakesThreeCyclesWhereTwoWouldDo) {
  GPU gpu = llvm::cantFail(findGPU("H100-SXM-94GB"));
  OperationalInput input = wavesOf(100, 8, gpu);
  input.instructions[InstructionClass::Fp64] = 1e5;
  double independent = timeOf(input, gpu);
  input.path[InstructionClass::Fp64] = 1e5;
  EXPECT_NEAR(timeOf(input, gpu) / independent, 1, 0.01) << "additions";
  input.threeOperands[InstructionClass::Fp64] = 1e5;
  EXPECT_NEAR(timeOf(input, gpu) / independent, 1.5, 0.01);
}

// S. Kuckuk measured 2.0 cycles a multiply-add of a sub-partition on an A40,
// which has 32 lanes there: 6 blocks of 8 warps are 12 warps.
TEST(Operational, AChainLeavesHalfOfTheLanesIdleWhereRegistersAreShort) {
  EXPECT_NEAR(timeOfChain("A40", 6) / 65536, 24, 0.5);
}

// KTT's convolution on an RTX 2080 Ti: two cycles a pass of shared memory, and
// some of the arithmetic is not hidden under them.
TEST(Operational, PassesOfTuringTakeTwoCycles) {
  GPU gpu = llvm::cantFail(findGPU("RTX-2080-Ti"));
  OperationalInput input;
  input.warpsPerBlock = 4;
  input.activeBlocksPerSM = 8;
  input.blocks = 8000.0 * gpu[Q::SMCount];
  input.sharedRequests = input.sharedPasses = 1000;
  input.instructions[InstructionClass::LoadShared] = 1000;
  double passes = timeOf(input, gpu);
  EXPECT_NEAR(passes * gpu.cyclesPerUs() / (32000 * 1000.0 * 2), 1, 0.05);
  input.instructions[InstructionClass::Fp32] = 2000;
  EXPECT_NEAR(timeOf(input, gpu) * gpu.cyclesPerUs() / (32000 * 1000.0),
              std::pow(std::pow(2, 2.2) + std::pow(1.15, 2.2), 1 / 2.2), 0.05);
}

// A block alone on its SM has nobody to work while its warps wait.
TEST(Operational, BarriersOfALoneBlockAreNeverFree) {
  GPU gpu = llvm::cantFail(findGPU("H100-PCIe"));
  OperationalInput input;
  input.blocks = gpu[Q::SMCount];
  input.warpsPerBlock = 32;
  input.instructions[InstructionClass::Fp32] = 1e5;
  input.sharedPasses = input.sharedRequests = 3e3;
  double before = timeOf(input, gpu);
  constexpr double Barriers = 1000;
  input.instructions[InstructionClass::Barrier] = Barriers;
  input.path[InstructionClass::Barrier] = Barriers;
  double cycles = (timeOf(input, gpu) - before) * gpu.cyclesPerUs();
  EXPECT_GE(cycles, 0.99 * Barriers * gpu[Q::LatencyBarrier]);
}

/// Eight warps on an SM, one block, with as much work on memory as on
/// arithmetic; cycles by those of either.
double cyclesByWork(double shareAtWork) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  OperationalInput input;
  input.blocks = gpu[Q::SMCount];
  input.warpsPerBlock = 8;
  input.shareAtWork = shareAtWork;
  input.instructions[InstructionClass::Fp32] = 2e6;
  input.sharedPasses = input.sharedRequests = 1e6;
  return timeOf(input, gpu) * gpu.cyclesPerUs() / 8e6;
}

// Eight warps are two a scheduler. If half of them are at work at a time, each
// waits for memory and then computes while its scheduler has nobody else; if
// three quarters are, it has somebody half of the time.
TEST(Operational, AWarpAloneAtWorkHidesNothing) {
  EXPECT_LT(cyclesByWork(1), 1.6);
  double hidden = std::pow(1 + std::pow(1.1, 2.2), 1 / 2.2);
  EXPECT_NEAR(cyclesByWork(0.75), (2 + hidden) / 2, 0.01);
  EXPECT_NEAR(cyclesByWork(0.5), 2, 0.01);
}

/// The time of full waves that keep L1 and DRAM busy for as long, over what one
/// of them takes, where a warp waits so often.
double timeOverOfOne(double waits) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  OperationalInput input = wavesOf(100, 8, gpu);
  input.path[InstructionClass::LoadGlobal] = waits;
  input.l1Cycles = 1e6;
  input.dramLoadInBytes = input.l1Cycles * gpu[Q::DramReadBandwidth] * 1e3 /
                          gpu.cyclesPerUs() / gpu[Q::SMCount];
  double cycles = 64 * 100 * input.l1Cycles;
  return timeOf(input, gpu) * gpu.cyclesPerUs() / cycles;
}

// All of a warp's accesses between two waits go the same way at the same time.
TEST(Operational, FarMemoryStandsIdleWhileTheSMIsAtWhatItHasLoaded) {
  EXPECT_NEAR(timeOverOfOne(1), std::pow(2, 1 / 2.7), 0.01);
  EXPECT_LT(timeOverOfOne(1000), 1.05);
}

// Lanes far apart take a few words of many sectors, whose tags are looked up
// four at a time.
TEST(Operational, SectorsOfL1AreNotReadWhole) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  OperationalInput input;
  input.warpsPerBlock = 8;
  input.instructions[InstructionClass::LoadGlobal] = 1e6;
  input.l1Cycles = 3e6;
  double time = timeOf(input, gpu);
  input.requestedLoadInBytes = 32 * 32e6;
  EXPECT_EQ(timeOf(input, gpu), time);
}

// One warp of four does it all.
TEST(Operational, ABlockLivesAsLongAsItsBusiestWarp) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  OperationalInput input;
  input.warpsPerBlock = 4;
  input.instructions[InstructionClass::Fp32] = 1e6;
  EXPECT_LT(timeOf(input, gpu) * gpu.cyclesPerUs(), 2.1e6);
  input.shareAtWork = 0.25;
  EXPECT_NEAR(timeOf(input, gpu) * gpu.cyclesPerUs(), 8e6, 1e4);
}

// However little a block does, the GPU starts only so many of them.
TEST(Operational, BlocksStartOneAfterTheOther) {
  GPU gpu = llvm::cantFail(findGPU("V100-PCIe"));
  OperationalInput input;
  input.blocks = 1 << 20;
  input.activeBlocksPerSM = 32;
  input.instructions[InstructionClass::IntAdd] = 1;
  double cycles = timeOf(input, gpu) * gpu.cyclesPerUs();
  EXPECT_NEAR(cycles * gpu[Q::BlockStartRate], input.blocks,
              0.01 * input.blocks);
}

// More SMs may be slower if they share L2 and DRAM: each has its slice of them,
// which serves one warp the slower the more SMs there are; and a grid that
// filled its waves may not do so any more.
TEST(Operational, ASliceOfDramServesALoneWarpSlowly) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB")), larger = gpu;
  OperationalInput input;
  input.blocks = 2 * gpu[Q::SMCount];
  input.activeBlocksPerSM = 8;
  input.path[InstructionClass::LoadGlobal] = input.globalWaits.dram = 1;
  input.l2LoadInBytes = input.dramLoadInBytes = 4096;
  larger.set(Q::SMCount,
             {2 * gpu[Q::SMCount], SourceKind::Assumed, "the test"});
  EXPECT_GT(timeOf(input, larger), timeOf(input, gpu));
}

/// Blocks of 4 warps, \p blocks of them on an SM, that load and meet. Of a warp
/// arithmetic and shared memory then take 1000 cycles each.
OperationalInput loadsThenWork(double blocks, double barriers) {
  OperationalInput input;
  input.blocks = 1e6;
  input.warpsPerBlock = 4;
  input.activeBlocksPerSM = blocks;
  input.instructions[InstructionClass::Fp32] = 2000;
  input.sharedPasses = input.fewestSharedPasses = 1000;
  input.path[InstructionClass::LoadGlobal] = 8;
  input.globalWaits.dram = 8;
  input.path[InstructionClass::Barrier] = barriers;
  input.fillingWaits = 1;
  return input;
}

// Two blocks of W cycles of work that wait Z for what they work on. Half of the
// other one is found by the first at least: alone it takes R = 3 W / 2, so that
// the second finds R / (Z + R) of it.
TEST(Operational, FewBlocksDoNotHideWhatTheyWaitForBeforeBarriers) {
  GPU gpu = llvm::cantFail(findGPU("V100-PCIe"));
  gpu.set(Q::SharedBandwidth, {128, SourceKind::Assumed, "the test"});
  double work =
      4 * std::pow(std::pow(1000, 2.2) + std::pow(1100, 2.2), 1 / 2.2);
  double wait = 8 * gpu[Q::LatencyDram], first = 1.5 * work;
  gpu.set(Q::LatencyBarrier, {20, SourceKind::Assumed, "the test"});
  double barriers = 20 / 2;
  EXPECT_NEAR(evaluateOperational(loadsThenWork(2, 1), gpu).cycleTime,
              wait + work * (1 + first / (wait + first)) + barriers, 1e-6);
  auto slower = [&](double blocks) {
    return evaluateOperational(loadsThenWork(blocks, 1), gpu).cycleTime /
           evaluateOperational(loadsThenWork(blocks, 0), gpu).cycleTime;
  };
  EXPECT_GT(slower(2), 1.02);
  EXPECT_LT(slower(16), 1.002);
}

// What a warp waits for as it works the others of its block hide, and a quarter
// of what they do as they fill shared memory.
TEST(Operational, WarpsHideTheWaitsOfTheirBlockWhereTheyWork) {
  GPU gpu = llvm::cantFail(findGPU("V100-PCIe"));
  gpu.set(Q::SharedBandwidth, {128, SourceKind::Assumed, "the test"});
  gpu.set(Q::LatencyBarrier, {0, SourceKind::Assumed, "the test"});
  double work =
      4 * std::pow(std::pow(1000, 2.2) + std::pow(1100, 2.2), 1 / 2.2);
  double waits = 8 * gpu[Q::LatencyDram];
  auto cycles = [&](double fillingWaits, double fillingWork) {
    OperationalInput input = loadsThenWork(2, 1);
    input.fillingWaits = fillingWaits;
    input.fillingWork = fillingWork;
    return evaluateOperational(input, gpu).cycleTime;
  };
  // As above, of blocks that wait so long.
  auto cyclesOf = [&](double wait) {
    return wait + work * (1 + 1.5 * work / (wait + 1.5 * work));
  };
  EXPECT_NEAR(cycles(1, 0), cyclesOf(waits), 1e-6);
  EXPECT_NEAR(cycles(1, 0.4), cyclesOf(waits - 0.1 * work), 1e-6);
  EXPECT_NEAR(cycles(0, 0.8), cyclesOf(waits - 0.2 * work), 1e-6);
}

/// The time of a wave of so many blocks an SM over that of all their passes,
/// where pipes have three quarters as much to do, in phases of their own.
double timeInPhases(unsigned blocks) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  OperationalInput input = wavesOf(1, blocks, gpu);
  input.sharedPasses = input.sharedRequests = input.fewestSharedPasses = 1e6;
  input.instructions[InstructionClass::Fp32] = 1.5e6;
  input.phaseCycles = 1.75e6;
  return timeOf(input, gpu) * gpu.cyclesPerUs() / (blocks * 8e6);
}

TEST(Operational, OtherBlocksFillThePhasesOfABlock) {
  EXPECT_NEAR(timeInPhases(1), 1.75, 0.01);
  EXPECT_LT(timeInPhases(2), 1.6);
  EXPECT_LT(timeInPhases(8), 1.35);
}

/// Of warps that load a line of DRAM each, a block an SM, and store \p bytes.
OperationalInput copyAtLowOccupancy(double bytes) {
  OperationalInput copy;
  copy.blocks = 1e6;
  copy.warpsPerBlock = 8;
  copy.activeBlocksPerSM = 1;
  copy.instructions[InstructionClass::LoadGlobal] = 1;
  copy.path[InstructionClass::LoadGlobal] = 1;
  copy.globalWaits.dram = 1;
  copy.dramLoadInBytes = copy.l2LoadInBytes = 128;
  copy.dramStoreInBytes = copy.l2StoreInBytes = bytes;
  return copy;
}

double memoryLatency(const OperationalResult &result) {
  return llvm::find_if(result.stations,
                       [](const Station &station) {
                         return station.name == "memory latency";
                       })
      ->demandInCycles;
}

// A load is longer under way for the share of the time in which DRAM writes.
TEST(Operational, LoadsWaitAtDramForWhatOthersAskOfIt) {
  GPU gpu = llvm::cantFail(findGPU("V100-PCIe"));
  gpu.set(Q::DramWriteWait, {500, SourceKind::Assumed, "the test"});
  OperationalInput copy = copyAtLowOccupancy(128);
  OperationalResult result = evaluateOperational(copy, gpu);
  // The share of the time in which DRAM moves so many bytes a warp.
  auto share = [&](double bytes, Q bandwidth, const OperationalResult &of) {
    return bytes * copy.blocks * copy.warpsPerBlock / (gpu[bandwidth] * 1e3) /
           of.timeInUs;
  };
  double latency = gpu[Q::LatencyDram];
  double writing = share(copy.dramStoreInBytes, Q::DramWriteBandwidth, result);
  EXPECT_GT(writing, 0.1);
  double ofWrites = writing * 0.5 * gpu.cyclesPerUs();
  double ofLoads =
      share(copy.dramLoadInBytes, Q::DramReadBandwidth, result) * 0.4 * latency;
  EXPECT_NEAR(memoryLatency(result), latency + ofWrites + ofLoads,
              0.01 * (ofWrites + ofLoads));
  OperationalInput sum = copyAtLowOccupancy(0);
  OperationalResult ofSum = evaluateOperational(sum, gpu);
  ofLoads =
      share(sum.dramLoadInBytes, Q::DramReadBandwidth, ofSum) * 0.4 * latency;
  EXPECT_GT(ofLoads, 10);
  EXPECT_NEAR(memoryLatency(ofSum), latency + ofLoads, 0.01 * ofLoads);
}

// A wave with a block more on one SM than on the others moves the bytes of its
// blocks, not those of a wave that has it on every SM.
TEST(Operational, TheLastWaveMovesItsOwnBytes) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  OperationalInput input;
  input.warpsPerBlock = 32;
  input.activeBlocksPerSM = 2;
  input.blocks = gpu[Q::SMCount] + 1;
  input.l2LoadInBytes = input.dramLoadInBytes = 4096;
  double bound = 0;
  for (const NamedValue &value : operationalBounds(input, gpu))
    bound = std::max(bound, *value.value.getAsNumber());
  EXPECT_LT(evaluateOperational(input, gpu).timeInUs -
                evaluateOperational(input, gpu).launchOverheadInUs,
            1.2 * bound);
}

// Nor is a launch at its limit while one block runs alone: the share is that of
// the bound in the time.
TEST(Operational, ALastWaveThatIsNotFullIsNotAtTheLimit) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  OperationalInput input;
  input.warpsPerBlock = 32;
  input.activeBlocksPerSM = 2;
  input.l2LoadInBytes = input.dramLoadInBytes = 1e6;
  auto shareOf = [&](double blocks) {
    input.blocks = blocks;
    OperationalResult result = evaluateOperational(input, gpu);
    double bound = 0;
    for (const NamedValue &value : operationalBounds(input, gpu))
      bound = std::max(bound, *value.value.getAsNumber());
    Limiter limiter = operationalLimiter(result);
    EXPECT_EQ(limiter.name, "DRAM bandwidth");
    EXPECT_NEAR(limiter.share, bound / result.timeInUs, 0.02);
    return limiter.share;
  };
  double full = shareOf(2 * gpu[Q::SMCount]);
  EXPECT_GT(full, 0.95);
  EXPECT_LT(shareOf(2 * gpu[Q::SMCount] + 1), full - 0.03);
}

TEST(Operational, NoWorkIsLimitedByNothing) {
  OperationalInput input;
  GPU gpu = llvm::cantFail(findGPU("K40"));
  ASSERT_FALSE(gpu.has(Q::LaunchOverhead) || gpu.has(Q::BlockTurnover));
  OperationalResult result = evaluateOperational(input, gpu);
  EXPECT_EQ(result.timeInUs, 0);
  EXPECT_EQ(operationalLimiter(result).share, 0);
}

} // namespace

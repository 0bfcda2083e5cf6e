// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/AtomicDemands.h"

#include "gtest/gtest.h"

using namespace auspex;

namespace {

GPU gpu(llvm::StringRef name) { return llvm::cantFail(findGPU(name)); }

Access atomic(llvm::StringRef operation, unsigned bytes = 4) {
  Access access;
  access.kind = AccessKind::Atomic;
  access.space = MemorySpace::Shared;
  access.operation = operation.str();
  access.bytesPerLane = bytes;
  access.offset = MaybeExpr::unknown("indirect");
  return access;
}

/// 100 requests of 32 lanes.
RequestCounts counts(double onBank, double onAddress, double words = 1) {
  RequestCounts result;
  result.requests = 100;
  result.lanes = 3200;
  result.lanesOnBank = 100 * onBank;
  result.sameAddress = 100 * onAddress;
  result.bankPasses = 100 * words;
  return result;
}

TEST(AtomicDemands, FetchAndOpGoesOverTheLanesOfABank) {
  for (const char *operation :
       {"add", "sub", "min", "umax", "and", "or", "xor", "uinc_wrap", "xchg"}) {
    auto demand = sharedAtomicDemand(atomic(operation), counts(3.5, 1.9),
                                     gpu("A100-40GB"));
    EXPECT_EQ(demand.faoJobs, 100) << operation;
    EXPECT_EQ(demand.passes, 350) << operation;
    EXPECT_EQ(demand.casJobs + demand.popcIncJobs, 0) << operation;
  }
  EXPECT_EQ(
      sharedAtomicDemand(atomic("xchg", 8), counts(2, 1), gpu("T4")).faoJobs,
      100);
}

TEST(AtomicDemands, UnusedIncrementsArePopcIncSinceAmpere) {
  Access access = atomic("add");
  access.isIncrement = true;
  EXPECT_EQ(
      sharedAtomicDemand(access, counts(32, 32), gpu("RTX-A6000")).popcIncJobs,
      0)
      << "its result is used";
  access.isReduction = true;
  auto demand = sharedAtomicDemand(access, counts(32, 32, 2), gpu("RTX-A6000"));
  EXPECT_EQ(demand.popcIncJobs, 100);
  EXPECT_EQ(demand.popcIncPasses, 200) << "a pass for every word of a bank";
  EXPECT_EQ(demand.faoJobs, 0);
  EXPECT_EQ(sharedAtomicDemand(access, counts(32, 32), gpu("Titan-V")).passes,
            3200);
}

TEST(AtomicDemands, UniformReductionsAreAggregated) {
  for (const char *operation :
       {"add", "sub", "min", "umax", "and", "or", "xor"}) {
    Access access = atomic(operation);
    access.isReduction = true;
    access.offset = {llvm::cantFail(Expr::parse("4*arg1")), ""};
    RequestCounts whole = counts(32, 32), parts = counts(32, 32);
    parts.lanes = 2400;
    EXPECT_EQ(sharedAtomicDemand(access, whole, gpu("T4")).passes, 100);
    EXPECT_EQ(sharedAtomicDemand(access, parts, gpu("A100-40GB")).passes, 100);
    EXPECT_EQ(sharedAtomicDemand(access, parts, gpu("T4")).passes, 3200)
        << "shuffles need whole warps";
    access.offset = {llvm::cantFail(Expr::parse("4*floordiv(tid.x, 32)")), ""};
    EXPECT_EQ(sharedAtomicDemand(access, whole, gpu("A100-40GB")).passes, 3200);
  }
  Access access = atomic("uinc_wrap");
  access.isReduction = true;
  access.offset = {llvm::cantFail(Expr::parse("4*arg1")), ""};
  EXPECT_EQ(sharedAtomicDemand(access, counts(32, 32), gpu("A100-40GB")).passes,
            3200);
}

// Those before a lane are counted, whoever they are.
TEST(AtomicDemands, UniformAdditionsOfOneNumberAreAggregated) {
  RequestCounts parts = counts(32, 32);
  parts.lanes = 2400;
  for (unsigned bytes : {4, 8}) {
    Access access = atomic("add", bytes);
    access.hasOneOperand = true;
    access.offset = {llvm::cantFail(Expr::parse("4*arg1")), ""};
    auto demand = sharedAtomicDemand(access, parts, gpu("T4"));
    EXPECT_EQ(demand.passes, 100);
    EXPECT_EQ(demand.faoJobs, bytes == 4 ? 100 : 0);
    EXPECT_EQ(demand.casJobs, bytes == 8 ? 100 : 0);
    access.hasOneOperand = false;
    EXPECT_GE(sharedAtomicDemand(access, parts, gpu("T4")).passes, 3200);
  }
  Access largest = atomic("max");
  largest.hasOneOperand = true;
  largest.offset = {llvm::cantFail(Expr::parse("4*arg1")), ""};
  EXPECT_EQ(
      sharedAtomicDemand(largest, counts(32, 32), gpu("A100-40GB")).passes,
      3200)
      << "its result is used";
}

// 32 lanes on one word: 32 rounds of 32, 31 ... 1 lanes.
TEST(AtomicDemands, FloatsAndWideIntegersAreLoopsOfCas) {
  for (auto [operation, bytes] :
       {std::pair("fadd", 4u), {"fadd", 8u}, {"add", 8u}, {"umax", 8u}}) {
    auto demand = sharedAtomicDemand(atomic(operation, bytes), counts(32, 32),
                                     gpu("A100-40GB"));
    EXPECT_EQ(demand.casJobs, 3200) << operation;
    EXPECT_EQ(demand.passes, 100 * 32 * 33 / 2) << operation;
    SharedAtomicDemand ideal = demand.withoutCollisions();
    EXPECT_EQ(ideal.casJobs, 100);
    EXPECT_EQ(ideal.passes, 100);
  }
  auto swap = sharedAtomicDemand(atomic("cas"), counts(32, 32), gpu("T4"));
  EXPECT_EQ(swap.casJobs, 100) << "its loop is in the code";
  EXPECT_EQ(swap.passes, 3200);
}

// Against 20 000 trials a number of words.
TEST(AtomicDemands, SpreadEvenly) {
  RequestCounts even = spreadEvenly(counts(0, 0), 1024);
  EXPECT_NEAR(even.lanesOnBank / 100, 3.53, 0.02);
  EXPECT_NEAR(even.sameAddress / 100, 1.391, 0.02);
  even = spreadEvenly(counts(0, 0), 8);
  EXPECT_NEAR(even.lanesOnBank / 100, 7.04, 0.03);
  EXPECT_NEAR(even.sameAddress / 100, 7.04, 0.03);
  EXPECT_EQ(even.bankPasses / 100, 1);
  EXPECT_NEAR(spreadEvenly(counts(0, 0), 1).lanesOnBank / 100, 32, 1e-9);
  RequestCounts few = counts(0, 0);
  few.lanes = 800;
  EXPECT_NEAR(spreadEvenly(few, 256).lanesOnBank / 100, 1.665, 0.02);
  few.lanes = 100;
  EXPECT_NEAR(spreadEvenly(few, 256).lanesOnBank / 100, 1, 1e-9);
}

TEST(AtomicDemands, CyclesFallWithTheLoad) {
  SharedAtomicDemand demand;
  demand.requests = demand.faoJobs = 10;
  demand.passes = 80;
  auto cycles = sharedAtomicCycles(demand, gpu("Titan-V"), 64);
  EXPECT_DOUBLE_EQ(cycles[0], 10 * (38 + 8 * 2.0));
  EXPECT_DOUBLE_EQ(cycles[63], 10 * (38 + 8 * 65.0) / 64);
  cycles = sharedAtomicCycles(demand, gpu("K40"), 64);
  EXPECT_EQ(cycles[0], 80) << "without a table a cycle a pass";
  EXPECT_EQ(cycles[63], 80);
}

/// A kernel with atomics on global memory, as many lanes each.
struct Globals {
  KernelSummary summary;
  BoundKernel kernel;

  void add(llvm::StringRef base, std::optional<Interval> extent, double lanes,
           llvm::StringRef operation = "add", unsigned bytesPerLane = 4) {
    Access access = atomic(operation);
    access.bytesPerLane = bytesPerLane;
    access.space = MemorySpace::Global;
    access.base = base.str();
    summary.accesses.push_back(access);
    BoundAccess bound;
    bound.counts.requests = lanes / 32;
    bound.counts.lanes = lanes;
    bound.extent = extent;
    bound.isKnown = extent.has_value();
    kernel.accesses.push_back(bound);
    kernel.summary = &summary;
  }
};

TEST(AtomicDemands, GlobalAtomicsWaitAtTheBusiestAddress) {
  Globals globals;
  globals.add("arg0", Interval{0, 3}, 3200);
  globals.add("arg0", Interval{0, 1023}, 25600);
  globals.add("arg0", Interval{1024, 1027}, 3210);
  globals.add("arg1", Interval{0, 3}, 1000);
  const GPU &v100 = gpu("V100-PCIe");
  // The words of the second are in sectors of two parts of 512 B.
  double sectors = 25600 * 4 / 32 / 2;
  EXPECT_NEAR(globalAtomicSteps(globals.kernel, v100),
              3200 + sectors * v100[Q::GlobalAtomicRate] /
                         v100[Q::GlobalAtomicSectorRate],
              1e-6);
}

// What contention.cu takes on an H200: cycles of a word, or of the 512 B that
// all threads update words of.
TEST(AtomicDemands, FloatsOnAWordAndSectorsBesideEachOther) {
  const GPU &h200 = gpu("H200");
  auto cyclesOfLane = [&](llvm::StringRef operation, unsigned bytes,
                          int64_t words) {
    Globals globals;
    globals.add("arg0", Interval{0, bytes * words - 1}, 32000, operation,
                bytes);
    return globalAtomicSteps(globals.kernel, h200) / 32000 /
           h200[Q::GlobalAtomicRate];
  };
  EXPECT_NEAR(cyclesOfLane("add", 4, 1), 1.46, 0.02);
  EXPECT_NEAR(cyclesOfLane("add", 4, 2), 1.46 / 2, 0.02);
  EXPECT_NEAR(cyclesOfLane("fadd", 4, 1), 3.48, 0.02);
  EXPECT_NEAR(cyclesOfLane("fadd", 8, 1), 3.49, 0.02);
  EXPECT_NEAR(cyclesOfLane("fadd", 4, 8), 3.52 / 8, 0.02);
  EXPECT_NEAR(cyclesOfLane("add", 4, 32), 5.05 / 32, 0.02);
  EXPECT_NEAR(cyclesOfLane("add", 8, 32), 9.46 / 32, 0.02);
  EXPECT_NEAR(cyclesOfLane("fadd", 4, 32), 5.06 / 32, 0.02);
  EXPECT_NEAR(cyclesOfLane("fadd", 8, 32), 18.7 / 32, 0.02);
  EXPECT_NEAR(cyclesOfLane("fadd", 8, 256), 5.28 / 32, 0.02);
}

// What gpuFLOPBench measured of HeCBench's atomicPerf at 1440 MHz: 48384 warps
// that add doubles to 1, 32 and 256 words, in 3.40, 1.14 and 0.285 ms.
TEST(AtomicDemands, DoublesOnGA102) {
  const GPU &ga102 = gpu("RTX-3080");
  auto timeInMs = [&](int64_t words) {
    constexpr double Lanes = 48384 * 32, CyclesPerMs = 1440e3;
    Globals globals;
    globals.add("arg0", Interval{0, 8 * words - 1}, Lanes, "fadd", 8);
    return globalAtomicSteps(globals.kernel, ga102) /
           ga102[Q::GlobalAtomicRate] / CyclesPerMs;
  };
  EXPECT_NEAR(timeInMs(1), 3.40, 0.03);
  EXPECT_NEAR(timeInMs(32), 1.14, 0.01);
  EXPECT_NEAR(timeInMs(256), 0.285, 0.003);
}

TEST(AtomicDemands, UnknownGlobalAddressesMayBeOne) {
  Globals globals;
  globals.add("arg0", std::nullopt, 3200);
  EXPECT_EQ(globalAtomicSteps(globals.kernel, gpu("A100-40GB")), 0);
  globals.kernel.scenario = Scenario::High;
  EXPECT_EQ(globalAtomicSteps(globals.kernel, gpu("A100-40GB")), 3200);
}

// They are expected to pick from all of an object whose size is known.
TEST(AtomicDemands, UnknownAddressesMeetInASmallObject) {
  Globals globals;
  globals.add("arg0", std::nullopt, 32768);
  globals.kernel.accesses.back().object = 0;
  globals.kernel.objects.push_back({"arg0"});
  globals.kernel.objects.back().sizeInBytes = 2;
  globals.kernel.scenario = Scenario::Low;
  EXPECT_EQ(globalAtomicSteps(globals.kernel, gpu("A100-40GB")), 0);
  globals.kernel.scenario = Scenario::Expected;
  EXPECT_EQ(globalAtomicSteps(globals.kernel, gpu("A100-40GB")), 32768);
}

// Data that are masked pick one of 256 bins: evenly, or all the same.
TEST(AtomicDemands, UnknownAddressesWithinBoundsMeet) {
  Globals globals;
  globals.add("arg0", Interval{0, 1023}, 32768);
  globals.kernel.accesses.back().isKnown = false;
  const GPU &a100 = gpu("A100-40GB");
  double sectors = 32768 * 4 / 32 / 2;
  EXPECT_NEAR(globalAtomicSteps(globals.kernel, a100),
              sectors * a100[Q::GlobalAtomicRate] /
                  a100[Q::GlobalAtomicSectorRate],
              1e-6);
  globals.kernel.scenario = Scenario::High;
  EXPECT_EQ(globalAtomicSteps(globals.kernel, a100), 32768);
}

/// Threads that retry a compare-and-swap on one of \p words words each, as a
/// run saw it or as a summary says; \p onWord lanes of a warp on each.
BoundKernel retries(Globals &globals, unsigned blocks, int64_t words,
                    double onWord, const GPU &on) {
  globals.add("arg0", Interval{0, 4 * words - 1}, 256.0 * blocks, "cas");
  globals.summary.accesses.back().isRetried = true;
  BoundKernel &kernel = globals.kernel;
  RequestCounts &counts = kernel.accesses.back().counts;
  counts.sameAddress = onWord * counts.requests;
  kernel.shape = LaunchShape({blocks}, {256});
  kernel.occupancy.activeBlocksPerSM = on[Q::MaxThreadsPerSM] / 256;
  return kernel;
}

// HeCBench's atomicCAS took 3.09 s on an RTX 3080 at 1440 MHz.
TEST(AtomicDemands, OfAllThatTryAgainOneSucceeds) {
  const GPU &ga102 = gpu("RTX-3080");
  Globals globals;
  BoundKernel kernel = retries(globals, 1024, 1, 32, ga102);
  double cycles = globalAtomicSteps(kernel, ga102) / ga102[Q::GlobalAtomicRate];
  EXPECT_NEAR(cycles / 1440e6, 3.09, 0.2);
}

TEST(AtomicDemands, WhoHasAWordAloneDoesNotTryAgain) {
  const GPU &ga102 = gpu("RTX-3080");
  Globals once, again;
  BoundKernel kernel = retries(again, 1024, 1024 * 256, 1, ga102);
  once.add("arg0", Interval{0, 4 * 1024 * 256 - 1}, 256.0 * 1024, "cas");
  EXPECT_EQ(globalAtomicSteps(kernel, ga102),
            globalAtomicSteps(once.kernel, ga102));
}

// Of rounds of 32, 31, ... lanes the first one has 32.
TEST(AtomicDemands, ARunSeesAllRounds) {
  const GPU &ga102 = gpu("RTX-3080");
  Globals globals, seen;
  BoundKernel stated = retries(globals, 1024, 1, 32, ga102);
  BoundKernel run = retries(seen, 1024, 1, 32, ga102);
  run.isFromRun = true;
  RequestCounts &counts = run.accesses.back().counts;
  counts.requests *= 32;
  counts.lanes *= 16.5;
  counts.sameAddress *= 16.5;
  EXPECT_NEAR(globalAtomicSteps(run, ga102) / globalAtomicSteps(stated, ga102),
              1, 1e-9);
  Access shared = run.summary->accesses.back();
  shared.space = MemorySpace::Shared;
  RequestCounts first = countsOfFirstRound(run, shared, counts);
  EXPECT_EQ(sharedAtomicDemand(shared, first, ga102).casJobs, 8192 * 32);
}

/// Attempts a warp at sums in shared memory of \p words words that the eight
/// warps of a block add to, \p onWord lanes of each to a word.
double attemptsAtSums(int64_t words, double onWord, Access access) {
  Globals globals;
  globals.add("shared", Interval{0, access.bytesPerLane * words - 1}, 3200);
  globals.kernel.shape = LaunchShape({100}, {256});
  BoundAccess &bound = globals.kernel.accesses.back();
  bound.counts = counts(onWord, onWord);
  globals.summary.blocks.resize(1);
  globals.kernel.blocks.assign(1, BoundBlock());
  return attemptsOfLoop(globals.kernel, access, bound, gpu("RTX-3080")) /
         bound.counts.requests;
}

// HeCBench's atomicPerf adds doubles on an RTX 3080: by counters 4.6 times the
// attempts of a warp alone on one word, 2.75 on 32, and one on words of one's
// own (gpuFLOPBench).
TEST(AtomicDemands, WarpsThatMeetAtAWordTryAgain) {
  Access sum = atomic("fadd", 8);
  EXPECT_EQ(attemptsAtSums(256, 1, sum), 1);
  EXPECT_EQ(attemptsAtSums(32, 1, sum), 4.5);
  EXPECT_EQ(attemptsAtSums(1, 32, sum), 32 * 4.5);
  EXPECT_EQ(workOfAttempt(sum)[InstructionClass::Fp64], 1);
  EXPECT_EQ(attemptsAtSums(1, 32, atomic("add")), 0);
}

} // namespace

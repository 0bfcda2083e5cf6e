// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds for every input and every GPU.

#include "auspex/Model/Operational.h"

#include "OperationalTime.h"
#include "Random.h"
#include "auspex/HW/GPU.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace auspex;
using namespace auspex::test;

namespace {

constexpr double Tolerance = 1e-9;

/// Any kernel: what a warp needs at least is no more than what it uses, and its
/// chain of dependences is part of its instructions.
OperationalInput randomInput(Random &random, const GPU &gpu) {
  OperationalInput in;
  in.maxWarpsPerSM = gpu[Q::MaxThreadsPerSM] / 32;
  in.warpsPerBlock =
      random.whole(1, std::min(32.0, gpu[Q::MaxThreadsPerBlock] / 32));
  in.activeBlocksPerSM =
      random.whole(1, std::min<double>(in.maxWarpsPerSM / in.warpsPerBlock,
                                       gpu[Q::MaxBlocksPerSM]));
  in.blocks = random.whole(1, 1e6);
  for (const InstructionClassInfo &info : instructionClassInfos()) {
    if (random.unit() < 0.6)
      continue;
    in.instructions[info.id] = random.real(0.01, 1e4);
    in.path[info.id] = in.instructions[info.id] * random.unit();
    in.threeOperands[info.id] = in.path[info.id] * random.unit();
  }
  in.globalWaits = {random.count(1e3), random.count(1e3)};
  in.localWaits = {random.count(1e3), random.count(1e3)};
  in.activeLanes = random.real(1, 32);
  if (random.unit() < 0.3)
    in.shareAtWork = random.real(1.0 / in.warpsPerBlock, 1);
  in.sharedRequests = random.count(1e3);
  in.fewestSharedPasses = in.sharedRequests * random.real(1, 4);
  in.sharedPasses = in.fewestSharedPasses * random.real(1, 32);
  SharedAtomicDemand &atomics = in.sharedAtomics;
  atomics.faoJobs = random.count(50);
  atomics.popcIncJobs = random.count(50);
  double swaps = random.count(50);
  atomics.casJobs = swaps * random.real(1, 32);
  atomics.requests = atomics.faoJobs + atomics.popcIncJobs + swaps;
  atomics.passes = (atomics.faoJobs + atomics.casJobs) * random.real(1, 32);
  atomics.popcIncPasses = atomics.popcIncJobs * random.real(1, 32);
  in.globalAtomicSteps = random.count(50);
  in.l2LoadInBytes = random.count(1e5);
  in.l2StoreInBytes = random.count(1e5);
  in.requestedLoadInBytes = in.l2LoadInBytes * (1 + random.unit());
  in.fewestLoadInBytes = in.requestedLoadInBytes * random.unit();
  in.requestedStoreInBytes = in.l2StoreInBytes;
  in.fewestStoreInBytes = in.requestedStoreInBytes * random.unit();
  in.partialStores = random.count(100);
  in.phaseCycles = random.count(1e4);
  in.fillingWork = random.unit();
  in.fillingWaits = random.unit();
  in.dramLoadInBytes = in.l2LoadInBytes * random.unit();
  in.dramStoreInBytes = in.l2StoreInBytes * random.unit();
  return in;
}

/// \p gpu as described, or with some queueing factor.
GPU calibrated(const GPU &gpu, Random &random) {
  GPU copy = gpu;
  if (random.unit() < 0.5)
    copy.set(Q::QueueingFactor,
             {random.unit(), SourceKind::Assumed, "the test"});
  return copy;
}

std::string text(const OperationalInput &input) {
  return llvm::formatv("{0}", llvm::json::Value(listValues(input).toJSON()));
}

/// Calls \p check(input, gpu) with random inputs on every GPU.
template <typename Check> void onEveryGPU(unsigned inputs, Check check) {
  Random random;
  for (const std::string &name : gpuNames()) {
    GPU described = llvm::cantFail(findGPU(name));
    for (unsigned i = 0; i < inputs; ++i) {
      GPU gpu = calibrated(described, random);
      OperationalInput input = randomInput(random, gpu);
      SCOPED_TRACE(name + ": " + text(input));
      check(input, gpu);
      if (testing::Test::HasFailure())
        return;
    }
  }
}

/// The time does not grow if the numbers \p ids of the GPU do.
void expectNeverSlowerWith(llvm::ArrayRef<Q> ids) {
  Random factors;
  onEveryGPU(300, [&](const OperationalInput &input, const GPU &gpu) {
    GPU better = gpu;
    double factor = 1 + factors.real(0.01, 2);
    for (Q id : ids)
      if (gpu.has(id))
        better.set(id, {gpu[id] * factor, SourceKind::Assumed, "the test"});
    double before = timeOf(input, gpu);
    EXPECT_LE(timeOf(input, better), before * (1 + Tolerance)) << factor;
  });
}

TEST(Operational, IsNeverBelowItsBounds) {
  onEveryGPU(1000, [](const OperationalInput &input, const GPU &gpu) {
    OperationalResult result = evaluateOperational(input, gpu);
    EXPECT_TRUE(std::isfinite(result.timeInUs));
    for (const NamedValue &bound : operationalBounds(input, gpu))
      EXPECT_GE(result.timeInUs * (1 + Tolerance),
                result.launchOverheadInUs + *bound.value.getAsNumber())
          << bound.key.str();
  });
}

TEST(Operational, BenefitsAreWithinTheTime) {
  onEveryGPU(300, [](const OperationalInput &input, const GPU &gpu) {
    double time = timeOf(input, gpu);
    std::vector<Benefit> benefits = operationalBenefits(input, gpu, time);
    EXPECT_EQ(benefits.size(), 8u);
    for (const Benefit &benefit : benefits) {
      EXPECT_GE(benefit.gainInUs, 0) << benefit.id;
      EXPECT_LE(benefit.gainInUs, time) << benefit.id;
    }
  });
}

TEST(Operational, SharesAreShares) {
  onEveryGPU(300, [](const OperationalInput &input, const GPU &gpu) {
    OperationalResult result = evaluateOperational(input, gpu);
    for (const Station &station : result.stations) {
      EXPECT_GT(station.demandInCycles, 0) << station.name;
      EXPECT_GE(station.utilization, 0) << station.name;
      EXPECT_LE(station.utilization, 1) << station.name;
    }
    Limiter limiter = operationalLimiter(result);
    EXPECT_GE(limiter.share, 0) << limiter.name;
    EXPECT_LE(limiter.share, 1) << limiter.name;
  });
}

TEST(Operational, MoreWorkIsNeverFaster) {
  onEveryGPU(300, [](const OperationalInput &input, const GPU &gpu) {
    double before = timeOf(input, gpu) * (1 - Tolerance);
    OperationalInput more = input;
    more.instructions.add(input.instructions, 0.3);
    EXPECT_GE(timeOf(more, gpu), before) << "instructions";
    more.sharedPasses *= 1.1;
    more.sharedAtomics.passes *= 1.1;
    more.globalAtomicSteps *= 1.1;
    more.partialStores *= 1.1;
    more.l2LoadInBytes *= 1.2;
    more.l2StoreInBytes *= 1.1;
    more.dramLoadInBytes *= 1.2;
    more.dramStoreInBytes *= 1.1;
    EXPECT_GE(timeOf(more, gpu), before) << "memory";
    more = input;
    ++more.blocks;
    EXPECT_GE(timeOf(more, gpu), before) << "blocks";
    more = input;
    more.path[InstructionClass::Fp32] += 10;
    more.threeOperands[InstructionClass::Fp32] += 10;
    EXPECT_GE(timeOf(more, gpu), before) << "dependences";
    more = input;
    more.globalWaits.dram += 10;
    more.localWaits.l2 += 10;
    EXPECT_GE(timeOf(more, gpu), before) << "waits";
  });
}

TEST(Operational, AFasterClockIsNeverSlower) {
  expectNeverSlowerWith({Q::SMClock});
}

TEST(Operational, MoreBandwidthIsNeverSlower) {
  expectNeverSlowerWith({Q::DramBandwidth, Q::DramReadBandwidth,
                         Q::DramWriteBandwidth, Q::DramMixedBandwidth});
  for (Q id :
       {Q::DramReadBandwidth, Q::DramWriteBandwidth, Q::DramMixedBandwidth})
    expectNeverSlowerWith({id});
  expectNeverSlowerWith({Q::L2Bandwidth});
  expectNeverSlowerWith({Q::L1Bandwidth});
}

TEST(Operational, MoreSMsAreNeverSlowerIfTheyShareNothing) {
  Random random;
  onEveryGPU(300, [&](OperationalInput input, const GPU &gpu) {
    input.l2LoadInBytes = input.l2StoreInBytes = 0;
    input.dramLoadInBytes = input.dramStoreInBytes = 0;
    input.globalAtomicSteps = input.partialStores = 0;
    GPU small = gpu;
    small.set(Q::BlockStartRate, {64, SourceKind::Assumed, "the test"});
    GPU larger = small;
    double sms = gpu[Q::SMCount] + random.whole(1, 2 * gpu[Q::SMCount]);
    larger.set(Q::SMCount, {sms, SourceKind::Assumed, "the test"});
    double before = timeOf(input, small);
    EXPECT_LE(timeOf(input, larger), before * (1 + Tolerance)) << sms;
  });
}

TEST(Operational, ALongerWaitForWritesIsNeverFaster) {
  Random random;
  onEveryGPU(300, [&](const OperationalInput &input, const GPU &gpu) {
    double wait = random.real(1, 5000);
    GPU shorter = gpu, longer = gpu;
    shorter.set(Q::DramWriteWait, {wait, SourceKind::Assumed, "the test"});
    longer.set(Q::DramWriteWait, {2 * wait, SourceKind::Assumed, "the test"});
    EXPECT_GE(timeOf(input, longer), timeOf(input, shorter) * (1 - Tolerance));
  });
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelBuilder.h"
#include "Kernels.h"
#include "auspex/Kernel/BoundKernel.h"

#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// A loop whose trip count and address nobody knows; 2 blocks of 64 threads.
struct DataDependentLoop {
  KernelBuilder kernel;
  LaunchConfig config = launch({2}, {64});
  DynamicProfile profile;

  DataDependentLoop() {
    kernel.code(kernel.block("1"), 1, 2);
    int loop = kernel.loop("1");
    kernel.summary.loops[loop].tripCount = MaybeExpr::unknown("indirect");
    unsigned body = kernel.block("1", loop);
    kernel.code(body, 4, 40);
    kernel.code(body, 1, 10);
    kernel.access(body, "0").offset = MaybeExpr::unknown("indirect");
    kernel.summary.branches = {{body, MaybeExpr::unknown("indirect"), {}}};
    profile.kernel = "k";
    profile.shape = {{2, 1, 1}, {64, 1, 1}};
    profile.blocksPerWave = 2;
    profile.blocks.resize(2);
    profile.accesses.resize(1);
  }

  BoundKernel bound(uint64_t times = 1) const {
    return bindRun(kernel.summary, config, a100(), profile, times);
  }
};

TEST(BindRun, LeavesNothingOpen) {
  DataDependentLoop run;
  EXPECT_FALSE(
      bind(run.kernel.summary, run.config, a100(), Scenario::Low).isComplete);
  BoundKernel bound = run.bound();
  EXPECT_TRUE(bound.isComplete);
  EXPECT_TRUE(bound.isFromRun);
  EXPECT_TRUE(bound.unknowns.empty());
  EXPECT_TRUE(bound.loops[0].openBecause.empty());
  EXPECT_TRUE(bound.accesses[0].isKnown);
}

// 4 warps come to the loop and stay 9 times each: two groups of 4 and one rest.
TEST(BindRun, TakesUnrolledCodeByEntries) {
  DataDependentLoop run;
  run.profile.blocks[0].warpExecutions = 4;
  run.profile.blocks[0].laneExecutions = 128;
  run.profile.blocks[1].warpExecutions = 36;
  run.profile.blocks[1].laneExecutions = 36 * 8;
  run.profile.blocks[1].loopEntries = 4;
  run.profile.blocks[1].divergent = 12;
  BoundKernel bound = run.bound();
  EXPECT_EQ(bound.instructions[InstructionClass::Fp32], 2 + 2 * 40 + 10);
  EXPECT_EQ(bound.branches[0].executions, 36);
  EXPECT_EQ(bound.branches[0].divergent, 12);
  EXPECT_DOUBLE_EQ(bound.activeLanes, (2 * 32 + 90 * 8) / 92.0);
}

TEST(BindRun, TakesTheMeanOfAlikeLaunches) {
  DataDependentLoop run;
  run.profile.blocks[1].warpExecutions = 30;
  run.profile.accesses[0].counts.requests = 30;
  run.profile.accesses[0].counts.sectors = 120;
  BoundKernel bound = run.bound(3);
  EXPECT_EQ(bound.blocks[1].warpExecutions, 10);
  EXPECT_EQ(bound.accesses[0].counts.sectors, 40);
  EXPECT_EQ(bound.objects[0].loadedInBytes, 40 * 32);
}

TEST(BindRun, KnowsWhatWasTouched) {
  DataDependentLoop run;
  run.profile.accesses[0].counts.requests = 4;
  run.profile.accesses[0].counts.sectors = 100;
  run.profile.accesses[0].newSectorsInBlock = 60;
  run.profile.accesses[0].extent = Interval{0, 1024};
  run.profile.objects = {{"arg2", 4096, 50, 40}};
  BoundKernel bound = run.bound();
  ASSERT_TRUE(bound.objects[0].touched);
  EXPECT_EQ(bound.objects[0].touched->byLoadsInBlocks, 60 * 32);
  EXPECT_EQ(bound.objects[0].touched->byStoresInBlocks, 0);
  EXPECT_EQ(bound.objects[0].touched->inWaves, 50 * 32);
  EXPECT_EQ(bound.objects[0].touched->inLaunch, 40 * 32);
  EXPECT_EQ(*bound.objects[0].extentInBytes, 1024);
}

/// x[i]: the expressions say what the run saw, but for the last test.
struct Stream {
  KernelBuilder kernel;
  DynamicProfile profile;

  Stream() {
    kernel.access(kernel.block("1"), "256*ctaid.x + 4*tid.x");
    profile.blocks.resize(1);
    profile.blocks[0].warpExecutions = 4;
    profile.blocks[0].laneExecutions = 128;
    profile.accesses.resize(1);
    profile.accesses[0].counts.requests = 4;
    profile.accesses[0].counts.lanes = 128;
    profile.accesses[0].counts.sectors = 16;
  }

  BoundKernel bound() const {
    return bindRun(kernel.summary, launch({2}, {64}), a100(), profile);
  }
};

TEST(BindRun, KeepsPatternsThatAgree) {
  EXPECT_TRUE(Stream().bound().accesses[0].pattern);
}

TEST(BindRun, DropsPatternsThatDisagree) {
  Stream fewerLanes;
  fewerLanes.profile.blocks[0].laneExecutions = 120;
  EXPECT_FALSE(fewerLanes.bound().accesses[0].pattern);
  Stream moreSectors;
  moreSectors.profile.accesses[0].counts.sectors = 21;
  EXPECT_FALSE(moreSectors.bound().accesses[0].pattern);
}

// A base between two sectors makes one more of each request.
TEST(BindRun, KeepsPatternsOfBasesThatAreNotAligned) {
  Stream moreSectors;
  moreSectors.profile.accesses[0].counts.sectors = 20;
  EXPECT_TRUE(moreSectors.bound().accesses[0].pattern);
}

// However often a loop polled, which is as the order of the run had it.
TEST(BindRun, FindsAtOnceWhatLoopsWaitFor) {
  KernelBuilder kernel;
  kernel.code(kernel.block("1"), 1, 2);
  unsigned body = kernel.block("1", kernel.loop("1 + data0"));
  kernel.code(body, 1, 10);
  kernel.access(body, "0");
  DataSymbol &waits = kernel.summary.dataSymbols.emplace_back();
  waits.name = "data0";
  waits.reason = "wait";
  DynamicProfile profile;
  profile.blocks.resize(2);
  profile.blocks[0].warpExecutions = profile.blocks[1].loopEntries = 4;
  profile.blocks[0].laneExecutions = 128;
  profile.blocks[1].warpExecutions = 400;
  profile.blocks[1].laneExecutions = 12800;
  profile.accesses.resize(1);
  profile.accesses[0].counts.requests = 400;
  auto run = [&] {
    return bindRun(kernel.summary, launch({2}, {64}), a100(), profile);
  };
  BoundKernel bound = run();
  EXPECT_EQ(bound.blocks[1].warpExecutions, 4);
  EXPECT_EQ(bound.accesses[0].counts.requests, 4);
  EXPECT_EQ(bound.instructions[InstructionClass::Fp32], 2 + 10);
  EXPECT_EQ(bound.assumptions.back(),
            "loops that wait for other threads find at once what they wait "
            "for");
  // A compare-and-swap that is tried again is what it is.
  kernel.summary.accesses[0].isRetried = true;
  EXPECT_EQ(run().blocks[1].warpExecutions, 400);
}

// One warp has nearly all of the turns: its block takes as long as it does.
TEST(BindRun, KnowsTheLongestPath) {
  DataDependentLoop run;
  for (BlockProfile &block : run.profile.blocks)
    block.laneExecutions = 32 * (block.warpExecutions = 4);
  run.profile.blocks[1].warpExecutions = 400;
  run.profile.blocks[1].loopEntries = 4;
  run.profile.warpInstructions = 4000;
  run.profile.mostInstructionsOfWarp = 1000;
  EXPECT_EQ(run.bound().longestPath.total(), 0) << "all have as much to do";
  run.profile.mostInstructionsOfWarp = 3900;
  BoundKernel bound = run.bound();
  EXPECT_NEAR(bound.longestPath.total(), bound.path.total() * 4 * 0.975, 1e-6);
}

} // namespace

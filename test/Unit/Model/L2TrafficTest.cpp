// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What L2 keeps from wave to wave, and from launch to launch.

#include "../Kernel/KernelBuilder.h"
#include "AccessBuilder.h"
#include "auspex/HW/GPU.h"
#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Model/MemoryTraffic.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <string>

using namespace auspex;
using namespace auspex::test;

namespace {

// B is in use all the time, also in launches of many waves: 1024 x 1024 floats
// are 4 MiB, and L2 holds 20 MiB.
TEST(MemoryTraffic, WhatEveryWaveReadsComesOnce) {
  constexpr int n = 1024;
  AccessBuilder kernel = matrixProduct(n);
  MemoryTraffic traffic = onA100(kernel, {n / 16, n / 16}, {16, 16});
  expectUpTo(object(traffic, "a").dramLoadInBytes, 4.0 * n * n, 0.06);
  expectUpTo(object(traffic, "b").dramLoadInBytes, 4.0 * n * n, 0.06);
}

// L2 of 64 KiB: rows of the wave before have left it, so every block row of a
// wave reads its own eight and two more.
TEST(MemoryTraffic, AStencilReadsRowsAgainIfTheyLeave) {
  GPU small = gpu("V100-PCIe");
  small.set(Q::L2Size, {64, SourceKind::Assumed, "the test"});
  MemoryTraffic traffic = trafficOf(stencil(), {128, 64}, {32, 8}, small);
  // 80 * 8 blocks: five rows.
  double rows = 64 / 5.0 * (5 * 8 + 2);
  EXPECT_GE(object(traffic, "arg2").dramLoadInBytes, rows * 4096 * 4);
}

// A block goes through a row of 1 MiB twice, as in a softmax: with those of all
// resident blocks, L2 has nothing left of the first time.
TEST(MemoryTraffic, ALoopOverWhatLeftL2ReadsItAgain) {
  AccessBuilder kernel;
  kernel.inLoop("2").inLoop("1024").load("4*262144*ctaid.x + 4*ntid.x*i1 + "
                                         "4*tid.x");
  MemoryTraffic traffic = onA100(kernel, {864}, {256});
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_GT(in.l2LoadInBytes, 1.5 * 864 * 1048576);
  expectUpTo(in.l2LoadInBytes, in.dramLoadInBytes, 0.01);
}

// Of 30 MB that are read twice, the halves of A100's L2 of 40 MiB, which keep
// copies of what their SMs ask of the other one, have two if all blocks read
// them, but one if each block has a row of its own.
TEST(MemoryTraffic, BlocksHaveAllOfAHalvedL2ForTheirOwn) {
  constexpr int blocks = 108, turns = 277;
  constexpr double bytes = 1024.0 * blocks * turns;
  AccessBuilder own;
  own.inLoop("2").inLoop(std::to_string(turns));
  own.load("4*277*ntid.x*ctaid.x + 4*ntid.x*i1 + 4*tid.x");
  expectUpTo(object(onA100(own, {blocks}, {256}), "arg2").dramLoadInBytes,
             bytes, 0.03);
  AccessBuilder shared;
  shared.inLoop("2").inLoop(std::to_string(turns * blocks));
  shared.load("4*ntid.x*i1 + 4*tid.x");
  EXPECT_GT(object(onA100(shared, {blocks}, {256}), "arg2").dramLoadInBytes,
            1.5 * bytes);
}

// Blocks that ask for a few of their neighbours' words take many strided
// accesses: of how many blocks back they can be counted, so far goes the reuse.
TEST(MemoryTraffic, ReuseGoesAsFarBackAsItCanBeCounted) {
  AccessBuilder kernel;
  kernel.load(Thread).inLoop("9").guarded("[tid.x + i0 >= 512]");
  kernel.load("4*ntid.x*ctaid.x + 4*tid.x + 4*i0");
  const char *smallL2 = "RTX-3060";
  MemoryTraffic traffic = trafficOf(kernel, {131072}, {512}, gpu(smallL2));
  const ObjectTraffic &loaded = object(traffic, "arg2");
  EXPECT_TRUE(loaded.isKnown);
  double bytes = 131072.0 * 512 * 4;
  expectUpTo(loaded.dramLoadInBytes, bytes, 0.01);
  for (const ReuseStep &step : traffic.l2Steps)
    EXPECT_GE(step.afterInBytes, 0) << step.window;
}

// Threads (row, column) of many matrices, but for those above the diagonal,
// read rows of 64 words by their column: again and again the same 1024.
TEST(MemoryTraffic, OneSideOfADiagonalReusesRows) {
  const std::string index = "(ctaid.x*ntid.x + tid.x)";
  const std::string column = "mod(" + index + ", 1024)";
  const std::string row = "mod(floordiv(" + index + ", 1024), 1024)";
  const std::string matrix = "floordiv(" + index + ", 1048576)";
  AccessBuilder kernel;
  kernel.guarded("[" + column + " <= " + row + "]")
      .inLoop("64")
      .load("4*i0 + 256*" + column + " + 262144*" + matrix);
  MemoryTraffic traffic = onA100(kernel, {65536}, {256});
  const ObjectTraffic &loaded = object(traffic, "arg2");
  EXPECT_TRUE(loaded.isKnown);
  expectUpTo(loaded.dramLoadInBytes, 16 * 262144.0, 4);
}

// Too irregular to be counted, but between 0 and 64 KiB.
TEST(MemoryTraffic, ManyRequestsForLittleComeFromDramOnce) {
  AccessBuilder kernel;
  kernel.load("4*mod(ctaid.x*ctaid.x*1021 + tid.x*tid.x*37, 16384)");
  MemoryTraffic traffic = onA100(kernel, {1 << 16}, {1024});
  const ObjectTraffic &in = traffic.objects[0];
  EXPECT_FALSE(in.isKnown);
  EXPECT_LE(in.l2LoadInBytes, 65536 * gpu("A100-40GB")[Q::SMCount])
      << "once to each SM";
  EXPECT_LE(in.dramLoadInBytes, 65536);
}

// Before Fermi there was no L2.
TEST(MemoryTraffic, WithoutL2EveryRequestGoesToDram) {
  MemoryTraffic traffic =
      trafficOf(stencil(), {128, 64}, {32, 8}, gpu("GTX280"));
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_EQ(in.dramLoadInBytes, in.requestedLoadInBytes);
  EXPECT_TRUE(traffic.l2Steps.empty());
}

MemoryTraffic withWarmL2(const AccessBuilder &kernel, Dim3 grid, Dim3 block,
                         GPU on = gpu("A100-40GB")) {
  LaunchConfig stated = launch(grid, block);
  stated.warmL2 = {true, LaunchOrigin::File};
  return computeTraffic(bind(kernel.summary, stated, on, Scenario::High), on);
}

// L2 of A100 has 40 MiB, in halves that have copies of each other; that of L40
// 96 MiB in one.
TEST(MemoryTraffic, WhatFitsIntoL2StaysThereBetweenLaunches) {
  AccessBuilder copy;
  copy.load(Thread).store(Thread);
  auto inDram = [&](int64_t blocks, const char *name = "A100-40GB") {
    MemoryTraffic traffic = withWarmL2(copy, {blocks}, {256}, gpu(name));
    double moved = traffic.sum(&ObjectTraffic::dramLoadInBytes) +
                   traffic.sum(&ObjectTraffic::dramStoreInBytes);
    return moved / (2 * 1024 * static_cast<double>(blocks));
  };
  EXPECT_LT(inDram(4096), 0.01);
  EXPECT_NEAR(inDram(18022), 0.5, 0.01); // 0.88 times 40 MiB
  EXPECT_GT(inDram(100000), 0.99);
  EXPECT_LT(inDram(20000, "L40"), 0.01);
  EXPECT_NEAR(inDram(55542, "L40"), 0.5, 0.01); // 1.13 times 96 MiB
  EXPECT_GT(inDram(100000, "L40"), 0.97);
}

// A sector of each line, but a line's place.
TEST(MemoryTraffic, SparseLoadsFillL2WithWholeLines) {
  AccessBuilder sparse;
  sparse.load("128*ntid.x*ctaid.x + 128*tid.x");
  MemoryTraffic traffic = withWarmL2(sparse, {4096}, {256});
  EXPECT_GT(traffic.objects[0].dramLoadInBytes, 0.99 * 32 * 256 * 4096);
}

// What fills L2 besides is not known, unless a run has counted it.
TEST(MemoryTraffic, L2IsTakenToBeColdIfNotAllIsKnown) {
  AccessBuilder kernel;
  kernel.load("0").load(Thread, 4, "arg3");
  kernel.summary.accesses[0].offset = MaybeExpr::unknown("indirect");
  MemoryTraffic open = withWarmL2(kernel, {1000}, {256});
  EXPECT_FALSE(open.isL2TakenWarm);
  EXPECT_NEAR(object(open, "arg3").dramLoadInBytes, 1024.0 * 1000, 1);

  GPU on = gpu("A100-40GB");
  LaunchConfig stated = launch({1000}, {256});
  stated.warmL2 = {true, LaunchOrigin::File};
  BoundKernel run = bind(kernel.summary, stated, on, Scenario::High);
  run.objects[0].touched = {.inLaunch = 1024};
  MemoryTraffic counted = computeTraffic(run, on);
  EXPECT_FALSE(counted.isL2TakenWarm);
  EXPECT_LT(object(counted, "arg3").dramLoadInBytes, 10.0 * 1000);

  // What data pick from is expected to be as large as what is picked.
  BoundKernel usual = bind(kernel.summary, stated, on, Scenario::Expected);
  MemoryTraffic expected = computeTraffic(usual, on);
  EXPECT_TRUE(expected.isL2TakenWarm);
  for (const ObjectTraffic &each : expected.objects)
    EXPECT_LT(each.dramLoadInBytes, 10.0 * 1000) << each.name;
}

} // namespace

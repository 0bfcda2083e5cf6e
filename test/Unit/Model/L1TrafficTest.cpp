// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What L1 keeps, and what it is asked for.

#include "AccessBuilder.h"
#include "auspex/Model/MemoryTraffic.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace auspex;
using namespace auspex::test;

namespace {

/// Blocks of 256 threads go through 64 KiB 16 times.
AccessBuilder tableInL1(const std::string &start) {
  AccessBuilder kernel;
  kernel.inLoop("16").inLoop("64").load(start + " + 1024*i1 + 4*tid.x");
  return kernel;
}

constexpr double TableInBytes = 65536;

// Eight blocks reside on an SM of A100, whose L1 holds three tables. Of what
// depends on the block each has its own; the one of all is there for the next.
TEST(MemoryTraffic, ATableOfAllBlocksIsInL1Once) {
  MemoryTraffic traffic = onA100(tableInL1("0"), {10000}, {256});
  EXPECT_GE(traffic.objects[0].l2LoadInBytes, TableInBytes * 108);
  EXPECT_LT(traffic.objects[0].l2LoadInBytes, TableInBytes * 1000);
  traffic = onA100(tableInL1("65536*ctaid.x"), {10000}, {256});
  EXPECT_GT(traffic.objects[0].l2LoadInBytes, 4 * TableInBytes * 10000);
}

// Not where it does not fit beside what a block has of its own, nor where no
// second block of the SM gets to it.
TEST(MemoryTraffic, WhatAllBlocksReadLeavesAFullL1) {
  auto loaded = [](llvm::StringRef guard, const char *length) {
    AccessBuilder kernel;
    kernel.guarded(guard).load("4*tid.x").inLoop(length).load(
        "4194304*ctaid.x + 1024*i0 + 4*tid.x", 4, "own");
    MemoryTraffic traffic = onA100(kernel, {10000}, {256});
    return traffic.objects[0].l2LoadInBytes;
  };
  EXPECT_NEAR(loaded("1", "16"), 1024 * 108, 1024);
  EXPECT_GT(loaded("1", "1024"), 1024 * 9000);
  EXPECT_NEAR(loaded("[ctaid.x < 50]", "16"), 1024 * 50, 1024);
}

TEST(MemoryTraffic, BlocksOfASmallGridHaveL1ForThemselves) {
  MemoryTraffic traffic = onA100(tableInL1("65536*ctaid.x"), {108}, {256});
  expectUpTo(traffic.objects[0].l2LoadInBytes, TableInBytes * 108, 0.2);
}

// Windows of a V100's L1 that a block an SM reads again and again, and what of
// them came from L2: gpu-benches gpu-cache (v100.txt), 128 KiB less 4 of
// constants and the like.
TEST(MemoryTraffic, ABlockKeepsAPartOfAWindowThatIsTooLarge) {
  struct Case {
    int windowInKiB;
    double missed;
  };
  constexpr int turns = 100;
  for (auto [window, missed] : {Case{96, 0},
                                {148, 0.078},
                                {172, 0.147},
                                {204, 0.331},
                                {236, 1},
                                {280, 1}}) {
    AccessBuilder kernel;
    kernel.inLoop(std::to_string(turns)).inLoop(std::to_string(window));
    kernel.load(std::to_string(1024 * window) +
                "*ctaid.x + 4*ntid.x*i1 + 4*tid.x");
    MemoryTraffic traffic = trafficOf(kernel, {80}, {256}, gpu("V100-PCIe"));
    double once = 80.0 * 1024 * window;
    EXPECT_NEAR((traffic.objects[0].l2LoadInBytes / once - 1) / (turns - 1),
                missed, 0.15)
        << window;
  }
}

// A block reads 16 rows of A and 16 columns of B, of which a row is two
// sectors. A warp is two rows of a block: a sector of each row of A, two of B.
TEST(MemoryTraffic, AMatrixProductReadsItsStripes) {
  constexpr int n = 256, Blocks = n / 16 * (n / 16);
  AccessBuilder kernel = matrixProduct(n);
  MemoryTraffic traffic = onA100(kernel, {n / 16, n / 16}, {16, 16});
  for (const char *name : {"a", "b"}) {
    const ObjectTraffic &in = object(traffic, name);
    EXPECT_EQ(in.requestedLoadInBytes, 64.0 * n * 8 * Blocks);
    EXPECT_EQ(in.usefulLoadInBytes, 4.0 * n * 256 * Blocks);
    expectUpTo(in.l2LoadInBytes, 16.0 * n * 4 * Blocks, 0.01);
    expectUpTo(in.dramLoadInBytes, 4.0 * n * n, 0.01);
  }
  EXPECT_EQ(object(traffic, "c").dramStoreInBytes, 4.0 * n * n);
}

// Blocks of 32 x 8: eight rows of six sectors, with a sector of halo at both
// ends, and two of four.
TEST(MemoryTraffic, AStencilReadsItsHaloInSectors) {
  MemoryTraffic traffic = onA100(stencil(), {128, 64}, {32, 8});
  constexpr double Blocks = 128 * 64;
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_EQ(in.usefulLoadInBytes, 5 * 1024.0 * Blocks);
  // To the side a fifth sector.
  EXPECT_EQ(in.requestedLoadInBytes, 8 * (3 * 4 + 2 * 5) * 32.0 * Blocks);
  expectUpTo(in.l2LoadInBytes, (8 * 6 + 2 * 4) * 32.0 * Blocks, 0.01);
  // A row of blocks is new rows of the array, of which the fetches at both ends
  // are the whole margin.
  EXPECT_NEAR(in.dramLoadInBytes, 514 * 4112 * 4, 0.005 * 514 * 4112 * 4);
  const ObjectTraffic &out = object(traffic, "arg3");
  EXPECT_EQ(out.l2StoreInBytes, 1024.0 * Blocks);
  EXPECT_NEAR(out.dramStoreInBytes, 1024.0 * Blocks, 1);
}

TEST(MemoryTraffic, StepsSayWhatTheyLookAt) {
  std::vector<std::string> windows;
  for (const ReuseStep &step : onA100(stencil(), {128, 64}, {32, 8}).l1Steps)
    windows.push_back(step.window);
  EXPECT_EQ(windows, (std::vector<std::string>{
                         "1 access of a block", "2 accesses of a block",
                         "4 accesses of a block", "a block"}));
}

// Rows that end with the block and begin with the lane have a piece for every
// turn of every block; L1 has what a block reads all the same. In the middle of
// the grid, half of all turns do not happen.
TEST(MemoryTraffic, TrianglesOfLanesAndBlocksAreInL1) {
  AccessBuilder kernel;
  kernel.inLoop("max(0, 4*ctaid.x - tid.x)")
      .load("256*ctaid.x + 4*tid.x + 4*i0");
  MemoryTraffic traffic = onA100(kernel, {256}, {64});
  const ObjectTraffic &loaded = object(traffic, "arg2");
  EXPECT_TRUE(loaded.isKnown);
  // Each block has a row of up to 16 B * ctaid.x, all lanes ask for it.
  double rows = 0;
  for (int block = 0; block < 256; ++block)
    rows += 16.0 * block;
  EXPECT_NEAR(loaded.l2LoadInBytes, rows, 0.15 * rows);
  EXPECT_GT(loaded.sideBySideLoadInBytes, 0.4 * loaded.requestedLoadInBytes);
}

// Blocks pick rows by a hash, which is too irregular to be counted over many;
// but the eight warps of one read the same 128 B, thrice.
TEST(MemoryTraffic, WhatABlockReadsAgainIsInL1WhereverItIs) {
  AccessBuilder kernel;
  std::string row = "12288*mod(7919*ctaid.x, 1000)";
  kernel.inLoop("3").load(row + " + 4096*mod(ctaid.x*ctaid.x*37, 1013) + "
                                "4*mod(tid.x, 32)");
  MemoryTraffic traffic = onA100(kernel, {1 << 16}, {256});
  const ObjectTraffic &in = traffic.objects[0];
  EXPECT_FALSE(in.isKnown);
  EXPECT_EQ(in.requestedLoadInBytes, 3.0 * 1024 * (1 << 16));
  expectUpTo(in.l2LoadInBytes, 128.0 * (1 << 16), 0.05);
}

TEST(MemoryTraffic, SomeLoadsAskPastL1) {
  AccessBuilder kernel;
  kernel.load("4*mod(tid.x, 32)").load("4*mod(tid.x, 32)");
  kernel.summary.accesses.back().bypassesL1 = true;
  MemoryTraffic traffic = onA100(kernel, {800}, {256});
  double past = 128.0 * 8 * 800, loads = 128.0 * 108;
  EXPECT_NEAR(traffic.objects[0].l2LoadInBytes, past + loads, 1);
}

// Of what data pick from a small array, L1 has none if it is not asked.
TEST(MemoryTraffic, PickedElementsAskPastL1) {
  AccessBuilder kernel = tableInL1("0");
  Access &load = kernel.summary.accesses.back();
  load.offset = MaybeExpr::unknown("indirect");
  load.objectInBytes = static_cast<uint64_t>(TableInBytes);
  auto inL2 = [&] {
    return onA100(kernel, {800}, {256}).objects[0].l2LoadInBytes;
  };
  double through = inL2();
  load.bypassesL1 = true;
  double past = inL2();
  EXPECT_EQ(past, onA100(kernel, {800}, {256}).objects[0].requestedLoadInBytes);
  EXPECT_LT(through, past / 4);
}

// Kepler's L1 is for local memory.
TEST(MemoryTraffic, KeplerLoadsFromL2) {
  MemoryTraffic traffic = trafficOf(stencil(), {128, 64}, {32, 8}, gpu("K40"));
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_EQ(in.l2LoadInBytes, in.requestedLoadInBytes);
  EXPECT_TRUE(traffic.l1Steps.empty());
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Volumes of small kernels worked out by hand, and what holds for every kernel.

#include "auspex/Model/MemoryTraffic.h"

#include "../Kernel/KernelBuilder.h"
#include "Random.h"
#include "auspex/Model/Operational.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <limits>
#include <set>

using namespace auspex;
using namespace auspex::test;

namespace {

GPU gpu(llvm::StringRef name) { return llvm::cantFail(findGPU(name)); }

/// A kernel of accesses to global memory.
struct AccessBuilder : KernelBuilder {
  unsigned place = block("1");

  AccessBuilder &load(llvm::StringRef offset, unsigned bytes = 4,
                      llvm::StringRef base = "arg2") {
    return add(AccessKind::Load, offset, bytes, base);
  }
  AccessBuilder &store(llvm::StringRef offset, unsigned bytes = 4,
                       llvm::StringRef base = "arg3") {
    return add(AccessKind::Store, offset, bytes, base);
  }
  AccessBuilder &atomic(llvm::StringRef offset, unsigned bytes = 4,
                        llvm::StringRef base = "arg2") {
    return add(AccessKind::Atomic, offset, bytes, base);
  }
  /// What follows is in a loop.
  AccessBuilder &inLoop(llvm::StringRef trips) {
    place = block("1", loop(trips, summary.blocks[place].loop));
    return *this;
  }
  AccessBuilder &guarded(llvm::StringRef guard) {
    place = block(guard, summary.blocks[place].loop);
    return *this;
  }

private:
  AccessBuilder &add(AccessKind kind, llvm::StringRef offset, unsigned bytes,
                     llvm::StringRef base) {
    Access &added = access(place, offset);
    added.kind = kind;
    added.bytesPerLane = bytes;
    added.base = base.str();
    return *this;
  }
};

MemoryTraffic trafficOf(const AccessBuilder &kernel, Dim3 grid, Dim3 block,
                        const GPU &on) {
  return computeTraffic(
      bind(kernel.summary, launch(grid, block), on, Scenario::High), on);
}

MemoryTraffic onA100(const AccessBuilder &kernel, Dim3 grid, Dim3 block) {
  return trafficOf(kernel, grid, block, gpu("A100-40GB"));
}

const ObjectTraffic &object(const MemoryTraffic &traffic,
                            llvm::StringRef name) {
  return *llvm::find_if(traffic.objects, [&](const ObjectTraffic &object) {
    return object.name == name;
  });
}

/// \p actual is \p expected, or up to \p share more.
void expectUpTo(double actual, double expected, double share) {
  EXPECT_GE(actual, expected * (1 - 1e-9));
  EXPECT_LE(actual, expected * (1 + share));
}

const char *const Thread = "4*ntid.x*ctaid.x + 4*tid.x";

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

/// A word of each thread, and \p words that it spills.
ObjectTraffic spillsOf(uint64_t words, unsigned blocks, const GPU &on) {
  AccessBuilder kernel;
  kernel.load(Thread);
  kernel.summary.blocks.front().code.emplace_back();
  addSpills(kernel.summary, words);
  return object(trafficOf(kernel, {blocks}, {256}, on),
                ObjectTraffic::LocalMemory);
}

TEST(MemoryTraffic, BlocksThatDoNothingChangeNothing) {
  AccessBuilder copy;
  copy.guarded("[ctaid.x*ntid.x + tid.x < 524288]").load(Thread).store(Thread);
  MemoryTraffic whole = onA100(copy, {2048}, {256});
  for (unsigned blocks : {4096u, 4100u, 8192u, 20000u}) {
    MemoryTraffic guarded = onA100(copy, {blocks}, {256});
    for (const char *name : {"arg2", "arg3"}) {
      const ObjectTraffic &some = object(guarded, name);
      const ObjectTraffic &all = object(whole, name);
      EXPECT_DOUBLE_EQ(some.l2LoadInBytes, all.l2LoadInBytes);
      EXPECT_DOUBLE_EQ(some.l2StoreInBytes, all.l2StoreInBytes);
      EXPECT_DOUBLE_EQ(some.dramLoadInBytes, all.dramLoadInBytes);
      EXPECT_DOUBLE_EQ(some.dramStoreInBytes, all.dramStoreInBytes);
    }
  }
}

TEST(MemoryTraffic, BlocksOfTwoKindsAreBothCounted) {
  // The last tenth of the blocks stores, every second of the others loads.
  AccessBuilder kernel;
  kernel.guarded("min([mod(ctaid.x, 2) == 0], [ctaid.x < 900])").load(Thread);
  kernel.guarded("[ctaid.x >= 900]").store(Thread);
  MemoryTraffic traffic = onA100(kernel, {1000}, {256});
  EXPECT_DOUBLE_EQ(object(traffic, "arg2").l2LoadInBytes, 450.0 * 1024);
  EXPECT_DOUBLE_EQ(object(traffic, "arg2").dramLoadInBytes, 450.0 * 1024);
  EXPECT_DOUBLE_EQ(object(traffic, "arg3").dramStoreInBytes, 100.0 * 1024);
}

TEST(MemoryTraffic, SpillsStayInTheCachesThatHoldThem) {
  // 68 SMs, of which each holds 1024 threads, 5.5 MB of L2.
  GPU turing = gpu("RTX-2080-Ti");
  ObjectTraffic few = spillsOf(2, 6800, turing);
  double bytes = 6800.0 * 256 * 8;
  EXPECT_DOUBLE_EQ(few.requestedLoadInBytes, bytes);
  EXPECT_LT(few.l2LoadInBytes, 0.01 * bytes);
  EXPECT_DOUBLE_EQ(few.l2StoreInBytes, bytes);
  EXPECT_LT(few.dramLoadInBytes + few.dramStoreInBytes, 0.01 * bytes);
  // As counted of a convolution that spills 360 words: L1 keeps nothing.
  ObjectTraffic many = spillsOf(360, 6800, turing);
  bytes = 6800.0 * 256 * 1440;
  EXPECT_GT(many.l2LoadInBytes, 0.95 * bytes);
  EXPECT_DOUBLE_EQ(many.l2StoreInBytes, bytes);
  EXPECT_GT(many.dramStoreInBytes, 0.95 * bytes);
  // All that few blocks have fits L2.
  ObjectTraffic small = spillsOf(360, 4, turing);
  EXPECT_GT(small.l2LoadInBytes, 0);
  EXPECT_LT(small.dramLoadInBytes + small.dramStoreInBytes,
            0.01 * small.requestedStoreInBytes);
}

TEST(MemoryTraffic, WithoutSpillsThereIsNoLocalMemory) {
  AccessBuilder kernel;
  kernel.load(Thread);
  for (const ObjectTraffic &each : onA100(kernel, {100}, {256}).objects)
    EXPECT_NE(each.name, ObjectTraffic::LocalMemory);
}

TEST(MemoryTraffic, ACopyMovesItsBytes) {
  AccessBuilder kernel;
  kernel.load(Thread).store(Thread);
  // Less than a wave of the A100, one, and many.
  for (int64_t blocks : {10, 864, 100000}) {
    MemoryTraffic traffic = onA100(kernel, {blocks}, {256});
    double bytes = 4.0 * 256 * static_cast<double>(blocks);
    const ObjectTraffic &in = object(traffic, "arg2");
    EXPECT_TRUE(in.isKnown);
    for (double loaded : {in.usefulLoadInBytes, in.requestedLoadInBytes,
                          in.l2LoadInBytes, in.dramLoadInBytes})
      EXPECT_NEAR(loaded, bytes, 1e-9 * bytes);
    EXPECT_EQ(in.requestedStoreInBytes, 0);
    EXPECT_EQ(in.dramStoreInBytes, 0);
    const ObjectTraffic &out = object(traffic, "arg3");
    for (double stored : {out.usefulStoreInBytes, out.requestedStoreInBytes,
                          out.l2StoreInBytes, out.dramStoreInBytes})
      EXPECT_NEAR(stored, bytes, 1e-9 * bytes);
    EXPECT_EQ(out.dramLoadInBytes, 0);
  }
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

// A run has counted what each block touches, and how much all of them: a table
// that all of them pick from is on an SM once, not once for each block there.
TEST(MemoryTraffic, ATableThatBlocksPickFromInARunIsInL1Once) {
  AccessBuilder kernel;
  kernel.inLoop("64").load("0");
  kernel.summary.accesses[0].offset = MaybeExpr::unknown("indirect");
  GPU on = gpu("A100-40GB");
  constexpr int64_t Blocks = 10000;
  constexpr double Table = 32768;
  auto loaded = [&](double inLaunch) {
    BoundKernel run =
        bind(kernel.summary, launch({Blocks}, {256}), on, Scenario::Expected);
    run.objects[0].touched = {.byLoadsInBlocks = Table * Blocks,
                              .inWaves = inLaunch,
                              .inLaunch = inLaunch};
    return computeTraffic(run, on).objects[0].l2LoadInBytes;
  };
  expectUpTo(loaded(Table), Table * 108, 1);
  EXPECT_GE(loaded(Table * Blocks), Table * Blocks);
}

// What a run saw data pick opens rows of DRAM as what is expected to be picked.
TEST(MemoryTraffic, WhatDataPickInARunComesInNoOrder) {
  AccessBuilder kernel;
  kernel.load("0");
  kernel.summary.accesses[0].offset = MaybeExpr::unknown("indirect");
  GPU on = gpu("A100-40GB");
  BoundKernel run =
      bind(kernel.summary, launch({16384}, {256}), on, Scenario::Expected);
  double bytes = 32.0 * 16384 * 256;
  run.objects[0].touched = {
      .byLoadsInBlocks = bytes, .inWaves = bytes, .inLaunch = bytes};
  auto idle = [&] {
    return computeTraffic(run, on).objects[0].dramIdleInBytes;
  };
  EXPECT_GT(idle(), bytes);
  run.accesses[0].counts.lines = run.accesses[0].counts.sectors / 4;
  EXPECT_EQ(idle(), 0) << "whole lines";
}

// However often a warp fetches, a texel a thread comes from DRAM, shared by the
// textures as the fetches are; what is written to surfaces all goes there.
TEST(MemoryTraffic, TexturesBringATexelAThread) {
  AccessBuilder kernel;
  kernel.load(Thread).store(Thread);
  for (const char *base : {"arg0", "arg1", "arg1", "arg1"}) {
    Access &fetch = kernel.access(kernel.place, "0", MemorySpace::Texture);
    fetch.base = base;
    fetch.bytesPerLane = 8;
    fetch.offset = MaybeExpr::unknown("texture");
  }
  kernel.summary.accesses.back().kind = AccessKind::Store;
  MemoryTraffic traffic = onA100(kernel, {10}, {128});
  double threads = 10 * 128;
  EXPECT_EQ(object(traffic, "arg0").argument, "n");
  EXPECT_EQ(object(traffic, "arg0").requestedLoadInBytes, 8 * threads);
  EXPECT_NEAR(object(traffic, "arg0").dramLoadInBytes, 4 * threads / 3, 1e-6);
  EXPECT_NEAR(object(traffic, "arg1").l2LoadInBytes, 8 * threads / 3, 1e-6);
  EXPECT_EQ(object(traffic, "arg1").dramStoreInBytes, 8 * threads);
  EXPECT_EQ(object(traffic, "arg2").requestedLoadInBytes, 4 * threads);
}

// Every second element: all sectors are fetched, half of their bytes used.
TEST(MemoryTraffic, AStrideOfTwoFetchesTwice) {
  AccessBuilder kernel;
  kernel.load("8*ntid.x*ctaid.x + 8*tid.x").store(Thread);
  MemoryTraffic traffic = onA100(kernel, {10000}, {128});
  double bytes = 4.0 * 128 * 10000;
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_EQ(in.usefulLoadInBytes, bytes);
  EXPECT_EQ(in.requestedLoadInBytes, 2 * bytes);
  EXPECT_NEAR(in.l2LoadInBytes, 2 * bytes, 1e-6 * bytes);
  EXPECT_NEAR(in.dramLoadInBytes, 2 * bytes, 1e-6 * bytes);
  EXPECT_NEAR(object(traffic, "arg3").dramStoreInBytes, bytes, 1e-6 * bytes);
}

// DRAM fetches 64 bytes on the A100, a sector on the T4.
TEST(MemoryTraffic, SparseLoadsTakeWhatDramFetches) {
  AccessBuilder kernel;
  kernel.load("128*ntid.x*ctaid.x + 128*tid.x");
  double sectors = 32.0 * 128 * 1000;
  MemoryTraffic traffic = onA100(kernel, {1000}, {128});
  EXPECT_NEAR(traffic.objects[0].l2LoadInBytes, sectors, 1);
  EXPECT_NEAR(traffic.objects[0].dramLoadInBytes, 2 * sectors, 1);
  traffic = trafficOf(kernel, {1000}, {128}, gpu("T4"));
  EXPECT_NEAR(traffic.objects[0].dramLoadInBytes, sectors, 1);
}

// A line of which stores write a sector in part is by itself at DRAM, however
// near the next one is: an A100 is through with 10.3 of them in a nanosecond,
// in which it could read and write 1732 bytes. Of lines that are written all
// over it is the bytes that count.
TEST(MemoryTraffic, LinesStoredInPartCostDramATurn) {
  auto strided = [](int64_t stride) {
    AccessBuilder kernel;
    kernel.store(std::to_string(stride) + "*ntid.x*ctaid.x + " +
                     std::to_string(stride) + "*tid.x",
                 8);
    return trafficOf(kernel, {10000}, {256}, gpu("A100-80GB")).objects[0];
  };
  double lines = 256.0 * 10000, turn = 1732 / 10.3;
  EXPECT_NEAR(strided(128).dramIdleInBytes, lines * (turn - 64),
              1e-3 * lines * turn);
  EXPECT_NEAR(strided(64).dramIdleInBytes, lines / 2 * (turn - 128),
              1e-3 * lines * turn);
  EXPECT_EQ(strided(32).dramIdleInBytes, 0);
  EXPECT_EQ(strided(8).dramIdleInBytes, 0);
}

// All threads read the same 64 KiB, as interactions of all bodies do: a request
// a warp and element, the array an SM, and the array.
TEST(MemoryTraffic, WhatAllThreadsReadComesOnce) {
  AccessBuilder kernel;
  kernel.inLoop("4096").load("16*i0", 16);
  // From a part of a wave to many, some of them not whole.
  for (int64_t blocks : {50, 864, 950, 1300, 1728, 20000}) {
    MemoryTraffic traffic = onA100(kernel, {blocks}, {256});
    const ObjectTraffic &in = traffic.objects[0];
    EXPECT_EQ(in.requestedLoadInBytes, 32.0 * 4096 * 8 * blocks);
    expectUpTo(in.l2LoadInBytes, 65536.0 * std::min<int64_t>(blocks, 108), 0.3);
    expectUpTo(in.dramLoadInBytes, 65536, 0.01);
  }
}

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

/// c[row][column] += a[row][k] * b[k][column], an element a thread.
AccessBuilder matrixProduct(int n) {
  AccessBuilder kernel;
  std::string row = "(16*ctaid.y + tid.y)", column = "(16*ctaid.x + tid.x)";
  auto at = [&](const std::string &i, const std::string &j) {
    return llvm::formatv("4*{0}*{1} + 4*{2}", n, i, j).str();
  };
  kernel.store(at(row, column), 4, "c");
  kernel.inLoop(std::to_string(n));
  kernel.load(at(row, "i0"), 4, "a").load(at("i0", column), 4, "b");
  return kernel;
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

// B is in use all the time, also in launches of many waves: 1024 x 1024 floats
// are 4 MiB, and L2 holds 20 MiB.
TEST(MemoryTraffic, WhatEveryWaveReadsComesOnce) {
  constexpr int n = 1024;
  AccessBuilder kernel = matrixProduct(n);
  MemoryTraffic traffic = onA100(kernel, {n / 16, n / 16}, {16, 16});
  expectUpTo(object(traffic, "a").dramLoadInBytes, 4.0 * n * n, 0.06);
  expectUpTo(object(traffic, "b").dramLoadInBytes, 4.0 * n * n, 0.06);
}

/// A cell and its four neighbours; rows of 4096 cells have a margin of 8.
AccessBuilder stencil() {
  AccessBuilder kernel;
  std::string cell = "4*(4112*(8*ctaid.y + tid.y + 1) + 32*ctaid.x + tid.x + "
                     "8)";
  for (const char *to : {"", " - 4", " + 4", " - 4*4112", " + 4*4112"})
    kernel.load(cell + to);
  kernel.store(cell);
  return kernel;
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

// Lane l of warp w writes word w of sector l: eight warps fill the sectors, one
// at a time.
TEST(MemoryTraffic, StoresToOneSectorMeetInL2) {
  AccessBuilder kernel;
  kernel.store("1024*ctaid.x + 32*mod(tid.x, 32) + 4*floordiv(tid.x, 32)");
  MemoryTraffic traffic = onA100(kernel, {10000}, {256});
  const ObjectTraffic &out = traffic.objects[0];
  EXPECT_EQ(out.usefulStoreInBytes, 1024.0 * 10000);
  EXPECT_EQ(out.requestedStoreInBytes, 8 * 1024.0 * 10000);
  EXPECT_EQ(out.l2StoreInBytes, 8 * 1024.0 * 10000);
  expectUpTo(out.dramStoreInBytes, 1024.0 * 10000, 1e-3);
}

// The elements of a thread, each behind a guard of its own that most lanes
// pass, are put together like those without; but not the two sides of a branch.
TEST(MemoryTraffic, StoresBehindGuardsAreOneInL1) {
  std::string index = "2*ntid.x*ctaid.x + 2*tid.x";
  auto sentOver = [&](llvm::StringRef first, llvm::StringRef second) {
    AccessBuilder kernel;
    kernel.guarded(first).store("4*(" + index + ")");
    kernel.guarded(second).store("4*(" + index + ") + 4");
    const ObjectTraffic out = onA100(kernel, {1000}, {256}).objects[0];
    return out.l2StoreInBytes / out.requestedStoreInBytes;
  };
  EXPECT_EQ(sentOver("[" + index + " < 511990]", "[" + index + " < 511989]"),
            0.5);
  EXPECT_EQ(sentOver("[mod(tid.x, 2) == 0]", "[mod(tid.x, 2) == 1]"), 1);
}

// Nor what is stored at the beginning with what is at the end.
TEST(MemoryTraffic, StoresOnBothSidesOfALoopAreTwo) {
  AccessBuilder kernel;
  kernel.store("8*ntid.x*ctaid.x + 8*tid.x");
  kernel.inLoop("100");
  kernel.place = kernel.block("1");
  kernel.store("8*ntid.x*ctaid.x + 8*tid.x + 4");
  const ObjectTraffic out = onA100(kernel, {1000}, {256}).objects[0];
  EXPECT_EQ(out.l2StoreInBytes, out.requestedStoreInBytes);
}

// Memory with error correction reads what is written in part, once; what all
// words of a sector are written to, it does not.
TEST(MemoryTraffic, SectorsWrittenInPartAreReadBefore) {
  AccessBuilder strided, whole;
  strided.store("2048*ctaid.x + 8*tid.x");
  whole.store(Thread);
  double bytes = 2048.0 * 10000;
  for (auto [name, filled] : {std::pair("A100-80GB", 1.0), {"A40", 0.2}}) {
    MemoryTraffic traffic = trafficOf(strided, {10000}, {256}, gpu(name));
    expectUpTo(traffic.objects[0].dramStoreInBytes, bytes, 1e-3);
    EXPECT_NEAR(traffic.objects[0].dramLoadInBytes, filled * bytes,
                1e-3 * bytes);
    traffic = trafficOf(whole, {10000}, {256}, gpu(name));
    EXPECT_LE(traffic.objects[0].dramLoadInBytes, 1e-3 * bytes);
  }
}

TEST(MemoryTraffic, AtomicsReadAndWriteAtL2) {
  AccessBuilder kernel;
  kernel.atomic("4*mod(tid.x, 32)");
  MemoryTraffic traffic = onA100(kernel, {800}, {256});
  const ObjectTraffic &counters = traffic.objects[0];
  double bytes = 128.0 * 8 * 800;
  EXPECT_EQ(counters.requestedLoadInBytes, bytes);
  EXPECT_EQ(counters.requestedStoreInBytes, bytes);
  EXPECT_EQ(counters.l2LoadInBytes, bytes);
  EXPECT_EQ(counters.l2StoreInBytes, bytes);
  expectUpTo(counters.dramLoadInBytes, 128, 0.01);
  expectUpTo(counters.dramStoreInBytes, 128, 0.01);
}

// Loads of the same object stay in L1, its atomics do not.
TEST(MemoryTraffic, AtomicsPassByLoadsInL1) {
  AccessBuilder kernel;
  kernel.load("4*mod(tid.x, 32)").atomic("4*mod(tid.x, 32)");
  MemoryTraffic traffic = onA100(kernel, {800}, {256});
  double atomics = 128.0 * 8 * 800, loads = 128.0 * 108;
  EXPECT_NEAR(traffic.objects[0].l2LoadInBytes, atomics + loads, 1);
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

TEST(MemoryTraffic, AnObjectIsReadAndWritten) {
  AccessBuilder kernel;
  kernel.load(Thread).store(Thread, 4, "arg2");
  MemoryTraffic traffic = onA100(kernel, {5000}, {256});
  ASSERT_EQ(traffic.objects.size(), 1u);
  EXPECT_NEAR(traffic.objects[0].dramLoadInBytes, 5000 * 1024, 1);
  EXPECT_NEAR(traffic.objects[0].dramStoreInBytes, 5000 * 1024, 1);
}

TEST(MemoryTraffic, AGridStrideLoopReadsEachByteOnce) {
  AccessBuilder kernel;
  std::string element = "4*nctaid.x*ntid.x*i0 + 4*ntid.x*ctaid.x + 4*tid.x";
  kernel.inLoop("37").load(element).store(element);
  MemoryTraffic traffic = onA100(kernel, {432}, {256});
  double bytes = 37 * 432 * 1024.0;
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_EQ(in.requestedLoadInBytes, bytes);
  EXPECT_NEAR(in.l2LoadInBytes, bytes, 1e-9 * bytes);
  EXPECT_NEAR(in.dramLoadInBytes, bytes, 1e-9 * bytes);
  EXPECT_NEAR(object(traffic, "arg3").dramStoreInBytes, bytes, 1e-9 * bytes);
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

// Kepler's L1 is for local memory.
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

// The loop is at one sector all the time.
TEST(MemoryTraffic, LoopsHaveTheirOwnShareOfWhatIsNew) {
  AccessBuilder kernel;
  kernel.load(Thread).inLoop("64").load("4*ntid.x*ctaid.x");
  MemoryTraffic traffic = onA100(kernel, {100000}, {256});
  const ObjectTraffic &loaded = object(traffic, "arg2");
  ASSERT_EQ(loaded.distinctLoadInBytes.size(), 2u);
  EXPECT_EQ(loaded.distinctLoadInBytes[0], std::pair(-1, 100000 * 1024.0));
  EXPECT_EQ(loaded.distinctLoadInBytes[1], std::pair(0, 100000 * 32.0));
  AccessBuilder one;
  one.inLoop("64").load(Thread);
  EXPECT_TRUE(
      onA100(one, {100000}, {256}).objects.front().distinctLoadInBytes.empty());
}

TEST(MemoryTraffic, KeplerLoadsFromL2) {
  MemoryTraffic traffic = trafficOf(stencil(), {128, 64}, {32, 8}, gpu("K40"));
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_EQ(in.l2LoadInBytes, in.requestedLoadInBytes);
  EXPECT_TRUE(traffic.l1Steps.empty());
}

// Before Fermi there was none.
TEST(MemoryTraffic, WithoutL2EveryRequestGoesToDram) {
  MemoryTraffic traffic =
      trafficOf(stencil(), {128, 64}, {32, 8}, gpu("GTX280"));
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_EQ(in.dramLoadInBytes, in.requestedLoadInBytes);
  EXPECT_TRUE(traffic.l2Steps.empty());
}

TEST(MemoryTraffic, UnknownAddressesAreNotReused) {
  AccessBuilder kernel;
  kernel.load("0").load(Thread, 4, "arg3");
  kernel.summary.accesses[0].offset = MaybeExpr::unknown("indirect");
  MemoryTraffic traffic = onA100(kernel, {1000}, {256});
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_FALSE(in.isKnown);
  // Each lane its own sector, for which DRAM is asked for two.
  double bytes = 32.0 * 256 * 1000;
  for (double loaded :
       {in.requestedLoadInBytes, in.l2LoadInBytes, in.dramLoadInBytes / 2})
    EXPECT_EQ(loaded, bytes);
  EXPECT_TRUE(object(traffic, "arg3").isKnown);
  EXPECT_EQ(traffic.l1Steps.front().beforeInBytes, 1024.0 * 1000);
  EXPECT_EQ(traffic.l2Steps.front().beforeInBytes, 1024.0 * 1000);
  EXPECT_NEAR(object(traffic, "arg3").dramLoadInBytes, 1024.0 * 1000, 1);
}

// What blocks have stored they find in L2, if it is still there; what they load
// before they store it comes from DRAM.
TEST(MemoryTraffic, StoresAreFoundInL2) {
  double bytes = 8192.0 * 2048 * 4;
  auto loads = [&](AccessBuilder kernel) {
    return object(onA100(kernel, {8192}, {256}), "arg2").dramLoadInBytes;
  };
  const char *element = "8192*ctaid.x + 1024*i0 + 4*tid.x",
             *again = "8192*ctaid.x + 1024*i1 + 4*tid.x";
  AccessBuilder before, behind;
  before.inLoop("8").store(element, 4, "arg2");
  before.place = before.block("1", before.loop("8"));
  before.load(again);
  EXPECT_LT(loads(before), 0.05 * bytes);
  behind.inLoop("8").load(element);
  behind.place = behind.block("1", behind.loop("8"));
  behind.store(again, 4, "arg2");
  EXPECT_NEAR(loads(behind), bytes, 0.01 * bytes);
  // Half of it is stored.
  AccessBuilder half;
  half.inLoop("4").store(element, 4, "arg2");
  half.place = half.block("1", half.loop("8"));
  half.load(again);
  EXPECT_NEAR(loads(half), 0.5 * bytes, 0.05 * bytes);
}

// There are no more windows than numbers have bits.
TEST(MemoryTraffic, LoopsOfAnyLengthAreCounted) {
  for (const char *trips : {"4000000000000000000", "9223372036854775807"}) {
    AccessBuilder kernel;
    kernel.inLoop(trips).load("1024*ctaid.x + 4*tid.x");
    EXPECT_GT(object(onA100(kernel, {1000}, {256}), "arg2").l2LoadInBytes, 0);
  }
}

// Data pick each element once in the mean: sectors meet in L2, not in L1.
TEST(MemoryTraffic, DataAreExpectedToPickEachElementOnce) {
  AccessBuilder kernel;
  kernel.load("0").store("0");
  for (Access &access : kernel.summary.accesses)
    access.offset = MaybeExpr::unknown("indirect");
  GPU on = gpu("A100-40GB");
  auto expected = [&](unsigned blocks) {
    return computeTraffic(
        bind(kernel.summary, launch({blocks}, {256}), on, Scenario::Expected),
        on);
  };
  double useful = 4.0 * 256 * 10000;
  MemoryTraffic traffic = expected(10000);
  const ObjectTraffic &in = object(traffic, "arg2");
  EXPECT_GT(in.l2LoadInBytes, 0.9 * 8 * useful);
  EXPECT_EQ(in.dramLoadInBytes, useful);
  EXPECT_EQ(object(traffic, "arg3").dramStoreInBytes, useful);
  // Of what is much larger than L2 nearly every request goes to DRAM.
  MemoryTraffic large = expected(1000000);
  EXPECT_GT(object(large, "arg2").dramLoadInBytes, 0.9 * 8 * 100 * useful);
}

// What data pick comes to DRAM line by line: GUPS reads 31.8 of 8 bytes in a
// nanosecond on an H100, and writes 13.4; words that are read and written 11.0,
// what is predicted for them 11.7.
TEST(MemoryTraffic, PlacesInNoOrderHaveRowsToOpen) {
  GPU on = gpu("H100-SXM");
  double threads = 256.0 * 1000000;
  auto traffic = [&](AccessBuilder kernel) {
    kernel.summary.accesses[0].objectInBytes = int64_t(1) << 35;
    return computeTraffic(bind(kernel.summary, launch({1000000}, {256}), on,
                               Scenario::Expected),
                          on)
        .objects[0];
  };
  auto nsOf = [&](const ObjectTraffic &object) {
    return (object.dramLoadInBytes + object.dramStoreInBytes +
            object.dramIdleInBytes) /
           (object.dramStoreInBytes > 0 ? on[Q::DramMixedBandwidth]
                                        : on[Q::DramReadBandwidth]);
  };
  AccessBuilder reads, writes, updates;
  reads.load("0", 8);
  reads.summary.accesses[0].offset = MaybeExpr::unknown("indirect");
  writes.store("0", 8);
  writes.summary.accesses[0].offset = MaybeExpr::unknown("indirect");
  EXPECT_NEAR(threads / nsOf(traffic(reads)), 31.8, 0.2);
  EXPECT_NEAR(threads / nsOf(traffic(writes)), 13.4, 0.2);
  updates.load("0", 8).store("0", 8);
  for (Access &access : updates.summary.accesses) {
    access.offset = MaybeExpr::unknown("indirect");
    access.base = "arg0";
  }
  EXPECT_NEAR(threads / nsOf(traffic(updates)), 11.7, 0.2);
}

// What a faster DRAM of any kind moves in no order takes no longer.
TEST(MemoryTraffic, RowsTakeNoLongerWithMoreBandwidth) {
  AccessBuilder gather, scatter, update;
  gather.load("0").store(Thread);
  scatter.load(Thread).store("0");
  update.load("0").store("0");
  for (AccessBuilder *kernel : {&gather, &scatter, &update})
    for (Access &access : kernel->summary.accesses)
      if (access.offset.expr == Expr(0)) {
        access.offset = MaybeExpr::unknown("indirect");
        access.objectInBytes = int64_t(1) << 32;
      }
  for (const char *name : {"A100-40GB", "H100-SXM", "A40", "RTX-3080"})
    for (const AccessBuilder *kernel : {&gather, &scatter, &update}) {
      auto timeOn = [&](const GPU &on) {
        BoundKernel bound = bind(kernel->summary, launch({1000000}, {256}), on,
                                 Scenario::Expected);
        OperationalInput input =
            operationalInput(bound, computeTraffic(bound, on), on);
        return evaluateOperational(input, on).timeInUs;
      };
      GPU on = gpu(name);
      double before = timeOn(on);
      for (Q quantity :
           {Q::DramReadBandwidth, Q::DramWriteBandwidth, Q::DramMixedBandwidth,
            Q::DramRandomRate, Q::DramPartialRate}) {
        GPU better = on;
        better.set(quantity,
                   {1.05 * on[quantity], SourceKind::Assumed, "the test"});
        EXPECT_LE(timeOn(better), before * (1 + 1e-6))
            << name << " " << static_cast<int>(quantity);
      }
    }
}

TEST(MemoryTraffic, SmallVariableStaysInL1) {
  AccessBuilder kernel;
  kernel.load("0", 4, "@table");
  kernel.summary.accesses[0].offset = MaybeExpr::unknown("indirect");
  kernel.summary.accesses[0].objectInBytes = 1024;
  GPU on = gpu("A100-40GB");
  MemoryTraffic traffic = computeTraffic(
      bind(kernel.summary, launch({10000}, {256}), on, Scenario::Expected), on);
  EXPECT_EQ(traffic.objects[0].l2LoadInBytes, 1024 * on[Q::SMCount]);
  EXPECT_EQ(traffic.objects[0].dramLoadInBytes, 1024);
}

// A block goes over the row that it has picked, 512 B, 32 times: each row comes
// once, and no two blocks are expected to have picked the same.
TEST(MemoryTraffic, ARowThatABlockPicksIsInL1) {
  AccessBuilder kernel;
  kernel.inLoop("32").load("512*data0 + 4*tid.x");
  kernel.summary.dataSymbols = {{"data0", "indirect", true, {}, {}}};
  kernel.summary.dataSymbols.front().changesWith = {Expr::symbol("ctaid.x")};
  GPU on = gpu("A100-40GB");
  BoundKernel bound =
      bind(kernel.summary, launch({1000}, {128}), on, Scenario::Expected);
  EXPECT_FALSE(bound.accesses[0].isKnown);
  const ObjectTraffic in = computeTraffic(bound, on).objects[0];
  EXPECT_EQ(in.requestedLoadInBytes, 32 * 512.0 * 1000);
  expectUpTo(in.l2LoadInBytes, 512.0 * 1000, 0.02);
  expectUpTo(in.dramLoadInBytes, 512.0 * 1000, 0.02);
}

/// Loads of 4 B from places that data pick, thread by thread.
static AccessBuilder picksOfThreads(llvm::ArrayRef<const char *> offsets,
                                    const char *turns = nullptr) {
  AccessBuilder kernel;
  if (turns)
    kernel.inLoop(turns);
  kernel.summary.dataSymbols = {{"data0", "indirect", false, {}, {}}};
  kernel.summary.dataSymbols.front().changesWith = {
      parse("ctaid.x*ntid.x + tid.x")};
  for (const char *offset : offsets) {
    kernel.load("0");
    Access &access = kernel.summary.accesses.back();
    access.offset = MaybeExpr::unknown("indirect");
    access.picked = parse(offset);
  }
  return kernel;
}

// Two neighbours of the element that a thread picks are in its sector, but for
// one place in eight; the two below are in another one.
TEST(MemoryTraffic, NeighboursOfAPickedElementAreInItsSector) {
  AccessBuilder kernel = picksOfThreads(
      {"4*data0", "4*data0 + 4", "4*data0 + 4096", "4*data0 + 4100"});
  GPU on = gpu("A100-40GB");
  BoundKernel bound =
      bind(kernel.summary, launch({54}, {256}), on, Scenario::Expected);
  EXPECT_FALSE(bound.accesses[0].isKnown);
  const ObjectTraffic in = computeTraffic(bound, on).objects[0];
  double threads = 54 * 256;
  EXPECT_EQ(in.requestedLoadInBytes, 4 * 32 * threads);
  expectUpTo(in.l2LoadInBytes, 2 * 1.125 * 32 * threads, 0.05);
  EXPECT_LE(in.dramLoadInBytes, 4 * 4 * threads);
}

// A thread goes over 128 words from the one that it picks, which lie in 16 or
// 17 sectors. Another thread is expected elsewhere.
TEST(MemoryTraffic, AThreadGoesOnFromWhatItPicks) {
  AccessBuilder kernel = picksOfThreads({"4*data0 + 4*i0"}, "128");
  GPU on = gpu("A100-40GB");
  const ObjectTraffic in =
      computeTraffic(
          bind(kernel.summary, launch({54}, {256}), on, Scenario::Expected), on)
          .objects[0];
  double threads = 54 * 256;
  EXPECT_EQ(in.requestedLoadInBytes, 128 * 32 * threads);
  expectUpTo(in.l2LoadInBytes, 16.875 * 32 * threads, 0.05);
  // Rows of 512 B begin where sectors do.
  kernel.summary.accesses[0].picked = parse("512*data0 + 4*i0");
  const ObjectTraffic ofRows =
      computeTraffic(
          bind(kernel.summary, launch({54}, {256}), on, Scenario::Expected), on)
          .objects[0];
  expectUpTo(ofRows.l2LoadInBytes, 512 * threads, 0.05);
  EXPECT_NEAR(ofRows.dramLoadInBytes, 512 * threads, 1);
}

// Of two tables that fill L1 twice, a fast and a slow one: what is picked more
// often is kept more of, and each less than alone. Half of the lines are kept,
// in which a sector is only if it has been picked since the line came: of all
// picks of the line in a row, one after the other soon enough, one in four is
// of the sector, and 1/4 * 1/2 / (1 - 3/4 * 1/2) is 0.2.
TEST(MemoryTraffic, TablesShareL1ByHowOftenTheyArePicked) {
  GPU on = gpu("A100-40GB");
  double half = on[Q::L1Unified] * 512, caches = on[Q::SMCount];
  auto missed = [&](unsigned often, unsigned seldom) {
    AccessBuilder kernel;
    kernel.inLoop("1000");
    for (unsigned i = 0; i < often + seldom; ++i) {
      kernel.load("0", 4, i < often ? "@often" : "@seldom");
      Access &access = kernel.summary.accesses.back();
      access.offset = MaybeExpr::unknown("indirect");
      access.objectInBytes = static_cast<uint64_t>(2 * half);
    }
    MemoryTraffic traffic = computeTraffic(
        bind(kernel.summary, launch({1728}, {256}), on, Scenario::Expected),
        on);
    std::vector<double> shares;
    for (const ObjectTraffic &object : traffic.objects)
      shares.push_back((object.l2LoadInBytes - 2 * half * caches) /
                       object.requestedLoadInBytes);
    return shares;
  };
  double alone = missed(1, 0)[0];
  std::vector<double> alike = missed(1, 1), apart = missed(4, 1);
  EXPECT_LT(alone, 0.2);
  EXPECT_NEAR(alike[0], 0.8, 0.02);
  EXPECT_EQ(alike[0], alike[1]);
  EXPECT_LT(apart[0], alike[0] - 0.1);
  EXPECT_GT(apart[1], alike[1] + 0.1);
}

// In turn k of twenty 2^k places of a sector each, or 4 MB in all. Of those
// that lanes pick, L1 has the first turns from each other, and the last three
// from the turns before. Each place in between takes a line of L1, which has
// room for those of six warps: 2^8 places are no longer found.
TEST(MemoryTraffic, ASearchMeetsWhereItBegins) {
  AccessBuilder kernel;
  kernel.inLoop("20").load("0");
  kernel.summary.accesses[0].offset = MaybeExpr::unknown("search");
  GPU on = gpu("A100-40GB");
  MemoryTraffic traffic = computeTraffic(
      bind(kernel.summary, launch({4096}, {256}), on, Scenario::Expected), on);
  const ObjectTraffic &in = traffic.objects[0];
  double picked = 0, far = 0;
  for (unsigned turn = 0; turn < 20; ++turn) {
    double places = std::exp2(turn);
    double sectors = places * (1 - std::pow(1 - 1 / places, 32));
    picked += sectors;
    far += turn >= 8 && turn <= 16 ? sectors : 0;
  }
  double requests = 4096 * 8;
  EXPECT_NEAR(in.requestedLoadInBytes, picked * requests * 32,
              1e-6 * in.requestedLoadInBytes);
  EXPECT_NEAR(in.l2LoadInBytes, far * requests * 32, 0.05 * in.l2LoadInBytes);
  // A place once, with what is fetched beside it.
  expectUpTo(in.dramLoadInBytes, 32 * (std::exp2(17) - 1), 1);
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

//===----------------------------------------------------------------------===//
// For every kernel
//===----------------------------------------------------------------------===//

struct RandomLaunch {
  AccessBuilder kernel;
  Dim3 grid, block;
};

/// Copies, stencils, products and atomics with random strides and reach.
RandomLaunch randomLaunch(Random &random) {
  RandomLaunch made;
  auto number = [&](double low, double high) {
    return static_cast<int64_t>(random.whole(low, high));
  };
  made.block = {8 << (number(1, 5) - 1), number(1, 4), 1};
  made.grid = {number(1, 30), number(1, 30), number(1, 3)};
  int64_t row = 4 * number(1, 4000), plane = row * number(1, 100);
  std::string cell = llvm::formatv("{0}*(ntid.x*ctaid.x + tid.x) + "
                                   "{1}*(ntid.y*ctaid.y + tid.y) + {2}*ctaid.z",
                                   4 * number(1, 12), row, plane);
  if (random.unit() < 0.5) {
    made.kernel.inLoop(std::to_string(number(1, 20)));
    cell += llvm::formatv(" + {0}*i0", 4 * number(1, 1000)).str();
  }
  for (int64_t i = number(1, 6); i > 0; --i)
    made.kernel.load(cell + " + " + std::to_string(4 * number(1, 5000)));
  if (random.unit() < 0.5)
    made.kernel.load(llvm::formatv("4*tid.x + {0}*ctaid.y", row).str());
  if (random.unit() < 0.3)
    made.kernel.atomic("4*mod(tid.x, 7)", 4,
                       random.unit() < 0.5 ? "arg2" : "arg3");
  made.kernel.store(cell, 4, random.unit() < 0.5 ? "arg2" : "arg3");
  return made;
}

std::string text(const RandomLaunch &made) {
  std::string text =
      llvm::formatv("{0}x{1}x{2} blocks of {3}x{4}", made.grid.x, made.grid.y,
                    made.grid.z, made.block.x, made.block.y);
  for (const Access &access : made.kernel.summary.accesses)
    text += "\n" + toString(access.kind).str() + " " + access.base + ": " +
            access.offset.expr.str();
  return text;
}

/// Calls \p check(launch, gpu, traffic) with random launches.
template <typename Check> void onRandomLaunches(unsigned count, Check check) {
  Random random;
  for (unsigned i = 0; i < count; ++i) {
    RandomLaunch made = randomLaunch(random);
    for (const char *name : {"A100-40GB", "V100-PCIe", "T4", "K40"}) {
      SCOPED_TRACE(name + (" " + text(made)));
      GPU on = gpu(name);
      check(made, on, trafficOf(made.kernel, made.grid, made.block, on));
      if (testing::Test::HasFailure())
        return;
    }
  }
}

constexpr double Tolerance = 1 + 1e-9;

TEST(MemoryTrafficProperty, NoLevelMovesMoreThanTheOneBefore) {
  onRandomLaunches(100, [](const RandomLaunch &, const GPU &on,
                           const MemoryTraffic &traffic) {
    double fetch = on.valueOr(Q::DramFetch, on[Q::Sector]) / on[Q::Sector];
    for (const ObjectTraffic &object : traffic.objects) {
      EXPECT_LE(object.l2LoadInBytes, object.requestedLoadInBytes * Tolerance);
      EXPECT_EQ(object.l2StoreInBytes, object.requestedStoreInBytes);
      // Or what was written in part.
      EXPECT_LE(object.dramLoadInBytes, std::max(object.l2LoadInBytes * fetch,
                                                 object.dramStoreInBytes) *
                                            Tolerance);
      EXPECT_LE(object.dramStoreInBytes, object.l2StoreInBytes * Tolerance);
    }
  });
}

/// The bytes that loads and atomics, or stores and atomics, touch in the
/// launch, in units of \p unit, thread by thread.
double distinctBytes(const RandomLaunch &made, llvm::StringRef base,
                     AccessKind without, int64_t unit) {
  std::set<int64_t> units;
  llvm::StringMap<int64_t> values{{"ntid.x", made.block.x},
                                  {"ntid.y", made.block.y}};
  auto value = [&](llvm::StringRef name) -> std::optional<int64_t> {
    return values.lookup(name);
  };
  int64_t trips = 1;
  if (!made.kernel.summary.loops.empty())
    trips = *made.kernel.summary.loops[0].tripCount.expr.constant();
  for (const Access &access : made.kernel.summary.accesses) {
    if (access.kind == without || access.base != base)
      continue;
    for (int64_t i = 0; i < made.grid.count(); ++i)
      for (int64_t thread = 0; thread < made.block.count(); ++thread)
        for (int64_t trip = 0; trip < trips; ++trip) {
          values["ctaid.x"] = i % made.grid.x;
          values["ctaid.y"] = i / made.grid.x % made.grid.y;
          values["ctaid.z"] = i / made.grid.x / made.grid.y;
          values["tid.x"] = thread % made.block.x;
          values["tid.y"] = thread / made.block.x;
          values["i0"] = trip;
          int64_t first = *access.offset.expr.evaluate(value);
          units.insert(first / unit);
          units.insert((first + access.bytesPerLane - 1) / unit);
        }
  }
  return static_cast<double>(units.size() * unit);
}

TEST(MemoryTrafficProperty, AWaveMovesEveryByteOfItsOnce) {
  Random random;
  GPU on = gpu("A100-40GB");
  for (int i = 0; i < 40; ++i) {
    RandomLaunch made = randomLaunch(random);
    made.grid = {std::min<int64_t>(made.grid.x, 5),
                 std::min<int64_t>(made.grid.y, 3), made.grid.z};
    MemoryTraffic traffic = trafficOf(made.kernel, made.grid, made.block, on);
    SCOPED_TRACE(text(made));
    for (const ObjectTraffic &object : traffic.objects) {
      auto fetched = distinctBytes(made, object.name, AccessKind::Store, 64);
      auto loaded = distinctBytes(made, object.name, AccessKind::Store, 32);
      auto stored = distinctBytes(made, object.name, AccessKind::Load, 32);
      EXPECT_GE(object.l2LoadInBytes * Tolerance, loaded);
      EXPECT_GE(object.dramLoadInBytes * Tolerance, fetched);
      EXPECT_GE(object.dramStoreInBytes * Tolerance, stored);
    }
  }
}

TEST(MemoryTrafficProperty, ALargerL2NeverMovesMore) {
  onRandomLaunches(40, [](const RandomLaunch &made, const GPU &on,
                          const MemoryTraffic &) {
    double leastLoads = std::numeric_limits<double>::infinity();
    double leastStores = leastLoads;
    for (double sizeInKiB : {16, 128, 1024, 8192, 65536}) {
      GPU larger = on;
      larger.set(Q::L2Size, {sizeInKiB, SourceKind::Assumed, "the test"});
      larger.set(Q::L2Effective, {sizeInKiB, SourceKind::Assumed, "the test"});
      MemoryTraffic traffic =
          trafficOf(made.kernel, made.grid, made.block, larger);
      double loads = traffic.sum(&ObjectTraffic::dramLoadInBytes);
      double stores = traffic.sum(&ObjectTraffic::dramStoreInBytes);
      EXPECT_LE(loads, leastLoads * Tolerance) << sizeInKiB;
      EXPECT_LE(stores, leastStores * Tolerance) << sizeInKiB;
      leastLoads = loads;
      leastStores = stores;
    }
  });
}

void expectSteps(llvm::ArrayRef<ReuseStep> steps) {
  for (const ReuseStep &step : steps) {
    EXPECT_GE(step.beforeInBytes, step.afterInBytes) << step.window;
    EXPECT_GE(step.afterInBytes, 0) << step.window;
    EXPECT_GE(step.hitRate, 0) << step.window;
    EXPECT_LE(step.hitRate, 1) << step.window;
  }
  for (size_t i = 1; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].beforeInBytes, steps[i - 1].afterInBytes);
    if (steps[i].window.find("before") == std::string::npos) {
      EXPECT_GE(steps[i].fill * Tolerance, steps[i - 1].fill)
          << steps[i - 1].window << " and " << steps[i].window;
    }
  }
}

TEST(MemoryTrafficProperty, StepsGoDownAndFillUp) {
  onRandomLaunches(
      100, [](const RandomLaunch &, const GPU &, const MemoryTraffic &traffic) {
        expectSteps(traffic.l1Steps);
        expectSteps(traffic.l2Steps);
      });
}

} // namespace

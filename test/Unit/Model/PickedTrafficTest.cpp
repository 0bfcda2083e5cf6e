// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where data give the places.

#include "../Kernel/KernelBuilder.h"
#include "AccessBuilder.h"
#include "auspex/HW/GPU.h"
#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Model/MemoryTraffic.h"
#include "llvm/ADT/ArrayRef.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstdint>
#include <vector>

using namespace auspex;
using namespace auspex::test;

namespace {

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
AccessBuilder picksOfThreads(llvm::ArrayRef<const char *> offsets,
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

} // namespace

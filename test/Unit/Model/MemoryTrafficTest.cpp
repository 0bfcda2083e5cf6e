// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Volumes of small kernels worked out by hand.

#include "auspex/Model/MemoryTraffic.h"
#include "AccessBuilder.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

using namespace auspex;
using namespace auspex::test;

namespace {

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

// There are no more windows than numbers have bits.
TEST(MemoryTraffic, LoopsOfAnyLengthAreCounted) {
  for (const char *trips : {"4000000000000000000", "9223372036854775807"}) {
    AccessBuilder kernel;
    kernel.inLoop(trips).load("1024*ctaid.x + 4*tid.x");
    EXPECT_GT(object(onA100(kernel, {1000}, {256}), "arg2").l2LoadInBytes, 0);
  }
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

} // namespace

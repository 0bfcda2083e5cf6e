// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores and atomics.

#include "AccessBuilder.h"
#include "auspex/Model/MemoryTraffic.h"

#include "gtest/gtest.h"

#include <string>
#include <utility>

using namespace auspex;
using namespace auspex::test;

namespace {

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

} // namespace

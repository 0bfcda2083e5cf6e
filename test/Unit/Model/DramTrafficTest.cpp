// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What DRAM fetches, and the rows that it opens.

#include "../Kernel/KernelBuilder.h"
#include "AccessBuilder.h"
#include "auspex/HW/GPU.h"
#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Model/MemoryTraffic.h"
#include "auspex/Model/Operational.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <string>

using namespace auspex;
using namespace auspex::test;

namespace {

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

} // namespace

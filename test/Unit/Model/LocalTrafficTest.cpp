// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What spills move.

#include "AccessBuilder.h"
#include "auspex/HW/GPU.h"
#include "auspex/Kernel/KernelSummary.h"
#include "auspex/Model/MemoryTraffic.h"

#include "gtest/gtest.h"

#include <cstdint>

using namespace auspex;
using namespace auspex::test;

namespace {

/// A word of each thread, and \p words that it spills.
ObjectTraffic spillsOf(uint64_t words, unsigned blocks, const GPU &on) {
  AccessBuilder kernel;
  kernel.load(Thread);
  kernel.summary.blocks.front().code.emplace_back();
  addSpills(kernel.summary, words);
  return object(trafficOf(kernel, {blocks}, {256}, on),
                ObjectTraffic::LocalMemory);
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

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel asks of the model.

#include "auspex/Model/Operational.h"

#include "../Kernel/KernelBuilder.h"
#include "auspex/HW/GPU.h"
#include "auspex/Kernel/BoundKernel.h"
#include "auspex/Model/MemoryTraffic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// Of a warp's load from \p offset, on a GPU whose L1 is half as wide as its
/// banks.
double l1CyclesOnTuring(llvm::StringRef offset) {
  GPU gpu = llvm::cantFail(findGPU("RTX-2080-Ti"));
  KernelBuilder builder;
  Access &load = builder.access(builder.block("1"), offset);
  load.kind = AccessKind::Load;
  load.bytesPerLane = 4;
  BoundKernel kernel =
      bind(builder.summary, launch({1}, {32}), gpu, Scenario::High);
  return operationalInput(kernel, computeTraffic(kernel, gpu), gpu).l1Cycles;
}

// Of two lines 16 lanes have each, of 32 lines one.
TEST(Operational, APassOfALoneLaneTakesTuringACycle) {
  EXPECT_EQ(l1CyclesOnTuring("16384*floordiv(tid.x, 16)"), 4);
  EXPECT_EQ(l1CyclesOnTuring("16384*tid.x"), 32);
}

/// Of a warp's load from a private array of 64 words at a place that data give.
double l1CyclesOfPick(llvm::StringRef name) {
  GPU gpu = llvm::cantFail(findGPU(name));
  KernelBuilder builder;
  unsigned block = builder.block("1");
  Access &load = builder.access(block, "0");
  load.kind = AccessKind::Load;
  load.space = MemorySpace::Local;
  load.offset = MaybeExpr::unknown("indirect");
  load.bytesPerLane = 4;
  builder.summary.blocks[block].code.emplace_back();
  builder.summary.blocks[block].code.back().mix[InstructionClass::LoadLocal] =
      1;
  builder.summary.localInBytes = 256;
  BoundKernel kernel =
      bind(builder.summary, launch({1}, {32}), gpu, Scenario::Expected);
  return operationalInput(kernel, computeTraffic(kernel, gpu), gpu).l1Cycles;
}

// A line for each word: 25 of 64 are picked, in all 8 windows of 1024 bytes.
TEST(Operational, LanesThatPickWordsOfPrivateArraysTakeTheirLines) {
  EXPECT_DOUBLE_EQ(l1CyclesOfPick("A100-40GB"), (25 + 3) / 4.0);
  EXPECT_NEAR(l1CyclesOfPick("V100-PCIe"), 8, 0.2);
  EXPECT_NEAR(l1CyclesOfPick("P100"), 25, 0.5);
}

/// Of a warp that stores words at these bytes.
double partialStoresOf(llvm::ArrayRef<const char *> offsets) {
  GPU gpu = llvm::cantFail(findGPU("H200"));
  KernelBuilder builder;
  unsigned block = builder.block("1");
  for (const char *offset : offsets) {
    Access &store = builder.access(block, offset);
    store.kind = AccessKind::Store;
    store.bytesPerLane = 4;
  }
  BoundKernel kernel =
      bind(builder.summary, launch({1}, {32}), gpu, Scenario::High);
  return operationalInput(kernel, computeTraffic(kernel, gpu), gpu)
      .partialStores;
}

// The sectors that are stored in part, and their lines.
TEST(Operational, PartsOfSectorsAndTheirLinesArePackets) {
  EXPECT_EQ(partialStoresOf({"4*tid.x"}), 0);
  EXPECT_EQ(partialStoresOf({"4096*tid.x"}), 32 + 32);
  EXPECT_EQ(partialStoresOf({"64*tid.x"}), 32 + 16);
  EXPECT_EQ(partialStoresOf({"32*tid.x"}), 32 + 8);
  // Two words of structures of 8 B are put together, of 64 B they are not.
  EXPECT_EQ(partialStoresOf({"8*tid.x", "8*tid.x+4"}), 0);
  EXPECT_EQ(partialStoresOf({"64*tid.x", "64*tid.x+4"}), 2 * (32 + 16));
  // Of 20 B three quarters are: of the other sectors all are parts.
  EXPECT_EQ(partialStoresOf({"20*tid.x", "20*tid.x+4", "20*tid.x+8",
                             "20*tid.x+12", "20*tid.x+16"}),
            (20 + 0.25 * 4 * 20 - 20) * 2 * (1 + 5 / 20.0));
}

// The turns of an unrolled loop that load side by side do so with one wide
// load; those that load rows, or columns of lanes, do not, however few loads
// there are in machine code.
TEST(Operational, NeighboursInSharedMemoryAreLoadedTogether) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  auto passes = [&](llvm::StringRef offset, unsigned unroll, double loads) {
    KernelBuilder builder;
    unsigned block = builder.block("1", builder.loop("64"));
    builder.code(block, unroll, 1);
    builder.summary.blocks[block]
        .code.back()
        .mix[InstructionClass::LoadShared] = loads;
    Access &load = builder.access(block, offset, MemorySpace::Shared);
    load.kind = AccessKind::Load;
    load.bytesPerLane = 4;
    BoundKernel kernel =
        bind(builder.summary, launch({1}, {32}), gpu, Scenario::High);
    return operationalInput(kernel, computeTraffic(kernel, gpu), gpu)
        .sharedPasses;
  };
  EXPECT_EQ(passes("4*i0", 1, 1), 64);
  EXPECT_EQ(passes("4*i0", 2, 1), 32);
  EXPECT_EQ(passes("4*i0", 2, 2), 64) << "nothing is joined";
  EXPECT_EQ(passes("4*i0", 8, 2), 32) << "no load is wider than four words";
  EXPECT_EQ(passes("4*i0", 8, 1), 32) << "half of the lanes are served at once";
  EXPECT_EQ(passes("256*tid.x + 4*i0", 2, 1), 32 * 32);
  EXPECT_EQ(passes("128*i0 + 4*tid.x", 2, 1), 64);
  // Lanes 16 apart want the same word: together by itself, not of a wide load,
  // of which eight lanes are served at a time. HeCBench's Match2 takes 104 ms
  // on an RTX 3080 with the second (gpuFLOPBench), 58 ms with the first.
  EXPECT_EQ(passes("512*mod(tid.x, 16) + 4*i0", 4, 4), 64 * 16);
  EXPECT_EQ(passes("512*mod(tid.x, 16) + 4*i0", 4, 1), 64 / 4 * 32);
  EXPECT_EQ(passes("516*mod(tid.x, 16) + 4*i0", 4, 1), 64) << "not aligned";
}

/// Two loops of a warp, one of arithmetic and one of loads from shared memory.
BoundKernel twoLoops(KernelBuilder &builder, llvm::StringRef trips,
                     const GPU &gpu) {
  unsigned work = builder.block("1", builder.loop(trips));
  builder.code(work, 1, 100);
  unsigned loads = builder.block("1", builder.loop(trips));
  builder.code(loads, 1, 0);
  for (int i = 0; i < 60; ++i) {
    Access &load = builder.access(loads, "4*tid.x", MemorySpace::Shared);
    load.kind = AccessKind::Load;
    load.bytesPerLane = 4;
  }
  return bind(builder.summary, launch({1}, {32}), gpu, Scenario::High);
}

TEST(Operational, PhasesOfABlockFollowEachOther) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  KernelBuilder builder;
  BoundKernel kernel = twoLoops(builder, "10", gpu);
  // 64 lanes for arithmetic, a pass a cycle for shared memory.
  EXPECT_EQ(
      operationalInput(kernel, computeTraffic(kernel, gpu), gpu).phaseCycles,
      10 * (100 * 0.5 + 60));
}

TEST(Operational, PhasesFillSharedMemoryIfTheyLoadAndStoreThere) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  KernelBuilder builder;
  auto phase = [&](double fp32, double loads, double stores,
                   double copies = 0) {
    unsigned block = builder.block("1", builder.loop("1"));
    builder.code(block, 1, fp32);
    MachineCode &code = builder.summary.blocks[block].code.back();
    code.mix[InstructionClass::StoreShared] = stores;
    code.path[InstructionClass::LoadGlobal] = loads;
    code.mix[InstructionClass::CopyAsync] = copies;
    code.path[InstructionClass::CopyAsync] = copies;
  };
  phase(50, 2, 1);
  phase(50, 0, 0, 1);
  phase(200, 1, 0);
  phase(100, 0, 1);
  BoundKernel kernel =
      bind(builder.summary, launch({1}, {32}), gpu, Scenario::High);
  OperationalInput input =
      operationalInput(kernel, computeTraffic(kernel, gpu), gpu);
  EXPECT_EQ(input.fillingWork, 0.25);
  EXPECT_EQ(input.fillingWaits, 0.75);
}

} // namespace

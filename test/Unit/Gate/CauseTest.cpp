// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/Cause.h"

#include "Records.h"
#include "gtest/gtest.h"

using namespace auspex;

static AccessVolume makeAccess(llvm::StringRef object, unsigned line,
                               double sectors) {
  AccessVolume access;
  access.object = access.argument = object.str();
  access.location = {"k.cu", line, 3, {}};
  access.bytesPerLane = 4;
  access.isKnown = true;
  access.counts.requests = 1000;
  access.counts.sectors = access.counts.fewestSectors = sectors;
  return access;
}

/// Reads x at line 5 and y at line 6.
static KernelRecord makeStreaming(double dramBytes) {
  KernelRecord record = makeRecord("_Z1ki", 10);
  record.location = {"k.cu", 1, 1, {}};
  record.accesses = {makeAccess("x", 5, 4000), makeAccess("y", 6, 4000)};
  for (llvm::StringRef name : {"x", "y"}) {
    ObjectTraffic object;
    object.name = object.argument = name.str();
    object.l2LoadInBytes = 128000;
    object.dramLoadInBytes = name == "y" ? dramBytes : 128000;
    record.traffic.push_back(object);
  }
  OperationalInput input;
  input.blocks = 80000;
  input.warpsPerBlock = 8;
  input.activeBlocksPerSM = 8;
  input.instructions[InstructionClass::LoadGlobal] = 2;
  input.path[InstructionClass::LoadGlobal] = 1;
  input.requestedLoadInBytes = input.fewestLoadInBytes = 256;
  input.l1Cycles = 4;
  input.l2LoadInBytes = 256;
  input.dramLoadInBytes = 128 + dramBytes / 1000;
  record.input = input;
  return record;
}

static Cause firstCause(const KernelRecord &base, const KernelRecord &head) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  return explain({&base, &head}, &gpu).front();
}

TEST(Cause, LostReuseIsWhereTheObjectIsRead) {
  KernelRecord base = makeStreaming(1000), head = makeStreaming(128000);
  Cause cause = firstCause(base, head);
  EXPECT_EQ(cause.id, "global-memory");
  EXPECT_EQ(cause.location.line, 6u);
  EXPECT_EQ(cause.message.find("less of y is used again in the caches"), 0u);
}

TEST(Cause, OfTheSameCodeTheLaunchComesFirst) {
  KernelRecord base = makeStreaming(1000), head = makeStreaming(128000);
  head.launch.block->value = {1, 256, 1};
  head.launch.location = {"k.cu", 20, 3, {}};
  Cause cause = firstCause(base, head);
  EXPECT_EQ(cause.id, "launch");
  EXPECT_EQ(cause.remark, "BlockSize");
  EXPECT_EQ(cause.location.line, 20u);
  // Wider lanes are other code.
  head.accesses[1].bytesPerLane = 8;
  head.accesses[1].counts.sectors = 8000;
  EXPECT_EQ(firstCause(base, head).location.line, 6u);
}

/// The causes in order, as "id:line".
static std::vector<std::string> causesOf(const KernelRecord &base,
                                         const KernelRecord &head) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  std::vector<std::string> texts;
  for (const Cause &cause : explain({&base, &head}, &gpu))
    texts.push_back(cause.id + ":" + std::to_string(cause.location.line));
  return texts;
}

using Texts = std::vector<std::string>;

/// Of which L1 is the bottleneck: reads \p bytes of a tile a lane at line 8.
static KernelRecord makeTiled(unsigned bytes, double barriers) {
  KernelRecord record = makeStreaming(0);
  AccessVolume &tile = record.accesses.emplace_back(makeAccess("t", 8, 0));
  tile.space = MemorySpace::Shared;
  tile.bytesPerLane = bytes;
  tile.counts.requests = 16000.0 / bytes;
  tile.counts.lanes = 32 * tile.counts.requests;
  tile.counts.bankPasses = tile.counts.fewestBankPasses = 4000;
  OperationalInput &input = *record.input;
  input.sharedRequests = 400.0 / bytes;
  input.sharedPasses = input.fewestSharedPasses = 100;
  input.instructions[InstructionClass::LoadShared] = input.sharedRequests;
  input.instructions[InstructionClass::Barrier] = barriers;
  LineVolume &line = record.lines.emplace_back();
  line.location = {"k.cu", 7, 0, {}};
  line.instructions[InstructionClass::Barrier] = barriers;
  return record;
}

// A load of four words becomes four loads where barriers are in between.
TEST(Cause, BarriersStandBeforeTheLoadsTheySplit) {
  KernelRecord base = makeTiled(16, 1), head = makeTiled(4, 9);
  EXPECT_EQ(causesOf(base, head), (Texts{"barriers:7", "shared-memory:8"}));
  // More is loaded: that is no work of barriers.
  head.accesses.back().counts.lanes *= 2;
  EXPECT_EQ(causesOf(base, head), (Texts{"shared-memory:8", "barriers:7"}));
}

// Registers are taken by code.
TEST(Cause, WhatTakesRegistersStandsBeforeTheBlocksTheyCost) {
  KernelRecord base = makeStreaming(1000), head = base;
  base.registers = 30;
  head.registers = 90;
  head.input->activeBlocksPerSM = head.activeBlocksPerSM = 1;
  head.occupancyLimiter = "registers";
  head.input->instructions[InstructionClass::Fp32] = 60;
  EXPECT_EQ(causesOf(base, head), (Texts{"floating-point:1", "occupancy:1"}));
  // Shared memory is not.
  head.occupancyLimiter = "shared memory";
  EXPECT_EQ(causesOf(base, head), (Texts{"occupancy:1", "floating-point:1"}));
}

// Smaller blocks have more warps that part at their borders.
TEST(Cause, ALaunchOfItsSizeStandsBeforeBranches) {
  KernelRecord base = makeStreaming(1000), head = base;
  head.launch.block->value = {32, 1, 1};
  head.launch.location = {"k.cu", 20, 3, {}};
  head.input->warpsPerBlock = 1;
  head.input->blocks *= 8;
  head.input->activeLanes = 16;
  FindingRecord branch{"DivergentBranch", "", {"k.cu", 4, 3, {}}, {}};
  branch.args = {{"Executions", 1000}, {"DivergentShare", 1}};
  head.findings.push_back(branch);
  // Other code too.
  head.accesses.pop_back();
  EXPECT_EQ(causesOf(base, head), (Texts{"launch:20", "divergence:4"}));
  // And before code that hangs on the block.
  head.input->instructions[InstructionClass::Fp32] = 200;
  EXPECT_EQ(causesOf(base, head),
            (Texts{"launch:20", "divergence:4", "floating-point:1"}));
}

TEST(Cause, ALoopUnrolledLessIsBehindALongerChain) {
  KernelRecord base = makeStreaming(1000), head = base;
  for (KernelRecord *record : {&base, &head}) {
    record->lines.emplace_back().location = {"k.cu", 5, 0, {}};
    LoopVolume &loop = record->loops.emplace_back();
    loop.location = {"k.cu", 4, 3, {}};
    loop.iterations = 128;
    loop.unroll = record == &base ? 4 : 1;
  }
  head.input->path[InstructionClass::LoadGlobal] = 40;
  Cause cause = firstCause(base, head);
  EXPECT_EQ(cause.id, "unrolling");
  EXPECT_EQ(cause.location.line, 4u);
  EXPECT_EQ(cause.message,
            "the loop is no longer unrolled; it was 4 times before");
}

TEST(Cause, OfAnUnknownTimeItIsSaidWhatChanged) {
  KernelRecord base = makeStreaming(1000);
  base.timeInUs.reset();
  KernelRecord head = base;
  auto causes = [&] {
    return llvm::cantFail(compareSets(makeSet({base}), makeSet({head}), {}))
        .comparisons.front()
        .causes;
  };
  EXPECT_TRUE(causes().empty());
  head.accesses[0].counts.sectors = 32000;
  head.input->requestedLoadInBytes = 1024 + 128;
  ASSERT_FALSE(causes().empty());
  EXPECT_EQ(causes().front().location.line, 5u);
  EXPECT_FALSE(causes().front().costInUs);
}

TEST(Cause, AnArgumentIsNoBlockSize) {
  KernelRecord base = makeStreaming(1000), head = makeStreaming(128000);
  head.launch.arguments["arg0"] = {16, LaunchOrigin::Source};
  Cause cause = firstCause(base, head);
  EXPECT_EQ(cause.id, "launch");
  EXPECT_EQ(cause.remark, "");
}

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

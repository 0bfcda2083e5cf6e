// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp, warps of a block, blocks of a grid.
#include "RunIR.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// The copies on the way out are made before other lanes go on.
TEST(Warps, ValuesLeaveALoopWithTheirLanes) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %none = icmp eq i32 %tid, 31
  br i1 %none, label %end, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %more = add i32 %sum, %i
  %next = add i32 %i, 1
  %again = icmp ule i32 %next, %tid
  br i1 %again, label %loop, label %end
end:
  %result = phi i32 [ 7, %entry ], [ %more, %loop ]
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 %result, ptr %p
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(32);
  DynamicProfile profile = runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  for (uint32_t i = 0; i < 31; ++i)
    EXPECT_EQ(out[i], i * (i + 1) / 2);
  EXPECT_EQ(out[31], 7u);
  EXPECT_EQ(profile.blocks[1].loopEntries, 1u);
}

TEST(Warps, LanesMeetAgainAfterALoop) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %more = add i32 %sum, %i
  %next = add i32 %i, 1
  %again = icmp ule i32 %next, %tid
  br i1 %again, label %loop, label %end
end:
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 %more, ptr %p
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(32);
  DynamicProfile profile = runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i * (i + 1) / 2);
  EXPECT_EQ(profile.blocks[1].warpExecutions, 32u);
  EXPECT_EQ(profile.blocks[1].laneExecutions, 32u * 33 / 2);
  EXPECT_EQ(profile.blocks[1].divergent, 31u);
  EXPECT_EQ(profile.blocks[2].warpExecutions, 1u);
}

TEST(Warps, PhisSwap) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store i32 %a, ptr %out
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(1);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out, 4);
  EXPECT_EQ(*out, 2u);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out, 5);
  EXPECT_EQ(*out, 1u);
}

TEST(Warps, SwitchesDiverge) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %kind = urem i32 %tid, 4
  switch i32 %kind, label %other [ i32 0, label %zero
                                   i32 2, label %two ]
zero:
  br label %end
two:
  br label %end
other:
  br label %end
end:
  %v = phi i32 [ 10, %zero ], [ 12, %two ], [ 99, %other ]
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %p
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(32);
  DynamicProfile profile = runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i % 4 == 0 ? 10u : i % 4 == 2 ? 12u : 99u);
  EXPECT_EQ(profile.blocks[0].divergent, 1u);
  EXPECT_EQ(profile.blocks[3].laneExecutions, 16u);
  EXPECT_EQ(profile.blocks[4].warpExecutions, 1u);
}

TEST(Warps, ShufflesReduce) {
  Runner runner(R"(
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s1 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %tid, i32 16, i32 31)
  %v1 = add i32 %tid, %s1
  %s2 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v1, i32 8, i32 31)
  %v2 = add i32 %v1, %s2
  %s3 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v2, i32 4, i32 31)
  %v3 = add i32 %v2, %s3
  %s4 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v3, i32 2, i32 31)
  %v4 = add i32 %v3, %s4
  %s5 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v4, i32 1, i32 31)
  %v5 = add i32 %v4, %s5
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 %v5, ptr %p
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(32);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], 496u);
}

TEST(Warps, ShufflesStayInTheirSegment) {
  Runner runner(R"(
declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ; width 8: segment mask 0x18 in bits 8 and above; up clamps at 0, others at 31
  %u = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %tid, i32 3, i32 6144)
  %d = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %tid, i32 3, i32 6175)
  %x = call {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 %tid, i32 10, i32 6175)
  %uv = extractvalue {i32, i1} %u, 0
  %dv = extractvalue {i32, i1} %d, 0
  %xv = extractvalue {i32, i1} %x, 0
  %ui = extractvalue {i32, i1} %u, 1
  %uw = zext i1 %ui to i32
  %p = getelementptr [4 x i32], ptr %out, i32 %tid
  store i32 %uv, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 4
  store i32 %dv, ptr %p1
  %p2 = getelementptr i8, ptr %p, i64 8
  store i32 %xv, ptr %p2
  %p3 = getelementptr i8, ptr %p, i64 12
  store i32 %uw, ptr %p3
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(128);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(out[4 * i], i % 8 < 3 ? i : i - 3);
    EXPECT_EQ(out[4 * i + 1], i % 8 > 4 ? i : i + 3);
    EXPECT_EQ(out[4 * i + 2], i / 8 * 8 + 2);
    EXPECT_EQ(out[4 * i + 3], i % 8 < 3 ? 0u : 1u);
  }
}

TEST(Warps, VotesAndMatches) {
  Runner runner(R"(
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %tid to i1
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %odd)
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %odd)
  %key = urem i32 %tid, 3
  %match = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %key)
  %max = call i32 @llvm.nvvm.redux.sync.umax(i32 %tid, i32 -1)
  %a = zext i1 %all to i32
  %b = zext i1 %any to i32
  store i32 %ballot, ptr %out
  %p1 = getelementptr i8, ptr %out, i64 4
  store i32 %a, ptr %p1
  %p2 = getelementptr i8, ptr %out, i64 8
  store i32 %b, ptr %p2
  %p3 = getelementptr i8, ptr %out, i64 12
  store i32 %max, ptr %p3
  %q = getelementptr i32, ptr %out, i32 %tid
  %p4 = getelementptr i8, ptr %q, i64 16
  store i32 %match, ptr %p4
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(36);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  EXPECT_EQ(out[0], 0xaaaaaaaau);
  EXPECT_EQ(out[1], 0u);
  EXPECT_EQ(out[2], 1u);
  EXPECT_EQ(out[3], 31u);
  EXPECT_EQ(out[4], 0x49249249u);
}

TEST(Warps, BarriersOrderSharedMemory) {
  Runner runner(R"(
@tile = internal addrspace(3) global [256 x i32] undef, align 4
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @tile, i32 %tid
  store i32 %tid, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = sub i32 255, %tid
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %other
  %v = load i32, ptr addrspace(3) %q
  %r = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %r
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(256);
  DynamicProfile profile = runner.launch("k", {3, 1, 1}, {256, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  for (unsigned i = 0; i < 256; ++i)
    EXPECT_EQ(out[i], 255 - i);
  EXPECT_EQ(profile.accesses[0].extent, (Interval{0, 1024}));
  EXPECT_EQ(profile.accesses[1].counts.bankPasses, 24);
}

TEST(Warps, BarriersReduce) {
  Runner runner(R"(
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp ult i32 %tid, 70
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %few)
  %none = icmp eq i32 %tid, 1000
  %or = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %none)
  %o = zext i1 %or to i32
  %sum = add i32 %count, %o
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 %sum, ptr %p
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(128);
  runner.launch("k", {1, 1, 1}, {128, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  for (unsigned i = 0; i < 128; ++i)
    EXPECT_EQ(out[i], 70u);
}

TEST(Warps, ExitedThreadsAreNotWaitedFor) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %early = icmp ult i32 %tid, 40
  br i1 %early, label %end, label %rest
rest:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr %out
  br label %end
end:
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(1);
  runner.launch("k", {1, 1, 1}, {128, 1, 1}, out);
  EXPECT_EQ(runner.error, "");
  EXPECT_EQ(*out, 1u);
}

const char *const SpinLock = R"(
define ptx_kernel void @k(ptr %lock, ptr %counter) {
entry:
  br label %try
try:
  %pair = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %old = extractvalue {i32, i1} %pair, 0
  %failed = icmp ne i32 %old, 0
  br i1 %failed, label %try, label %locked
locked:
  %v = load volatile i32, ptr %counter
  %w = add i32 %v, 1
  store volatile i32 %w, ptr %counter
  %release = atomicrmw xchg ptr %lock, i32 0 monotonic
  ret void
}
)";

TEST(Warps, SpinLocksWithinWarpsFinish) {
  Runner runner(SpinLock);
  uint32_t *lock = runner.allocate<uint32_t>(1),
           *counter = runner.allocate<uint32_t>(1);
  runner.launch("k", {4, 1, 1}, {64, 1, 1}, lock, counter);
  EXPECT_EQ(runner.error, "");
  EXPECT_EQ(*counter, 256u);
}

/// Every block waits for the one before it.
const char *const Chain = R"(
define ptx_kernel void @k(ptr %flags, i32 %step) {
entry:
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = add i32 %ctaid, %step
  %p = getelementptr i32, ptr %flags, i32 %before
  br label %spin
spin:
  %v = load volatile i32, ptr %p
  %isSet = icmp ne i32 %v, 0
  br i1 %isSet, label %done, label %spin
done:
  %w = add i32 %v, 1
  %q0 = getelementptr i32, ptr %flags, i32 %ctaid
  %q = getelementptr i32, ptr %q0, i32 1
  store volatile i32 %w, ptr %q
  ret void
}
)";

TEST(Warps, BlocksWaitForEarlierBlocks) {
  Runner runner(Chain);
  uint32_t *flags = runner.allocate<uint32_t>(102);
  flags[0] = 1;
  runner.launch("k", {100, 1, 1}, {32, 1, 1}, flags, 0);
  EXPECT_EQ(runner.error, "");
  EXPECT_EQ(flags[100], 101u);
}

TEST(Warps, ResidentBlocksWaitForLaterBlocks) {
  Runner runner(Chain);
  runner.options.blocksPerWave = 20;
  uint32_t *flags = runner.allocate<uint32_t>(30);
  flags[21] = 1;
  runner.launch("k", {20, 1, 1}, {32, 1, 1}, flags, 2);
  EXPECT_EQ(runner.error, "");
  EXPECT_NE(flags[1], 0u);
}

TEST(Warps, EndlessLoopsAreStopped) {
  Runner runner(Chain);
  runner.options.timeLimitInSeconds = 0.1;
  uint32_t *flags = runner.allocate<uint32_t>(30);
  runner.launch("k", {2, 1, 1}, {32, 1, 1}, flags, 0);
  EXPECT_EQ(runner.kind, EmulationFault::Kind::Stopped);
}

TEST(Warps, ThreadsOfTheHostDoNotChangeCounts) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %counts, ptr %data, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %ctaid, 128
  %i = add i32 %first, %tid
  %h = mul i32 %i, 2654435769
  %h2 = lshr i32 %h, 20
  %p = getelementptr i32, ptr %counts, i32 %h2
  %old = atomicrmw add ptr %p, i32 1 monotonic
  %q = getelementptr i32, ptr %data, i32 %h2
  %v = load i32, ptr %q
  %odd = trunc i32 %h2 to i1
  br i1 %odd, label %then, label %end
then:
  %r = getelementptr i32, ptr %data, i32 %i
  %w = load i32, ptr %r
  br label %end
end:
  ret void
}
)");
  for (uint64_t perWave : {1, 7, 64, 1000}) {
    runner.options.blocksPerWave = perWave;
    std::vector<DynamicProfile> profiles;
    for (unsigned threads : {1, 2, 3}) {
      runner.options.threads = threads;
      uint32_t *counts = runner.allocate<uint32_t>(4096),
               *data = runner.allocate<uint32_t>(32768);
      profiles.push_back(
          runner.launch("k", {200, 1, 1}, {128, 1, 1}, counts, data, 0));
      ASSERT_EQ(runner.error, "");
      uint64_t sum = 0;
      for (unsigned i = 0; i < 4096; ++i)
        sum += counts[i];
      EXPECT_EQ(sum, 200u * 128);
      const DynamicProfile &one = profiles.front(), &now = profiles.back();
      EXPECT_EQ(one.blocks, now.blocks);
      for (size_t i = 0; i < one.accesses.size(); ++i) {
        EXPECT_EQ(one.accesses[i].counts.sectors,
                  now.accesses[i].counts.sectors);
        EXPECT_EQ(one.accesses[i].newSectorsInBlock,
                  now.accesses[i].newSectorsInBlock);
        EXPECT_EQ(one.accesses[i].byMultiplicity,
                  now.accesses[i].byMultiplicity);
        EXPECT_EQ(one.accesses[i].extent, now.accesses[i].extent);
      }
      ASSERT_EQ(one.objects.size(), now.objects.size());
      for (size_t i = 0; i < one.objects.size(); ++i) {
        EXPECT_EQ(one.objects[i].sectorsInWaves, now.objects[i].sectorsInWaves)
            << perWave << ' ' << threads;
        EXPECT_EQ(one.objects[i].sectorsInLaunch,
                  now.objects[i].sectorsInLaunch);
      }
    }
  }
}

} // namespace

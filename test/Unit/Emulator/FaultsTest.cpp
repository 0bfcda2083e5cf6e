// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunIR.h"

using namespace auspex;
using namespace auspex::test;
using Kind = EmulationFault::Kind;

namespace {

const char *const Store = R"(
define ptx_kernel void @k(ptr %p, i64 %offset) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i8, ptr %p, i64 %offset
  %r = getelementptr i32, ptr %q, i32 %tid
  store i32 1, ptr %r
  ret void
}
)";

TEST(Faults, PastTheEnd) {
  Runner runner(Store);
  char *data = runner.allocate<char>(128);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, data, int64_t(0));
  EXPECT_EQ(runner.error, "");
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, data, int64_t(16));
  EXPECT_EQ(runner.kind, Kind::IllegalAddress);
  EXPECT_EQ(runner.error, "writes 4 bytes 0 bytes after the end of an "
                          "allocation of 128 bytes");
  ASSERT_TRUE(runner.last);
  EXPECT_EQ(runner.last->thread, (std::array<int64_t, 3>{28, 0, 0}));
}

TEST(Faults, Null) {
  Runner runner(Store);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, nullptr, int64_t(0));
  EXPECT_EQ(runner.kind, Kind::IllegalAddress);
  EXPECT_EQ(runner.error, "writes 4 bytes at a null pointer");
}

TEST(Faults, Misaligned) {
  Runner runner(Store);
  char *data = runner.allocate<char>(1024);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, data, int64_t(2));
  EXPECT_EQ(runner.kind, Kind::MisalignedAddress);
}

TEST(Faults, AfterAFaultLaunchesWork) {
  Runner runner(Store);
  char *data = runner.allocate<char>(128);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, data, int64_t(200));
  EXPECT_NE(runner.error, "");
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, data, int64_t(0));
  EXPECT_EQ(runner.error, "");
}

TEST(Faults, FreedMemory) {
  Runner runner(Store);
  char *data = runner.allocate<char>(128);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, data, int64_t(0));
  EXPECT_EQ(runner.error, "");
  runner.memory.release(data);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, data, int64_t(0));
  EXPECT_EQ(runner.kind, Kind::IllegalAddress);
}

TEST(Faults, SharedMemoryHasAnEnd) {
  Runner runner(R"(
@tile = internal addrspace(3) global [32 x i32] undef, align 4
define ptx_kernel void @k(i32 %offset) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %tid, %offset
  %p = getelementptr i32, ptr addrspace(3) @tile, i32 %i
  store i32 1, ptr addrspace(3) %p
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, 0);
  EXPECT_EQ(runner.error, "");
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, 1);
  EXPECT_EQ(runner.kind, Kind::IllegalAddress);
  EXPECT_EQ(runner.error, "writes 4 bytes 0 bytes after the end of the "
                          "block's shared memory of 128 bytes");
}

// Shared memory and small allocations may be neighbours on the host.
TEST(Faults, NamesWhatIsNearest) {
  Runner runner(R"(
@tile = internal addrspace(3) global [32 x i32] undef, align 4
define ptx_kernel void @k(ptr %p, i64 %offset) {
  store i32 0, ptr addrspace(3) @tile
  %q = getelementptr i8, ptr %p, i64 %offset
  store i32 1, ptr %q
  ret void
}
)");
  char *data = runner.allocate<char>(1 << 16);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, data, int64_t(-64));
  EXPECT_EQ(runner.error, "writes 4 bytes 64 bytes before an allocation of "
                          "65536 bytes");
}

// Code that names shared memory means it, however far it goes.
TEST(Faults, NamesSharedMemoryFarAway) {
  Runner runner(R"(
@tile = internal addrspace(3) global [32 x i32] undef, align 4
define ptx_kernel void @k(i32 %offset) {
  %p = getelementptr i32, ptr addrspace(3) @tile, i32 %offset
  store i32 1, ptr addrspace(3) %p
  ret void
}
)");
  runner.allocate<char>(1 << 16);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, 1 << 28);
  EXPECT_EQ(runner.error, "writes 4 bytes 1073741696 bytes after the end of "
                          "the block's shared memory of 128 bytes");
}

TEST(Faults, BarrierThatSomeNeverComeTo) {
  Runner runner(R"(
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %wait, label %end
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  br label %end
end:
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(runner.kind, Kind::DivergentBarrier);
}

TEST(Faults, BarriersInDivergentCode) {
  Runner runner(R"(
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %a, label %b
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
b:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(runner.kind, Kind::DivergentBarrier);
}

TEST(Faults, Trap) {
  Runner runner(R"(
declare void @llvm.trap()
define ptx_kernel void @k() {
  call void @llvm.trap()
  unreachable
}
)");
  runner.launch("k", {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(runner.kind, Kind::Trap);
}

TEST(Faults, EndlessRecursion) {
  Runner runner(R"(
define void @f(i32 %i) {
  %n = add i32 %i, 1
  call void @f(i32 %n)
  ret void
}
define ptx_kernel void @k() {
  call void @f(i32 0)
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(runner.kind, Kind::StackOverflow);
}

TEST(Faults, UnknownFunctionsAreToldAtLaunch) {
  Runner runner(R"(
declare void @missing()
define ptx_kernel void @k() {
  call void @missing()
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(runner.kind, Kind::Unsupported);
  EXPECT_NE(runner.error.find("'missing'"), std::string::npos);
}

TEST(Faults, BrokenCodeIsRefused) {
  Runner runner(R"(
define ptx_kernel void @k(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %x = add i32 1, 2
  br label %b
b:
  %y = add i32 %x, 1
  ret void
}
)");
  EXPECT_NE(runner.error.find("broken"), std::string::npos);
}

TEST(Faults, AStoppedLaunchNamesItsBlocks) {
  // Every block waits for a number that nobody writes.
  Runner runner(R"(
define ptx_kernel void @k(ptr %p) {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  %done = icmp eq i32 %v, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
)");
  int *data = runner.allocate<int>(1);
  runner.options.timeLimitInSeconds = 0.2;
  runner.options.blocksPerWave = 4;
  runner.launch("k", {3, 1, 1}, {64, 1, 1}, data);
  EXPECT_EQ(runner.kind, Kind::Stopped);
  ASSERT_TRUE(runner.last);
  ASSERT_EQ(runner.last->running.size(), 3u);
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(runner.last->running[i].block, (std::array<int64_t, 3>{i, 0, 0}));
}

TEST(Faults, AStoppedLaunchTellsWhatItDid) {
  // The first blocks come to their end, the last never does.
  Runner runner(R"(
define ptx_kernel void @k(ptr %p) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 1, ptr %p
  %ends = icmp ult i32 %block, 5
  br i1 %ends, label %end, label %loop
loop:
  br label %loop
end:
  ret void
}
)");
  int *data = runner.allocate<int>(1);
  for (unsigned threads : {1, 2}) {
    runner.options.threads = threads;
    runner.options.timeLimitInSeconds = 0.2;
    runner.launch("k", {6, 1, 1}, {64, 1, 1}, data);
    ASSERT_EQ(runner.kind, Kind::Stopped);
    ASSERT_TRUE(runner.last->profile);
    const DynamicProfile &profile = *runner.last->profile;
    EXPECT_EQ(profile.unfinishedBlocks, 1u);
    EXPECT_EQ(profile.blocks[0].warpExecutions, 12u);
    EXPECT_EQ(profile.blocks[2].warpExecutions, 10u);
    EXPECT_EQ(profile.accesses[0].counts.requests, 12u);
  }
}

} // namespace

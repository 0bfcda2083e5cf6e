// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, recursion, function pointers, local memory, printf.
#include "RunIR.h"

using namespace auspex;
using namespace auspex::test;

namespace {

TEST(Calls, RecursionOfDifferentDepth) {
  Runner runner(R"(
define i32 @factorial(i32 %n) {
  %small = icmp ule i32 %n, 1
  br i1 %small, label %one, label %more
one:
  ret i32 1
more:
  %m = sub i32 %n, 1
  %f = call i32 @factorial(i32 %m)
  %r = mul i32 %f, %n
  ret i32 %r
}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = urem i32 %tid, 10
  %f = call i32 @factorial(i32 %n)
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 %f, ptr %p
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(32);
  DynamicProfile profile = runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  uint32_t factorial = 1;
  for (uint32_t i = 0; i < 10; ++i) {
    factorial *= std::max(i, 1u);
    EXPECT_EQ(out[i], factorial);
    EXPECT_EQ(out[i + 20], factorial);
  }
  EXPECT_GT(profile.calleeWarpInstructions, 0u);
  EXPECT_EQ(profile.warpInstructions, 6u);
}

TEST(Calls, KernelsAreNotCalled) {
  Runner runner(R"(
define ptx_kernel void @other(ptr %out) {
  br label %more
more:
  br label %end
end:
  store i32 1, ptr %out
  ret void
}
define ptx_kernel void @k(ptr %out) {
  call void @other(ptr %out)
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, runner.allocate<uint32_t>(32));
  EXPECT_EQ(runner.error, "calls 'other', which is a kernel");
}

TEST(Calls, FunctionsOfAnotherTypeAreHarmless) {
  // More than the parameter has room for, and more than comes back.
  Runner runner(R"(
define i8 @narrow(i8 %a) {
  ret i8 %a
}
define ptx_kernel void @k(ptr %out, i64 %which) {
  %none = icmp eq i64 %which, 0
  %f = select i1 %none, ptr null, ptr @narrow
  %r = call { i128, i128 } %f(i128 -1, i128 -1)
  %low = extractvalue { i128, i128 } %r, 0
  %byte = trunc i128 %low to i8
  store i8 %byte, ptr %out
  ret void
}
)");
  auto *out = runner.allocate<uint8_t>(32);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out, uint64_t(1));
  EXPECT_EQ(runner.error, "");
}

TEST(Calls, LocalMemoryOfAnySize) {
  // Each lane writes as many bytes as its number says, in every round.
  Runner runner(R"(
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
define ptx_kernel void @k(ptr %out, i32 %rounds) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = add i32 %tid, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %stack = call ptr @llvm.stacksave.p0()
  %a = alloca i32, i32 %n
  %last = getelementptr i32, ptr %a, i32 %tid
  store i32 %n, ptr %last
  store i32 %i, ptr %a
  %v = load i32, ptr %last
  call void @llvm.stackrestore.p0(ptr %stack)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %rounds
  br i1 %more, label %loop, label %end
end:
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %p
  ret void
}
define ptx_kernel void @large(i64 %n) {
  %a = alloca i32, i64 %n
  store volatile i32 1, ptr %a
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(32);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out, 10000);
  ASSERT_EQ(runner.error, "");
  EXPECT_EQ(out[0], 9999u);
  for (unsigned i = 1; i < 32; ++i)
    EXPECT_EQ(out[i], i + 1);
  runner.launch("large", {1, 1, 1}, {32, 1, 1}, int64_t(1) << 62);
  EXPECT_EQ(runner.kind, EmulationFault::Kind::StackOverflow);
}

TEST(Calls, FunctionPointersDiverge) {
  Runner runner(R"(
@table = addrspace(1) constant [3 x ptr] [ptr @f, ptr @g, ptr @h]
define i32 @f(i32 %x) {
  ret i32 %x
}
define i32 @g(i32 %x) {
  %y = mul i32 %x, 100
  ret i32 %y
}
define i32 @h(i32 %x) {
  %y = sub i32 0, %x
  ret i32 %y
}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %which = urem i32 %tid, 3
  %p = getelementptr ptr, ptr addrspace(1) @table, i32 %which
  %function = load ptr, ptr addrspace(1) %p
  %twice = add i32 %tid, %tid
  %v = call i32 %function(i32 %tid)
  %sum = add i32 %v, %twice
  %q = getelementptr i32, ptr %out, i32 %tid
  store i32 %sum, ptr %q
  ret void
}
)");
  int32_t *out = runner.allocate<int32_t>(32);
  DynamicProfile profile = runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], 2 * i + (i % 3 == 0 ? i : i % 3 == 1 ? 100 * i : -i));
  ASSERT_EQ(profile.accesses.size(), 2u);
  EXPECT_EQ(profile.accesses[1].counts.requests, 1) << "they meet again";
}

TEST(Calls, LocalArraysAreTheLanesOwn) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %array = alloca [8 x i32], align 4
  %slot = urem i32 %tid, 8
  %p = getelementptr i32, ptr %array, i32 %slot
  store i32 %tid, ptr %p
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %q
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(32);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i);
}

TEST(Calls, PrintfInLaneOrder) {
  Runner runner(R"(
@format = private addrspace(1) constant [13 x i8] c"%d %s %.2f;\0A\00"
@text = private addrspace(1) constant [3 x i8] c"hi\00"
declare i32 @vprintf(ptr, ptr)
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %buffer = alloca { i32, ptr, double }, align 8
  store i32 %tid, ptr %buffer
  %p = getelementptr i8, ptr %buffer, i64 8
  store ptr addrspacecast (ptr addrspace(1) @text to ptr), ptr %p
  %q = getelementptr i8, ptr %buffer, i64 16
  store double 1.5, ptr %q
  %n = call i32 @vprintf(ptr addrspacecast (ptr addrspace(1) @format to ptr), ptr %buffer)
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {3, 1, 1});
  ASSERT_EQ(runner.error, "");
  EXPECT_EQ(runner.printed, "0 hi 1.50;\n1 hi 1.50;\n2 hi 1.50;\n");
}

TEST(Calls, DeviceMemoryFromMalloc) {
  Runner runner(R"(
declare ptr @malloc(i64)
declare void @free(ptr)
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = call ptr @malloc(i64 64)
  store i32 %tid, ptr %p
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %q
  call void @free(ptr %p)
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(32);
  runner.launch("k", {2, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(runner.error, "");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i);
}

// Memory that a kernel allocates while other threads of the host run blocks of
// it: what its argument's sectors are does not depend on them.
TEST(Calls, MallocOnSeveralThreads) {
  Runner runner(R"(
declare ptr @malloc(i64)
declare void @free(ptr)
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 64
  %i = add i32 %first, %tid
  %p = call ptr @malloc(i64 64)
  store i32 %i, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i32 %i
  store i32 %v, ptr %q
  call void @free(ptr %p)
  ret void
}
)");
  ASSERT_EQ(runner.error, "");
  constexpr unsigned Blocks = 40;
  auto *out = runner.allocate<uint32_t>(Blocks * 64);
  for (unsigned round = 0; round < 4; ++round)
    for (uint64_t perWave : {4, 40})
      for (unsigned threads : {1, 2, 3}) {
        std::fill_n(out, Blocks * 64, 0);
        runner.options.blocksPerWave = perWave;
        runner.options.threads = threads;
        DynamicProfile profile =
            runner.launch("k", {Blocks, 1, 1}, {64, 1, 1}, out);
        ASSERT_EQ(runner.error, "");
        for (unsigned i = 0; i < Blocks * 64; ++i)
          ASSERT_EQ(out[i], i);
        auto object = llvm::find_if(profile.objects, [](const auto &object) {
          return object.name == "arg0";
        });
        ASSERT_NE(object, profile.objects.end());
        EXPECT_EQ(object->sectorsInLaunch, Blocks * 64u * 4 / 32);
        EXPECT_EQ(object->sectorsInWaves, Blocks * 64u * 4 / 32);
      }
}

// What cannot be decoded is told at the first launch; whoever comes to it later
// by a pointer stops there, on whichever thread, and the rest can run.
TEST(Calls, ThroughPointerToWhatCannotBeDecoded) {
  Runner runner(R"(
declare void @missing()
define internal i32 @broken(i32 %x) {
  call void @missing()
  ret i32 %x
}
define internal i32 @fine(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
@table = addrspace(1) global [2 x ptr] [ptr @fine, ptr @broken]
define ptx_kernel void @k(ptr %out, i64 %which) {
  %p = getelementptr ptr, ptr addrspace(1) @table, i64 %which
  %f = load ptr, ptr addrspace(1) %p
  %x = call i32 %f(i32 41)
  store i32 %x, ptr %out
  ret void
}
)");
  ASSERT_EQ(runner.error, "");
  auto *out = runner.allocate<uint32_t>(1);
  runner.options.threads = 2;
  runner.launch("k", {8, 1, 1}, {1, 1, 1}, out, uint64_t(0));
  EXPECT_NE(runner.error.find("'missing'"), std::string::npos) << runner.error;
  runner.launch("k", {8, 1, 1}, {1, 1, 1}, out, uint64_t(0));
  EXPECT_EQ(runner.error, "");
  EXPECT_EQ(*out, 42u);
  runner.launch("k", {8, 1, 1}, {1, 1, 1}, out, uint64_t(1));
  EXPECT_NE(runner.error.find("calls 'broken', which cannot be emulated"),
            std::string::npos)
      << runner.error;
}

TEST(Calls, WhatIsMissingInACalleeNamesTheKernel) {
  Runner runner(R"(
define void @_Z6warmUpv() noinline {
  call void asm sideeffect "wgmma.fence.sync.aligned;", ""()
  ret void
}
define ptx_kernel void @k() {
  call void @_Z6warmUpv()
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(runner.kind, EmulationFault::Kind::Unsupported);
  EXPECT_EQ(runner.error,
            "calls 'warmUp()', which uses the inline assembly "
            "'wgmma.fence.sync.aligned', which the emulator does not have");
  ASSERT_TRUE(runner.last);
  EXPECT_EQ(runner.last->kernel, "k");
}

} // namespace

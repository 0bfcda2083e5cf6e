// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX.
#include "RunIR.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// What inline assembly with one result makes of the lane's number, 1000 and 7.
std::vector<uint32_t> run(llvm::StringRef assembly) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = call i32 asm sideeffect ")" +
                assembly.str() + R"(", "=r,r,r,r"(i32 %tid, i32 1000, i32 7)
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %p
  ret void
}
)");
  uint32_t *out = runner.allocate<uint32_t>(32);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  EXPECT_EQ(runner.error, "");
  return std::vector<uint32_t>(out, out + 32);
}

TEST(Assembly, Arithmetic) {
  EXPECT_EQ(run("mad.lo.u32 $0, $1, $2, $3;")[5], 5007u);
  EXPECT_EQ(run("sub.s32 $0, $3, $2;")[5], static_cast<uint32_t>(-993));
  EXPECT_EQ(run("bfe.u32 $0, $2, 3, 5;")[5], 1000u >> 3 & 31);
  EXPECT_EQ(run("lop3.b32 $0, $1, $2, $3, 0x96;")[5], 5u ^ 1000 ^ 7);
  EXPECT_EQ(run("prmt.b32 $0, $2, $3, 0x0123;")[5], 0xe8030000u);
}

TEST(Assembly, CarryChains) {
  EXPECT_EQ(run("{ .reg .u32 t; add.cc.u32 t, $1, -1; addc.u32 $0, $2, 0; }"),
            [] {
              std::vector<uint32_t> expected(32, 1001);
              expected[0] = 1000; // 0 + 0xffffffff carries nothing
              return expected;
            }());
}

TEST(Assembly, PredicatesKeepWhatWasThere) {
  std::vector<uint32_t> values = run("{ .reg .pred p; setp.lt.u32 p, $1, $3; "
                                     "mov.u32 $0, $2; @p mov.u32 $0, $1; }");
  EXPECT_EQ(values[6], 6u);
  EXPECT_EQ(values[7], 1000u);
}

TEST(Assembly, ComparisonsWithTwoResults) {
  std::vector<uint32_t> values =
      run("{ .reg .pred p, q; setp.lt.u32 p|q, $1, $3; selp.u32 $0, 1, 2, p; "
          "@q add.u32 $0, $0, 10; }");
  EXPECT_EQ(values[6], 1u);
  EXPECT_EQ(values[7], 12u);
  // 3 <= lane < 7, and the rest of the lanes from 3 on.
  values = run("{ .reg .pred p, q, r; setp.ge.u32 r, $1, 3; "
               "setp.lt.and.u32 p|q, $1, $3, r; selp.u32 $0, 1, 0, p; "
               "@q add.u32 $0, $0, 10; }");
  EXPECT_EQ(values[2], 0u);
  EXPECT_EQ(values[3], 1u);
  EXPECT_EQ(values[7], 10u);
}

TEST(Assembly, LoadsOfBytesExtendTheirSign) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %in, ptr %out) {
  %v = call i32 asm sideeffect "ld.global.s8 $0, [$1];", "=r,l"(ptr %in)
  store i32 %v, ptr %out
  ret void
}
)");
  auto *in = runner.allocate<signed char>(1, -3);
  auto *out = runner.allocate<int>(1);
  runner.launch("k", {1, 1, 1}, {1, 1, 1}, in, out);
  EXPECT_EQ(runner.error, "");
  EXPECT_EQ(*out, -3);
}

TEST(Assembly, Branches) {
  // Each lane counts down from its number, so lanes leave one after the other.
  std::vector<uint32_t> values =
      run("{ .reg .pred p; .reg .u32 left, sum; mov.u32 left, $1; "
          "mov.u32 sum, 0; again: setp.eq.u32 p, left, 0; @p bra done; "
          "add.u32 sum, sum, left; sub.u32 left, left, 1; bra.uni again; "
          "done: mov.u32 $0, sum; }");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(values[lane], lane * (lane + 1) / 2);
  // Forwards: both ways write the same register.
  values = run("{ .reg .pred p; setp.lt.u32 p, $1, $3; @!p bra OTHER; "
               "mov.u32 $0, 1; bra END; OTHER: mov.u32 $0, 2; END: }");
  EXPECT_EQ(values[6], 1u);
  EXPECT_EQ(values[7], 2u);
  // Lanes meet again behind it.
  values = run("{ .reg .pred p; .reg .b32 t<2>; setp.lt.u32 p, $1, $3; "
               "mov.u32 t0, 5; @p bra L; mov.u32 t0, 9; L: "
               "activemask.b32 t1; add.u32 $0, t1, t0; }");
  EXPECT_EQ(values[6], 4u);
  EXPECT_EQ(values[7], 8u);
}

TEST(Assembly, BranchesToNowhereAreNamed) {
  Runner runner(R"(
define ptx_kernel void @k() {
  call void asm sideeffect "bra NOWHERE;", ""()
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(runner.kind, EmulationFault::Kind::Unsupported);
  EXPECT_NE(runner.error.find("NOWHERE"), std::string::npos);
}

TEST(Assembly, PredicatesOnWhatWaits) {
  // The exchange is among those lanes that come to it.
  std::vector<uint32_t> values =
      run("{ .reg .pred p; setp.lt.u32 p, $1, 16; mov.u32 $0, 77; "
          "@p shfl.sync.bfly.b32 $0, $1, 1, 0x1f, 0xffff; }");
  EXPECT_EQ(values[5], 4u);
  EXPECT_EQ(values[16], 77u);
  // Who does not leave goes on.
  Runner runner(R"(
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void asm sideeffect "{ .reg .pred p; setp.lt.u32 p, $0, 5; @p exit; }", "r"(i32 %tid)
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 1, ptr %p
  ret void
}
)");
  auto *out = runner.allocate<uint32_t>(32);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, out);
  EXPECT_EQ(runner.error, "");
  EXPECT_EQ(out[4], 0u);
  EXPECT_EQ(out[5], 1u);
}

/// The second warp waits until the first has arrived, in a loop of PTX; each
/// at a named barrier that only some of its lanes execute comes together.
TEST(Assembly, LoopsThatWaitForOtherWarps) {
  Runner runner(R"(
@bar = internal addrspace(3) global i64 poison, align 8
@value = internal addrspace(3) global i32 poison, align 4
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bar32 = ptrtoint ptr addrspace(3) @bar to i32
  %value32 = ptrtoint ptr addrspace(3) @value to i32
  call void asm sideeffect "{ .reg .pred p; setp.eq.u32 p, $0, 0; @p mbarrier.init.shared::cta.b64 [$1], 1; }", "r,r"(i32 %tid, i32 %bar32)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = call i32 asm sideeffect "{ .reg .pred first, p; .reg .b64 s;
      setp.eq.u32 first, $1, 40;
      @first st.shared.u32 [$3], 123;
      @first mbarrier.arrive.shared::cta.b64 s, [$2];
      WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [$2], 0;
      @p bra DONE;
      bra WAIT;
      DONE: ld.shared.u32 $0, [$3]; }", "=r,r,r,r"(i32 %tid, i32 %bar32, i32 %value32)
  call void asm sideeffect "{ .reg .pred p; setp.ge.u32 p, $0, 32; @p bar.sync 1, 32; }", "r"(i32 %tid)
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %p
  ret void
}
)");
  auto *out = runner.allocate<uint32_t>(64);
  runner.launch("k", {1, 1, 1}, {64, 1, 1}, out);
  EXPECT_EQ(runner.error, "");
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], 123u);
}

TEST(Assembly, LoopsThatNeverEndAreStopped) {
  Runner runner(R"(
define ptx_kernel void @k() {
  call void asm sideeffect "LOOP: bra LOOP;", ""()
  ret void
}
)");
  runner.options.timeLimitInSeconds = 0.05;
  runner.launch("k", {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(runner.kind, EmulationFault::Kind::Stopped);
}

TEST(Assembly, WarpInstructions) {
  EXPECT_EQ(run("mov.u32 $0, %laneid;")[9], 9u);
  EXPECT_EQ(run("mov.u32 $0, %lanemask_lt;")[3], 7u);
  EXPECT_EQ(run("shfl.sync.bfly.b32 $0, $1, 1, 0x1f, 0xffffffff;")[4], 5u);
  EXPECT_EQ(run("{ .reg .pred p; setp.lt.u32 p, $1, $3; "
                "vote.sync.ballot.b32 $0, p, -1; }")[0],
            0x7fu);
}

TEST(Assembly, PairsOfHalves) {
  // 1 + 2 in the lower half, 2 + 2 in the upper one.
  EXPECT_EQ(run("add.f16x2 $0, 0x40003c00, 0x40004000;")[0], 0x44004200u);
}

TEST(Assembly, WhatIsUnknownIsNamed) {
  Runner runner(R"(
define ptx_kernel void @k() {
  call void asm sideeffect "frobnicate.u32 $0;", "r"(i32 1)
  ret void
}
)");
  runner.launch("k", {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(runner.kind, EmulationFault::Kind::Unsupported);
  EXPECT_NE(runner.error.find("frobnicate"), std::string::npos);
}

} // namespace

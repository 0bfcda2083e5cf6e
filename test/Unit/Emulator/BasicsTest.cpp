// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunIR.h"

using namespace auspex;
using namespace auspex::test;

namespace {

const char *const Saxpy = R"(
define ptx_kernel void @saxpy(ptr %x, ptr %y, float %a, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %ctaid, %ntid
  %i = add i32 %first, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %end
body:
  %wide = sext i32 %i to i64
  %px = getelementptr float, ptr %x, i64 %wide
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %wide
  %vy = load float, ptr %py
  %product = fmul contract float %a, %vx
  %sum = fadd contract float %product, %vy
  store float %sum, ptr %py
  br label %end
end:
  ret void
}
)";

TEST(Basics, Saxpy) {
  Runner runner(Saxpy);
  constexpr int n = 1000;
  float *x = runner.allocate<float>(n), *y = runner.allocate<float>(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 1;
  }
  DynamicProfile profile =
      runner.launch("saxpy", {8, 1, 1}, {128, 1, 1}, x, y, 2.0f, n);
  ASSERT_EQ(runner.error, "");
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(y[i], 2.0f * i + 1);
  ASSERT_EQ(profile.blocks.size(), 3u);
  EXPECT_EQ(profile.blocks[0].warpExecutions, 32u);
  EXPECT_EQ(profile.blocks[0].divergent, 1u);
  EXPECT_EQ(profile.blocks[1].laneExecutions, 1000u);
  EXPECT_EQ(profile.blocks[1].byActiveLanes[1], 1u) << "8 lanes at the end";
  EXPECT_EQ(profile.blocks[2].warpExecutions, 32u) << "they meet again";
  ASSERT_EQ(profile.accesses.size(), 3u);
  EXPECT_EQ(profile.accesses[0].counts.requests, 32);
  EXPECT_EQ(profile.accesses[0].counts.sectors, 125);
  EXPECT_EQ(profile.accesses[0].newSectorsInBlock, 125u);
  EXPECT_EQ(profile.accesses[2].newSectorsInBlock, 0u);
  EXPECT_EQ(profile.accesses[0].extent, (Interval{0, 4000}));
  ASSERT_EQ(profile.objects.size(), 2u);
  EXPECT_EQ(profile.objects[0].name, "arg0");
  EXPECT_EQ(profile.objects[0].sectorsInLaunch, 125u);
}

/// Elements that do not lie side by side go to memory one after the other.
TEST(Basics, VectorOfScatteredElements) {
  Runner runner(R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %tid
  %all = load <4 x i32>, ptr addrspace(1) %from
  %x = extractelement <4 x i32> %all, i32 0
  %y = extractelement <4 x i32> %all, i32 1
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %then, label %end
then:
  %changed = sub i32 0, %x
  br label %end
end:
  %first = phi i32 [ %x, %0 ], [ %changed, %then ]
  %a = insertelement <4 x i32> poison, i32 %first, i32 0
  %b = insertelement <4 x i32> %a, i32 %y, i32 1
  %c = insertelement <4 x i32> %b, i32 %y, i32 2
  %d = insertelement <4 x i32> %c, i32 %first, i32 3
  %to = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %tid
  store <4 x i32> %d, ptr addrspace(1) %to
  ret void
}
)");
  int32_t *in = runner.allocate<int32_t>(128);
  int32_t *out = runner.allocate<int32_t>(128);
  for (int32_t i = 0; i < 128; ++i)
    in[i] = i * i;
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, in, out);
  ASSERT_EQ(runner.error, "");
  for (int32_t t = 0; t < 32; ++t) {
    int32_t x = in[4 * t], y = in[4 * t + 1], first = t % 2 ? -x : x;
    EXPECT_EQ(out[4 * t], first);
    EXPECT_EQ(out[4 * t + 1], y);
    EXPECT_EQ(out[4 * t + 2], y);
    EXPECT_EQ(out[4 * t + 3], first);
  }
}

} // namespace

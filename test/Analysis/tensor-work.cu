// Instructions of tensor cores are counted by what they multiply: the shape, how
// fast such elements are, and whether sums are of single precision. wgmma is the
// work of four warps, and its fences are none.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

#define PTX(name, opcode)                                                      \
  extern "C" __global__ void name() { asm volatile(opcode " %%nothing;"); }

// CHECK-LABEL: kernel halves (
// CHECK: tensor 2{{$}}
PTX(halves, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16")
// CHECK-LABEL: kernel halvesSmall (
// CHECK: tensor_fp32 1{{$}}
PTX(halvesSmall, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
// CHECK-LABEL: kernel quads (
// CHECK: tensor 1{{$}}
PTX(quads, "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16")
// CHECK-LABEL: kernel bfloats (
// CHECK: tensor_fp32 2{{$}}
PTX(bfloats, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
// CHECK-LABEL: kernel tf32 (
// CHECK: tensor_fp32 2{{$}}
PTX(tf32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
// CHECK-LABEL: kernel bytes (
// CHECK: tensor 2{{$}}
PTX(bytes, "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32")
// CHECK-LABEL: kernel bits (
// CHECK: tensor 2{{$}}
PTX(bits, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc")
// CHECK-LABEL: kernel doubles (
// CHECK: tensor 4{{$}}
PTX(doubles, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64")
// CHECK-LABEL: kernel eighths (
// CHECK: tensor_fp32 2{{$}}
PTX(eighths, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32")
// CHECK-LABEL: kernel sparse (
// CHECK: tensor_fp32 2{{$}}
PTX(sparse, "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32")
// CHECK-LABEL: kernel group (
// CHECK: tensor_fp32 32{{$}}
PTX(group, "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16")
// CHECK-LABEL: kernel fence (
// CHECK-NOT: tensor
PTX(fence, "wgmma.fence.sync.aligned")

// CHECK-LABEL: kernel builtins (
// CHECK: tensor 4, tensor_fp32 8, load_global
extern "C" __global__ void builtins(int *a, int *b, int *c, float *f) {
  __hmma_m16n16k16_mma_f16f16(c, a, b, c, 0, 0);
  __hmma_m16n16k16_mma_f32f32(f, a, b, f, 0, 0);
  __mma_tf32_m16n16k8_mma_f32(f, a, b, f, 0, 0);
}

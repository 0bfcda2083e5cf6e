// Inline assembly is what its instructions are: volatile or not, loads of
// matrices move to where they are multiplied, as the assembler moves them, and
// none of them waits in registers.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

__device__ void load(unsigned (&tile)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(tile[0]), "=r"(tile[1]), "=r"(tile[2]), "=r"(tile[3])
               : "r"(address)
               : "memory");
}

__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %8}, "
               "{%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b));
}

// CHECK-LABEL: kernel loadsFirst (
// CHECK-NEXT:    registers {{[1-2][0-9]}} (estimated)
extern "C" __global__ void loadsFirst(float *out, unsigned b) {
  __shared__ int4 rows[2048];
  unsigned base = __cvta_generic_to_shared(rows) + threadIdx.x * 16;
  unsigned tiles[32][4];
  float sum[4] = {};
#pragma unroll
  for (int i = 0; i < 32; ++i)
    load(tiles[i], base + i * 512);
#pragma unroll
  for (int i = 0; i < 32; ++i)
    multiply(sum, tiles[i], b);
  out[threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}

// 300 addresses a loop does not change are found in it rather than spilled.
// CHECK-LABEL: kernel manyAddresses (
// CHECK:         int_add 301,
// CHECK-NOT:     assumed: {{.*}} spilled
extern "C" __global__ void manyAddresses(float *out, unsigned b, int n) {
  __shared__ int4 rows[2048];
  unsigned base = __cvta_generic_to_shared(rows) + threadIdx.x * 16;
  float sum[4] = {};
  for (int k = 0; k < n; ++k) {
    __syncthreads();
#pragma unroll
    for (int i = 1; i <= 300; ++i) {
      unsigned tile[4];
      load(tile, base ^ i * 16);
      multiply(sum, tile, b);
    }
  }
  out[threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}

// Assembly that makes a shared address of a generic one is a cast: what loads
// from there, and its bank conflicts, are seen.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK-LABEL: conflicts(
// CHECK: shared load of 16 B a lane: 8-way bank conflict, 32 passes a request
// CHECK-LABEL: swizzled(
// CHECK-NOT: conflict
// CHECK-LABEL: unread(
// CHECK: its address is unknown (inline-asm)

__device__ unsigned sharedAddress(const void *pointer) {
  unsigned address;
  asm volatile("{\n"
               "  .reg .u64 in64;\n"
               "  cvta.to.shared.u64 in64, %1;\n"
               "  cvt.u32.u64 %0, in64;\n"
               "}\n"
               : "=r"(address)
               : "l"(pointer));
  return address;
}

// It may be another one.
__device__ unsigned movedAddress(const void *pointer) {
  unsigned address;
  asm volatile("{ .reg .u64 in64; cvta.to.shared.u64 in64, %1;"
               "  add.u64 in64, in64, 64; cvt.u32.u64 %0, in64; }"
               : "=r"(address)
               : "l"(pointer));
  return address;
}

__device__ unsigned matrices(unsigned address) {
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(address));
  return a + b + c + d;
}

__device__ void fill(uint4 (&rows)[32][8], const uint4 *in) {
  for (int k = 0; k < 8; ++k)
    rows[k * 4 + threadIdx.x / 8][threadIdx.x % 8] = in[k * 32 + threadIdx.x];
  __syncwarp();
}

__global__ void conflicts(unsigned *out, const uint4 *in) {
  __shared__ uint4 rows[32][8];
  fill(rows, in);
  out[blockIdx.x * 32 + threadIdx.x] =
      matrices(sharedAddress(rows[threadIdx.x]));
}

__global__ void swizzled(unsigned *out, const uint4 *in) {
  __shared__ uint4 rows[32][8];
  fill(rows, in);
  out[blockIdx.x * 32 + threadIdx.x] =
      matrices(sharedAddress(&rows[threadIdx.x][threadIdx.x % 8]));
}

__global__ void unread(unsigned *out, const uint4 *in) {
  __shared__ uint4 rows[32][8];
  rows[threadIdx.x][0] = in[threadIdx.x];
  __syncwarp();
  out[blockIdx.x * 32 + threadIdx.x] =
      matrices(movedAddress(rows[threadIdx.x]));
}

void run(unsigned *out, const uint4 *in) {
  conflicts<<<4096, 32>>>(out, in);
  swizzled<<<4096, 32>>>(out, in);
  unread<<<4096, 32>>>(out, in);
}

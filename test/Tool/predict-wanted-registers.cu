// Who says how many blocks are to reside on an SM has told ptxas what the
// registers may cost: it loads as early as they allow, and a bound of one block
// raises the registers. ptxas 13 takes 32 registers without the bound, as many
// as fill an A100 with warps, and 48 with it; blocks without a size it ignores.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 | FileCheck %s

// CHECK-LABEL: unbounded(
// CHECK:       32 registers a thread (estimated)
// CHECK-LABEL: {{^}}bounded(
// CHECK:       4{{[0-9]}} registers a thread (estimated)
// CHECK-LABEL: sized(
// CHECK:       32 registers a thread (estimated)

__device__ void multiply(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 16
  for (int i = 0; i < n; ++i)
    sum += a[row * n + i] * b[i * n + column];
  c[row * n + column] = sum;
}
__global__ void unbounded(const float *a, const float *b, float *c, int n) {
  multiply(a, b, c, n);
}
__global__ void __launch_bounds__(256, 1)
    bounded(const float *a, const float *b, float *c, int n) {
  multiply(a, b, c, n);
}
__global__ void __launch_bounds__(256)
    sized(const float *a, const float *b, float *c, int n) {
  multiply(a, b, c, n);
}
void run(const float *a, const float *b, float *c) {
  unbounded<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
  bounded<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
  sized<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
}

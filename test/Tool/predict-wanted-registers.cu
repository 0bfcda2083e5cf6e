// Who says how many blocks are to reside on an SM has told ptxas what the
// registers may cost: it loads as early as they allow, and a bound of one block
// raises the registers. ptxas 13 takes 32 registers without the bound, as many
// as fill an A100 with warps, and 48 with it; blocks without a size it ignores.
// Few of the loads from shared memory it issues early: the tile has 38.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 | FileCheck %s

// CHECK-LABEL: unbounded(
// CHECK:       32 registers a thread (estimated)
// CHECK-LABEL: {{^}}bounded(
// CHECK:       4{{[0-9]}} registers a thread (estimated)
// CHECK-LABEL: sized(
// CHECK:       32 registers a thread (estimated)
// CHECK-LABEL: tiled(
// CHECK:       3{{[5-9]}} registers a thread (estimated)

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
__global__ void __launch_bounds__(1024, 1)
    tiled(const float *a, const float *b, float *c, int n) {
  constexpr int Side = 32;
  __shared__ float tileOfA[Side][Side], tileOfB[Side][Side];
  int row = blockIdx.y * Side + threadIdx.y;
  int column = blockIdx.x * Side + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < n; start += Side) {
    tileOfA[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    tileOfB[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Side; ++i)
      sum += tileOfA[threadIdx.y][i] * tileOfB[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
void run(const float *a, const float *b, float *c) {
  unbounded<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
  bounded<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
  sized<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
  tiled<<<dim3(32, 32), dim3(32, 32)>>>(a, b, c, 1024);
}

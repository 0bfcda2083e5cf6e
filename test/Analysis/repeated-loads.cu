// A tile of a convolution: fully unrolled, neighbouring results share what they
// load. The code has more instructions than are looked at together, and still
// no load goes missing and none comes twice: 15 rows of 55 columns, and a
// constant of the filter is an operand.

// REQUIRES: plugins
// RUN: auspex predict %s --launch convolve=grid:1,block:32x1 --format=json \
// RUN:   -- -O3 | FileCheck %s
// CHECK: "fp32": 1350,
// CHECK-NOT: load_constant
// CHECK: "load_shared": 825,

__constant__ float weights[15 * 15];

__global__ void convolve(float *out) {
  __shared__ float tile[15][62];
  for (int row = 0; row < 15; ++row)
    tile[row][threadIdx.x] = out[row * 32 + threadIdx.x];
  __syncthreads();
  float sums[6] = {};
#pragma unroll
  for (int i = 0; i < 15; ++i)
#pragma unroll
    for (int j = 0; j < 15; ++j)
#pragma unroll
      for (int k = 0; k < 6; ++k)
        sums[k] += tile[i][threadIdx.x % 8 + k * 8 + j] * weights[i * 15 + j];
  for (int k = 0; k < 6; ++k)
    out[k * 32 + threadIdx.x] = sums[k];
}

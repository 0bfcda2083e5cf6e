// The addresses of four copies of a loop are strength-reduced to more than four
// additions each: how often the loop was unrolled is told by its loads.

// REQUIRES: plugins
// RUN: auspex predict %s --format=json \
// RUN:   --launch total=grid:128,block:256,n=1048576 | FileCheck %s
// CHECK: "iterations":2048,"unroll":4}
// CHECK: "load_global": 2048,

__global__ void total(float *y, const float *x, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int k = i; k < 64 * n; k += 32768)
    sum += x[k];
  y[i] = sum;
}

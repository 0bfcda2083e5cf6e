// A loop of three to five turns, unrolled by four, may do its four at once only
// once: they stand in the loop around it then, in a copy of that loop whose
// turns are shorter. They are four turns of the loop, not code beside it. Of 8,
// 7, 7, 7, 7 and 6 rows a warp does 5, 4, 7, 3, 3 and 2 turns: of the third
// some lanes do four at once, and then the others three of their own.

// REQUIRES: plugins
// RUN: auspex predict %s --launch fill=grid:100,block:4x8 --format=json \
// RUN:   | FileCheck %s
// CHECK: "fp32": 171,
// CHECK: "load_global": 171,
// CHECK: "store_global": 171

__global__ void fill(float *a) {
#pragma unroll 2
  for (int step = 1; step <= 6; ++step) {
#pragma unroll
    for (int j = threadIdx.y + step; j < 60 - step; j += 8)
#pragma unroll
      for (int i = threadIdx.x + step; i < 20 - step; i += 4)
        a[(step * 64 + j) * 20 + i] = a[(step * 64 + j) * 20 + i] * 3 + 1;
    __syncthreads();
  }
}

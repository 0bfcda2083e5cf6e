// What a block keeps alive depends on the order of its instructions, which the
// assembler does not always look for where a block is long. What it may spill
// then is said.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu RTX-A4000 --launch convolve=grid:64,block:256 -- \
// RUN:   -DFilter=15 -mllvm -unroll-threshold=3000 | FileCheck %s
// RUN: auspex predict %s --gpu RTX-A4000 --launch convolve=grid:64,block:256 -- \
// RUN:   -DFilter=9 -mllvm -unroll-threshold=3000 | FileCheck %s --check-prefix=SHORT

constexpr int Rows = 3, Columns = 6, Width = 64, Height = 4;

// CHECK-LABEL: {{^}}convolve(float*)
// CHECK:         {{[34][0-9]}} registers a thread (estimated)
// CHECK:         assumed: nothing is spilled to local memory, though the longest block of code is too long for ptxas to be sure to put it in order, and has 7{{[0-9][0-9]}} values alive at once as it stands; ptxas itself knows (--ptxas)
// SHORT-LABEL: {{^}}convolve(float*)
// SHORT:         {{[34][0-9]}} registers a thread (estimated)
// SHORT-NOT:     spilled
__constant__ float weights[Filter * Filter];
__global__ void convolve(float *out) {
  extern __shared__ float tile[];
  float sum[Rows][Columns] = {};
#pragma unroll
  for (int i = 0; i < Filter; ++i)
#pragma unroll
    for (int j = 0; j < Filter; ++j)
#pragma unroll
      for (int row = 0; row < Rows; ++row)
#pragma unroll
        for (int column = 0; column < Columns; ++column)
          sum[row][column] += tile[(threadIdx.y + row * Height + i) * 512 +
                                   threadIdx.x + column * Width + j] *
                              weights[i * Filter + j];
#pragma unroll
  for (int row = 0; row < Rows; ++row)
#pragma unroll
    for (int column = 0; column < Columns; ++column)
      out[(row * Columns + column) * Width + threadIdx.x] = sum[row][column];
}

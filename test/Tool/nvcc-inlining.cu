// nvcc inlines a function of thousands of instructions wherever it is called,
// and private arrays that it fills are registers then.
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB \
// RUN:   --launch products=grid:1024,block:128,n=64 | FileCheck %s

// CHECK:     registers a thread (estimated)
// CHECK-NOT: LocalMemory
__device__ void add(float (&sums)[8][8], float (&x)[8], float (&y)[8],
                    const float (*values)[128], int row, int column) {
#pragma unroll
  for (int k = 0; k < 32; ++k) {
#pragma unroll
    for (int i = 0; i < 8; i += 4) {
      *reinterpret_cast<int4 *>(&x[i]) =
          *reinterpret_cast<const int4 *>(&values[k][row + i]);
      *reinterpret_cast<int4 *>(&y[i]) =
          *reinterpret_cast<const int4 *>(&values[k][column + i]);
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        sums[i][j] += x[i] * y[j];
  }
}

__global__ void products(const float *in, float *out, int n) {
  __shared__ float tiles[2][32][128];
  float sums[8][8] = {}, x[8], y[8];
  int row = threadIdx.x / 8 * 8, column = threadIdx.x % 8 * 8;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 32; ++k)
        tiles[j][k][threadIdx.x] =
            in[((i * 2 + j) * 32 + k) * 128 + threadIdx.x];
    __syncthreads();
    add(sums, x, y, tiles[0], row, column);
    add(sums, x, y, tiles[1], column, row);
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      out[(i * 8 + j) * 128 + threadIdx.x] = sums[i][j];
}

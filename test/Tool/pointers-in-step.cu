// The loads that each turn begins with are the same as those behind the loop.
// LLVM moves them before the loop and to the end of each turn, then makes one
// load of both, and a pointer of each address, which would take all registers.
// They stay the same constants apart, and nothing is spilled, as by ptxas.
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB \
// RUN:   --launch products=grid:1024,block:256,n=1024 | FileCheck %s

// CHECK:     registers a thread (estimated)
// CHECK-NOT: spilled
constexpr int Depth = 16, Row = 128, Tile = 8, Buffer = Depth * Row;

__device__ __forceinline__ void load(float (&to)[Tile], const float *from) {
  for (int i = 0; i < Tile; i += 4)
    *reinterpret_cast<float4 *>(&to[i]) =
        *reinterpret_cast<const float4 *>(from + i);
}

__device__ __forceinline__ void
multiply(float (&sums)[Tile][Tile], float (&x)[2][Tile], float (&y)[2][Tile],
         const float *a, const float *b, size_t row, size_t column) {
#pragma unroll
  for (int k = 0; k < Depth; ++k) {
    if (k + 1 < Depth) {
      load(x[(k + 1) % 2], &a[row + (k + 1) * Row]);
      load(y[(k + 1) % 2], &b[column + (k + 1) * Row]);
    }
    for (int i = 0; i < Tile; ++i)
      for (int j = 0; j < Tile; ++j)
        sums[i][j] += x[k % 2][i] * y[k % 2][j];
  }
}

__global__ void __launch_bounds__(256, 2)
    products(const float *in, float *out, int n) {
  __shared__ __align__(16) float tiles[4 * Buffer];
  float *a = tiles, *b = tiles + 2 * Buffer;
  size_t row = threadIdx.x / 16 * Tile, column = threadIdx.x % 16 * Tile;
  float x[2][Tile], y[2][Tile], sums[Tile][Tile] = {};
  float4 next = reinterpret_cast<const float4 *>(in)[threadIdx.x];
  reinterpret_cast<float4 *>(a)[threadIdx.x] = next;
  reinterpret_cast<float4 *>(b)[threadIdx.x] = next;
  __syncthreads();
  load(x[0], &a[row]);
  load(y[0], &b[column]);
  for (int i = 1; i < n; ++i) {
    next = reinterpret_cast<const float4 *>(in)[i * 256 + threadIdx.x];
    multiply(sums, x, y, a, b, row, column);
    a += i & 1 ? Buffer : -Buffer;
    b += i & 1 ? Buffer : -Buffer;
    reinterpret_cast<float4 *>(a)[threadIdx.x] = next;
    reinterpret_cast<float4 *>(b)[threadIdx.x] = next;
    __syncthreads();
    load(x[0], &a[row]);
    load(y[0], &b[column]);
  }
  multiply(sums, x, y, a, b, row, column);
  for (int i = 0; i < Tile; ++i)
    for (int j = 0; j < Tile; ++j)
      out[(i * Tile + j) * 256 + threadIdx.x] = sums[i][j];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of two square matrices of float, from global memory alone and
// with tiles in shared memory.
#include "check.h"

// At n = 2000 a thread executes 4001 memory instructions: two loads a step and
// the store. A warp of 16 x 2 threads reads two words of `a` (broadcasts, 2
// sectors) and 16 consecutive words of `b` (2 sectors) a step; hardly anything
// is reused but through the caches.
__global__ void matmulNaive(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}

// Each word read from global memory serves `tile` threads. What is left are two
// loads of shared memory for each multiply-add, without bank conflicts: the row
// is a broadcast, the column is consecutive. n must be a multiple of the tile.
template <int tile>
__global__ void __launch_bounds__((tile) * (tile))
    matmulTiled(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[tile][tile];
  __shared__ float tileB[tile][tile];
  int row = blockIdx.y * tile + threadIdx.y;
  int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    tileA[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Whether c = a * b, by c * r = a * (b * r) with integers r: n * n steps
// instead of n * n * n, and every number is exact.
static bool isProduct(const char *what, const std::vector<float> &a,
                      const std::vector<float> &b, const std::vector<float> &c,
                      int n) {
  Random random(5);
  std::vector<double> r(n), br(n, 0.0), abr(n, 0.0), cr(n, 0.0);
  for (double &value : r)
    value = 1 + random.below(100);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      br[i] += b[i * n + j] * r[j];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      abr[i] += a[i * n + j] * br[j];
      cr[i] += c[i * n + j] * r[j];
    }
  return compare(what, cr, abr);
}

int main() {
  requireDevice();
  constexpr int n = 2000;
  std::vector<float> a = fill<float>(n * n, 1), b = fill<float>(n * n, 2);
  DeviceArray<float> deviceA(a), deviceB(b), deviceC(n * n);

  constexpr int tile = 16;
  static_assert(n % tile == 0, "matmulTiled has no guards");
  const dim3 block(tile, tile);
  const dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);

  Stopwatch naiveWatch;
  matmulNaive<<<grid, block>>>(deviceA.get(), deviceB.get(), deviceC.get(), n);
  naiveWatch.report("naive, n = 2000");
  bool passed = isProduct("naive", a, b, deviceC.copyBack(), n);

  deviceC.clear();
  Stopwatch tiledWatch;
  matmulTiled<tile><<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(
      deviceA.get(), deviceB.get(), deviceC.get(), n);
  tiledWatch.report("tiles of 16, n = 2000");
  passed &= isProduct("tiled", a, b, deviceC.copyBack(), n);

  // The same data as a smaller matrix, a multiple of the larger tile.
  constexpr int small = 1024;
  deviceC.clear();
  Stopwatch wideWatch;
  matmulTiled<32><<<dim3(small / 32, small / 32), dim3(32, 32)>>>(
      deviceA.get(), deviceB.get(), deviceC.get(), small);
  wideWatch.report("tiles of 32, n = 1024");
  passed &= isProduct("wide", a, b, deviceC.copyBack(), small);
  return finish(passed);
}

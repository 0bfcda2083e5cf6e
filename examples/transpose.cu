// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three ways to transpose a matrix: strided writes, a tile in shared memory
// with bank conflicts, the same tile padded by one column.
#include "check.h"

constexpr int width = 1024;
constexpr int height = 1024;
constexpr int tile = 32;
constexpr int rowsPerPass = 8;
static_assert(width % tile == 0 && height % tile == 0,
              "the kernels have no guards");

// Reads 4 sectors a request and writes 32: neighbouring threads write 4 KiB
// apart, 4 of the 32 bytes of each sector.
__global__ void transposeNaive(const float *in, float *out) {
  int x = blockIdx.x * tile + threadIdx.x;
  int y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rowsPerPass)
    out[x * height + y + j] = in[(y + j) * width + x];
}

// Both sides are coalesced, 4 sectors a request. The tile is read by column:
// all 32 lanes fall on one bank, 32 passes a request.
__global__ void transposeTiled(const float *in, float *out) {
  __shared__ float values[tile][tile];
  int x = blockIdx.x * tile + threadIdx.x;
  int y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rowsPerPass)
    values[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();

  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rowsPerPass)
    out[(y + j) * height + x] = values[threadIdx.x][threadIdx.y + j];
}

// A column of rows of 33 words touches every bank once: one pass a request.
__global__ void transposePadded(const float *in, float *out) {
  __shared__ float values[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x;
  int y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rowsPerPass)
    values[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();

  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rowsPerPass)
    out[(y + j) * height + x] = values[threadIdx.x][threadIdx.y + j];
}

int main() {
  requireDevice();
  std::vector<float> in(width * height), expected(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      in[y * width + x] = static_cast<float>(y * width + x);
      expected[x * height + y] = in[y * width + x];
    }
  DeviceArray<float> deviceIn(in), deviceOut(in.size());

  dim3 grid(width / tile, height / tile);
  dim3 block(tile, rowsPerPass);

  Stopwatch naiveWatch;
  transposeNaive<<<grid, block>>>(deviceIn.get(), deviceOut.get());
  naiveWatch.report("naive");
  bool passed = compare("naive", deviceOut.copyBack(), expected);

  deviceOut.clear();
  Stopwatch tiledWatch;
  transposeTiled<<<grid, block>>>(deviceIn.get(), deviceOut.get());
  tiledWatch.report("tiled");
  passed &= compare("tiled", deviceOut.copyBack(), expected);

  deviceOut.clear();
  Stopwatch paddedWatch;
  transposePadded<<<grid, block>>>(deviceIn.get(), deviceOut.get());
  paddedWatch.report("padded");
  passed &= compare("padded", deviceOut.copyBack(), expected);
  return finish(passed);
}

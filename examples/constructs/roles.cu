// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps of a block that do different things between the same two barriers.
#include "../check.h"

constexpr int Half = 128;

/// What one thread makes of a tile: something that takes a while.
__device__ inline float smooth(const float *tile, int t) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    sum = 0.5f * sum + tile[(t + i) % Half];
  return sum;
}

// One half of the warps brings in tiles, the other works on them, one tile
// behind. Both come to the same barrier.
__global__ void __launch_bounds__(2 * Half)
    smoothBehind(const float *in, float *out, int tiles) {
  __shared__ float buffers[2][Half];
  int t = threadIdx.x % Half;
  bool loads = threadIdx.x < Half;
  size_t first = size_t(blockIdx.x) * tiles * Half;
  for (int tile = 0; tile <= tiles; ++tile) {
    if (loads) {
      if (tile < tiles)
        buffers[tile % 2][t] = in[first + tile * Half + t];
    } else if (tile > 0) {
      out[first + (tile - 1) * Half + t] = smooth(buffers[(tile - 1) % 2], t);
    }
    __syncthreads();
  }
}

// Two halves that take turns: one works on its tile while the other brings in
// its own. Each side of the branch has a barrier, which all warps pass
// together.
__global__ void __launch_bounds__(2 * Half)
    smoothInTurns(const float *in, float *out, int tiles) {
  __shared__ float buffers[2][Half];
  int t = threadIdx.x % Half;
  size_t first = size_t(blockIdx.x) * tiles * Half;
  for (int tile = 0; tile < tiles; tile += 2) {
    if (threadIdx.x < Half) {
      buffers[0][t] = in[first + tile * Half + t];
      __syncthreads();
      out[first + tile * Half + t] = smooth(buffers[0], t);
    } else {
      if (tile > 0)
        out[first + (tile - 1) * Half + t] = smooth(buffers[1], t);
      __syncthreads();
      buffers[1][t] = in[first + (tile + 1) * Half + t];
    }
    __syncthreads();
  }
  if (threadIdx.x >= Half)
    out[first + (tiles - 1) * Half + t] = smooth(buffers[1], t);
}

using Kernel = void (*)(const float *, float *, int);

static bool run(const char *name, Kernel kernel) {
  const int blocks = 3, tiles = 6;
  std::vector<float> in = fill<float>(blocks * tiles * Half), expected(in);
  for (size_t i = 0; i < in.size(); ++i) {
    expected[i] = 0;
    for (int k = 0; k < 64; ++k)
      expected[i] = 0.5f * expected[i] + in[i / Half * Half + (i + k) % Half];
  }
  DeviceArray<float> deviceIn(in), out(in.size());
  kernel<<<blocks, 2 * Half>>>(deviceIn.get(), out.get(), tiles);
  CHECK_KERNEL();
  return compare(name, out.copyBack(), expected, 1e-5);
}

int main() {
  requireDevice();
  bool passed = run("one behind", smoothBehind);
  passed &= run("in turns", smoothInTurns);
  return finish(passed);
}

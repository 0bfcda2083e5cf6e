// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that inline assembly reads and writes: loads that are not to be kept
// in L1, asynchronous copies to shared memory, atomics without a result.
#include "../check.h"

// Four numbers that are read once, by a load with hints for the caches.
__device__ float4 loadOnce(const float4 *from) {
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(from));
  return v;
}

__device__ void addTo(unsigned *to, unsigned value) {
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

// Every thread reads 16 bytes and the 16 after them; each block has a counter.
__global__ void countPositive(const float4 *in, unsigned *counts) {
  float4 v = loadOnce(in + blockIdx.x * blockDim.x + threadIdx.x);
  unsigned positive = (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0);
  addTo(counts + blockIdx.x, positive);
}

// 16 bytes from global to shared memory, past the registers.
__device__ void copyAsync(float4 *to, const float4 *from) {
#if __CUDA_ARCH__ >= 800
  auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address),
               "l"(from));
#else
  *to = *from;
#endif
}
__device__ void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Two tiles: while one is summed up the other is on its way.
__global__ void sumTiles(const float4 *in, float *sums, int tiles) {
  __shared__ float4 buffer[2][64];
  const float4 *mine = in + blockIdx.x * tiles * 64 + threadIdx.x;
  float sum = 0;
  copyAsync(&buffer[0][threadIdx.x], mine);
  for (int tile = 0; tile < tiles; ++tile) {
    waitForCopies();
    __syncthreads();
    if (tile + 1 < tiles)
      copyAsync(&buffer[(tile + 1) % 2][threadIdx.x], mine + (tile + 1) * 64);
    float4 v = buffer[tile % 2][63 - threadIdx.x];
    sum += v.x + v.y + v.z + v.w;
  }
  sums[blockIdx.x * 64 + threadIdx.x] = sum;
}

static bool runCounts() {
  const int blocks = 10, threads = 128;
  std::vector<float> values = fill<float>(4 * blocks * threads);
  std::vector<unsigned> expected(blocks);
  for (size_t i = 0; i < values.size(); ++i)
    expected[i / (4 * threads)] += values[i] > 0;
  DeviceArray<float> in(values);
  DeviceArray<unsigned> counts(blocks);
  countPositive<<<blocks, threads>>>(reinterpret_cast<float4 *>(in.get()),
                                     counts.get());
  CHECK_KERNEL();
  return compare("counts", counts.copyBack(), expected);
}

static bool runTiles() {
  const int blocks = 6, tiles = 5;
  std::vector<float> values = fill<float>(4 * blocks * tiles * 64);
  std::vector<float> expected(blocks * 64);
  for (int i = 0; i < 4 * blocks * tiles * 64; ++i) {
    int lane = i / 4 % 64, block = i / (4 * tiles * 64);
    expected[block * 64 + 63 - lane] += values[i];
  }
  DeviceArray<float> in(values), sums(blocks * 64);
  sumTiles<<<blocks, 64>>>(reinterpret_cast<float4 *>(in.get()), sums.get(),
                           tiles);
  CHECK_KERNEL();
  return compare("sums", sums.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runCounts();
  passed &= runTiles();
  return finish(passed);
}

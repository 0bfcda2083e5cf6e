// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads tell each other without memory: shuffles, votes, reductions by
// one instruction; and the barriers they wait at, of a warp, a block, some
// warps of a block.
#include "../check.h"

constexpr unsigned wholeWarp = 0xffffffffu;

// The sum of a warp in five shuffles.
__global__ void sumWarps(const float *in, float *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = in[i];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(wholeWarp, sum, distance);
  if (threadIdx.x % 32 == 0)
    sums[i / 32] = sum;
}

// The first lane reads where the warp's segment begins and tells the others:
// what data say is one number for the warp.
__global__ void copySegments(const int *begins, const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int begin = lane == 0 ? begins[i / 32] : 0;
  begin = __shfl_sync(wholeWarp, begin, 0);
  out[i] = in[begin + lane];
}

// All lanes know the outcome of a vote: a branch on it parts no warp.
__global__ void countWarps(const float *in, int *counts, float limit) {
  bool isAbove = in[blockIdx.x * blockDim.x + threadIdx.x] > limit;
  int *count = counts + 3 * blockIdx.x;
  if (__any_sync(wholeWarp, isAbove) && threadIdx.x % 32 == 0)
    atomicAdd(&count[0], 1);
  unsigned lanes = __popc(__ballot_sync(wholeWarp, isAbove));
  if (lanes >= 16 && threadIdx.x % 32 == 0)
    atomicAdd(&count[1], 1);
  int threads = __syncthreads_count(isAbove);
  if (threadIdx.x == 0)
    count[2] = threads;
}

// By one instruction on GPUs that have it.
__device__ unsigned sumOfWarp(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(wholeWarp, value);
#else
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(wholeWarp, value, distance);
  return value;
#endif
}

// Pairs of warps wait for each other, and no one else: a barrier with a number.
__device__ void waitForPair() {
  asm volatile("bar.sync %0, 64;" ::"r"(threadIdx.x / 64 + 1) : "memory");
}

__global__ void sumPairs(const unsigned *in, unsigned *sums) {
  __shared__ unsigned ofWarps[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32;
  unsigned sum = sumOfWarp(in[i]);
  if (threadIdx.x % 32 == 0)
    ofWarps[warp] = sum;
  waitForPair();
  if (threadIdx.x % 64 == 0)
    sums[i / 64] = ofWarps[warp] + ofWarps[warp + 1];
}

// A transposition within each warp, through its own part of shared memory: the
// lanes wait for their warp alone.
__global__ void transposeWarps(const float *in, float *out) {
  __shared__ float values[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  values[t] = in[i];
  __syncwarp();
  out[i] = values[t - t % 32 + (t % 4) * 8 + t % 32 / 4];
}

static bool runSums() {
  const int blocks = 5, threads = 128, n = blocks * threads;
  std::vector<float> values = fill<float>(n), expected(n / 32);
  for (int i = 0; i < n; ++i)
    expected[i / 32] += values[i];
  DeviceArray<float> in(values), sums(n / 32);
  sumWarps<<<blocks, threads>>>(in.get(), sums.get());
  CHECK_KERNEL();
  return compare("sums of warps", sums.copyBack(), expected);
}

static bool runSegments() {
  const int blocks = 4, threads = 128, n = blocks * threads;
  std::vector<float> values = fill<float>(1000), expected(n);
  std::vector<int> begins(n / 32);
  Random random(3);
  for (int &begin : begins)
    begin = random.below(1000 - 32);
  for (int i = 0; i < n; ++i)
    expected[i] = values[begins[i / 32] + i % 32];
  DeviceArray<int> deviceBegins(begins);
  DeviceArray<float> in(values), out(n);
  copySegments<<<blocks, threads>>>(deviceBegins.get(), in.get(), out.get());
  CHECK_KERNEL();
  return compare("segments", out.copyBack(), expected);
}

static bool runCounts() {
  const int blocks = 6, threads = 128, n = blocks * threads;
  const float limit = 0.5;
  std::vector<float> values = fill<float>(n);
  std::vector<int> expected(3 * blocks);
  for (int first = 0; first < n; first += 32) {
    int above = 0, *count = &expected[3 * (first / threads)];
    for (int i = first; i < first + 32; ++i)
      above += values[i] > limit;
    count[0] += above > 0;
    count[1] += above >= 16;
    count[2] += above;
  }
  DeviceArray<float> in(values);
  DeviceArray<int> counts(3 * blocks);
  countWarps<<<blocks, threads>>>(in.get(), counts.get(), limit);
  CHECK_KERNEL();
  return compare("counts", counts.copyBack(), expected);
}

static bool runPairs() {
  const int blocks = 3, threads = 256, n = blocks * threads;
  std::vector<unsigned> values(n), expected(n / 64);
  Random random;
  for (int i = 0; i < n; ++i)
    expected[i / 64] += values[i] = random.below(1000);
  DeviceArray<unsigned> in(values), sums(n / 64);
  sumPairs<<<blocks, threads>>>(in.get(), sums.get());
  CHECK_KERNEL();
  return compare("sums of pairs", sums.copyBack(), expected);
}

static bool runTransposition() {
  const int blocks = 3, threads = 256, n = blocks * threads;
  std::vector<float> values = fill<float>(n), expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = values[i - i % 32 + i % 4 * 8 + i % 32 / 4];
  DeviceArray<float> in(values), out(n);
  transposeWarps<<<blocks, threads>>>(in.get(), out.get());
  CHECK_KERNEL();
  return compare("transposed", out.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runSums();
  passed &= runSegments();
  passed &= runCounts();
  passed &= runPairs();
  passed &= runTransposition();
  return finish(passed);
}

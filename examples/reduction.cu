// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of an array of integers, tuned in the seven classical steps. Each
// block leaves one partial sum, the host adds those up.
//
// K0 to K5 are bound by instructions and synchronisation, each less than the
// one before; K6 reads at the speed of DRAM.
#include "check.h"

// K0, interleaved and divergent: the threads that still add are every second,
// every fourth and so on. Each warp runs every step with ever fewer active
// lanes, and the remainder costs more than the addition.
__global__ void reduceDivergent(const int *in, int *out) {
  extern __shared__ int partial[];
  unsigned tid = threadIdx.x;
  partial[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    if (tid % (2 * step) == 0)
      partial[tid] += partial[tid + step];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = partial[0];
}

// K1, interleaved with a stride: the first threads do the adding, so that whole
// warps drop out, but their words are 2, 4, 8 ... apart: bank conflicts of 2,
// 4, 8 ... passes.
__global__ void reduceStrided(const int *in, int *out) {
  extern __shared__ int partial[];
  unsigned tid = threadIdx.x;
  partial[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    unsigned index = 2 * step * tid;
    if (index < blockDim.x)
      partial[index] += partial[index + step];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = partial[0];
}

// K2, sequential: neighbouring threads add neighbouring words. Neither
// divergence above a warp nor bank conflicts; half of the threads never add.
__global__ void reduceSequential(const int *in, int *out) {
  extern __shared__ int partial[];
  unsigned tid = threadIdx.x;
  partial[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step)
      partial[tid] += partial[tid + step];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = partial[0];
}

// K3, the first addition while loading: half the blocks, two loads in flight a
// thread.
__global__ void reduceAddOnLoad(const int *in, int *out) {
  extern __shared__ int partial[];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * (2 * blockDim.x) + tid;
  partial[tid] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step)
      partial[tid] += partial[tid + step];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = partial[0];
}

// Adds the first 64 partial sums with the lanes of one warp. The lanes need not
// run in lockstep: every step reads, meets, writes, meets. Lanes above the step
// add what nobody reads any more.
__device__ void reduceWarp(int *partial, unsigned lane) {
  int sum = partial[lane];
#pragma unroll
  for (unsigned step = 32; step > 0; step /= 2) {
    sum += partial[lane + step];
    __syncwarp();
    partial[lane] = sum;
    __syncwarp();
  }
}

// K4, the last warp unrolled: its six steps need no barrier of the block, and
// the other warps are done earlier.
__global__ void reduceUnrollWarp(const int *in, int *out) {
  extern __shared__ int partial[];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * (2 * blockDim.x) + tid;
  partial[tid] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 32; step /= 2) {
    if (tid < step)
      partial[tid] += partial[tid + step];
    __syncthreads();
  }
  if (tid < 32)
    reduceWarp(partial, tid);
  if (tid == 0)
    out[blockIdx.x] = partial[0];
}

// Adds up a block of a size the compiler knows: comparisons and the loop
// vanish.
template <unsigned blockSize>
__device__ void reduceBlock(int *partial, unsigned tid) {
  static_assert(blockSize >= 64 && blockSize <= 1024, "64 to 1024 threads");
  if (blockSize >= 1024) {
    if (tid < 512)
      partial[tid] += partial[tid + 512];
    __syncthreads();
  }
  if (blockSize >= 512) {
    if (tid < 256)
      partial[tid] += partial[tid + 256];
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (tid < 128)
      partial[tid] += partial[tid + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64)
      partial[tid] += partial[tid + 64];
    __syncthreads();
  }
  if (tid < 32)
    reduceWarp(partial, tid);
}

// K5, completely unrolled.
template <unsigned blockSize>
__global__ void reduceUnrolled(const int *in, int *out) {
  __shared__ int partial[blockSize];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * (2 * blockSize) + tid;
  partial[tid] = in[i] + in[i + blockSize];
  __syncthreads();
  reduceBlock<blockSize>(partial, tid);
  if (tid == 0)
    out[blockIdx.x] = partial[0];
}

// K6, many elements a thread: a grid of fixed size strides over the array, so
// that the tree is paid once a block and not once every 512 elements.
template <unsigned blockSize>
__global__ void reduceGridStride(const int *in, int *out, unsigned n) {
  __shared__ int partial[blockSize];
  unsigned tid = threadIdx.x;
  int sum = 0;
  for (unsigned i = blockIdx.x * (2 * blockSize) + tid; i < n;
       i += 2 * blockSize * gridDim.x) {
    sum += in[i];
    if (i + blockSize < n)
      sum += in[i + blockSize];
  }
  partial[tid] = sum;
  __syncthreads();
  reduceBlock<blockSize>(partial, tid);
  if (tid == 0)
    out[blockIdx.x] = partial[0];
}

constexpr int size = 1 << 21;
constexpr int blockSize = 256;
constexpr int blocks = size / blockSize;
static_assert(size % (2 * blockSize) == 0, "K0 to K5 have no guards");

// Adds the partial sums and forgets them.
static bool checkSum(const char *what, DeviceArray<int> &partial,
                     long long expected) {
  long long sum = 0;
  for (int value : partial.copyBack())
    sum += value;
  partial.clear();
  if (sum != expected)
    std::printf("FAILED: %s: the sum is %lld, not %lld\n", what, sum, expected);
  return sum == expected;
}

int main() {
  requireDevice();
  Random random(1);
  std::vector<int> in(size);
  long long sum = 0;
  for (int &value : in) {
    value = static_cast<int>(random.below(256)) - 100;
    sum += value;
  }
  DeviceArray<int> device(in), partial(blocks);
  const int *input = device.get();
  int *output = partial.get();
  constexpr size_t shared = blockSize * sizeof(int);

  Stopwatch k0;
  reduceDivergent<<<blocks, blockSize, shared>>>(input, output);
  k0.report("K0 interleaved, divergent");
  bool passed = checkSum("K0", partial, sum);

  Stopwatch k1;
  reduceStrided<<<blocks, blockSize, shared>>>(input, output);
  k1.report("K1 interleaved, strided");
  passed &= checkSum("K1", partial, sum);

  Stopwatch k2;
  reduceSequential<<<blocks, blockSize, shared>>>(input, output);
  k2.report("K2 sequential");
  passed &= checkSum("K2", partial, sum);

  Stopwatch k3;
  reduceAddOnLoad<<<blocks / 2, blockSize, shared>>>(input, output);
  k3.report("K3 add on load");
  passed &= checkSum("K3", partial, sum);

  Stopwatch k4;
  reduceUnrollWarp<<<blocks / 2, blockSize, shared>>>(input, output);
  k4.report("K4 last warp unrolled");
  passed &= checkSum("K4", partial, sum);

  Stopwatch k5;
  reduceUnrolled<blockSize><<<blocks / 2, blockSize>>>(input, output);
  k5.report("K5 unrolled");
  passed &= checkSum("K5", partial, sum);

  Stopwatch k6;
  reduceGridStride<blockSize><<<256, blockSize>>>(input, output, size);
  k6.report("K6 many elements a thread");
  passed &= checkSum("K6", partial, sum);
  return finish(passed);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bandwidth of what lies in front of DRAM, by full SMs.
#include "../measure.h"

constexpr int threads = 256;
constexpr int words = 8192;

// Each thread every 256th word of n, 16 at a time.
__device__ float sumOf(const float *values, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 16 * threads)
#pragma unroll
    for (int j = 0; j < 16; ++j)
      sum += values[i + j * threads];
  return sum;
}

__global__ void readShared(int n, int passes, float *out) {
  __shared__ float values[words];
  for (int i = threadIdx.x; i < words; i += threads)
    values[i] = static_cast<float>(i);
  __syncthreads();
  float sum = 0;
  for (int pass = 0; pass < passes; ++pass)
    sum += sumOf(values, n);
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

// The same 32 KiB for all blocks: after the first pass they are in L1.
__global__ void readL1(const float *values, int n, int passes, float *out) {
  float sum = 0;
  for (int pass = 0; pass < passes; ++pass)
    sum += sumOf(values, n);
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

// Every SM all of an array that L2 holds and L1 does not, each from a place of
// its own.
__global__ void __launch_bounds__(1024)
    readL2(const float4 *values, int n, int share, int passes, float *out) {
  float sum = 0;
  int first = blockIdx.x * share + threadIdx.x;
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = first; i < n; i += 1024)
      sum += values[i].x + values[i].y + values[i].z + values[i].w;
    for (int i = threadIdx.x; i < first; i += 1024)
      sum += values[i].x + values[i].y + values[i].z + values[i].w;
  }
  out[blockIdx.x * 1024 + threadIdx.x] = sum;
}

MEASURE {
  const cudaDeviceProp &device = session.device();
  unsigned sms = device.multiProcessorCount;
  unsigned blocks = sms * (device.maxThreadsPerMultiProcessor / threads);
  measure::Array<float> out(session, size_t(blocks) * threads);
  measure::Array<float> small(session, words);
  measure::Launch launch{dim3(blocks), dim3(threads)};
  const int passes = 100;
  {
    const int n = words;
    session.run(KERNEL(readShared), launch, ARG(n), ARG(passes), out);
    session.run(KERNEL(readL1), launch, small, ARG(n), ARG(passes), out);
  }
  // A quarter of L2, in whole pieces of a block.
  const int share = 1024 * measure::ceilDiv(device.l2CacheSize / 4,
                                            sms * 1024 * sizeof(float4));
  const int n = share * static_cast<int>(sms);
  measure::Array<float4> large(session, n);
  session.run(KERNEL(readL2), {dim3(sms), dim3(1024)}, large, ARG(n),
              ARG(share), ARG(passes), out);
}

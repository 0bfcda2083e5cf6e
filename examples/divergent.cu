// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three branches: by lane, by warp, by data.
#include "check.h"

// Two kinds of work that cannot be merged into selects: one is 16 dependent
// multiply-adds, the other 16 dependent divisions, each about ten instructions.
__host__ __device__ inline float polynomial(float x) {
  float value = 1;
  for (int i = 0; i < 16; ++i)
    value = value * x + 0.5f;
  return value;
}
__host__ __device__ inline float fraction(float x) {
  float value = x;
  for (int i = 0; i < 16; ++i)
    value = x / (value + 1);
  return value;
}

// Even and odd lanes part: every warp runs both sides, one after the other,
// with half of its lanes each time.
__global__ void divergeByLane(float *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x & 1)
    values[i] = fraction(values[i]);
  else
    values[i] = polynomial(values[i]);
}

// Even and odd warps part: no warp diverges, each runs one side. Half the
// instructions of divergeByLane for the same results a thread.
__global__ void divergeByWarp(float *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((threadIdx.x / 32) & 1)
    values[i] = fraction(values[i]);
  else
    values[i] = polynomial(values[i]);
}

// Data decides: whether a warp diverges is not in the code. Here one element in
// eight takes the fraction, so that nearly every warp runs both sides.
__global__ void divergeByData(float *values, const int *kind) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (kind[i] == 0)
    values[i] = fraction(values[i]);
  else
    values[i] = polynomial(values[i]);
}

constexpr int size = 1 << 20;
constexpr int blockSize = 256;

int main() {
  requireDevice();
  std::vector<float> in = fill<float>(size);
  Random random(9);
  std::vector<int> kind(size);
  for (int &value : kind)
    value = static_cast<int>(random.below(8));
  DeviceArray<int> deviceKind(kind);
  std::vector<float> byLane(size), byWarp(size), byData(size);
  for (int i = 0; i < size; ++i) {
    float withFraction = fraction(in[i]), withPolynomial = polynomial(in[i]);
    byLane[i] = i % 2 ? withFraction : withPolynomial;
    byWarp[i] = i / 32 % 2 ? withFraction : withPolynomial;
    byData[i] = kind[i] == 0 ? withFraction : withPolynomial;
  }
  const double tolerance = 1e-5;
  const dim3 grid = size / blockSize;

  DeviceArray<float> first(in);
  Stopwatch laneWatch;
  divergeByLane<<<grid, blockSize>>>(first.get());
  laneWatch.report("by lane");
  bool passed = compare("by lane", first.copyBack(), byLane, tolerance);

  DeviceArray<float> second(in);
  Stopwatch warpWatch;
  divergeByWarp<<<grid, blockSize>>>(second.get());
  warpWatch.report("by warp");
  passed &= compare("by warp", second.copyBack(), byWarp, tolerance);

  DeviceArray<float> third(in);
  Stopwatch dataWatch;
  divergeByData<<<grid, blockSize>>>(third.get(), deviceKind.get());
  dataWatch.report("by data");
  passed &= compare("by data", third.copyBack(), byData, tolerance);
  return finish(passed);
}

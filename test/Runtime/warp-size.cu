// What code computes by warpSize, compiled as nvcc does, without knowing it.

// REQUIRES: plugins
// RUN: %auspex_clang %s -o %t
// RUN: auspex run --gpu A100-40GB -- %t | FileCheck %s
// CHECK: sum 496, fourth warp 163

#include <cstdio>

__global__ void sumOfWarp(const int *in, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  out[i] = sum;
}

__global__ void transpose(const int *in, int *out) {
  int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
  out[warp * warpSize + lane] = in[warp + warpSize * lane];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, 1024 * sizeof(int));
  for (int i = 0; i < 1024; ++i)
    in[i] = i;
  transpose<<<1, 1024>>>(in, out);
  cudaDeviceSynchronize();
  int ofFourth = out[3 * 32 + 5];
  sumOfWarp<<<1, 1024>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("sum %d, fourth warp %d\n", out[0], ofFourth);
}

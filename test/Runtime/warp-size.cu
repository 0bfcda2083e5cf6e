// What code computes by warpSize, compiled as nvcc does, without knowing it.

// REQUIRES: plugins
// RUN: %auspex_clang %s -o %t
// RUN: auspex run --gpu A100-40GB -- %t | FileCheck %s
// CHECK: sum 496, fourth warp 163

#include "../Tool/nvcc-warp-size.cu"
#include <cstdio>

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, 1024 * sizeof(int));
  for (int i = 0; i < 1024; ++i)
    in[i] = i;
  place<<<1, 1024>>>(in, out);
  cudaDeviceSynchronize();
  int ofFourth = out[3 * 32 + 5];
  sumOfWarp<<<1, 1024>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("sum %d, fourth warp %d\n", out[0], ofFourth);
}

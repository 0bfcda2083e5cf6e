// What data pick again and again from an array that fits L2 with what passes
// beside it comes from DRAM once: sectors are picked in all waves, so between
// two picks of one only a part of the launch goes by.

// REQUIRES: plugins
// RUN: %auspex_clang %s -o %t
// RUN: auspex run --gpu A100-40GB --detail=predictions -- %t 2>&1 | FileCheck %s
// CHECK: in loads 16.8 MB 134 MB 134 MB {{1[67]([.][0-9])?}} MB{{$}}

#include <vector>

__global__ void gather(const float *in, float *out, const int *at) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[at[i]];
}

int main() {
  constexpr int bits = 22, n = 1 << bits;
  float *in, *out;
  int *at;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&at, n * sizeof(int));
  std::vector<int> places(n);
  for (int i = 0; i < n; ++i)
    places[i] = static_cast<unsigned>(i) * 2654435761u >> (32 - bits);
  cudaMemcpy(at, places.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  gather<<<n / 256, 256>>>(in, out, at);
}

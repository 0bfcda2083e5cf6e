// A loop that exchanges arrays of its own runs the same launch again and again.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s
#include <utility>

__global__ void relax(const float *from, float *to, const float *sources, int n) {}

int main() {
  int n = 256, rounds = 5000;
  float *u, *v, *sources;
  cudaMalloc(&u, n * n * 4);
  cudaMalloc(&v, n * n * 4);
  cudaMalloc(&sources, n * n * 4);
  dim3 block(16, 16), grid(16, 16);
  for (int i = 0; i < rounds; ++i) {
    // CHECK: grid 16x16x1, {{.*}}, L2 warm (source)
    relax<<<grid, block>>>(u, v, sources, n);
    std::swap(u, v);
  }
}

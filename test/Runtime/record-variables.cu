// A variable of the device is an argument of the launches that are recorded,
// and of those that are read back.
// RUN: %auspex_clang %s -o %t
// RUN: auspex run --gpu A100 -o %t.json --record-launches %t.yaml -- %t
// RUN: FileCheck %s --input-file %t.yaml --check-prefix=LAUNCHES
// RUN: auspex predict %s --gpu A100 --launches %t.yaml | FileCheck %s

// LAUNCHES: args: {"@n.0": 5, count: 3}
// CHECK: grid 2x1x1 and block 64x1x1 from a launches file

#include <cuda_runtime.h>

__constant__ int n;
__global__ void fill(float *x, int count) {
  for (int i = 0; i < n; ++i)
    if (threadIdx.x < count)
      x[64 * i + threadIdx.x] = i;
}

int main() {
  int value = 5;
  cudaMemcpyToSymbol(n, &value, sizeof(n));
  float *x;
  cudaMalloc(&x, 2048);
  fill<<<2, 64>>>(x, 3);
  return cudaDeviceSynchronize();
}

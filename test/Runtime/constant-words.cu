// Words of constant memory are asked for one after the other; a run does not
// look at those that data pick, which are as many as are expected: of 16, 14.

// REQUIRES: plugins
// RUN: %auspex_clang %s -o %t
// RUN: auspex run --gpu A100-40GB --detail=predictions -o %t.json -- %t
// RUN: FileCheck %s < %t.json
// CHECK: "kind":"load","space":"constant"{{.*}}"requests":1,"lanes":32,"sectors":13.97

#include <cuda_runtime.h>

__constant__ float table[16];
__global__ void lookup(float *x, const int *index) {
  x[threadIdx.x] = table[index[threadIdx.x] & 15];
}

int main() {
  float *x;
  cudaMalloc(&x, 128);
  lookup<<<1, 32>>>(x, (const int *)x);
  cudaDeviceSynchronize();
}

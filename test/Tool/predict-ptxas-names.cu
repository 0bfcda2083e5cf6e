// Strings have names that PTX does not have: the assembler gets other ones.

// REQUIRES: cuda-toolkit
// RUN: auspex predict %s --gpu T4 --ptxas=%cuda 2>&1 | FileCheck %s

// CHECK-NOT: does not assemble
// CHECK:     registers a thread
// CHECK-NOT: estimated
#include <cstdio>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
  if (i == 0)
    printf("%d numbers\n", n);
}

int main() {
  float *x;
  cudaMalloc(&x, 4 << 20);
  scale<<<4096, 256>>>(x, 1 << 20);
}

// What the source does not say of a block is named, as it is of a grid.
//
// REQUIRES: plugins
//
// RUN: auspex predict %s --gpu H100-SXM | FileCheck %s
// CHECK: grid 5x1x1 from the source {{.*}} block 256x1x1 assumed
// CHECK: assumed: the block: that of the source hangs on threads() at line [[#READ:]]
#include <cuda_runtime.h>

__global__ void set(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int threads();
int main() { set<<<5, threads()>>>(nullptr); }

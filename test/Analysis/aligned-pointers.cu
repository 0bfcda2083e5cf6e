// Arrays begin at multiples of 256 bytes: whether a pointer is aligned for a
// vector, and how many elements lie before the first that is, is known.

// REQUIRES: plugins
// RUN: auspex predict %s --launch copy=grid:256,block:256,n=1048576 \
// RUN:   --launch fromRow=grid:64,block:256,n=4096 | FileCheck %s
// CHECK-DAG: predicted {{[0-9.]+}} us for copy
// CHECK-DAG: predicted {{[0-9.]+}} us for fromRow

#include <stdint.h>

__global__ void copy(float *out, const float *in, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x;
  if (((uintptr_t)in & 15) == 0 && ((uintptr_t)out & 15) == 0) {
    for (int i = first; i < n / 4; i += step)
      ((float4 *)out)[i] = ((const float4 *)in)[i];
  } else {
    for (int i = first; i < n; i += step)
      out[i] = in[i];
  }
}

// Up to an aligned address one by one.
__global__ void fromRow(const float *in, float *out, int n) {
  in += (int64_t)blockIdx.x * n;
  int before = (uintptr_t)in % 16 / 4;
  float sum = 0;
  if (before > 0 && threadIdx.x >= before)
    sum = in[threadIdx.x - before];
  for (int i = threadIdx.x; i < n / 4; i += blockDim.x)
    sum += ((const float4 *)in)[i].x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

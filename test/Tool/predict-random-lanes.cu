// Lanes that data lead to places of their own take L1 as many tags as they are
// in lines, even where the banks they find are different ones.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --format=json | FileCheck %s
// 32 lanes in 512 lines are in 31.0 of them: (31 + 3) / 4 cycles a request, 256
// of them.
// CHECK: "l1_cycles": 217{{[0-9]}}

__device__ int table[16384];
__global__ void walk(int *out) {
  int j = (blockIdx.x * blockDim.x + threadIdx.x) & 16383;
  for (int k = 0; k < 256; ++k)
    j = table[j];
  out[blockIdx.x * blockDim.x + threadIdx.x] = j;
}
void run(int *out) { walk<<<864, 256>>>(out); }

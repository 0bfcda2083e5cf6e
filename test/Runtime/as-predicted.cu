// Where a run finds what the expressions say, it is predicted as without a run:
// which warps wait for one, the turns that unrolled loops leave over, addresses
// of 32 bits in shared memory.

// REQUIRES: plugins
// RUN: %auspex_clang %s -o %t
// RUN: auspex run --gpu A100-40GB --detail=predictions -- %t 2>&1 | grep -o "predicted [0-9.]* us for [a-z]*" | sort > %t.run
// RUN: auspex predict %s --gpu A100-40GB | grep -o "predicted [0-9.]* us for [a-z]*" | sort > %t.predicted
// RUN: diff %t.run %t.predicted
// RUN: FileCheck %s < %t.run
// CHECK-DAG: for leader
// CHECK-DAG: for triangle
// CHECK-DAG: for tile

#include <cuda_runtime.h>

__global__ void leader(float *x, int turns) {
  __shared__ float sum;
  for (int i = 0; i < turns; ++i) {
    if (threadIdx.x == 0)
      sum = __sinf(sum + i) + __expf(sum);
    __syncthreads();
  }
  x[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void triangle(float *x) {
  __shared__ float a[32][33];
  a[threadIdx.x][0] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 31; ++k) {
    if (threadIdx.x > k)
      for (int j = k + 1; j < 32; ++j)
        a[threadIdx.x][j] -= a[k][j] * a[threadIdx.x][k];
    __syncthreads();
  }
  x[threadIdx.x] = a[threadIdx.x][1];
}

__global__ void tile(float *x, int n) {
  __shared__ float a[64][17];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    a[threadIdx.x][i & 15] = x[threadIdx.x + i];
    __syncthreads();
    sum += a[(threadIdx.x + i) & 63][(i + 3) & 15];
    __syncthreads();
  }
  x[threadIdx.x] = sum;
}

int main() {
  float *x;
  cudaMalloc(&x, 1 << 20);
  leader<<<64, 256>>>(x, 512);
  triangle<<<512, 32>>>(x);
  tile<<<64, 64>>>(x, 300);
  cudaDeviceSynchronize();
}

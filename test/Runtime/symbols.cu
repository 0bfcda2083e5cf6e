// Variables of the device, seen from the host.
// RUN: %auspex_clang %s -o %t && %t | FileCheck %s
#include <cstdio>

__constant__ float factors[4] = {1, 2, 3, 4};
__device__ int counter = 10;
static __device__ double hidden[3];
namespace ns {
__device__ int2 pair = {5, 6};
}

__global__ void kernel(float *out) {
  out[threadIdx.x] = factors[threadIdx.x] + ns::pair.y;
  atomicAdd(&counter, 1);
  hidden[threadIdx.x % 3] = threadIdx.x;
}

int main() {
  float *out, results[4];
  cudaMalloc(&out, 16);
  kernel<<<1, 4>>>(out);
  cudaMemcpy(results, out, 16, cudaMemcpyDeviceToHost);
  // CHECK: initial: 7 8 9 10
  printf("initial: %g %g %g %g\n", results[0], results[1], results[2],
         results[3]);
  float one = 100;
  cudaMemcpyToSymbol(factors, &one, sizeof(one), 4);
  int2 pair = {1, 0};
  cudaMemcpyToSymbol(ns::pair, &pair, sizeof(pair));
  kernel<<<1, 4>>>(out);
  cudaMemcpy(results, out, 16, cudaMemcpyDeviceToHost);
  // CHECK: changed: 1 100 3 4
  printf("changed: %g %g %g %g\n", results[0], results[1], results[2],
         results[3]);
  int count = 0;
  double values[3];
  cudaMemcpyFromSymbol(&count, counter, sizeof(count));
  cudaMemcpyFromSymbol(values, hidden, sizeof(values));
  // CHECK: 18, 3 1 2
  printf("%d, %g %g %g\n", count, values[0], values[1], values[2]);
  void *address = nullptr;
  size_t size = 0;
  cudaGetSymbolAddress(&address, hidden);
  cudaGetSymbolSize(&size, hidden);
  cudaMemset(address, 0, size);
  cudaMemcpyFromSymbol(values, hidden, sizeof(values));
  // CHECK: 24 bytes, now 0 0 0
  printf("%zu bytes, now %g %g %g\n", size, values[0], values[1], values[2]);
}

#include <cuda_runtime.h>

__device__ char *name = "odd";

__global__ void sumUp(const float *in, float *out, int n) {
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i) {
    sum += in[i];
    __syncthreads();
  }
  out[threadIdx.x] = name[0] + sum;
}

int main() { sumUp<<<1, 32>>>(nullptr, nullptr, 64); }

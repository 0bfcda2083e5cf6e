#include <cuda_runtime.h>

__global__ void sum(float *total, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(total, in[i]);
}

__global__ void largest(int *most, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicMax(most, in[i]);
}

__global__ void ring(int *last, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicExch(last, in[i]);
}

__global__ void apart(int *counts, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counts[i], in[i]);
}

__global__ void count(int *bins, const int *in) {
  __shared__ int own[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 64)
    own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[in[i] & 63], 1);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
  int n = 1 << 22, *integers = nullptr;
  float *numbers = nullptr;
  sum<<<n / 256, 256>>>(numbers, numbers, n);
  largest<<<n / 256, 256>>>(integers, integers, n);
  ring<<<n / 256, 256>>>(integers, integers, n);
  apart<<<n / 256, 256>>>(integers, integers);
  count<<<n / 256, 256>>>(integers, integers);
}

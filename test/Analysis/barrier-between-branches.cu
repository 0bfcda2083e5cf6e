// A barrier between two branches on the same condition stays one, of 16 tiles
// two each, and so does the store before it: LLVM may unroll what warps do
// together as nvcc does, but not join the branches at the price of a copy.

// REQUIRES: plugins
// RUN: auspex predict %s --launch tiles=grid:100,block:128,n=2048 \
// RUN:   --format=json | FileCheck %s
// CHECK: "barrier": 32,
// CHECK: "load_shared": 16,
// CHECK: "store_shared": 16

__global__ void tiles(const float *in, const float *weight, float *out,
                      int n) {
  __shared__ float tile[128];
  float sum = 0;
  for (int base = 0; base < n; base += 128) {
    int c = base + threadIdx.x;
    tile[threadIdx.x] = c < n ? in[c] : 0.0f;
    __syncthreads();
    if (c < n)
      sum += weight[blockIdx.x * n + c] * tile[threadIdx.x ^ 1];
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

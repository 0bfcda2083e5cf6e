// Warps that load for others are those a block waits for, however few their
// instructions are.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --format json | FileCheck %s
// CHECK: "path": {
// CHECK-NOT: }
// CHECK: "load_global": 256

__global__ void produce(const float *x, float *out, int n) {
  __shared__ float buffer[2][128];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, part = 0;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (warp < 4)
      buffer[part][threadIdx.x] = x[(blockIdx.x * n + i) * 128 + threadIdx.x];
    __syncthreads();
    if (warp >= 4)
      for (int k = 0; k < 4; ++k)
        sum += buffer[part][k * 32 + lane];
    part ^= 1;
  }
  if (warp >= 4)
    out[blockIdx.x * 128 + threadIdx.x - 128] = sum;
}

void run(const float *x, float *out) { produce<<<108, 256>>>(x, out, 256); }

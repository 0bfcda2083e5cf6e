// `#pragma unroll 64` of a loop around one of the same would be 4096 turns, more
// than nvcc makes of it: the outer one stays a loop, and its code is short.
// RUN: auspex predict %s --gpu A100-40GB 2>&1 | FileCheck %s
// CHECK: predicted {{.*}} for forces

__global__ void forces(const float *p, float *f, int n) {
  __shared__ float shared[256];
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  float own = p[i], sum = 0;
#pragma unroll 64
  for (int t = 0; t < gridDim.x; t++) {
    shared[threadIdx.x] = p[t * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 64
    for (int j = 0; j < blockDim.x; j++) {
      float d = shared[j] - own, r = rsqrtf(d * d + 1);
      sum += r * r * r * d;
    }
    __syncthreads();
  }
  f[i] = sum;
}

int main() {
  float *p, *f;
  cudaMalloc(&p, 65536 * 4);
  cudaMalloc(&f, 65536 * 4);
  forces<<<256, 256>>>(p, f, 65536);
}

// Where each block adds its sum, fewer blocks are what helps: the words for it,
// and the grid of one wave.

// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s

// CHECK-LABEL: {{^}}sum(
// CHECK:       less: {{.*}}: launch a grid of 864 blocks, 8 an SM, instead of 16384 [grid-size]
// CHECK:       atomic fadd of 4 B a lane: blocks update the same words, one after the other; let fewer blocks do more each;
__global__ void sum(const float *x, int n, float *result) {
  __shared__ float sums[256];
  float own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    own += x[i];
  sums[threadIdx.x] = own;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k)
      sums[threadIdx.x] += sums[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(result, sums[0]);
}

int main() {
  float *x;
  cudaMalloc(&x, 1 << 24);
  sum<<<16384, 256>>>(x, 1 << 22, x);
}

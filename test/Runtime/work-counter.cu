// Blocks that take tiles from a counter: a run has the first block take them
// all, a GPU has each do as much.
// RUN: %auspex_clang %s -o %t
// RUN: auspex run --gpu A100-40GB -o %t.json -- %t
// RUN: FileCheck %s --input-file %t.json

// CHECK-NOT: longest block
// CHECK:     warps that take their work from a counter do as much as each other

__device__ int next;

__global__ void takeTiles(const float *in, float *out, int tiles) {
  __shared__ int taken;
  for (;;) {
    if (threadIdx.x == 0)
      taken = atomicAdd(&next, 1);
    __syncthreads();
    int tile = taken;
    __syncthreads();
    if (tile >= tiles)
      return;
    int i = tile * blockDim.x + threadIdx.x;
    out[i] = in[i] * 2;
  }
}

int main() {
  constexpr int tiles = 10000;
  float *values;
  cudaMalloc(&values, tiles * 256 * 2 * sizeof(float));
  takeTiles<<<216, 256>>>(values, values + tiles * 256, tiles);
  return cudaDeviceSynchronize() != cudaSuccess;
}

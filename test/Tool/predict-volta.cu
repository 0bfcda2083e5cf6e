// What only Volta has at a barrier, and Volta and Turing where lanes may part.

// RUN: auspex predict %s --gpu V100-PCIe --format=json | FileCheck %s --check-prefixes=CHECK,V100
// RUN: auspex predict %s --gpu T4 --format=json | FileCheck %s --check-prefixes=CHECK,T4
// RUN: auspex predict %s --gpu A100-40GB --format=json | FileCheck %s --check-prefixes=CHECK,A100

// CHECK: "_Z5partsPiS_i"
// CHECK: "mix": {
// CHECK: "barrier": 2,
// V100:  "control": 5,
// V100:  "move": 5,
// T4:    "control": 5,
// T4:    "move": 3,
// A100:  "control": 4,
// CHECK: "path": {
__global__ void parts(int *data, int *found, int n) {
  __shared__ int values[256];
  values[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if (values[255 - threadIdx.x] > n)
    for (int i = 0; i < 8; ++i)
      atomicAdd(&found[values[i]], i);
  __syncthreads();
  data[threadIdx.x] = values[threadIdx.x];
}
int main() {
  int *data;
  cudaMalloc(&data, 4096);
  parts<<<1, 256>>>(data, data, 7);
}

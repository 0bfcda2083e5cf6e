// Looking at the addresses of some blocks: the report says how far off that may
// be, and calls of functions have their lines.
// RUN: %auspex_clang -g %s -o %t
// RUN: auspex run --sample-blocks 64 -o %t.json --detail=lines -- %t 2> %t.txt
// RUN: FileCheck %s --input-file %t.txt
// RUN: FileCheck %s --input-file %t.json --check-prefix=JSON
// RUN: auspex run -o %t.all.json -- %t 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: FileCheck %s --input-file %t.all.json --check-prefix=ALLJSON

// CHECK: gather {{.*}}256x1x1
// CHECK: with 95 % certainty sums of sectors and passes are within {{[0-9.]+}}
// ALL-NOT: certainty
// JSON: "samplingError": 0.{{[0-9]+}}
// ALLJSON-NOT: samplingError

// The store is of another function, by a pointer: 256 blocks, 2 warps each.
// CHECK: sampling.cu:[[@LINE+5]]:{{[0-9]+}} {{ *}}512 {{ *}}32 {{ *}}4
// JSON: "calleeAccesses": [
// JSON: "function":"_Z4keepPfif","kind":"store",{{.*}}"requests":512,
// ALLJSON: "function":"_Z4keepPfif","kind":"store",{{.*}}"requests":512,

__device__ void keep(float *to, int i, float value) { to[i] = value; }
__device__ void drop(float *, int, float) {}
__device__ void (*ways[])(float *, int, float) = {drop, keep};

__global__ void gather(const float *from, const int *strides, float *to) {
  float value = from[threadIdx.x * strides[blockIdx.x]];
  ways[value == 0](to, blockIdx.x * blockDim.x + threadIdx.x, value);
}

int main() {
  float *from, *to;
  int *strides;
  cudaMallocManaged(&from, 64 * 16 * sizeof(float));
  cudaMemset(from, 0, 64 * 16 * sizeof(float));
  cudaMallocManaged(&to, 256 * 64 * sizeof(float));
  cudaMallocManaged(&strides, 256 * sizeof(int));
  for (int i = 0; i < 256; ++i)
    strides[i] = (i * 40503 >> 8) & 15;
  gather<<<256, 64>>>(from, strides, to);
  return cudaDeviceSynchronize() != cudaSuccess;
}

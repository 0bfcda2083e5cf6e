// What is calculated in a small table touches no more sectors than it has.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --format json --kernel look | FileCheck %s
// CHECK: "object":"@table"{{.*}}"sectors":1024,"fewestSectors":1024

__device__ float table[8];

__global__ void look(const float *x, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[(int)(x[i] * 4)];
}

void run(const float *x, float *out) { look<<<128, 256>>>(x, out); }

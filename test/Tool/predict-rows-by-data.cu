// Which row a warp adds to is data, but its lanes are side by side there: four
// sectors a request, for an atomic as for a store.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK-LABEL: store(
// CHECK: global store of 4 B a lane: its address depends on data read from memory; 4 sectors a request
// CHECK-LABEL: add(
// CHECK: global atomic fadd of 4 B a lane: its address depends on data read from memory; 4 sectors a request
// Each lane its own place, on the other hand.
// CHECK-LABEL: scatter(
// CHECK: global atomic fadd of 4 B a lane: its address depends on data read from memory [UnknownAccess]

__global__ void store(float *table, const int *rows, const float *x, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  table[rows[i / width] * width + i % width] = x[i];
}

__global__ void add(float *table, const int *rows, const float *x, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(table + rows[i / width] * width + i % width, x[i]);
}

__global__ void scatter(float *table, const int *places, const float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(table + places[i], x[i]);
}

void run(float *table, const int *rows, const float *x) {
  store<<<24576, 256>>>(table, rows, x, 768);
  add<<<24576, 256>>>(table, rows, x, 768);
  scatter<<<24576, 256>>>(table, rows, x);
}

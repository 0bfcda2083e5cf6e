// A block that finds by a counter that it is the last one is one of all: what it
// does then is not what blocks are expected to do.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' | FileCheck %s

// By way of shared memory.
// CHECK: "name": "_Z8lastSumsPfPji"
// CHECK: "reason":"atomic","uniform":true,"probability":0.01
__global__ void lastSums(float *partial, unsigned *count, int n) {
  __shared__ bool isLast;
  if (threadIdx.x == 0)
    isLast = atomicAdd(count, 1u) == gridDim.x - 1;
  __syncthreads();
  if (isLast) {
    float sum = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
      sum += partial[i];
    partial[threadIdx.x] = sum;
  }
}

// The number itself by way of shared memory.
// CHECK: "name": "_Z9lastTotalPfPji"
// CHECK: "reason":"atomic","uniform":{{[a-z]+}},"probability":0.01
__global__ void lastTotal(float *partial, unsigned *count, int n) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0)
    ticket = atomicInc(count, gridDim.x);
  __syncthreads();
  if (ticket == gridDim.x - 1)
    partial[threadIdx.x] += partial[threadIdx.x + n];
}

// In an array, behind what others store.
// CHECK: "name": "_Z9lastInRowPfPjS_"
// CHECK: "reason":"atomic","uniform":{{[a-z]+}},"probability":0.01
__global__ void lastInRow(float *partial, unsigned *count, float *out) {
  extern __shared__ float sums[];
  unsigned *ticket = reinterpret_cast<unsigned *>(sums + 256);
  sums[threadIdx.x] = out[threadIdx.x];
  if (threadIdx.x == 0)
    *ticket = atomicInc(count, gridDim.x);
  __syncthreads();
  if (*ticket == gridDim.x - 1)
    partial[threadIdx.x] += sums[255 - threadIdx.x];
}

// The same by a thread alone; here all but one go on.
// CHECK: "name": "_Z8butFirstPfPj"
// CHECK: "reason":"atomic","uniform":false,"probability":0.01
__global__ void butFirst(float *x, unsigned *count) {
  if (atomicAdd(count, 1u) != 0)
    x[threadIdx.x] = 1;
}

// A counter of its own for each key is another matter.
// CHECK: "name": "_Z5ofKeyPfPjPKi"
// CHECK-NOT: "probability":0.99
// CHECK-NOT: "probability":0.01
__global__ void ofKey(float *x, unsigned *count, const int *key) {
  if (atomicAdd(count + key[threadIdx.x], 1u) == 7)
    x[threadIdx.x] = 1;
}

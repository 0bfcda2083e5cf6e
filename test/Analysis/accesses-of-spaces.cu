// A load from one of two objects, one of them in shared memory, is a load of
// each on its own way, as in the source; so is a store, and where the ways to
// the pointers are more than a choice.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' | FileCheck %s

// CHECK-LABEL: kernel _Z6halvesPKfPfi
// CHECK:         load 4 B shared @{{.*}}tile + 4*tid.x
// CHECK:         load 4 B global arg0 + 4*tid.x
// CHECK-NOT:     ?
__global__ void halves(const float *in, float *out, int most) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x + 64];
  __syncthreads();
  int i = threadIdx.x;
  out[i] = i < most ? tile[i] : in[i];
}

// CHECK-LABEL: kernel _Z4edgePfPKfii
// CHECK:         load 4 B shared @{{.*}}tile +
// CHECK:         load 4 B global arg1 +
// CHECK-NOT:     ?
__global__ void edge(float *y, const float *x, int width, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  int last = blockIdx.x * 256 + 255;
  float sum = 0;
  for (int k = 0; k < width; ++k)
    if (i + k < n) {
      if (i + k <= last)
        sum += tile[threadIdx.x + k] * k;
      else
        sum += x[i + k] * k;
    }
  y[i] = sum;
}

// CHECK-LABEL: kernel _Z3putPfS_i
// CHECK:         store 4 B shared @{{.*}}tile + 4*tid.x
// CHECK:         store 4 B global arg1 + 4*ctaid.x*ntid.x + 4*tid.x
// CHECK-NOT:     ?
__global__ void put(float *y, float *z, int most) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i * 0.5f;
  if (threadIdx.x < most)
    tile[threadIdx.x] = x;
  else
    z[i] = x;
  __syncthreads();
  y[i] = tile[threadIdx.x ^ 1];
}

// What is written before, a load behind the choice has to see.
// CHECK-LABEL: kernel _Z7writtenPfi
// CHECK:         load 4 B unknown ?
__global__ void written(float *x, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = n;
  float *from = x + blockIdx.x;
  if (n > 7) {
    from = tile + n;
    __syncthreads();
  }
  x[threadIdx.x + 1] = n;
  x[threadIdx.x] = *from;
}

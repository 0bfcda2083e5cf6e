// Bytes of shared memory, of the arrays a kernel uses by itself or through
// functions; whether there is more at launch; bytes of local memory; the bounds
// of launches.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

extern __shared__ float dynamic[];

// 256 * 4 + 4 * 8.
// CHECK-LABEL: kernel _Z12staticArraysPf
// CHECK-NEXT:    {{.*}} shared 1056 B, local 0 B
// CHECK-LABEL: kernel _Z12dynamicArrayPf
// CHECK-NEXT:    {{.*}} shared 0 B and dynamic, local 0 B
// CHECK-LABEL: kernel _Z5localPfi
// CHECK-NEXT:    {{.*}} shared 0 B, local 288 B
// CHECK-LABEL: kernel _Z6calledPf
// CHECK-NEXT:    {{.*}} shared 128 B, local 0 B
// CHECK-LABEL: kernel _Z7boundedPf
// CHECK-NEXT:    {{.*}} shared 0 B, local 0 B
// CHECK-NEXT:    launch bounds: at most 128 threads a block, at least 4 blocks an SM
__global__ void staticArrays(float *a) {
  __shared__ float s[256];
  __shared__ double d[4];
  s[threadIdx.x] = a[threadIdx.x];
  d[threadIdx.x & 3] = 1;
  __syncthreads();
  a[threadIdx.x] = s[255 - threadIdx.x] + d[(threadIdx.x + 1) & 3];
}

__global__ void dynamicArray(float *a) {
  dynamic[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = dynamic[31 - threadIdx.x];
}

__global__ void local(float *a, int i) {
  float v[72];
  for (int k = 0; k < 72; ++k)
    v[k] = a[k * 32 + threadIdx.x];
  a[threadIdx.x] = v[i] + v[(i + 3) & 15];
}

__device__ float helper(float *a) {
  __shared__ float h[32];
  h[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  return h[31 - threadIdx.x];
}
__global__ void called(float *a) { a[threadIdx.x] = helper(a); }

__global__ void __launch_bounds__(128, 4) bounded(float *a) {
  a[threadIdx.x] = 1;
}

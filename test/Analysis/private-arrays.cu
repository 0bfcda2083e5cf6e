// ptxas keeps small private arrays of words in registers and selects from them;
// larger ones, and those of bytes, have local memory.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

template <class T, int N> __global__ void pick(const T *in, T *out, int shift) {
  T values[N];
#pragma unroll
  for (int i = 0; i < N; ++i)
    values[i] = in[threadIdx.x * N + i];
  out[threadIdx.x] = values[(threadIdx.x + shift) % N];
}

// CHECK-LABEL: kernel _Z4pickIfLi8EE
// CHECK-NEXT:    {{.*}} local 0 B
// CHECK-NOT:     load_local
// CHECK:         compare 16
template __global__ void pick<float, 8>(const float *, float *, int);

// CHECK-LABEL: kernel _Z4pickIfLi16EE
// CHECK-NEXT:    {{.*}} local 64 B
// CHECK:         load_local 1
template __global__ void pick<float, 16>(const float *, float *, int);

// CHECK-LABEL: kernel _Z4pickIcLi4EE
// CHECK-NEXT:    {{.*}} local 4 B
// CHECK:         load_local 1
template __global__ void pick<char, 4>(const char *, char *, int);

// Of the index of a loop that is unrolled by four two bits are known: 8 places
// of 32. What is stored where it was loaded needs no more comparisons: of each
// copy 8, and 8 selections each for the load and the store.
// The array's registers count: ptxas takes 48.
// CHECK-LABEL: kernel _Z10accumulatePKfPf
// CHECK-NEXT:    {{.*}} registers 4{{[0-9]}} (estimated), {{.*}} local 0 B
// CHECK-NOT:     load_local
// CHECK:         compare 97
__global__ void accumulate(const float *in, float *out) {
  float sums[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    sums[i] = in[i];
  for (int k = 0; k < 1000; ++k) {
#pragma unroll 4
    for (int i = 0; i < 32; ++i)
      sums[i] += in[k * 1000 + i];
  }
#pragma unroll
  for (int i = 0; i < 32; ++i)
    out[32 * threadIdx.x + i] = sums[i];
}

// Arrays that are in use one after the other share registers.
// CHECK-LABEL: kernel _Z4turnPKfPfi
// CHECK-NEXT:    registers {{[1-5]?[0-9]}} (estimated)
__device__ float pickOf(const float *in, int shift) {
  float values[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    values[i] = in[threadIdx.x * 8 + i];
  return values[(threadIdx.x + shift) % 8];
}
__global__ void turn(const float *in, float *out, int shift) {
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    __syncthreads();
    if (out[i] > 0)
      out[i] = pickOf(in + i, shift + i);
  }
}

// ptxas keeps small private arrays of words in registers and selects from them;
// larger ones, and those of bytes and doubles, have local memory.

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

// Eight comparisons and eight moves, a third of these multiply-adds.
// CHECK-LABEL: kernel _Z4pickIfLi8EE
// CHECK-NEXT:    {{.*}} local 0 B
// CHECK-NOT:     load_local
// CHECK:         compare 8, {{.*}}move 8.333
template __global__ void pick<float, 8>(const float *, float *, int);

// CHECK-LABEL: kernel _Z4pickIfLi64EE
// CHECK-NEXT:    {{.*}} local 0 B
// CHECK:         compare 64
template __global__ void pick<float, 64>(const float *, float *, int);

// CHECK-LABEL: kernel _Z4pickIfLi128EE
// CHECK-NEXT:    {{.*}} local 512 B
// CHECK:         load_local 1
template __global__ void pick<float, 128>(const float *, float *, int);

// CHECK-LABEL: kernel _Z4pickIdLi2EE
// CHECK-NEXT:    {{.*}} local 16 B
// CHECK:         load_local 2
template __global__ void pick<double, 2>(const double *, double *, int);

// CHECK-LABEL: kernel _Z4pickIcLi4EE
// CHECK-NEXT:    {{.*}} local 4 B
// CHECK:         load_local 1
template __global__ void pick<char, 4>(const char *, char *, int);

// One access is worth that, of several to many places together it is not.
template <int N> __global__ void count(const unsigned *in, int *out) {
  int counts[16] = {};
#pragma unroll
  for (int i = 0; i < N; ++i)
    ++counts[in[i] & 15];
#pragma unroll
  for (int i = 0; i < 16; ++i)
    out[16 * threadIdx.x + i] = counts[i];
}
// CHECK-LABEL: kernel _Z5countILi1EE
// CHECK-NEXT:    {{.*}} local 0 B
template __global__ void count<1>(const unsigned *, int *);
// CHECK-LABEL: kernel _Z5countILi3EE
// CHECK-NEXT:    {{.*}} local 64 B
template __global__ void count<3>(const unsigned *, int *);

// In a loop only few places are selected from. What is stored where it was
// loaded needs no more comparisons: 4, and 4 moves each for the load and the
// store; 3 more for the loop.
template <int N>
__global__ void accumulate(const float *in, float *out, int n) {
  float sums[N];
#pragma unroll
  for (int i = 0; i < N; ++i)
    sums[i] = in[i];
  for (int k = 0; k < n; ++k) {
#pragma unroll 1
    for (int i = 0; i < N; ++i)
      sums[i] += in[k * N + i];
  }
#pragma unroll
  for (int i = 0; i < N; ++i)
    out[N * threadIdx.x + i] = sums[i];
}

// CHECK-LABEL: kernel _Z10accumulateILi4EE
// CHECK-NEXT:    {{.*}} local 0 B
// CHECK-NOT:     load_local
// CHECK:         compare 5
template __global__ void accumulate<4>(const float *, float *, int);

// CHECK-LABEL: kernel _Z10accumulateILi8EE
// CHECK-NEXT:    {{.*}} local 32 B
// CHECK:         load_local 1, store_local 1
template __global__ void accumulate<8>(const float *, float *, int);

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

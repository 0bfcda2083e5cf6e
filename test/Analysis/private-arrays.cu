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

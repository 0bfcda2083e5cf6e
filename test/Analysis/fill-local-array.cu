// A private array that starts as zeros is filled byte by byte if it is large.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>,print<auspex-access>' \
// RUN:   | FileCheck %s

// CHECK-LABEL: kernel _Z5countPiPKii (
// CHECK-NEXT:    {{.*}} local 1024 B
// CHECK-NEXT:    loop i0: trip count 1024
// CHECK:         block b1 in loop i0, if 1
// CHECK-NEXT:      unrolled by 4: {{.*}} store_local 4
// CHECK:           {{.*}} store_local 1
// CHECK-LABEL: kernel _Z5countPiPKii
// CHECK-NEXT:    b1 store 1 B local %local + i0
__global__ void count(int *a, const int *b, int n) {
  int bins[256] = {};
  for (int i = 0; i < n; ++i)
    ++bins[b[i] & 255];
  a[threadIdx.x] = bins[threadIdx.x];
}

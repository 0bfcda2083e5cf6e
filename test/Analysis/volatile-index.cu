// A volatile variable of a thread that is written once has that value whenever
// it is read; one that is written twice is not followed.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' | FileCheck %s

// CHECK-LABEL: _Z4oncePf
// CHECK:         4*tid.x + 128
__global__ void once(float *a) {
  volatile int thread = threadIdx.x;
  a[thread + 32] = 0;
}

// CHECK-LABEL: _Z5twicePf
// CHECK:         unknown (indirect)
__global__ void twice(float *a) {
  volatile int thread = threadIdx.x;
  thread = thread + 32;
  a[thread] = 0;
}

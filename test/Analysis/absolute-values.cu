// The absolute value of what integers make decides for which threads.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z4near
// CHECK: if [max({{.*}}tid.x{{.*}}) <= 99]
__global__ void near(float *a) {
  float x = (float)(int)threadIdx.x - 500;
  if (fabsf(x) < 100.f)
    a[threadIdx.x] = x;
}

// An approximation scales denormal numbers, and its result back. Where they are
// flushed to zero, it is one step of the special function units.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z6scaledPf
// CHECK:       fp32 2, sfu 1, int_mul 1, compare 1,
__global__ void scaled(float *a) {
  a[threadIdx.x] = __nvvm_rsqrt_approx_f(a[threadIdx.x]);
}

// CHECK-LABEL: kernel _Z7flushedPf
// CHECK-NOT:   fp32
// CHECK:       sfu 1, int_mul 1, move
__global__ void flushed(float *a) {
  a[threadIdx.x] = __nvvm_rsqrt_approx_ftz_f(a[threadIdx.x]);
}

// CHECK-LABEL: kernel _Z8quotientPff
// CHECK:       fp32 3, sfu 1, int_mul 1, compare 1,
__global__ void quotient(float *a, float b) {
  a[threadIdx.x] = __nvvm_div_approx_f(a[threadIdx.x], b);
}
// CHECK-LABEL: kernel _Z15quotientFlushedPff
// CHECK:       fp32 1, sfu 1, int_mul 1, move
__global__ void quotientFlushed(float *a, float b) {
  a[threadIdx.x] = __nvvm_div_approx_ftz_f(a[threadIdx.x], b);
}

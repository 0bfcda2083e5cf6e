// Division and roots are what the assembler makes of them on the fast path, not
// one instruction: one step of the special function units each, and arithmetic
// around it. The slow paths' branches count, their code does not.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// A load, a store and an address are in each.
// CHECK-LABEL: kernel _Z7integerPii
// CHECK:         sfu 1, int_add 8, int_mul 8, compare 4, logic 2, convert 2,
// CHECK-NEXT:    {{.*}}longest path: sfu 1,
__global__ void integer(int *a, int b) { a[threadIdx.x] = a[threadIdx.x] / b; }

// CHECK-LABEL: kernel _Z6singlePff
// CHECK:         fp32 5, sfu 1, int_mul 1, compare 1,
// CHECK-NEXT:    {{.*}}longest path: fp32 5, sfu 1,
__global__ void single(float *a, float b) { a[threadIdx.x] /= b; }

// CHECK-LABEL: kernel _Z7double_Pdd
// CHECK:         fp32 1, fp64 8, sfu 1, int_mul 1, compare 2, move 4,
__global__ void double_(double *a, double b) { a[threadIdx.x] /= b; }

// CHECK-LABEL: kernel _Z4rootPf
// CHECK:         fp32 4, sfu 1, int_add 1, int_mul 1, compare 1,
__global__ void root(float *a) { a[threadIdx.x] = sqrtf(a[threadIdx.x]); }

// A shift, with the correction that rounds negative numbers towards 0.
// CHECK-LABEL: kernel _Z10byConstantPi
// CHECK-NOT:     sfu
// CHECK:         understood
__global__ void byConstant(int *a) { a[threadIdx.x] = a[threadIdx.x] / 8; }

// Numbers of 64 bits are divided as 32-bit ones if they fit: two comparisons
// and a branch more.
// CHECK-LABEL: kernel _Z5long_Pll
// CHECK:         sfu 1,
// CHECK-NOT:     convert_wide
// CHECK:         understood
__global__ void long_(long *a, long b) { a[threadIdx.x] = a[threadIdx.x] / b; }

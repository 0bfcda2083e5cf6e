// A division of 32 bits begins with a reciprocal of its divisor, half of its
// instructions: the assembler computes it once for all divisions by the same
// number, and in front of a loop that does not change it (CUDA 13, for 8.6: 23
// instructions for the first signed division, 14 for another one; 18 and 10
// unsigned).
//
// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z3onePii
// CHECK: sfu 1, int_add 8, int_mul 8, compare 4, logic 2, convert 2
__global__ void one(int *x, int by) {
  x[threadIdx.x + 64] = x[threadIdx.x] / by;
}

// CHECK-LABEL: kernel _Z3twoPii
// CHECK: sfu 1, int_add 11, int_mul 13, compare 8, logic 3, convert 2
__global__ void two(int *x, int by) {
  int a = x[threadIdx.x], b = x[threadIdx.x + 32];
  x[threadIdx.x + 64] = a / by;
  x[threadIdx.x + 96] = b / by;
}

// Signed and unsigned ones have nothing in common.
// CHECK-LABEL: kernel _Z5mixedPii
// CHECK: sfu 2, {{.*}}, convert 4
__global__ void mixed(int *x, int by) {
  int a = x[threadIdx.x];
  unsigned b = x[threadIdx.x + 32];
  x[threadIdx.x + 64] = a / by;
  x[threadIdx.x + 96] = b / (unsigned)by;
}

// CHECK-LABEL: kernel _Z4loopPiii
// CHECK: block b0, if 1
// CHECK-NEXT: sfu 1, {{.*}}, convert 2
// CHECK: in loop i0
// CHECK-NEXT: {{^ +}}int_add 5, int_mul 5, compare 5, control 1
__global__ void loop(int *x, int by, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    sum += i % by;
  x[threadIdx.x] = sum;
}

// What the loop changes is computed in it.
// CHECK-LABEL: kernel _Z7changedPiii
// CHECK: in loop i0
// CHECK-NEXT: {{^ +}}sfu 1, {{.*}}, convert 2
__global__ void changed(int *x, int by, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    sum += by % (i + 1);
  x[threadIdx.x] = sum;
}

// On the other side of a branch nobody has computed it.
// CHECK-LABEL: kernel _Z5sidesPiii
// CHECK-COUNT-2: sfu 1,
__global__ void sides(int *x, int by, int n) {
  int a = x[threadIdx.x];
  if (threadIdx.x < n) {
    x[threadIdx.x + 64] = a / by;
    __syncthreads();
  } else {
    x[threadIdx.x + 96] = (a + 1) / by;
    __syncthreads();
  }
}

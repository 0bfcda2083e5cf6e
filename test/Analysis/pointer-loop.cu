// Loops over pointers: where the end has the same base as the pointer, they are
// counted as loops over indices are, and the address is told from the base.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>,print<auspex-access>' \
// RUN:   | FileCheck %s

// ceil(n / 64), and 1 where the loop is entered with n < 1.
// CHECK-LABEL: kernel _Z8constantPfi (
// CHECK:         loop i0: trip count max(0, floordiv(arg1 + 63, 64) - 1) + 1
// CHECK:         block b{{[0-9]+}} in loop i0, if [arg1 >= 1]
__global__ void constant(float *a, int n) {
  for (float *p = a; p < a + n; p += 64)
    *p = 0;
}

// ceil((n - tid.x) / ntid.x), in bytes.
// CHECK-LABEL: kernel _Z7stridedPfi (
// CHECK:         loop i0: trip count max(0, floordiv(4*arg1 - 4*tid.x - 1, 4*ntid.x)) + 1
// CHECK:         block b{{[0-9]+}} in loop i0, if [tid.x < arg1]
__global__ void strided(float *a, int n) {
  for (float *p = a + threadIdx.x, *end = a + n; p < end; p += blockDim.x)
    *p = 0;
}

// CHECK-LABEL: kernel _Z7exactly
// CHECK:         loop i0: trip count arg1
__global__ void exactly(float *a, long n) {
  for (float *p = a; p != a + n; ++p)
    *p = 0;
}

// Nothing is known of how far apart two objects are.
// CHECK-LABEL: kernel _Z9differentPfS_ (
// CHECK:         loop i0: trip count unknown (pointer)
__global__ void different(float *a, float *end) {
  for (float *p = a; p < end; p += 64)
    *p = 0;
}

// CHECK-LABEL: kernel _Z8constantPfi
// CHECK-NEXT:    store 4 B global arg0 + 256*i0
// CHECK-LABEL: kernel _Z7stridedPfi
// CHECK-NEXT:    store 4 B global arg0 + 4*i0*ntid.x + 4*tid.x
// CHECK-LABEL: kernel _Z9differentPfS_
// CHECK-NEXT:    store 4 B global arg0 + 256*i0

// A loop that may not run leaves the pointer where it was.
// CHECK-LABEL: kernel _Z6nested
// CHECK-NEXT:    store 4 B global arg0 + 4*arg1*arg2*i0*[arg1 >= 1] + 4*arg2*i1 + 4*tid.x
__global__ void nested(float *a, int m, int s, int n) {
  float *p = a + threadIdx.x;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j, p += s)
      *p = 0;
}

// A value that comes in on several ways is the one of the way that was taken.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' > %t.json
// RUN: %python %S/Inputs/joined-values.py < %t.json | FileCheck %s
// CHECK: chosen(float*, float const*, int): 256 addresses compared

__global__ void chosen(float *a, const float *b, int n) {
  int i = threadIdx.x, at;
  if (i < 8)
    at = 3 * i;
  else if (i < 16)
    at = i + n;
  else if (i < 24)
    at = 7;
  else
    at = 2 * i;
  a[i] = b[at];
}

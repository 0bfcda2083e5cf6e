// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A place in a ring that is moved on under a condition, again and again, becomes
// too long for an expression; the summary can be read back all the same.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' > %t.json
// RUN: FileCheck %s < %t.json
// RUN: auspex predict %t.json --gpu A100-40GB --launch 'ring=grid:64,block:256' | FileCheck %s --check-prefix=TIME

// CHECK: "picked":
// TIME: predicted {{.*}} for ring
__global__ void ring(const float *a, float *o, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = i % w;
  float sum = 0;
#pragma unroll
  for (int round = 0; round < 16; ++round) {
    sum += a[k * 1024 + threadIdx.x];
    if (++k == w)
      k = 0;
  }
  o[i] = sum;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bits of what is known are known, in any order; and what lanes find by
// counting votes is their place among those that vote alike.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' | FileCheck %s

// CHECK-LABEL: kernel _Z7reversePf{{$}}
// CHECK: store 4 B global arg0 + {{.*}}mod(floordiv(tid.x, 8), 2)
__global__ void reverse(float *x) {
  x[__brev(threadIdx.x) >> 22] = threadIdx.x;
}

// CHECK-LABEL: kernel _Z5countPfPKf{{$}}
// CHECK: load 4 B global arg1 + {{.*}}4*mod(floordiv(tid.x, 8), 2)
__global__ void count(float *x, const float *table) {
  x[threadIdx.x] = table[__popc(threadIdx.x)];
}

// CHECK-LABEL: kernel _Z6selectPKiPi{{$}}
// CHECK: store 4 B global arg1 + unknown (rank)
__global__ void select(const int *in, int *out) {
  int lane = threadIdx.x % 32, value = in[blockIdx.x * 32 + threadIdx.x];
  unsigned chosen = __ballot_sync(~0u, value > 0);
  if (value > 0)
    out[blockIdx.x * 32 + __popc(chosen & ((1u << lane) - 1))] = value;
}

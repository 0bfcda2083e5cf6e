// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Predicated sides that exchange values, one after the other, as networks that
// sort have them: what a value is made of doubles with each, and is looked at
// once.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z8exchangePiS_S_
// CHECK:         ilp 2.82, mlp 4.5
__global__ void exchange(int *keys, int *values, int *moved) {
  int key[4], value[4];
  for (int i = 0; i < 4; ++i) {
    key[i] = keys[threadIdx.x + 32 * i];
    value[i] = values[threadIdx.x + 32 * i];
  }
#pragma unroll
  for (int round = 0; round < 40; ++round)
#pragma unroll
    for (int i = round & 1; i + 1 < 4; i += 2)
      if (key[i] > key[i + 1]) {
        int other = key[i];
        key[i] = key[i + 1];
        key[i + 1] = other;
        other = value[i];
        value[i] = value[i + 1];
        value[i + 1] = other;
        *(volatile int *)moved = i;
      }
  for (int i = 0; i < 4; ++i) {
    keys[threadIdx.x + 32 * i] = key[i];
    values[threadIdx.x + 32 * i] = value[i];
  }
}

// What a block reads once at a place of its own, a row that it works on, is told
// from what all blocks read, and from what changes in a loop or by warp.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' > %t.json
// RUN: FileCheck %s < %t.json

// CHECK:     "name": "_Z7ofBlockPKfPKiPfi"
// CHECK:     "name":"data0","reason":"indirect","uniform":true,"byBlock":true
__global__ void ofBlock(const float *x, const int *row, float *y, int n) {
  y[blockIdx.x * n + threadIdx.x] = x[row[blockIdx.x + 1] * n + threadIdx.x];
}

// CHECK:     "name": "_Z5ofAllPKfPKiPfi"
// CHECK:     "uniform":true
// CHECK-NOT: byBlock
__global__ void ofAll(const float *x, const int *row, float *y, int n) {
  y[blockIdx.x * n + threadIdx.x] = x[row[n] * n + threadIdx.x];
}

// CHECK:     "name": "_Z6inLoopPKfPKiPfi"
// CHECK:     "uniform":true
// CHECK-NOT: byBlock
__global__ void inLoop(const float *x, const int *row, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[row[blockIdx.x + i] * n + threadIdx.x];
  y[blockIdx.x * n + threadIdx.x] = sum;
}

// CHECK:     "name": "_Z6ofWarpPKfPKiPfi"
// CHECK:     "agreesOn"
// CHECK-NOT: byBlock
__global__ void ofWarp(const float *x, const int *row, float *y, int n) {
  y[blockIdx.x * n + threadIdx.x] =
      x[row[blockIdx.x * 8 + threadIdx.x / 32] * n + threadIdx.x % 32];
}

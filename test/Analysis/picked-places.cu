// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Of what data pick it is told with what the place changes, and where the
// access goes from there: the row of a block, of a warp or of a thread.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' > %t.json
// RUN: FileCheck %s < %t.json

// CHECK-LABEL: "name": "_Z7ofBlockPKfPKiPfi"
// CHECK:     "name":"data0","reason":"indirect","uniform":true,"changesWith":["ctaid.x"]
__global__ void ofBlock(const float *x, const int *row, float *y, int n) {
  y[blockIdx.x * n + threadIdx.x] = x[row[blockIdx.x + 1] * n + threadIdx.x];
}

// CHECK-LABEL: "name": "_Z5ofAllPKfPKiPfi"
// CHECK:     "uniform":true}
__global__ void ofAll(const float *x, const int *row, float *y, int n) {
  y[blockIdx.x * n + threadIdx.x] = x[row[n] * n + threadIdx.x];
}

// CHECK-LABEL: "name": "_Z6inLoopPKfPKiPfi"
// CHECK:     "uniform":true,"changesWith":["ctaid.x + i0"]
__global__ void inLoop(const float *x, const int *row, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[row[blockIdx.x + i] * n + threadIdx.x];
  y[blockIdx.x * n + threadIdx.x] = sum;
}

// CHECK-LABEL: "name": "_Z6ofWarpPKfPKiPfi"
// CHECK:     "uniform":false,"changesWith":["8*ctaid.x + floordiv(tid.x, 32)"]
__global__ void ofWarp(const float *x, const int *row, float *y, int n) {
  y[blockIdx.x * n + threadIdx.x] =
      x[row[blockIdx.x * 8 + threadIdx.x / 32] * n + threadIdx.x % 32];
}

// CHECK-LABEL: "name": "_Z8ofThreadPKfPKiPfi"
// CHECK:     "offset":{"unknown":"indirect"},"picked":"4*arg3*data0 + 4*i0"
// CHECK:     "offset":{"unknown":"indirect"},"picked":"4*arg3*data0 + 4*i0 + 4"
// CHECK:     "uniform":false,"changesWith":["ctaid.x*ntid.x + tid.x"]
__global__ void ofThread(const float *x, const int *row, float *y, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float *mine = x + row[t] * n;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n - 1; ++i)
    sum += mine[i] * mine[i + 1];
  y[t] = sum;
}

// What a loop carries on in no regular way is new in each of its turns.
// CHECK-LABEL: "name": "_Z4listPKfPKiPfi"
// CHECK:     "picked":"4*data{{[0-9]+}}"
// CHECK:     "changesWith":["tid.x","tid.y","tid.z","ctaid.x","ctaid.y","ctaid.z","i0"]
__global__ void list(const float *x, const int *next, float *y, int n) {
  float sum = 0;
  int place = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    sum += x[place];
    place = next[place];
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

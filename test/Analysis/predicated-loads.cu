// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Short sides of branches are predicated, and what was several blocks is one:
// guarded loads are under way together, so the longest path has one of them.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// The first three loads are on no path.
// CHECK-LABEL: kernel _Z4tilePfPKfii
// CHECK-COUNT-3: {{load_global 1$[[:space:]]*ilp [0-9.]+, mlp 2.5, longest path: none}}
// CHECK:         {{load_global 1$[[:space:]]*ilp [0-9.]+, mlp 2.5, longest path: .*load_global 1$}}
__global__ void tile(float *y, const float *x, int rows, int columns) {
  __shared__ float part[4][64];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int row = blockIdx.x * 4 + i;
    float value = 0;
    if (row < rows && threadIdx.x < columns)
      value = x[row * columns + threadIdx.x];
    part[i][threadIdx.x] = value;
  }
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x % 4][63 - threadIdx.x];
}

// A load that waits for the one before waits still, and both are on the path.
// CHECK-LABEL: kernel _Z7chainedPfPKii
// CHECK-COUNT-2: {{load_global 1$[[:space:]]*ilp [0-9.]+, mlp 1, longest path: .*load_global 1$}}
__global__ void chained(float *y, const int *x, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  int at = 0;
  if (i < n)
    at = x[i];
  int next = i;
  if (at > 3)
    next = x[at];
  y[i] = next;
}

// One of two sides runs, and has its load on its path, whichever it is.
// CHECK-LABEL: kernel _Z6eitherPfPKfi
// CHECK-COUNT-2: {{load_global 1$[[:space:]]*ilp .*longest path: .*load_global 1$}}
__global__ void either(float *y, const float *x, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  float value;
  if (i < n)
    value = 2 * x[i];
  else
    value = x[n - i] + 1;
  y[i] = value;
}

// Behind a branch that stays a load is not there before.
// CHECK-LABEL: kernel _Z4keepPfPKfi
// CHECK-COUNT-2: {{load_global 1.*$[[:space:]]*ilp [0-9.]+, mlp 1, longest path: .*load_global 1}}
__global__ void keep(float *y, const float *x, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  float value = 1;
  if (i < n)
    value = __sinf(x[i]) * __cosf(x[i]) + __expf(x[i]) * __logf(x[i]) +
            sqrtf(x[i]) / (x[i] + 2);
  y[i] = value + x[2 * i];
}

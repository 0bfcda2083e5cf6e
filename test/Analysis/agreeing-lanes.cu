// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Some lanes of a warp share what is not known: the row of a tile, the item of
// a warp, what is computed of either. How their addresses differ is known.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o %t.ll
// RUN: %opt_auspex -passes='print<auspex-access>' %t.ll | FileCheck %s
// RUN: %opt_auspex -passes='print<auspex-summary>' %t.ll \
// RUN:   | FileCheck %s --check-prefix=DATA

// CHECK-LABEL: kernel _Z4rowsPfPKfPKii
// DATA-LABEL: kernel _Z4rowsPfPKfPKii
// CHECK: load 4 B global arg1 + 4*arg3*data0 + 128*ctaid.x + 4*tid.x
// DATA: data0: indirect, changes with ctaid.y*ntid.y + tid.y
__global__ void rows(float *y, const float *x, const int *row, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.x * 32 + threadIdx.x;
  y[i * n + c] = x[row[i] * n + c];
}

// CHECK-LABEL: kernel _Z5warpsPfPKfPKi
// DATA-LABEL: kernel _Z5warpsPfPKfPKi
// CHECK: load 4 B global arg1 + 4*data0 + 4*mod(tid.x, 32)
// DATA: data0: indirect, changes with 8*ctaid.x + floordiv(tid.x, 32)
__global__ void warps(float *y, const float *x, const int *start) {
  int warp = blockIdx.x * 8 + threadIdx.x / 32;
  y[warp * 32 + threadIdx.x % 32] = x[start[warp] + threadIdx.x % 32];
}

// What is computed of shared data is shared.
// CHECK-LABEL: kernel _Z5shiftPfPKfS1_
// DATA-LABEL: kernel _Z5shiftPfPKfS1_
// CHECK: load 4 B global arg1 + 4*data0 + 4*tid.x
// DATA: data0: float, changes with tid.y
__global__ void shift(float *y, const float *x, const float *speed) {
  int by = (1.5f + threadIdx.y * 0.25f) * speed[threadIdx.y];
  y[threadIdx.y * 32 + threadIdx.x] = x[by + threadIdx.x];
}

// CHECK-LABEL: kernel _Z9broadcastPfPKfPKi
// DATA-LABEL: kernel _Z9broadcastPfPKfPKi
// CHECK: load 4 B global arg1 + 4*data0 + 4*tid.x
// DATA: data0: indirect, uniform
__global__ void broadcast(float *y, const float *x, const int *in) {
  int from = __nvvm_shfl_sync_idx_i32(~0u, in[threadIdx.x], 0, 31);
  y[threadIdx.x] = x[from + threadIdx.x];
}

// Lanes side by side read what they like; so do those that data of their own
// leads on.
// CHECK-LABEL: kernel _Z7gathersPfPKfPKi
// DATA-LABEL: kernel _Z7gathersPfPKfPKi
// CHECK-COUNT-2: load 4 B global arg1 + unknown (indirect)
__global__ void gathers(float *y, const float *x, const int *at) {
  int next = at[at[threadIdx.x]];
  y[threadIdx.x] = x[at[threadIdx.x]] + x[next + threadIdx.y];
}

// What lanes of their own are led on by stays theirs, though the data that lead
// them on are the same for all.
// CHECK-LABEL: kernel _Z3ledPfPKii
// DATA-LABEL: kernel _Z3ledPfPKii
// CHECK: store 4 B global arg0 + unknown (indirect)
__global__ void led(float *y, const int *steps, int n) {
  int place = threadIdx.x;
  for (int i = 0; i < n; ++i)
    place = (place * 5 + steps[blockIdx.x + i]) & 1023;
  y[place] = 1;
}

// So do the lanes of a warp that takes a row of a sparse matrix, and what two
// numbers of the thread together tell apart.
// CHECK-LABEL: kernel _Z6sparsePfPKfPKiS3_
// DATA-LABEL: kernel _Z6sparsePfPKfPKiS3_
// CHECK-COUNT-2: load 4 B global arg1 + unknown (indirect)
__global__ void sparse(float *y, const float *x, const int *start,
                       const int *columns) {
  int warp = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  int both = columns[columns[lane / 8] + lane % 8];
  y[warp * 32 + lane] = x[columns[start[warp] + lane]] + x[both];
}

// Banks depend on the value itself.
// CHECK-LABEL: kernel _Z5tablePfPKi
// DATA-LABEL: kernel _Z5tablePfPKi
// CHECK: load 4 B shared {{.*}} + unknown (indirect)
__global__ void table(float *y, const int *row) {
  __shared__ float tile[1024];
  tile[threadIdx.y * 32 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.y * 32 + threadIdx.x] = tile[row[threadIdx.y] + threadIdx.x];
}

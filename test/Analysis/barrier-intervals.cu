// What runs between the same two barriers of all threads has the same number,
// whichever warps run it.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' \
// RUN:   | grep -E '^kernel|^  block' | FileCheck %s

__device__ inline float work(const float *tile, int t, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum = 0.5f * sum + tile[(t + i) % 64];
  return sum;
}

// Each half of a block has a barrier of its own in its side of the branch. What
// follows these two is one interval, and not that before them.
// CHECK-LABEL: kernel _Z7inTurnsPfS_i
// CHECK:         block b4 in loop i0, if min([arg2 >= 1], [tid.x <= 63]){{$}}
// CHECK-NEXT:    block b5 in loop i1, if min([arg2 >= 1], [tid.x <= 63]), interval 1{{$}}
// CHECK-NEXT:    block b6 in loop i0, if min([arg2 >= 1], [tid.x <= 63]), interval 1{{$}}
// CHECK-NEXT:    block b7 in loop i2, if min([arg2 >= 1], [tid.x >= 64]){{$}}
// CHECK-NEXT:    block b8 in loop i0, if min([arg2 >= 1], [tid.x >= 64]), interval 1{{$}}
// CHECK-NEXT:    block b9 in loop i0, if [arg2 >= 1]{{$}}
__global__ void inTurns(float *x, float *y, int n) {
  __shared__ float tiles[2][64];
  int t = threadIdx.x % 64;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x < 64) {
      tiles[0][t] = x[i * 64 + t];
      __syncthreads();
      y[i * 64 + t] = work(tiles[0], t, n);
    } else {
      y[i * 64 + t] = work(tiles[1], t, n);
      __syncthreads();
      tiles[1][t] = x[i * 64 + t] + x[t] * x[i];
    }
    __syncthreads();
  }
}

// Barriers of some of the threads, or of a warp, separate nothing.
// CHECK-LABEL: kernel _Z4somePfi
// CHECK-NOT:     interval
__global__ void some(float *x, int n) {
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  __syncwarp();
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
}

// CHECK-LABEL: kernel _Z9oneInLoopPfi
// CHECK-NOT:     interval
__global__ void oneInLoop(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    x[threadIdx.x] += x[i];
    __syncthreads();
  }
}

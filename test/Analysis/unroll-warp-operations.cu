// nvcc makes copies of what warps do together, too: of barriers, shuffles and
// inline assembly, in loops of which nobody knows how often they run.

// REQUIRES: plugins
// RUN: auspex predict %s --format=json --launch meet=grid:1,block:32,n=8 \
// RUN:   --launch shuffle=grid:1,block:32,n=8 \
// RUN:   --launch assemble=grid:1,block:32,n=8 \
// RUN:   | FileCheck %s

// CHECK-COUNT-3: "unroll":{{4|16}}

__global__ void meet(const int *x, int *y, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    sum += x[i];
  }
  y[threadIdx.x] = sum;
}

__global__ void shuffle(const int *x, int *y, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum = __shfl_xor_sync(~0u, sum, 1) + x[i];
  y[threadIdx.x] = sum;
}

__global__ void assemble(const int *x, int *y, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    asm("add.s32 %0, %0, %1;" : "+r"(sum) : "r"(x[i]));
  y[threadIdx.x] = sum;
}

// Branches where the lanes of a warp may part are listed with their condition.
// Those that all lanes take the same way are not: their condition depends on the
// block, the launch, or data that is one for the warp.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z5partsPiPKi
// CHECK:         divergent branch in b0: [mod(tid.x, 2) {{.=}} 0]
// CHECK-NEXT:    divergent branch in b2: [tid.x {{<= 15|>= 16}}]
// CHECK-NEXT:    divergent branch in b4: [floordiv(tid.x, 32) {{.=}} 1]
// CHECK-NEXT:    divergent branch in b6: [data[[READ:[0-9]+]] != 0]
// CHECK-NOT:     divergent
// CHECK:         data[[READ]]: indirect, probability
__global__ void parts(int *a, const int *data) {
  int t = threadIdx.x;
  if (t & 1)
    a[t] = 1;
  if (t < 16)
    a[t + 64] = 2;
  if (t / 32 == 1)
    a[t + 128] = 3;
  if (data[t] > 3)
    a[t + 192] = 4;
}

// CHECK-LABEL: kernel _Z8togetherPiPKii
// CHECK-NOT:     divergent
__global__ void together(int *a, const int *data, int n) {
  if (blockIdx.x == 0)
    a[0] = 1;
  if (n > 3)
    a[1] = 2;
  if (data[blockIdx.x] > 3)
    a[2] = 3;
  for (int s = blockDim.x; s > 0; s >>= 1)
    a[s + threadIdx.x] = 4;
  for (int i = 0; i < n; ++i)
    a[i + threadIdx.x] = 5;
}

// Iterations of one thread more than of another: they part at the end of the
// body.
// CHECK-LABEL: kernel _Z5loopsPi
// CHECK:         block b[[BODY:[0-9]+]] in loop i0
// CHECK:         divergent branch in b[[BODY]]: [tid.x == i0 + 1]
__global__ void loops(int *a) {
  for (int i = 0; i < threadIdx.x; ++i)
    a[i * 32 + threadIdx.x] = 1;
}

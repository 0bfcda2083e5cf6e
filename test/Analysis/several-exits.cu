// Loops that are left in several places end with the first. What hangs on data
// leaves a symbol, and the other exits an upper bound.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-prediction;gpu=A100-40GB;launch=_Z4findPKfPfi=grid:108;block:256;arg2=100>' \
// RUN:   | FileCheck %s --check-prefix=TIME

// TIME:     predicted {{.*}} ({{.*}} to {{.*}}) for find on A100-40GB
// TIME-NOT: UnknownLoop
// TIME:     open: the trip count of the loop depends on

// CHECK-LABEL: kernel _Z4both
// CHECK:         loop i0: trip count min(max(0, -32*ctaid.x + floordiv(arg1 + 1, 2) - 1), 31) + 1
__global__ void both(float *x, int n) {
  int g = blockIdx.x * 64;
  for (int k = 0; k < 64 && g < n; k += 2, g += 2)
    x[k] = x[g];
}

// CHECK-LABEL: kernel _Z4find
// CHECK:         loop i0: trip count min(data{{[0-9]}}, arg2 - 1) + 1
// CHECK:         data{{[0-9]}}: float
__global__ void find(const float *x, float *y, int n) {
  for (int k = 0; k < n; ++k) {
    if (x[32 * k + threadIdx.x] == 0)
      break;
    y[32 * k + threadIdx.x] = 1;
  }
}

// A kernel behind a pointer that keeps its value is known; behind another, the
// launch is one of an unknown kernel.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}
template <int N> __global__ void t(int n) {}

void run(void (*parameter)(int)) {
  auto pointer = &k;
  // CHECK: launch _Z1ki: grid 1x1x1, block 32x1x1, shared 0, arg0=5 (source)
  pointer<<<1, 32>>>(5);
  const auto instance = t<3>;
  // CHECK: launch _Z1tILi3EEvi: grid 1x1x1, block 64x1x1
  instance<<<1, 64>>>(5);
  auto chosen = &k;
  chosen = parameter;
  // CHECK: launch of an unknown kernel at {{.*}}:[[#@LINE+1]]:3
  chosen<<<1, 96>>>(5);
}

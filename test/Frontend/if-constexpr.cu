// The branch that a constant condition discards launches nothing.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

template <bool Large> void choose() {
  if constexpr (Large)
    k<<<1, 512>>>(0);
  else
    k<<<1, 32>>>(0);
}

// CHECK: launch {{.*}} block 512x1x1
// CHECK-NOT: {{^}}launch
void run() {
  choose<true>();
  if constexpr (sizeof(int) == 8)
    k<<<1, 64>>>(0);
}

// What a warp votes on, all its lanes know: branches on it do not diverge.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z5votesPi
// CHECK-NOT:     divergent
// CHECK:         data{{[0-9]+}}: indirect, uniform
__global__ void votes(int *a) {
  int value = a[threadIdx.x];
  if (__any_sync(~0u, value > 3))
    a[threadIdx.x + 32] = 1;
  if (__ballot_sync(~0u, value > 5) > 7)
    a[threadIdx.x + 64] = 1;
  if (__reduce_add_sync(~0u, (unsigned)value) > 7)
    a[threadIdx.x + 96] = 1;
}

// What a lane has of another is its own.
// CHECK-LABEL: kernel _Z9exchangedPi
// CHECK:         divergent branch
__global__ void exchanged(int *a) {
  if (__shfl_xor_sync(~0u, a[threadIdx.x], 16) > 3)
    a[threadIdx.x + 32] = 1;
}

// Kernels in namespaces and classes go by their mangled names, extern "C" ones by
// their own.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

namespace a {
namespace {
__global__ void inner(int *p) {}
} // namespace
struct S {
  __global__ static void method(int n) {}
};
} // namespace a
extern "C" __global__ void plain(int n) {}
static __global__ void internal(int n) {}

void run() {
  // CHECK: launch _ZN1a12_GLOBAL__N_15innerEPi: grid 1x1x1, block 32x1x1
  a::inner<<<1, 32>>>(nullptr);
  // CHECK: launch _ZN1a1S6methodEi: grid 2x1x1, block 32x1x1
  a::S::method<<<2, 32>>>(0);
  // CHECK: launch plain: grid 3x1x1, block 32x1x1
  plain<<<3, 32>>>(0);
  // CHECK: launch _ZL8internali: grid 4x1x1, block 32x1x1
  internal<<<4, 32>>>(0);
}
// CHECK: arguments plain: n
// CHECK: arguments _ZL8internali: n

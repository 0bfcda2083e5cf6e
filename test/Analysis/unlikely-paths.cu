// Ways on which a program ends or prints are not those that most threads go:
// assertions, traps and messages that hang on data.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o %t.ll
// RUN: %opt_auspex -passes='print<auspex-summary>' %t.ll | FileCheck %s
// RUN: %opt_auspex -passes='print<auspex-prediction;gpu=A100-40GB>' %t.ll \
// RUN:   | FileCheck %s --check-prefix=TIME

#include <cassert>

// CHECK-LABEL: kernel _Z7checkedPKiPf
// CHECK:         control 3, load_global 1
// CHECK:         block b1, if [data[[FAILS:[0-9]+]] == 0]{{$}}
// CHECK:         data[[FAILS]]: indirect, probability 1{{$}}
// CHECK:         call in b1: __assertfail
// TIME:        for checked on
// TIME:        assumed: the unlikely side of the branch on data is not taken
// TIME-NOT:    open:
__global__ void checked(const int *in, float *out) {
  int index = in[threadIdx.x];
  assert(index >= 0 && index < 16);
  out[threadIdx.x] = index;
}

// CHECK-LABEL: kernel _Z7trappedPKiPf
// CHECK:         data{{[0-9]+}}: indirect, probability {{.*}}e-{{.*}}
// TIME:        for trapped on
// TIME-NOT:    open:
__global__ void trapped(const int *in, float *out) {
  int index = in[threadIdx.x];
  if (index > 16)
    __trap();
  out[threadIdx.x] = index;
}

// CHECK-LABEL: kernel _Z7reportsPKiPf
// CHECK:         block b1, if [data[[SAYS:[0-9]+]] != 0]
// CHECK:         data[[SAYS]]: indirect, probability 0{{$}}
// CHECK:         call in b1: vprintf
// TIME:        for reports on
// TIME-NOT:    open:
__global__ void reports(const int *in, float *out) {
  int index = in[threadIdx.x];
  if (index > 16)
    printf("%d is too large\n", index);
  out[threadIdx.x] = index;
}

// What indices decide is no estimate.
// CHECK-LABEL: kernel _Z5firstPf
// CHECK:         block b1, if [tid.x == 0]
// CHECK-NOT:     data
__global__ void first(float *out) {
  if (threadIdx.x == 0)
    printf("begins\n");
  out[threadIdx.x] = 0;
}

// An assertion says nothing about the way to it.
// CHECK-LABEL: kernel _Z10onTheWayToPKiPf
// CHECK:         data[[WAY:[0-9]+]]: indirect, probability 0.5{{$}}
// CHECK:         data{{[0-9]+}}: indirect, probability 1{{$}}
// TIME:        for onTheWayTo on
// TIME:        open: whether a branch is taken depends on data read
__global__ void onTheWayTo(const int *in, float *out) {
  int index = in[threadIdx.x];
  if (index != 100) {
    assert(index < 16);
    out[threadIdx.x] = index;
  }
}

// A pointer that a kernel is given points to something, if nobody says that it is
// null.
// CHECK-LABEL: kernel _Z8optionalPKfPf
// CHECK:         block b1, if [arg0 != 0], predicated in b0{{$}}
// TIME:        for optional on
// TIME-NOT:    open:
__global__ void optional(const float *in, float *out) {
  if (in != nullptr)
    out[threadIdx.x] = in[threadIdx.x];
  else
    out[threadIdx.x] = 0;
}

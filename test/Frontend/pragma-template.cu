// A pragma before a template holds for all its instances, one before a declaration
// as well.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

// CHECK: launch _Z1kIfEvPT_i: grid 8x1x1, block 256x1x1, shared unknown, arg1=5 (pragma)
// CHECK: launch _Z1kIdEvPT_i: grid 8x1x1, block 256x1x1, shared unknown, arg1=5 (pragma)
#pragma auspex launch(grid:8, block:256, n=5)
template <class T>
__global__ void k(T *data, int n) {}
template __global__ void k<float>(float *, int);
template __global__ void k<double>(double *, int);

struct S {
  // CHECK: launch _ZN1S6methodEi: grid 9x1x1
#pragma auspex launch(grid:9)
  __global__ static void method(int n) {}
};

// CHECK: launch _Z8declaredi: grid 10x1x1
#pragma auspex launch(grid:10)
__global__ void declared(int n);
__global__ void declared(int n) {}

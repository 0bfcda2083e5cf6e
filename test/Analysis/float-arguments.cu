// Conditions on floating-point arguments: the source often says what they are,
// and they can be stated.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK:     predicted {{[0-9.]+}} us for scale {{.*}} grid 4096
// CHECK:     y loads
// CHECK:     predicted {{[0-9.]+}} us for scale {{.*}} grid 2048
// CHECK-NOT: y loads
// CHECK:     predicted {{[0-9.]+}} us for member {{.*}} grid 1024
// CHECK-NOT: y loads
// CHECK:     for add
// CHECK-NOT: for add

// RUN: auspex predict %s --kernel scale --launch scale=grid:9,block:256,beta=1 \
// RUN:   | FileCheck %s --check-prefix=STATED
// STATED: predicted {{[0-9.]+}} us for scale
// STATED: y loads
// RUN: auspex predict %s --kernel scale --launch scale=grid:9,block:256,beta=-0.0 \
// RUN:   | FileCheck %s --check-prefix=ZERO
// ZERO:     predicted {{[0-9.]+}} us for scale
// ZERO-NOT: y loads
// RUN: not auspex predict %s --launch scale=grid:9,block:256,betta=0.5 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: --launch: scale: betta: the kernel has no such argument; it has no integer argument; its floating-point arguments are alpha (arg2) and beta (arg3)
// RUN: not auspex predict %s --launch scale=grid:9,block:256,x=0.5 2>&1 \
// RUN:   | FileCheck %s --check-prefix=POINTER
// POINTER: error: --launch: scale: x: it is no floating-point number; its floating-point arguments are alpha (arg2) and beta (arg3)

// Of a member of a struct with a point; gates tell such launches apart.
// RUN: auspex predict %s --kernel member --launch member=grid:9,block:256,arg2.8=1.0 \
// RUN:   | FileCheck %s --check-prefix=STATED-MEMBER
// STATED-MEMBER: predicted {{[0-9.]+}} us for member
// STATED-MEMBER: y loads
// RUN: auspex predict %s --gpu A100-40GB --format=json -o %t.json
// RUN: auspex gate %t.json %t.json | FileCheck %s --check-prefix=GATE
// GATE: none of 4 launches is slower by more than 5 %; 4 unchanged

// Nobody says what it is.
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-prediction;gpu=A100-40GB;launch=_Z5scalePKfPfff=grid:9;block:256>' \
// RUN:   | FileCheck %s --check-prefix=OPEN
// OPEN: predicted {{[0-9.]+}} us ({{.*}} to {{.*}}) for scale
// OPEN: open: whether a branch is taken depends on argument

#include <cuda_runtime.h>

__global__ void scale(const float *x, float *y, float alpha, float beta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (beta != 0)
    y[i] = alpha * x[i] + beta * y[i];
  else
    y[i] = alpha * x[i];
}

struct Factors {
  double alpha, beta;
};
__global__ void member(const float *x, float *y, Factors by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (by.beta > 0.5)
    y[i] = by.alpha * x[i] + by.beta * y[i];
  else
    y[i] = by.alpha * x[i];
}

// Of a number that decides nothing it does not matter what it is.
__global__ void add(float *x, float by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

int main() {
  float *x, *y, alpha = 1.0f, beta = 0.5f;
  cudaMalloc(&x, 1 << 22);
  cudaMalloc(&y, 1 << 22);
  scale<<<4096, 256>>>(x, y, alpha, beta);
  scale<<<2048, 256>>>(x, y, 2, 0);
  Factors factors = {1, 0.25};
  member<<<1024, 256>>>(x, y, factors);
  add<<<64, 256>>>(x, 0.1f);
  add<<<64, 256>>>(x, 0.2f);
}

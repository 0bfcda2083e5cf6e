// Launches whose brackets an editor has taken apart are launches, as for nvcc;
// what else looks like them stays what it is.
//
// REQUIRES: plugins
//
// RUN: auspex predict %s --gpu H100-SXM 2>&1 | FileCheck %s
//
// Also in headers, beside the source or in a folder of the flags.
// RUN: rm -rf %t && mkdir -p %t/include && cp %s %t/include/launches.cuh
// RUN: echo '#include "inner.cuh"' > %t/include/outer.cuh
// RUN: echo '#include "launches.cuh"' > %t/include/inner.cuh
// RUN: echo '#include "outer.cuh"' > %t/main.cu
// RUN: auspex predict %t/main.cu --gpu H100-SXM -- -I %t/include 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HEADER
// HEADER: for fill<1> {{.*}} grid 8x1x1 and block 64x1x1 from the source ({{.*}}launches.cuh:
//
// CHECK: predicted {{.*}} for fill<1> {{.*}} grid 8x1x1 and block 64x1x1 from the source (predict-apart-brackets.cu:[[#FIRST:]])
// CHECK: predicted {{.*}} for fill<2> {{.*}} grid 9x1x1 and block 64x1x1 from the source (predict-apart-brackets.cu:[[#FIRST+1]])
// CHECK: predicted {{.*}} for fill<3> {{.*}} grid 10x1x1 and block 32x1x1 from the source (predict-apart-brackets.cu:[[#FIRST+2]])
#include <cuda_runtime.h>

template <typename T> struct List {};
using Nested = List<List<List<int> > >;

template <int N> __global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = N << 1;
}

void run(float *x) {
  fill<1> << <8, 64 >> > (x, 512);
  fill<2> < << 9, 64 > >>(x, 1 << 2);
  fill<3><<<10, 32>>>(x, 1024 >> 2);
}

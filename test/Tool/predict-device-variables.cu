// Variables of the GPU are known by their names, from what the source copies or
// from who states them.
//
// REQUIRES: plugins
//
// RUN: auspex predict %s --gpu H100-SXM | FileCheck %s
// RUN: auspex predict %s --gpu H100-SXM --launch 'sum=ns::count=10,grid:64' \
// RUN:   --launch 'sum=count=20,lengths[1]=8,options.repeats=3' \
// RUN:   --format=json | FileCheck %s --check-prefix=STATED
// RUN: not auspex predict %s --gpu H100-SXM --launch 'sum=size=10' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
//
// CHECK: time unknown for sum on H100-SXM, unless the launch states sum=ns::count=...;
// CHECK: options.values loads
// CHECK: open: the trip count of the loop at line {{[0-9]+}} depends on variable ns::count
// CHECK: predicted {{.*}} us for known on H100-SXM
// STATED: "@_ZN2ns5countE.0": 10,
// STATED: "@lengths.4": 5,
// STATED-NEXT: "@options.0": 7
// STATED: "@_ZN2ns5countE.0": "ns::count",
// STATED: "@options.0": "options.repeats"
// STATED: "@_ZN2ns5countE.0": 20,
// STATED: "@lengths.4": 8,
// STATED-NEXT: "@options.0": 3
// WRONG: sum: size: the kernel has no such argument; its integer arguments are the variable ns::count, options.repeats, lengths[0] and lengths[1]
#include <cuda_runtime.h>

namespace ns {
__constant__ int count;
}
struct Options {
  int repeats;
  float scale;
  float *values;
};
__constant__ Options options;
__constant__ int lengths[2];
__device__ int turns;

__global__ void sum(float *x) {
  float value = 0;
  for (int i = 0; i < ns::count; ++i)
    for (int j = 0; j < options.repeats; ++j)
      value += options.values[i * lengths[1] + threadIdx.x];
  x[threadIdx.x] = value;
}

__global__ void known(float *x) {
  float value = x[threadIdx.x];
  for (int i = 0; i < turns; ++i)
    value = value * value + 1;
  x[threadIdx.x] = value;
}

void run(float *x, int argument) {
  Options from = {7, 0.5f, x};
  int both[] = {4, 5}, hundred = 100;
  cudaMemcpyToSymbol(ns::count, &argument, sizeof(int));
  cudaMemcpyToSymbol(options, &from, sizeof(from));
  cudaMemcpyToSymbol(lengths, both, sizeof(both));
  cudaMemcpyToSymbol(turns, &hundred, sizeof(int));
  sum<<<1, 128>>>(x);
  known<<<1, 128>>>(x);
}

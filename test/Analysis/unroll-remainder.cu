// What is left over of an unrolled loop is a version of its body that runs for
// the rest of the trips alone, wherever the optimiser puts it: of an even number
// never. So 8 trips are 16 loads and a store.

// REQUIRES: plugins
// RUN: auspex predict %s --launch dot=grid:1,block:32,n=8 --format=json \
// RUN:   | FileCheck %s --check-prefix=EVEN
// RUN: auspex predict %s --launch dot=grid:1,block:32,n=9 --format=json \
// RUN:   | FileCheck %s --check-prefix=ODD
// EVEN: "fp32": 8,
// EVEN: "load_global": 16,
// ODD: "fp32": 9,
// ODD: "load_global": 18,

__global__ void dot(const float *a, const float *b, float *c, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k * 32 + threadIdx.x] * b[k * n + threadIdx.x];
  c[threadIdx.x] = sum;
}

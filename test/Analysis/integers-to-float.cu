// Since 8.6 the integer pipe makes floats of integers of 32 bits; before, and
// the other way, special functions do.

// REQUIRES: plugins
// RUN: auspex predict %s --format=json --gpu A100-40GB \
// RUN:   --launch k=grid:1,block:32 | FileCheck %s --check-prefix=BEFORE
// RUN: auspex predict %s --format=json --gpu H100-SXM \
// RUN:   --launch k=grid:1,block:32 | FileCheck %s --check-prefix=SINCE
// BEFORE: "convert": 3,
// SINCE:  "convert": 1,
// SINCE:  "convert_narrow": 2,

__global__ void k(const int *x, const unsigned *y, const float *z, float *f,
                  float *g, int *i) {
  f[threadIdx.x] = x[threadIdx.x];
  g[threadIdx.x] = y[threadIdx.x];
  i[threadIdx.x] = z[threadIdx.x];
}

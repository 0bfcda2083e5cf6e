// Where nvcc's code has no branch: ptxas predicates short sides, also those
// with a short side in them, if what they begin with is a test. A load in the
// test keeps the branch. What is updated or not is predicated too, and takes no
// choice. Instructions of one turn, branches and the two that let a warp meet
// again; comparisons and choices:

// REQUIRES: plugins
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB \
// RUN:   --launch 'bothOf=grid:1,block:32,n=1000' \
// RUN:   --launch 'shortTest=grid:1,block:32,n=1000' \
// RUN:   --launch 'longTest=grid:1,block:32,n=1000' \
// RUN:   --launch 'loadedTest=grid:1,block:32,n=1000' \
// RUN:   --launch 'update=grid:1,block:32,n=1000' \
// RUN:   --launch 'count=grid:1,block:32,n=1000'
// RUN: %python -c "import json; \
// RUN:   [print(p['demangled'].split('(')[0], \
// RUN:    *(round(p['inputs']['operational']['mix'][c] / 1000) \
// RUN:      for c in ('control', 'compare'))) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" | FileCheck %s

// CHECK-DAG: bothOf 1 3
__global__ void bothOf(float *x, float a, float b, int n) {
  float d = x[threadIdx.x], s = d;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    d = d * a + b;
    s += a;
    if (d > a && d * b + s < b)
      x[i] = s;
  }
  x[threadIdx.x] = s;
}
// CHECK-DAG: shortTest 1 3
__global__ void shortTest(float *x, float a, float b, int n) {
  float d = x[threadIdx.x], s = d;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    d = d * a + b;
    s += a;
    if (d > a && (((d * b + s) * b + d) * b + s) * s + d < b)
      x[i] = s;
  }
  x[threadIdx.x] = s;
}
// CHECK-DAG: longTest 4 3
__global__ void longTest(float *x, float a, float b, int n) {
  float d = x[threadIdx.x], s = d;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    d = d * a + b;
    s += a;
    if (d > a &&
        (((((d * b + s) * b + d) * b + s) * s + d) * d + s) * b + d < b)
      x[i] = s;
  }
  x[threadIdx.x] = s;
}
// CHECK-DAG: loadedTest 4 3
__global__ void loadedTest(float *x, float a, float b, int n) {
  float d = x[threadIdx.x], s = d;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    d = d * a + b;
    if (d > a && x[i] < d)
      s = s * a + d;
  }
  x[threadIdx.x] = s;
}
// CHECK-DAG: update 1 2
__global__ void update(float *x, float a, float b, int n) {
  float d = x[threadIdx.x], s = d;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    d = d * a + b;
    if (d > a)
      s += d;
  }
  x[threadIdx.x] = s;
}
// CHECK-DAG: count 1 3
__global__ void count(float *x, float a, float b, int n) {
  float d = x[threadIdx.x];
  int s = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    d = d * a + b;
    if (d > a)
      ++s;
  }
  x[threadIdx.x] = s;
}

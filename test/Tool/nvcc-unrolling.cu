// nvcc unrolls by four, and ptxas by four again where it can tell how often a
// short loop runs: sixteen loads are under way together. It cannot where
// addresses are sums of 32 bits without a sign, go on by more than an element,
// or the counter has 64 bits, and leaves long bodies and what the source states.
// Loads and stores of one array pass each other. Below, the
// loads of one turn in the path and the copies of the loop:

// REQUIRES: plugins
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB \
// RUN:   --launch 'elements=grid:1,block:32,n=1600' \
// RUN:   --launch 'rows=grid:1,block:32,n=1600,m=100' \
// RUN:   --launch 'inPlace=grid:1,block:32,n=1600' \
// RUN:   --launch 'unsignedRows=grid:1,block:32,n=1600,m=100' \
// RUN:   --launch 'strided=grid:1,block:32,n=1600' \
// RUN:   --launch 'wideCounter=grid:1,block:32,n=1600' \
// RUN:   --launch 'longBody=grid:1,block:32,n=1600' \
// RUN:   --launch 'longerBody=grid:1,block:32,n=1600' \
// RUN:   --launch 'stated=grid:1,block:32,n=1600' \
// RUN:   --launch 'twoArrays=grid:1,block:32,n=1600' \
// RUN:   --launch 'manyRegisters=grid:1,block:32,n=1600,m=100' \
// RUN:   --launch 'overGrid=grid:1,block:1,n=1600' \
// RUN:   --launch 'overGridUnsigned=grid:1,block:1,n=1600' \
// RUN:   --launch 'overBlock=grid:1,block:32,n=51200' \
// RUN:   --launch 'nested=grid:1,block:1,n=160,step=1,passes=10' \
// RUN:   --launch 'guarded=grid:1,block:32,n=1600' \
// RUN:   --launch 'wished=grid:1,block:32,n=1600' \
// RUN:   --launch 'zeroTimes=grid:1,block:32,n=1600' \
// RUN:   --launch 'times<0>=grid:1,block:32,n=1600' \
// RUN:   --launch 'once=grid:1,block:32,n=1600'
// RUN: %python -c "import json; [print(p['demangled'].split('(')[0], \
// RUN:   round(p['inputs']['operational']['path']['load_global'] / 1600, 4), \
// RUN:   *[loop['unroll'] for loop in p['loops']]) \
// RUN:   for p in json.load(open(r'%t.json'))['predictions']]" | FileCheck %s

// CHECK-DAG: elements 0.0625 16{{$}}
__global__ void elements(const float *x, float *sum, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}
// CHECK-DAG: rows 0.0625 16{{$}}
__global__ void rows(const float *x, float *sum, int n, int m) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i * m + t];
  sum[t] = s;
}
// CHECK-DAG: inPlace 0.0625 16{{$}}
__global__ void inPlace(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
}
// CHECK-DAG: unsignedRows 0.25 4{{$}}
__global__ void unsignedRows(const float *x, float *sum, int n, int m) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i * m + threadIdx.x];
  sum[threadIdx.x] = s;
}
// CHECK-DAG: strided 0.25 4{{$}}
__global__ void strided(const float *x, float *sum, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i * 32 + t];
  sum[t] = s;
}
// CHECK-DAG: wideCounter 0.25 4{{$}}
__global__ void wideCounter(const float *x, float *sum, long n) {
  float s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}

template <int length> static __device__ float polynomial(float x) {
  float value = 1;
#pragma unroll
  for (int i = 0; i < length; ++i)
    value = value * x + i;
  return value;
}
// CHECK-DAG: longBody 0.25 4{{$}}
__global__ void longBody(const float *x, float *sum, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += polynomial<12>(x[i]);
  sum[threadIdx.x] = s;
}
// CHECK-DAG: longerBody 0.5 2{{$}}
__global__ void longerBody(const float *x, float *sum, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += polynomial<28>(x[i]);
  sum[threadIdx.x] = s;
}
// CHECK-DAG: stated 0.125 8{{$}}
__global__ void stated(const float *x, float *sum, int n) {
  float s = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}
// What is stored to the one may be what is loaded from the other.
// CHECK-DAG: twoArrays 2.0 16{{$}}
__global__ void twoArrays(float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    x[i] *= 3;
    y[i] += x[i];
  }
}
// A step of any size, if the counter has a sign: the division for the trip count
// does not cost too much.
// CHECK-DAG: overGrid 0.25 4{{$}}
__global__ void overGrid(const float *__restrict__ x, float *y, int n) {
  int step = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    y[i] = 2 * x[i];
}
// CHECK-DAG: overGridUnsigned 1.0 1{{$}}
__global__ void overGridUnsigned(const float *__restrict__ x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    y[i] = 2 * x[i];
}
// CHECK-DAG: overBlock 0.0625 16{{$}}
__global__ void overBlock(const float *x, float *sum, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    s += x[i];
  sum[threadIdx.x] = s;
}
// 32 loads, of which 32 registers cannot hold all: 1.7 waits for 16 turns.
// CHECK-DAG: manyRegisters 0.1047 16{{$}}
__global__ void manyRegisters(const float *x, const float *y, float *sum, int n,
                              int m) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[t * n + i] * y[i * m + t];
  sum[t] = s;
}
// What is left of unrolling the inner loop is most of the outer one's code.
// CHECK-DAG: nested 0.25 1 4{{$}}
__global__ void nested(const float *x, float *sum, int n, int step,
                       int passes) {
  float s = 0;
  for (int pass = 0; pass < passes; ++pass)
    for (int i = threadIdx.x; i < n; i += step)
      s += x[i];
  sum[threadIdx.x] = s;
}
// The counter may as well have no sign, as it is never negative.
// CHECK-DAG: guarded 0.0312 4{{$}}
__global__ void guarded(const float *x, float *y, int n) {
  for (int i = threadIdx.x; i < 1600; i += 32)
    if (i < n)
      y[i] = 2 * x[i];
}
// Unrolled as if it did not say so.
// CHECK-DAG: wished 0.0312 4{{$}}
__global__ void wished(const float *x, float *y, int n) {
#pragma unroll
  for (int i = threadIdx.x; i < 1600; i += 32)
    if (i < n)
      y[i] = 2 * x[i];
}
// nvcc does not listen.
// CHECK-DAG: zeroTimes 0.0625 16{{$}}
__global__ void zeroTimes(const float *x, float *sum, int n) {
  float s = 0;
#pragma unroll 0
  for (int i = 0; i < n; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}
// CHECK-DAG: void times<0> 0.0625 16{{$}}
template <int count> __global__ void times(const float *x, float *sum, int n) {
  float s = 0;
#pragma unroll count
  for (int i = 0; i < n; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}
template __global__ void times<0>(const float *, float *, int);
// CHECK-DAG: once 1.0 1{{$}}
__global__ void once(const float *x, float *sum, int n) {
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}

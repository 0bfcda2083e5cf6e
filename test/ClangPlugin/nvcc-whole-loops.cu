// nvcc unrolls loops of a known trip count whole up to 400 instructions, with
// loops in them as these are unrolled; and much further where they index a
// private array, which is in registers then. What clang makes for somebody is
// not touched. The loops that are left:

// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -mllvm -unroll-threshold=3000 \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %python -c "import json; [print(k['demangled'].split('(')[0], len(k['loops'])) \
// RUN:   for k in json.load(open(r'%t.json'))['kernels']]" | FileCheck %s

// RUN: %clang_cuda_device %clang_plugin -O3 -S -emit-llvm -o %t.with.ll %s \
// RUN:   -mllvm -unroll-threshold=3000 -fplugin-arg-auspex-nvcc
// RUN: %clang_cuda_device -O3 -S -emit-llvm -o %t.without.ll %s \
// RUN:   -mllvm -unroll-threshold=3000
// RUN: diff %t.with.ll %t.without.ll

template <int trips>
__global__ void sumOf(const float *x, float *sum) {
  float s = 0;
  for (int i = 0; i < trips; ++i)
    s += x[i];
  *sum = s;
}
// CHECK: sumOf<79> 0
template __global__ void sumOf<79>(const float *, float *);
// What nvcc's optimiser leaves ptxas may unroll whole.
// CHECK: sumOf<83> 0
template __global__ void sumOf<83>(const float *, float *);
// CHECK: sumOf<900> 1
template __global__ void sumOf<900>(const float *, float *);

// The inner loop is unrolled first.
template <int rows, int columns>
__global__ void tile(const float *x, float *sum) {
  float s = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      s += x[i * 100 + j] * s;
  *sum = s;
}
// CHECK: tile<8, 8> 0
template __global__ void tile<8, 8>(const float *, float *);
// CHECK: tile<16, 16> 1
template __global__ void tile<16, 16>(const float *, float *);

// A loop in a loop is copied four times, and its rest.
template <int rows>
__global__ void triangle(const float *x, float *sum) {
  float s = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < i; ++j)
      s += x[i * 8 + j] * s;
  *sum = s;
}
// CHECK: triangle<4> 0
template __global__ void triangle<4>(const float *, float *);
// CHECK: triangle<8> 2
template __global__ void triangle<8>(const float *, float *);

// Unless it has a barrier.
// CHECK: sorted 0
__global__ void sorted(unsigned *x) {
  for (unsigned size = 2; size < 64; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (x[at] > x[at + stride])
        x[at] = size;
    }
}

// Of few turns it counts what is left when their counter is a constant.
template <int trips>
__global__ void hashed(const float *x, float *sum) {
  float s = 0;
  for (int i = 0; i < trips; ++i) {
    unsigned hash = i;
#pragma unroll
    for (int round = 0; round < 20; ++round)
      hash = (hash ^ (37 * round + 1)) * (2 * round + 3);
    s += x[hash & 1023];
  }
  *sum = s;
}
// CHECK: hashed<10> 0
template __global__ void hashed<10>(const float *, float *);
// CHECK: hashed<23> 1
template __global__ void hashed<23>(const float *, float *);

// CHECK: privateArray 0
__global__ void privateArray(const float *x, float *out) {
  float a[128];
  for (int i = 0; i < 128; ++i)
    a[i] = x[i * blockDim.x + threadIdx.x];
  for (int i = 0; i < 128; ++i)
    out[i * blockDim.x + threadIdx.x] = 2 * a[i];
}
// Also where a function gets the array. What goes around is left.
__device__ static void load(float *a, const float *x) {
  for (int i = 0; i < 128; ++i)
    a[i] = x[i * blockDim.x];
}
// CHECK: givenArray 1
__global__ void givenArray(const float *x, float *out) {
  float a[128];
  for (int k = 0; k < 4; ++k) {
    load(a, x + k);
    for (int i = 0; i < 128; ++i)
      out[i * blockDim.x + k] = 2 * a[i];
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is calculated in floating point of integers, exactly, is known like
// these: rounded up for the end of a loop, or a row from a quotient.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>,print<auspex-access>' | FileCheck %s

// CHECK-LABEL: kernel _Z5tiledPKfPfi (
// CHECK: loop i0: trip count max(0, -floordiv(-arg2, 16) - 1) + 1{{$}}
__global__ void tiled(const float *x, float *y, int n) {
  float sum = 0;
#pragma unroll 1
  for (int tile = 0; tile < ceil(n / (float)16); ++tile)
    sum += x[tile * 16 + threadIdx.x];
  y[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel _Z5partsPfi (
// CHECK: loop i0: trip count {{.*}}-floordiv(-arg1, 24)
__global__ void parts(float *x, int n) {
  int parts = ceilf(n / 24.0f);
#pragma unroll 1
  for (int i = 0; i < parts; ++i)
    x[i * 256 + threadIdx.x] *= 2;
}

// A step of a tenth: 0.1f is the inverse of 10.
// CHECK-LABEL: kernel _Z5stepsPf (
// CHECK: loop i0: trip count 100{{$}}
__global__ void steps(float *x) {
  float sum = 0;
#pragma unroll 1
  for (float t = 0; t < 10.0f; t += 0.1f)
    sum += sum * t + 1;
  x[threadIdx.x] = sum;
}

// Half of the threads, the last one of an odd number too.
// CHECK-LABEL: kernel _Z4halfPfi (
// CHECK: block {{.*}}if [ctaid.x*ntid.x + tid.x + floordiv(-arg1, 2) < 0]
__global__ void half(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < ceil(n / 2.0))
    x[i] *= 2;
}

// What was read and is not whole is not known.
// CHECK-LABEL: kernel _Z4readPfPKff (
// CHECK: loop i0: trip count unknown (float){{$}}
__global__ void read(float *x, const float *end, float step) {
  float sum = 0;
  for (float t = 0; t < *end; t += step)
    sum += sum * t + 1;
  x[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel _Z9transposePKfPfii{{$}}
// CHECK: load 4 B global arg0 + 4*ctaid.x*ntid.x + 4*tid.x
// CHECK: store 4 B global arg1 + {{.*}}floordiv(ctaid.x*ntid.x + tid.x, arg2)
__global__ void transpose(const float *x, float *y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = floor(i / (float)w);
  y[(i - row * w) * h + row] = x[i];
}

// The pixel over the middle of which that of an image twice as large is.
// CHECK-LABEL: kernel _Z6resizePKfPf{{$}}
// CHECK: load 4 B global arg0 + 4*floordiv(ctaid.x*ntid.x + tid.x, 2){{$}}
__global__ void resize(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[(int)((i + 0.5f) * 0.5f)];
}

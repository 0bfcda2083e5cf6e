// Arithmetic of 16-bit floating-point numbers, which CUDA's headers write in
// inline assembly, as ptxas makes it: a comparison gives a predicate, not a
// number that is compared again; a conversion of a constant is the constant;
// operands choose their halves of a register, and one permutation packs two
// halves; two sums are one instruction, and a product with its sum; conversions
// are those of the code generator (CUDA 13, for 8.0).

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

using Half = unsigned short;

__device__ Half toHalf(float x) {
  Half y;
  asm("{ cvt.rn.f16.f32 %0, %1;}\n" : "=h"(y) : "f"(x));
  return y;
}
__device__ float toFloat(Half x) {
  float y;
  asm("{ cvt.f32.f16 %0, %1;}\n" : "=f"(y) : "h"(x));
  return y;
}
__device__ Half sum(Half x, Half y) {
  Half z;
  asm("{add.f16 %0,%1,%2;\n}" : "=h"(z) : "h"(x), "h"(y));
  return z;
}
__device__ Half times(Half x, Half y) {
  Half z;
  asm("{mul.f16 %0,%1,%2;\n}" : "=h"(z) : "h"(x), "h"(y));
  return z;
}
__device__ bool isLess(Half x, Half y) {
  Half z;
  asm("{ .reg .pred p;\n  setp.lt.f16  p, %1, %2;\n  selp.u16 %0, 1, 0, p;}"
      : "=h"(z)
      : "h"(x), "h"(y));
  return z != 0;
}

// CHECK-LABEL: kernel _Z7convertPfPt
// CHECK:         fp16 1, int_mul 2, convert_narrow 1, move
__global__ void convert(float *x, Half *y) {
  int i = threadIdx.x;
  float from = toFloat(y[i]);
  y[i] = toHalf(x[i]);
  x[i] = from;
}

// A product that a sum adds on is one instruction with it, unless it is needed
// itself, and of two products of a sum one.
// CHECK-LABEL: kernel _Z7productPt
// CHECK:         fp16 5,
__global__ void product(Half *x) {
  int i = threadIdx.x;
  x[i] = sum(times(x[i], x[i + 64]), x[i + 128]);
  x[i + 256] = sum(times(x[i + 320], x[i + 384]), times(x[i + 448], x[i + 512]));
  Half kept = times(x[i + 576], x[i + 640]);
  x[i + 704] = kept;
  x[i + 768] = sum(kept, x[i + 832]);
}

// Loads of shared memory on both sides of assembly are joined, four halves at
// most, and its instructions choose their halves of what they bring.
// CHECK-LABEL: kernel _Z4sumsPtS_
// CHECK:         fp16 8, {{.*}}, logic 3, {{.*}}, load_shared 2, store_shared 1
__global__ void sums(Half *y, Half *x) {
  __shared__ Half row[64][8];
  row[threadIdx.x / 8][threadIdx.x % 8] = x[threadIdx.x];
  __syncthreads();
  Half all = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    all = sum(all, row[threadIdx.x / 64][i]);
  y[threadIdx.x] = all;
}

// CHECK-LABEL: kernel _Z5clampPt
// CHECK:         int_mul 1, compare 1, move
__global__ void clamp(Half *x) {
  int i = threadIdx.x;
  x[i] = isLess(x[i], toHalf(0.5f)) ? x[i] : toHalf(0.5f);
}

// CHECK-LABEL: kernel _Z6unusedPt
// CHECK:         block b0
// CHECK-NOT:     compare
__global__ void unused(Half *x) {
  Half before;
  asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;"
               : "=h"(before)
               : "l"(x), "h"(x[1]));
}

// CHECK-LABEL: kernel _Z5packsPj
// CHECK:         fp16 2, int_mul 1, logic 1, move
__global__ void packs(unsigned *x) {
  int i = threadIdx.x;
  Half lower = x[i], upper = x[i] >> 16;
  lower = sum(lower, upper);
  x[i] = lower | static_cast<unsigned>(sum(upper, lower)) << 16;
}

// Two that do the same with operands of the same registers are one.
// CHECK-LABEL: kernel _Z5pairsPjPt
// CHECK:         fp16 2, int_mul 1, move
__global__ void pairs(unsigned *x, Half *y) {
  int i = threadIdx.x;
  Half lower = x[i], upper = x[i] >> 16, other = y[0];
  lower = sum(sum(lower, lower), other);
  upper = sum(sum(upper, upper), other);
  x[i] = lower | static_cast<unsigned>(upper) << 16;
}

// A chain of sums has no pairs.
// CHECK-LABEL: kernel _Z5chainPjPt
// CHECK:         fp16 3, int_mul
__global__ void chain(unsigned *x, Half *y) {
  int i = threadIdx.x;
  Half lower = x[i], upper = x[i] >> 16, other = y[0];
  y[i] = sum(sum(sum(lower, other), other), upper);
}

// Half-precision arithmetic makes floats of halves, since Volta; special
// functions make halves of floats until Turing, the integer pipe since Ampere.
// Of the brain floats of a register permutations put each in the upper half of
// its own.

// REQUIRES: plugins
// RUN: auspex predict %s --format=json --gpu P100 --kernel halves \
// RUN:   --launch halves=grid:1,block:32 | FileCheck %s --check-prefix=PASCAL
// PASCAL: "convert": 3,

// RUN: auspex predict %s --format=json --gpu T4 --kernel halves \
// RUN:   --launch halves=grid:1,block:32 | FileCheck %s --check-prefix=TURING
// TURING: "convert": 1,
// TURING: "fp16": 2,

// RUN: auspex predict %s --format=json --gpu RTX-3080 --kernel halves \
// RUN:   --launch halves=grid:1,block:32 | FileCheck %s --check-prefix=AMPERE
// AMPERE: "convert_narrow": 1,
// AMPERE: "fp16": 2,

// RUN: auspex predict %s --format=json --gpu RTX-3080 --kernel brains \
// RUN:   --launch brains=grid:1,block:32 | FileCheck %s --check-prefix=BRAINS
// BRAINS: "logic": 2,

// As CUDA's headers write them.
static __device__ float toFloat(unsigned short half) {
  float value;
  asm("{  cvt.f32.f16 %0, %1;}\n" : "=f"(value) : "h"(half));
  return value;
}
static __device__ unsigned short toHalf(float value) {
  unsigned short half;
  asm("{  cvt.rn.f16.f32 %0, %1;}\n" : "=h"(half) : "f"(value));
  return half;
}
static __device__ float ofBrain(unsigned short brain) {
  float value;
  asm("{ mov.b32 %0, {0,%1};}\n" : "=f"(value) : "h"(brain));
  return value;
}

__global__ void halves(const unsigned short *x, unsigned short *y) {
  y[threadIdx.x] = toHalf(toFloat(x[threadIdx.x]) + toFloat(y[threadIdx.x]));
}

__global__ void brains(const ushort2 *x, float *y) {
  ushort2 both = x[threadIdx.x];
  y[threadIdx.x] = ofBrain(both.x) + ofBrain(both.y);
}

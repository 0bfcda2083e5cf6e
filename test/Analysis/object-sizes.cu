// A variable in global memory says how much it holds: what data pick from it
// cannot be more. An array that an argument points to does not say so.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' | FileCheck %s

__device__ float table[32];

// CHECK: "base":"arg0","offset"
// CHECK: "base":"@table","objectInBytes":128,"offset":{"unknown":"indirect"}
// CHECK: "base":"arg1","offset"
__global__ void pick(const int *index, float *out) {
  out[threadIdx.x] = table[index[threadIdx.x]];
}

__global__ void fill(float value) { table[threadIdx.x] = value; }

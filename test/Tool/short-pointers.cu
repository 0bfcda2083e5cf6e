// Functions that stay functions may take structs by value: clang cannot make
// their code with the short pointers that nvcc has, and nobody reads it.
//
// REQUIRES: plugins
// RUN: env CUDA_PATH= auspex predict %s --gpu A100-40GB \
// RUN:   --launch 'k=grid:64,block:128' | FileCheck %s
//
// CHECK: time unknown for k on A100-40GB
// CHECK: open: what walk does is not counted: it calls itself

struct Step {
  int last, width;
  float weights[4];
};

__device__ float walk(Step step, int depth) {
  if (depth >= step.last)
    return step.weights[step.width & 3];
  --step.last;
  return walk(step, depth + 1) + step.weights[1] +
         walk(step, depth + step.width);
}

__global__ void k(float *out, Step step) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = walk(step, threadIdx.x);
}

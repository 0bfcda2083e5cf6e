// Whether anything reads what an atomic returns, and whether it adds 1: that
// decides what the assembler makes of it.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' | FileCheck %s

__global__ void uses(int *in, int *out) {
  __shared__ int bins[64];
  int t = threadIdx.x;
  // CHECK: "kind":"atomic","operation":"add","reduction":true,"increment":true,"oneOperand":true,"space"
  atomicAdd(&bins[in[t] & 63], 1);
  // CHECK: "kind":"atomic","operation":"add","increment":true,"oneOperand":true,"space"
  out[t] = atomicAdd(&bins[in[t + 32] & 63], 1);
  // CHECK: "kind":"atomic","operation":"add","reduction":true,"oneOperand":true,"space"
  atomicAdd(&bins[in[t + 64] & 63], 2);
  // CHECK: "kind":"atomic","operation":"uinc_wrap","reduction":true,"oneOperand":true,"space"
  atomicInc((unsigned *)&bins[in[t + 96] & 63], 1);
  out[t + 32] = bins[t];
}

// A sum of floats as compare-and-swap, and one attempt alone.
__global__ void retry(float *sum, float x, int *owner) {
  int *word = (int *)sum, seen = *word, found;
  // CHECK: "kind":"atomic","operation":"cas","retried":true,"space":"global"
  do {
    found = seen;
    seen = atomicCAS(word, found, __float_as_int(x + __int_as_float(found)));
  } while (seen != found);
  // CHECK: "kind":"atomic","operation":"cas","reduction":true,"space":"global"
  atomicCAS(owner, 0, 1);
}

// Whether the lanes of a warp have one operand; then each finds what those
// before it have added.
__global__ void keep(int *in, int *out, int *count, int n) {
  int t = threadIdx.x;
  // CHECK: "kind":"atomic","operation":"add","increment":true,"oneOperand":true,"space":"global"
  // CHECK: "kind":"store","space":"global","bytesPerLane":4,"base":"arg1","offset":"4*data{{[0-9]+}} + 4*mod(
  out[atomicAdd(count, 1)] = in[t];
  // CHECK: "kind":"atomic","operation":"max","reduction":true,"oneOperand":true,"space":"global"
  atomicMax(count + 1, n);
  // CHECK: "kind":"atomic","operation":"add","reduction":true,"space":"global"
  atomicAdd(count + 2, in[t]);
  // CHECK: "kind":"store","space":"global","bytesPerLane":4,"base":"arg1","offset":{"unknown":"atomic"}
  out[atomicAdd(count + 3, in[t])] = 1;
}

// Whether anything reads what an atomic returns, and whether it adds 1: that
// decides what the assembler makes of it.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' | FileCheck %s

__global__ void uses(int *in, int *out) {
  __shared__ int bins[64];
  int t = threadIdx.x;
  // CHECK: "kind":"atomic","operation":"add","reduction":true,"increment":true,"space"
  atomicAdd(&bins[in[t] & 63], 1);
  // CHECK: "kind":"atomic","operation":"add","increment":true,"space"
  out[t] = atomicAdd(&bins[in[t + 32] & 63], 1);
  // CHECK: "kind":"atomic","operation":"add","reduction":true,"space"
  atomicAdd(&bins[in[t + 64] & 63], 2);
  // CHECK: "kind":"atomic","operation":"uinc_wrap","reduction":true,"space"
  atomicInc((unsigned *)&bins[in[t + 96] & 63], 1);
  out[t + 32] = bins[t];
}

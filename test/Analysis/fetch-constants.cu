// Instructions take parameters, launch sizes and constants as operands up to
// 8.9. From 9.0 on they are fetched: 64 bits at a time, anew in each block of
// code, but before innermost loops. ptxas 13 makes as many LDC and ULDC of
// these kernels, besides one for the stack pointer and one for the descriptor
// of global memory.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -Xclang -target-cpu -Xclang sm_89 -emit-llvm \
// RUN:   -S %s -o - | %opt_auspex -passes='print<auspex-summary>' \
// RUN:   | FileCheck %s --check-prefix=SM89
// RUN: %clang_cuda_device -O2 -Xclang -target-cpu -Xclang sm_90 -emit-llvm \
// RUN:   -S %s -o - | %opt_auspex -passes='print<auspex-summary>' \
// RUN:   | FileCheck %s

// SM89-NOT: fetch_constant

// The block's width and n; then x, a and y.
// CHECK-LABEL: kernel _Z5saxpyifPKfPf
// CHECK: fetch_constant 2,
// CHECK: fetch_constant 3,
__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

// Four weights are two words; both pointers.
__constant__ float weights[4];
// CHECK-LABEL: kernel _Z6filterPKfPf
// CHECK: fetch_constant 4,
__global__ void filter(const float *in, float *out) {
  int i = threadIdx.x;
  out[i] = weights[0] * in[i] + weights[1] * in[i + 1] + weights[2] * in[i + 2] +
           weights[3] * in[i + 3];
}

// The loop has its factor from before.
// CHECK-LABEL: kernel _Z5powerPffi
// CHECK: fetch_constant 1,
// CHECK: loop
// CHECK-NOT: fetch_constant
// CHECK-LABEL: kernel _Z3end
__global__ void power(float *x, float a, int n) {
  float product = 1;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    product = product * a + 1;
  x[threadIdx.x] = product;
}

__global__ void end() {}

// Doubles whose lower halves are not 0 are two words each.
// CHECK-LABEL: kernel _Z10polynomialPd
// CHECK: fetch_constant 5,
__global__ void polynomial(double *x) {
  double a = x[threadIdx.x];
  x[threadIdx.x] = (0.1 * a + 0.5) * a + 0.3;
}

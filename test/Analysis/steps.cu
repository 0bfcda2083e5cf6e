// Steps that are products of parts of the launch, and sizes rounded up to powers
// of two by counting leading zeros.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -fno-unroll-loops -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// As __umul24 has it.
// CHECK-LABEL: kernel _Z6masked
// CHECK:         loop i0: trip count {{.*}}ntid.x*mod(nctaid.x, 16777216)){{.*}} + 1
__global__ void masked(float *x, unsigned n) {
  unsigned step = (blockDim.x & 0xffffff) * (gridDim.x & 0xffffff);
  for (unsigned i = threadIdx.x; i < n; i += step)
    x[i] = 0;
}

// CHECK-LABEL: kernel _Z7powerOf
// CHECK:         loop i0: trip count log2(max(floordiv(pow2({{.*}} + 1
__global__ void powerOf(float *x, unsigned n) {
  for (unsigned i = 1u << (32 - __builtin_clz(n - 1)); i > 0; i >>= 1)
    x[i] = 0;
}

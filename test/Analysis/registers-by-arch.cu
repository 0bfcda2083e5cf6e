// ptxas takes registers freely up to as many as all of an SM's warps can have,
// and avoids more: 32 on 8.0, 40 on 8.6, 64 on 7.5. A division needs some of
// its own.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -Xclang -target-cpu -Xclang sm_80 -emit-llvm \
// RUN:   -S %s -o - | %opt_auspex -passes='print<auspex-summary>' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: %clang_cuda_device -O2 -Xclang -target-cpu -Xclang sm_86 -emit-llvm \
// RUN:   -S %s -o - | %opt_auspex -passes='print<auspex-summary>' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SM86
// RUN: %clang_cuda_device -O2 -Xclang -target-cpu -Xclang sm_75 -emit-llvm \
// RUN:   -S %s -o - | %opt_auspex -passes='print<auspex-summary>' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SM75

// CHECK-LABEL: kernel _Z6momentPKfPfi
// SM80-NEXT:     {{.*}} registers 32 (estimated)
// SM86-NEXT:     {{.*}} registers 34 (estimated)
// SM75-NEXT:     {{.*}} registers 34 (estimated)
__global__ void moment(const float *in, float *out, int n) {
  constexpr int Count = 22;
  float sums[Count] = {};
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float power = in[i];
#pragma unroll
    for (int k = 0; k < Count; ++k)
      sums[k] += power *= in[i + 1];
  }
#pragma unroll
  for (int k = 0; k < Count; ++k)
    out[k * 1024 + threadIdx.x] = sums[k];
}

// CHECK-LABEL: kernel _Z7productPff
// CHECK-NEXT:    {{.*}} registers [[#PLAIN:]] (estimated)
__global__ void product(float *x, float y) { x[threadIdx.x] *= y + 3; }

// CHECK-LABEL: kernel _Z8quotientPff
// CHECK-NEXT:    {{.*}} registers [[#PLAIN + 5]] (estimated)
__global__ void quotient(float *x, float y) { x[threadIdx.x] /= y + 3; }

// Divisions and roots as IEEE 754 rounds them branch to a slow path, and the
// assembler moves nothing over a branch: loads behind one are not under way
// with those before, in straight code and in the copies of a loop. What is
// loaded before all of them is, and approximations do not branch.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z7inTurnsPKfS0_Pf
// CHECK:         load_global 6,
// CHECK-NEXT:    {{.*}}mlp 1.5, longest path: fp32 16, sfu 3, {{.*}}load_global 3,
__global__ void inTurns(const float *__restrict__ a, const float *__restrict__ b,
                        float *__restrict__ out) {
  int t = threadIdx.x;
  float sum = a[t] / b[t];
  sum += a[t + 32] / b[t + 32];
  sum += a[t + 64] / b[t + 64];
  out[t] = sum;
}

// CHECK-LABEL: kernel _Z8togetherPKfS0_Pf
// CHECK:         load_global 6,
// CHECK-NEXT:    {{.*}}longest path: fp32 15, sfu 3, {{.*}}load_global 1{{$}}
__global__ void together(const float *a, const float *b, float *out) {
  int t = threadIdx.x;
  float a0 = a[t], a1 = a[t + 32], a2 = a[t + 64];
  float b0 = b[t], b1 = b[t + 32], b2 = b[t + 64];
  out[t] = a0 / b0;
  out[t + 32] = a1 / b1;
  out[t + 64] = a2 / b2;
}

// CHECK-LABEL: kernel _Z12approximatedPKfS0_Pf
// CHECK:         load_global 6,
// CHECK-NEXT:    {{.*}}longest path: {{.*}}sfu 1, {{.*}}load_global 1,
__global__ void approximated(const float *__restrict__ a,
                             const float *__restrict__ b,
                             float *__restrict__ out) {
  int t = threadIdx.x;
  float sum = __fdividef(a[t], b[t]);
  sum += __fdividef(a[t + 32], b[t + 32]);
  sum += __fdividef(a[t + 64], b[t + 64]);
  out[t] = sum;
}

// Four copies of the body.
// CHECK-LABEL: kernel _Z4rowsPKfPfi
// CHECK:         sfu 4, {{.*}}load_global 4
// CHECK-NEXT:    {{.*}}mlp 1, longest path: {{.*}}sfu 4, {{.*}}load_global 4
__global__ void rows(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += sqrtf(a[i * 32 + threadIdx.x]);
  out[threadIdx.x] = sum;
}

// What the assembler makes of control flow: it predicates short sides of a
// branch, so that warps issue them without taking part; it keeps longer ones,
// with an instruction before and one where the lanes meet again; and it unrolls
// short loops that count by a constant.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O3 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z10predicatedPff (
// CHECK:         block b1, if [tid.x <= 31], predicated in b0
__global__ void predicated(float *a, float x) {
  float value = a[threadIdx.x];
  if (threadIdx.x < 32)
    a[threadIdx.x + 64] = value * x;
  __syncthreads();
  a[threadIdx.x] = a[threadIdx.x + 64];
}

// CHECK-LABEL: kernel _Z6branchPff (
// CHECK:         block b0
// CHECK-NEXT:      {{.*}}control 3
// CHECK-NOT:     predicated
__global__ void branch(float *a, float x) {
  float value = a[threadIdx.x];
  if (threadIdx.x < 32) {
    for (int i = 0; i < 12; ++i)
      value = value * x + i;
    a[threadIdx.x + 64] = value;
  }
  __syncthreads();
  a[threadIdx.x] = a[threadIdx.x + 64];
}

// The loads of four iterations are on the way together.
// CHECK-LABEL: kernel _Z3sumPfi (
// CHECK:         block b2 in loop i0
// CHECK-NEXT:      unrolled by 4: {{.*}}fp32 4{{.*}}load_global 4
// CHECK-NEXT:      {{.*}}longest path: {{.*}}load_global 1{{$}}
// CHECK-NEXT:      unrolled by 2: {{.*}}fp32 2{{.*}}load_global 2
// CHECK-NEXT:      {{.*}}longest path: {{.*}}load_global 1{{$}}
// CHECK-NEXT:      {{.*}}fp32 1{{.*}}load_global 1
__global__ void sum(float *a, int n) {
  float total = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    total += a[i];
  a[threadIdx.x] = total;
}

// A step that is not known stays, and so does what waits for other warps.
// CHECK-LABEL: kernel _Z6stridePfii (
// CHECK-NOT:     unrolled
__global__ void stride(float *a, int n, int step) {
  float total = 0;
  for (int i = threadIdx.x; i < n; i += step)
    total += a[i];
  a[threadIdx.x] = total;
}

// CHECK-LABEL: kernel _Z4waitPfi (
// CHECK-NOT:     unrolled
__global__ void wait(float *a, int n) {
  float total = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    total += a[i];
    __syncthreads();
  }
  a[threadIdx.x] = total;
}

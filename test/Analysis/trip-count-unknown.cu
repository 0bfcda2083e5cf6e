// A loop whose trip count no expression can tell says in a word what its end
// depends on.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z3row
// CHECK:         loop i0: trip count unknown (indirect)
__global__ void row(const int *first, float *values) {
  for (int i = first[threadIdx.x]; i < first[threadIdx.x + 1]; ++i)
    values[i] = 0;
}

// CHECK-LABEL: kernel _Z9converges
// CHECK:         loop i0: trip count unknown (float)
__global__ void converges(float *a, float limit) {
  float x = a[threadIdx.x];
  do
    x = x * 0.5f + 1;
  while (x > limit);
  a[threadIdx.x] = x;
}

// CHECK-LABEL: kernel _Z4lock
// CHECK:         loop i0: trip count unknown (atomic)
__global__ void lock(int *mutex) {
  while (atomicCAS(mutex, 0, 1) != 0)
    ;
  *mutex = 0;
}

// CHECK-LABEL: kernel _Z6ticker
// CHECK:         loop i0: trip count unknown (inline-asm)
__global__ void ticker(float *a) {
  int end;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(end));
  for (int i = 0; i < end; ++i)
    a[i] = 0;
}

// CHECK-LABEL: kernel _Z5asked
// CHECK:         loop i0: trip count unknown (call)
__device__ int ask(int);
__global__ void asked(float *a) {
  for (int i = 0; ask(i) > 0; ++i)
    a[i] = 0;
}

// CHECK-LABEL: kernel _Z4root
// CHECK:         loop i0: trip count unknown (complex)
__global__ void root(float *a, int n) {
  for (int i = 1; i * i < n; ++i)
    a[i] = 0;
}

// CHECK-LABEL: kernel _Z7forever
// CHECK:         loop i0: trip count unknown (infinite)
__global__ void forever(volatile int *a) {
  for (;;)
    *a = 1;
}

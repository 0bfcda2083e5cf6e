// A loop that waits for other threads turns once if they are done; how often it
// turns in vain is a symbol, and predictions take it to be 0.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-prediction;gpu=A100-40GB>' \
// RUN:   | FileCheck %s --check-prefix=TIME

// CHECK-LABEL: kernel _Z4flag
// CHECK:         loop i0: trip count data{{[0-9]}} + 1
// CHECK:         data{{[0-9]}}: wait
// TIME:        for flag on
// TIME:        assumed: the loop that waits for other threads finds at once what it waits for
__global__ void flag(volatile int *ready, float *x) {
  while (*ready == 0)
    ;
  x[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel _Z8assembly
// CHECK:         loop i0: trip count data{{[0-9]}} + 1
__global__ void assembly(int *ready, float *x) {
  int state;
  do {
    __threadfence();
    asm volatile("ld.relaxed.gpu.s32 %0, [%1];"
                 : "=r"(state)
                 : "l"(ready)
                 : "memory");
  } while (state == 0);
  x[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel _Z7arrival
// CHECK:         loop i0: trip count data{{[0-9]}} + 1
__global__ void arrival(float *x, unsigned barrier, unsigned phase) {
  int done;
  do {
    asm volatile("{ .reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.b32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(barrier), "r"(phase)
                 : "memory");
  } while (!done);
  x[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel _Z8exchange
// CHECK:         loop i0: trip count data{{[0-9]}} + 1
__global__ void exchange(int *ready, float *x) {
  while (atomicCAS(ready, 7, 7) != 7)
    ;
  x[threadIdx.x] = 1;
}

// An update that starts anew where another thread was faster.
// CHECK-LABEL: kernel _Z7largest
// CHECK:         loop i0: trip count data{{[0-9]}} + 1
// CHECK:         data{{[0-9]}}: wait
// TIME:        for largest on
// TIME:        assumed: the compare-and-swap in the loop is tried again by as many as want the same word; instructions are those of one round
__global__ void largest(unsigned long long *most, const double *x) {
  unsigned long long seen = *most, found;
  do {
    found = seen;
    if (__longlong_as_double(found) >= x[threadIdx.x])
      break;
    seen = atomicCAS(most, found, __double_as_longlong(x[threadIdx.x]));
  } while (seen != found);
}

// CHECK-LABEL: kernel _Z5total
// CHECK:         loop i0: trip count data{{[0-9]}} + 1
__global__ void total(unsigned *sum, const float *x) {
  unsigned seen = *sum, found;
  do {
    found = seen;
    seen = atomicCAS(sum, found,
                     __float_as_uint(__uint_as_float(found) + x[threadIdx.x]));
  } while (seen != found);
}

// These do something.
// CHECK-LABEL: kernel _Z4lock
// CHECK:         loop i0: trip count unknown (atomic)
__global__ void lock(int *mutex, float *x) {
  while (atomicCAS(mutex, 0, 1) != 0)
    ;
  x[threadIdx.x] += 1;
  atomicExch(mutex, 0);
}

// CHECK-LABEL: kernel _Z4list
// CHECK:         loop i0: trip count unknown (indirect)
__global__ void list(volatile int *next, float *x) {
  int i = threadIdx.x;
  while (i != 0)
    i = next[i];
  x[threadIdx.x] = 1;
}

// Atomics are accesses with an operation, to global or shared memory.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>,print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z6globalPiPfPy
// CHECK-NEXT:    b0 atomic add 4 B global arg0 + 0
// CHECK-NEXT:    b0 atomic fadd 4 B global arg1 + 4*tid.x
// CHECK-NEXT:    b0 atomic max 4 B global arg0 + 128
// CHECK-NEXT:    b0 atomic xchg 4 B global arg0 + 256
// CHECK-NEXT:    b0 atomic cas 8 B global arg2 + 0
__global__ void global(int *counter, float *sum, unsigned long long *wide) {
  atomicAdd(counter, 1);
  atomicAdd(sum + threadIdx.x, 1.0f);
  atomicMax(counter + 32, (int)threadIdx.x);
  atomicExch(counter + 64, 3);
  atomicCAS(wide, 1ull, 2ull);
}

// CHECK-LABEL: kernel _Z6sharedPi
// CHECK:         b0 atomic add 4 B shared @{{.*}}bins + unknown (indirect)
// CHECK-NEXT:    b0 atomic add 4 B shared @{{.*}}bins + 4*mod(tid.x, 8)
__global__ void shared(int *out) {
  __shared__ int bins[32];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[out[threadIdx.x] & 31], 1);
  atomicSub(&bins[threadIdx.x & 7], 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x];
}

// CHECK-LABEL: kernel _Z6globalPiPfPy
// CHECK:         atomic_global 5
// CHECK-LABEL: kernel _Z6sharedPi
// CHECK:         load_shared 1, store_shared 1, atomic_shared 2

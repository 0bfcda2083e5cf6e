// Barriers, shuffles, votes, reductions and fences are classes of their own. What
// comes after a barrier waits for it.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

// CHECK-LABEL: kernel _Z8shufflesPi
// CHECK:         shuffle 2, vote 2, redux 1,
// CHECK-NEXT:    {{.*}}longest path: {{.*}}shuffle 2, vote
__global__ void shuffles(int *a) {
  int v = a[threadIdx.x];
  v += __shfl_xor_sync(~0u, v, 16);
  v += __shfl_down_sync(~0u, v, 8);
  v += __ballot_sync(~0u, v > 5);
  v += __all_sync(~0u, v > 6);
  a[threadIdx.x] = __reduce_add_sync(~0u, (unsigned)v);
}

// The chain: a load, a store, the barrier, a load, the barrier, a store, the
// barrier, a load, a store.
// CHECK-LABEL: kernel _Z8barriersPi
// CHECK:         barrier 3, load_global 1, store_global 1, load_shared 2, store_shared 2
// CHECK-NEXT:    {{.*}}longest path: {{.*}}barrier 3, load_global 1, store_global 1, load_shared 2, store_shared 2
__global__ void barriers(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  int v = s[63 - threadIdx.x];
  __syncthreads();
  s[threadIdx.x] = v * 3;
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x ^ 1];
}

// Shuffles stay between the barriers that they stand between: neither chain
// hides the other.
// CHECK-LABEL: kernel _Z4scanPi
// CHECK:         barrier 2,
// CHECK-NEXT:    {{.*}}longest path: {{.*}}barrier 2, shuffle 3, load_global 1, store_global 1
__global__ void scan(int *a) {
  int v = a[threadIdx.x];
  v += __shfl_up_sync(~0u, v, 1);
  __syncthreads();
  v += __shfl_up_sync(~0u, v, 2);
  __syncthreads();
  v += __shfl_up_sync(~0u, v, 4);
  a[threadIdx.x] = v;
}

// CHECK-LABEL: kernel _Z6fencesPi
// CHECK:         fence 1, {{.*}}store_global 3
__global__ void fences(int *a) {
  a[0] = 1;
  __threadfence();
  a[1] = 2;
  __threadfence_block();
  a[2] = 3;
}

// What is released comes behind a fence, but for threads of the block alone.
// CHECK-LABEL: kernel _Z8releasesPi
// CHECK:         fence 2, store_global 2, atomic_global 1
__global__ void releases(int *a) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(a), "r"(1) : "memory");
  asm volatile("st.release.cta.u32 [%0], %1;" ::"l"(a), "r"(1) : "memory");
  int before;
  asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(a), "r"(1)
               : "memory");
}

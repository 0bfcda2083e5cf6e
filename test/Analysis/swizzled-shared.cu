// A swizzle of the whole address of shared memory, as of the place in an array
// there: the array begins where all of the bits are 0 that it looks at.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' | FileCheck %s

__device__ unsigned swizzle(unsigned address) {
  return address ^ (((address / 256) % 8) << 4);
}

__device__ void copy(unsigned to, const int4 *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}

// CHECK-LABEL: kernel whole
// CHECK:       store 16 B shared {{.*}}tile + [[PLACE:.*xor.*]]{{$}}
// CHECK:       load 16 B by 8 lanes shared {{.*}}tile + 128*mod(tid.x, 32) + 16*mod(floordiv(mod(tid.x, 32), 2), 8){{$}}
extern "C" __global__ void whole(const int4 *in, int *out) {
  __shared__ alignas(1024) int4 tile[256];
  unsigned base = __cvta_generic_to_shared(tile);
  copy(swizzle(base + threadIdx.x * 16), in + threadIdx.x);
  __syncthreads();
  unsigned address = swizzle(base + threadIdx.x % 32 * 128), word;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(word)
               : "r"(address));
  out[threadIdx.x] = word;
}

// CHECK-LABEL: kernel place
// CHECK:       store 16 B shared {{.*}}tile + [[PLACE]]{{$}}
extern "C" __global__ void place(const int4 *in) {
  __shared__ alignas(1024) int4 tile[256];
  unsigned base = __cvta_generic_to_shared(tile);
  copy(base + swizzle(threadIdx.x * 16), in + threadIdx.x);
}

// CHECK-LABEL: kernel open
// CHECK:       store 16 B {{.*}}unknown
extern "C" __global__ void open(const int4 *in) {
  __shared__ alignas(1024) int4 tile[256];
  __shared__ alignas(1024) int4 other[256];
  unsigned base = __cvta_generic_to_shared(tile);
  unsigned second = __cvta_generic_to_shared(other);
  copy((base ^ second) + threadIdx.x * 16, in + threadIdx.x);
}

// Indices that inline assembly and intrinsics calculate: the lane, and what
// libraries divide by, the highest bit set and the upper half of a product.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' | FileCheck %s

// CHECK-LABEL: kernel _Z5lanesPi
// CHECK:         store 4 B global arg0 + 4*mod(ntid.x*ntid.y*tid.z + ntid.x*tid.y + tid.x, 32)
__global__ void lanes(int *out) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[lane] = 1;
}

// CHECK-LABEL: kernel _Z7highestPij
// CHECK:         store 4 B global arg0 + 4*tid.x + 4*log2(max(arg1, 1))*[arg1 >= 1] + 4*[arg1 >= 1] - 4
// CHECK:         store 4 B global arg0 + 4*tid.x - 256*log2(max(arg1, 1))*[arg1 >= 1] + 8192*[arg1 >= 1] - 256
__global__ void highest(int *out, unsigned n) {
  int place, above;
  asm("bfind.u32 %0, %1;" : "=r"(place) : "r"(n));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(above) : "r"(n));
  out[place + threadIdx.x] = 1;
  out[above * 64 + threadIdx.x] = 1;
}

// CHECK-LABEL: kernel _Z7dividedPijj
// CHECK:         store 4 B global arg0 + 4*floordiv(tid.x + floordiv(arg1*tid.x, 4294967296), pow2(arg2))
__global__ void divided(int *out, unsigned magic, unsigned shift) {
  out[(__nvvm_mulhi_ui(threadIdx.x, magic) + threadIdx.x) >> shift] = 1;
}

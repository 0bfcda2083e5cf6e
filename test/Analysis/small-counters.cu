// Signed counters of 16 bits are taken not to wrap around, as those of 32 bits
// are. A mask is a mask.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -fno-unroll-loops -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s
// RUN: %clang_cuda_device -O1 -fno-unroll-loops -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' \
// RUN:   | FileCheck %s --check-prefix=ACCESS

// CHECK-LABEL: kernel _Z6shorts
// CHECK:         loop i0: trip count max(0, floordiv(arg2 - tid.x - 1, ntid.x)) + 1
// ACCESS-LABEL: kernel _Z6shorts
// ACCESS:         load 1 B global arg1 + i0*ntid.x + tid.x
// ACCESS-NEXT:    store 1 B global arg0 + arg3*tid.y + 4*i0*ntid.x + 4*tid.x
__global__ void shorts(char *p, const char *q, short width, int pitch) {
  for (short i = threadIdx.x; i < width; i += blockDim.x)
    p[threadIdx.y * pitch + 4 * i] = q[i];
}

// ACCESS-LABEL: kernel _Z5masks
// ACCESS:         store 1 B global arg0 + mod(i0, 256)
// ACCESS-NEXT:    store 1 B global arg0 + mod(i0, 65536)
__global__ void masks(char *p, int n) {
  for (int i = 0; i < n; ++i) {
    p[i & 255] = 0;
    p[(unsigned short)i] = 1;
  }
}

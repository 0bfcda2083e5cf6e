// A struct that is copied without a look at it is copied in the pieces that the
// code generator makes: as wide as the alignment, at most 8 bytes. From 128 bytes
// on, and where the size is not known, it is a loop over bytes.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>,print<auspex-summary>' \
// RUN:   | FileCheck %s

// CHECK-LABEL: kernel _Z4wideP6float4PKS_
// CHECK-NEXT:    load 8 B global arg1 + 16*tid.x
// CHECK-NEXT:    load 8 B global arg1 + 16*tid.x + 8
// CHECK-NEXT:    store 8 B global arg0 + 16*tid.x
// CHECK-NEXT:    store 8 B global arg0 + 16*tid.x + 8
__global__ void wide(float4 *a, const float4 *b) {
  a[threadIdx.x] = b[threadIdx.x];
}

// The array says less of the alignment than its place and the index do.
// CHECK-LABEL: kernel _Z6toTileP
// CHECK-NEXT:    load 8 B global arg1 + 16*tid.x
// CHECK-NEXT:    load 8 B global arg1 + 16*tid.x + 8
// CHECK-NEXT:    store 8 B shared {{.*}}tile + 80*floordiv(tid.x, 4) + 16*mod(tid.x, 4)
// CHECK-NEXT:    store 8 B shared {{.*}}tile + 80*floordiv(tid.x, 4) + 16*mod(tid.x, 4) + 8
__global__ void toTile(short *a, const float4 *b) {
  __shared__ short tile[32 * 40];
  int row = threadIdx.x / 4, column = threadIdx.x % 4 * 8;
  *reinterpret_cast<float4 *>(&tile[row * 40 + column]) = b[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[threadIdx.x * 40];
}

struct Words {
  int word[3];
};

// CHECK-LABEL: kernel _Z6narrowP
// CHECK-NEXT:    load 4 B global arg1 + 12*tid.x
// CHECK-NEXT:    load 4 B global arg1 + 12*tid.x + 4
// CHECK-NEXT:    load 4 B global arg1 + 12*tid.x + 8
// CHECK-NEXT:    store 4 B global arg0 + 12*tid.x
// CHECK-NEXT:    store 4 B global arg0 + 12*tid.x + 4
// CHECK-NEXT:    store 4 B global arg0 + 12*tid.x + 8
__global__ void narrow(Words *a, const Words *b) {
  a[threadIdx.x] = b[threadIdx.x];
}

struct Large {
  int word[40];
};

// CHECK-LABEL: kernel _Z5largeP
// CHECK-NEXT:    b1 load 1 B global arg1 + i0 + 160*tid.x
// CHECK-NEXT:    b1 store 1 B global arg0 + i0 + 160*tid.x
__global__ void large(Large *a, const Large *b) {
  a[threadIdx.x] = b[threadIdx.x];
}

// CHECK-LABEL: kernel _Z9anyLengthP
// CHECK-NEXT:    b1 load 1 B global arg1 + i0
// CHECK-NEXT:    b1 store 1 B global arg0 + arg2*tid.x + i0
__global__ void anyLength(char *a, const char *b, int n) {
  memcpy(a + threadIdx.x * n, b, n);
}

// CHECK-LABEL: kernel _Z5largeP5LargePKS_ (
// CHECK:         loop i0: trip count 160
// CHECK-LABEL: kernel _Z9anyLengthPcPKci (
// CHECK:         loop i0: trip count arg2
// CHECK:         block b1 in loop i0, if [arg2 != 0]

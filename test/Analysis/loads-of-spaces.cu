// A load from one of two objects, one of them in shared memory, is a load of
// each on its own way, as in the source.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' | FileCheck %s

// CHECK-LABEL: kernel _Z6halvesPKfPfi
// CHECK:         load 4 B shared @{{.*}}tile + 4*tid.x
// CHECK:         load 4 B global arg0 + 4*tid.x
// CHECK-NOT:     ?
__global__ void halves(const float *in, float *out, int most) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x + 64];
  __syncthreads();
  int i = threadIdx.x;
  out[i] = i < most ? tile[i] : in[i];
}

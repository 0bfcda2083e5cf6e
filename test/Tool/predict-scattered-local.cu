// A private array of bytes at places that data pick: lanes store to different
// words of it, each a line of its own in local memory, so that a store is 4
// lines with 14.4 sectors in parts, not one line as a whole.
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu H200 --launch 'counts=grid:65536,block:256' \
// RUN:   --launch 'shifted=grid:65536,block:256,from=3' | FileCheck %s
#include <cuda_runtime.h>

// 524288 warps store 16 bytes a lane once, and a byte 16 times.
// CHECK-LABEL: counts(
// CHECK:       limit (partial stores)
// CHECK:       local memory stores 1.34 GB 1.34 GB 4.13 GB
__global__ void counts(const unsigned char *in, unsigned char *out) {
  unsigned char seen[16] = {};
  int first = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
  for (int i = 0; i < 16; ++i)
    ++seen[in[first + i] % 16];
  out[first] = seen[in[first] % 16];
}

// The same place for all lanes: lines as a whole.
// CHECK-LABEL: shifted(
// CHECK:       limit (L2 bandwidth)
// CHECK:       local memory stores 1.34 GB 1.34 GB 1.34 GB
__global__ void shifted(unsigned char *out, int from) {
  unsigned char seen[16] = {};
  int first = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
  for (int i = 0; i < 16; ++i)
    ++seen[(from + i) % 16];
  out[first] = seen[from % 16];
}

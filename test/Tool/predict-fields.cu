// Structures stored field by field: L1 puts their parts of sectors together as
// long as a request has few lines, whoever decides how far apart the fields
// are. Counters of an H200 have 134, 101 and 2150 MB of such stores at L2 or
// little more (utils/measure, structures.cu).
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu H200 \
// RUN:   --launch 'pairs=grid:65536,block:256,stride=1' \
// RUN:   --launch 'triples=grid:32768,block:256' \
// RUN:   --launch 'octets=grid:32768,block:256' | FileCheck %s
#include <cuda_runtime.h>

// CHECK-LABEL: pairs(
// CHECK:       out stores  134 MB    268 MB  134 MB  134 MB
__global__ void pairs(float *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = 1;
  out[2 * i + stride] = 2;
}

// CHECK-LABEL: triples(
// CHECK:       out stores  101 MB    302 MB  101 MB  101 MB
struct Triple {
  float x, y, z;
};
__global__ void triples(Triple *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i].x = 1;
  out[i].y = 2;
  out[i].z = 3;
}

// CHECK-LABEL: octets(
// CHECK:       out stores  268 MB   2.15 GB  2.15 GB  27{{[0-9]}} MB
struct Octet {
  float fields[8];
};
__global__ void octets(Octet *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int field = 0; field < 8; ++field)
    out[i].fields[field] = field;
}

// Data that are masked, shifted, narrow or divided stay within bounds: bins of a
// histogram are few, and what meets there can be told.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' > %t.json
// RUN: FileCheck %s < %t.json

// CHECK: "name": "_Z6maskedPKiPi"
// CHECK: "offset":{"unknown":"indirect"},"lowest":"0","highest":"1020"
__global__ void masked(const int *keys, int *bins) {
  atomicAdd(&bins[keys[threadIdx.x] & 255], 1);
}

// CHECK: "name": "_Z5bytesPKhPi"
// CHECK: "offset":{"unknown":"indirect"},"lowest":"0","highest":"1020"
__global__ void bytes(const unsigned char *keys, int *bins) {
  atomicAdd(&bins[keys[threadIdx.x]], 1);
}

// CHECK: "name": "_Z7shiftedPKjPi"
// CHECK: "offset":{"unknown":"indirect"},"lowest":"4000","highest":"5020"
__global__ void shifted(const unsigned *keys, int *bins) {
  atomicAdd(&bins[(keys[threadIdx.x] >> 24) + 1000], 1);
}

// CHECK: "name": "_Z7dividedPKjPij"
// CHECK: "offset":{"unknown":"indirect"},"lowest":"0","highest":"4*arg2 - 4"
__global__ void divided(const unsigned *keys, int *bins, unsigned n) {
  atomicAdd(&bins[keys[threadIdx.x] % n], 1);
}

// CHECK:     "name": "_Z3anyPKiPi"
// CHECK-NOT: "lowest"
__global__ void any(const int *keys, int *bins) {
  atomicAdd(&bins[keys[threadIdx.x]], 1);
}

// Bins of each block are at places of their own.
// CHECK:     "name": "_Z10privatisedPKiPi"
// CHECK-NOT: "lowest"
__global__ void privatised(const int *keys, int *bins) {
  atomicAdd(&bins[256 * blockIdx.x + (keys[threadIdx.x] & 255)], 1);
}

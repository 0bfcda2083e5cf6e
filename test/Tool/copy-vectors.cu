// nvcc copies a float4 by one load and one store; clang by two. Predictions of
// the command are those of nvcc's programs, the plugin's of its clang's.

// REQUIRES: plugins
// RUN: rm -rf %t && mkdir %t
// RUN: auspex predict %s --gpu A100-40GB --launch copy=grid:1024,block:256 \
// RUN:   --format=json -o %t/nvcc.json
// RUN: FileCheck %s --check-prefix=NVCC < %t/nvcc.json
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' \
// RUN:   | FileCheck %s --check-prefix=CLANG

// NVCC: "accesses": [
// NVCC: "bytesPerLane":16,
// NVCC-SAME: "requests":8192,
// NVCC-SAME: "sectors":131072,
// CLANG: load_global 2, store_global 2
__global__ void copy(const float4 *in, float4 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// As nvcc does also into a part of an array, of which clang knows no more than
// what its elements are.
// RUN: auspex predict %s --gpu A100-40GB --launch fill=grid:1024,block:128 \
// RUN:   | FileCheck %s --check-prefix=SHARED
// SHARED-LABEL: fill(
// SHARED: shared store of 16 B a lane: 4 bank passes a request [SharedAccess]
// SHARED-NOT: bank conflict
__global__ void fill(const float *in, float *out) {
  __shared__ float tile[512];
  int i = threadIdx.x;
  reinterpret_cast<float4 *>(&tile[4 * i])[0] =
      reinterpret_cast<const float4 *>(&in[4 * i])[0];
  __syncthreads();
  out[i] = tile[511 - i];
}

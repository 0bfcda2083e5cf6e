// The optimiser makes copies of a loop whose outer loop it unrolls: a run of the
// inner loop is a run of one of them, so 15 rows of 9 columns are 135 loads. It
// cannot unroll the inner one, which it says of the user's code alone, not of
// the copy that is looked at.

// REQUIRES: plugins
// RUN: auspex predict %s --launch fill=grid:1,block:64 --format=json \
// RUN:   2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR --allow-empty < %t.err
// CHECK: "load_global": 135,
// CHECK: "store_shared": 135
// ERR-NOT: tags:

__global__ void fill(const float *in, float *out) {
  __shared__ float tile[15][576];
#pragma unroll
  for (int i = threadIdx.y; i < 15; i += 1)
#pragma unroll
    for (int j = threadIdx.x; j < 576; j += 64)
      tile[i][j] = in[i * 4096 + j];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 15][threadIdx.x];
}

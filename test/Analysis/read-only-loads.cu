// Loads through the read-only cache (ld.global.nc) are loads of global memory,
// also to whoever waits for them: the back end marks them as neither loads nor
// stores.
//
// RUN: %clang_cuda_device -O2 -S -o /dev/null %s %clang_plugin \
// RUN:   -fplugin-arg-auspex-summary=%t.json
// RUN: FileCheck %s < %t.json

// Two loads, one after the other, and a store.
// CHECK: "name": "scalars"
// CHECK: {"unroll":1,"mix":{{[{][^}]*}}"load_global":2,{{[^}]*}}"store_global":1}
// CHECK-SAME: "path":{{[{][^}]*}}"load_global":2,
extern "C" __global__ void scalars(const float *__restrict__ in,
                                   const int *__restrict__ index,
                                   float *__restrict__ out) {
  out[threadIdx.x] = in[index[threadIdx.x]];
}

// A vector is one instruction.
// CHECK: "name": "vectors"
// CHECK: {"unroll":1,"mix":{{[{][^}]*}}"load_global":1,{{[^}]*}}"store_global":1}
extern "C" __global__ void vectors(const float4 *__restrict__ in,
                                   float *__restrict__ out) {
  float4 value = in[threadIdx.x];
  out[threadIdx.x] = value.x + value.y + value.z + value.w;
}

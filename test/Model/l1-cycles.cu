// Cycles of L1 for a load and a store of a warp. It takes the addresses of as
// many lanes a cycle as the load/store units have, and moves what its width
// lets through: wide accesses alone use the full width where the lanes are 16.
// Ways to the banks that are half as wide serve half a pass a cycle.

// REQUIRES: plugins
// RUN: auspex predict %s --format=json --launch 'words=grid:1000,block:256' \
// RUN:   --launch 'vectors=grid:1000,block:256' \
// RUN:   --launch 'strided=grid:1000,block:256' \
// RUN:   --gpu A100-40GB --gpu RTX-A4000 --gpu RTX-2080-Ti -o %t.json
// RUN: %python -c "import json; [print(p['gpu'], p['demangled'], \
// RUN:   round(p['inputs']['operational']['l1_cycles'], 2)) \
// RUN:   for p in json.load(open(r'%t.json'))['predictions']]" | FileCheck %s

// CHECK-DAG: A100-40GB words(float*) 2.03
// CHECK-DAG: A100-40GB vectors(float4*) 8.13
// CHECK-DAG: RTX-A4000 words(float*) 4{{$}}
// CHECK-DAG: RTX-A4000 vectors(float4*) 8.45
// CHECK-DAG: RTX-2080-Ti words(float*) 4{{$}}
// CHECK-DAG: RTX-2080-Ti vectors(float4*) 16{{$}}

// All lanes on two banks: 16 passes.
// CHECK-DAG: A100-40GB strided(float*) 32{{$}}
// CHECK-DAG: RTX-A4000 strided(float*) 32{{$}}
// CHECK-DAG: RTX-2080-Ti strided(float*) 64{{$}}

__global__ void words(float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
__global__ void vectors(float4 *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 a = x[i];
  x[i] = {a.x + 1, a.y + 1, a.z + 1, a.w + 1};
}
__global__ void strided(float *x) {
  x[16 * (blockIdx.x * blockDim.x + threadIdx.x)] += 1;
}

// A loop around a call is as long as what is called: nvcc, which has inlined it
// before, does not unroll a hundred turns of it whole. The loops:
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --format=json -o %t.json \
// RUN:   --launch repeat=grid:1024,block:64
// RUN: %python -c "import json; \
// RUN:   [print('loop', l['line'], l['iterations'], l['unroll']) \
// RUN:    for l in json.load(open(r'%t.json'))['predictions'][0]['loops']]" \
// RUN:   | FileCheck %s

// CHECK:      loop [[@LINE+15]] 100 1
__device__ void turn(float *values) {
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    float a = values[threadIdx.x], b = values[threadIdx.x ^ i];
    __syncthreads();
    values[threadIdx.x] = a * (b + i) + b * (a - i) + 1;
    __syncthreads();
  }
}

__global__ void repeat(float *data) {
  __shared__ float values[64];
  values[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 100; ++i)
    turn(values);
  data[blockIdx.x * 64 + threadIdx.x] = values[threadIdx.x];
}

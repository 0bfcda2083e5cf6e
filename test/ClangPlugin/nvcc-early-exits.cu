// A loop that data may end is unrolled whole up to the same length as others:
// nvcc 13 does so with 32 turns of this one, and keeps a loop of 256. The loops:

// RUN: %clang_cuda_device %clang_plugin -O3 -S -emit-llvm -o /dev/null %s \
// RUN:   -mllvm -unroll-threshold=3000 \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %python -c "import json; \
// RUN:   [print(k['demangled'].split('(')[0], len(k['loops'])) \
// RUN:    for k in json.load(open(r'%t.json'))['kernels']]" | FileCheck %s

// CHECK: escape<32>{{.*}} 0
// CHECK: escape<256>{{.*}} 1
template <int Turns> __global__ void escape(int *out, float scale) {
  float cx = threadIdx.x * scale, cy = blockIdx.x * scale, x = 0, y = 0;
  int i;
  for (i = 0; i < Turns; ++i) {
    if (x * x + y * y > 4)
      break;
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = i;
}
template __global__ void escape<32>(int *, float);
template __global__ void escape<256>(int *, float);

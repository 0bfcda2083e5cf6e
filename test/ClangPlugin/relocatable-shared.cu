// The assembler aligns a shared array as its widest accesses need and joins
// neighbours then. With -fgpu-rdc the linker places shared arrays, at what
// their types ask for, so that words stay words: four requests, of which each
// has its conflicts, where one would do.

// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.whole.json
// RUN: %clang_cuda_device %clang_plugin -O3 -fgpu-rdc -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.parts.json
// RUN: %python -c "import json, sys; [print('shared', a['kind'], a['bytesPerLane']) \
// RUN:   for f in sys.argv[1:] for k in json.load(open(f))['kernels'] \
// RUN:   for a in k['accesses'] if a['space'] == 'shared']" \
// RUN:   %t.whole.json %t.parts.json | FileCheck %s

// CHECK:      shared store 4
// CHECK-NEXT: shared load 16
// CHECK-NEXT: shared store 4
// CHECK-NEXT: shared load 4
// CHECK-NEXT: shared load 4
// CHECK-NEXT: shared load 4
// CHECK-NEXT: shared load 4
// CHECK-NOT:  shared
__global__ void sumFours(const float *in, float *out) {
  __shared__ float tile[512];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum += tile[4 * threadIdx.x + i];
  out[threadIdx.x] = sum;
}

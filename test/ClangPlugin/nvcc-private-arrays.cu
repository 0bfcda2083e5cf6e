// nvcc aligns private arrays to 16 bytes and accesses neighbours together: a
// loop that is unrolled by four has one index for four words, of which ptxas
// finds eight in 32 words, few enough for registers. What clang makes for
// somebody accesses each word by itself and has local memory. That holds where
// the loop counts on a pointer, too. The array's registers count: ptxas takes 40
// to 50, by architecture.

// RUN: %clang_cuda_device %clang_plugin -O3 -ffast-math -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.nvcc.json
// RUN: %clang_cuda_device %clang_plugin -O3 -ffast-math -S -o /dev/null %s \
// RUN:   -mllvm -lsr-insns-cost=1 \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.pointer.json
// RUN: %clang_cuda_device %clang_plugin -O3 -ffast-math -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-summary=%t.clang.json
// RUN: %python -c "import json, sys; [print('local', \
// RUN:   k.get('localInBytes', 0), 'registers', k['registers']) \
// RUN:   for f in sys.argv[1:] for k in json.load(open(f))['kernels']]" \
// RUN:   %t.nvcc.json %t.pointer.json %t.clang.json | FileCheck %s

// CHECK:      local 0 registers {{[4-6][0-9]$}}
// CHECK-NEXT: local 0 registers {{[4-6][0-9]$}}
// CHECK-NEXT: local 128 registers
__global__ void accumulate(const float *in, float *out, float step, int n) {
  float sums[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    sums[i] = 0;
  for (int k = 0; k < n; ++k) {
    float x = in[k];
#pragma unroll 4
    for (int i = 0; i < 32; ++i) {
      sums[i] += rsqrtf(x);
      x += step;
    }
  }
#pragma unroll
  for (int i = 0; i < 32; ++i)
    out[32 * threadIdx.x + i] = sums[i];
}

// The plugin unrolls as nvcc does when told so, whatever clang's limits are: by
// four, or as often as fits if that leaves no rest, and what is short by four
// again.

// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %python -c "import json; [print(k['demangled'].split('(')[0], \
// RUN:   sorted(c['unroll'] for b in k['blocks'] if b.get('loop') == 0 \
// RUN:          for c in b['code'])) \
// RUN:   for k in json.load(open(r'%t.json'))['kernels']]" | FileCheck %s

// CHECK: elements [1, 4, 16]
__global__ void elements(const float *x, float *sum, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}
// CHECK: withoutRest [32]
__global__ void withoutRest(const float *x, float *sum) {
  float s = 0;
  for (int i = 0; i < 4096; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}
// CHECK: byEight [8, 32]
__global__ void byEight(const float *x, float *sum) {
  float s = 0;
  for (int i = 0; i < 1000; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}
// CHECK: withRest [4]
__global__ void withRest(const float *x, float *sum) {
  float s = 0;
  for (int i = 0; i < 997; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}

// The plugin unrolls as nvcc does when told so, whatever clang's limits are: by
// four, or as often as fits if that leaves no rest, and what is short by four
// again, and by two for what that leaves of a count that is not known.

// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %python -c "import json; [print(k['demangled'].split('(')[0], \
// RUN:   sorted(c['unroll'] for b in k['blocks'] if b.get('loop') == 0 \
// RUN:          for c in b['code'] if c['unroll'])) \
// RUN:   for k in json.load(open(r'%t.json'))['kernels']]" | FileCheck %s

// CHECK: elements [1, 4, 8, 16]
__global__ void elements(const float *x, float *sum, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}
template <int length>
__global__ void ofLength(const float *x, float *sum) {
  float s = 0;
  for (int i = 0; i < length; ++i)
    s += x[i];
  sum[threadIdx.x] = s;
}
// CHECK: ofLength<4096> [32]
template __global__ void ofLength<4096>(const float *, float *);
// CHECK: ofLength<1000> [8, 32]
template __global__ void ofLength<1000>(const float *, float *);
// No power of two divides it.
// CHECK: ofLength<997> [4]
template __global__ void ofLength<997>(const float *, float *);
// Of at most four turns too, it makes four copies without tests between them,
// and a rest, even where there is a condition in the loop. LLVM would test
// behind each.
// CHECK: halo [1, 1, 1, 4, 4, 4]
__global__ void halo(const float *x, float *sum, int n) {
  __shared__ float tile[110];
  for (int i = threadIdx.x; i < 110; i += 32)
    if (blockIdx.x * 96 + i < n)
      tile[i] = x[blockIdx.x * 96 + i];
  __syncthreads();
  sum[threadIdx.x] = tile[threadIdx.x + 14];
}

// nvcc adds up the indices of a row and of an element in it before it scales
// them, unless the address is counted on: four instructions of an element where
// clang has one. From the counter of an outer loop it calculates an index anew,
// where clang goes on with it.

// DEFINE: %{instructions} = %python -c "import json; [print(k['demangled'].split('(')[0], \
// DEFINE:   sum(sum([c for c in b['code'] if c['unroll']][-1]['mix'].values()) for b in k['blocks'] if b.get('loop') == 0 and b['code'])) \
// DEFINE:   for k in json.load(open(r'%t.json'))['kernels']]"
// DEFINE: %{integers} = %python -c "import json; [print('outside of the loop within:', name, \
// DEFINE:   sum([c for c in b['code'] if c['unroll']][-1]['mix'].get(name, 0) for b in k['blocks'] if b.get('loop') == 0 and b['code'])) \
// DEFINE:   for k in json.load(open(r'%t.json'))['kernels'] if 'rows' in k['name'] for name in ('int_add', 'int_mul')]"
// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %{instructions} | FileCheck %s
// RUN: %{integers} | FileCheck %s --check-prefix=OUTER
// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-summary=%t.json
// RUN: %{instructions} | FileCheck %s --check-prefix=CLANG
// RUN: %{integers} | FileCheck %s --check-prefix=CLANG-OUTER

template <typename Index>
__global__ void sumOfRow(const float *in, float *out, Index width) {
  const float *row = in + blockIdx.x * width;
  float sum = 0;
  for (Index i = threadIdx.x; i < width; i += blockDim.x)
    sum += row[i];
  out[threadIdx.x] = sum;
}
// CHECK: sumOfRow<int> 9{{$}}
// CLANG: sumOfRow<int> 6{{$}}
template __global__ void sumOfRow<int>(const float *, float *, int);
// CHECK: sumOfRow<unsigned int> 9{{$}}
// CLANG: sumOfRow<unsigned int> 6{{$}}
template __global__ void sumOfRow<unsigned>(const float *, float *, unsigned);
// CHECK: noRow 7{{$}}
// CLANG: noRow 7{{$}}
__global__ void noRow(const float *in, float *out, int width) {
  float sum = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    sum += in[i];
  out[threadIdx.x] = sum;
}
// CHECK: counted 8{{$}}
// CLANG: counted 7{{$}}
__global__ void counted(const float *in, float *out, int width) {
  const float *row = in + blockIdx.x * width;
  float sum = 0;
  for (int i = threadIdx.x; i < width; i += 256)
    sum += row[i];
  out[threadIdx.x] = sum;
}

// OUTER:       within: int_add 1{{$}}
// OUTER-NEXT:  within: int_mul 2{{$}}
// CLANG-OUTER:      within: int_add 2{{$}}
// CLANG-OUTER-NEXT: within: int_mul 0{{$}}
__global__ void rows(float *y, const float *x, int rows, int columns, int width,
                     int channels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int row = 0; row < rows; ++row) {
#pragma unroll 1
    for (int column = 0; column < columns; ++column)
      sum += x[(row * width + i + column) * channels];
  }
  y[i] = sum;
}

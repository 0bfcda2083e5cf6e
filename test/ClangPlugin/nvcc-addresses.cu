// nvcc adds up the indices of a row and of an element in it before it scales
// them, unless the address is counted on: four instructions of an element where
// clang has one.

// DEFINE: %{instructions} = %python -c "import json; [print(k['demangled'].split('(')[0], \
// DEFINE:   sum(sum(b['code'][-1]['mix'].values()) for b in k['blocks'] if b.get('loop') == 0)) \
// DEFINE:   for k in json.load(open(r'%t.json'))['kernels']]"
// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %{instructions} | FileCheck %s
// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-summary=%t.json
// RUN: %{instructions} | FileCheck %s --check-prefix=CLANG

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
// CHECK: noRow 6{{$}}
// CLANG: noRow 6{{$}}
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

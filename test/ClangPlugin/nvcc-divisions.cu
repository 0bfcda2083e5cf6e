// A number that is doubled from turn to turn is a power of two, which nvcc does
// not know: it divides, by way of floating point, where clang takes a mask or
// shifts. Which threads take part stays known.

// DEFINE: %{divisions} = %python -c "import json; [print(k['demangled'].split('(')[0], \
// DEFINE:   sum(c['mix'].get('convert', 0) for b in k['blocks'] for c in b['code']), \
// DEFINE:   [b['guard'] for b in k['blocks'] if 'tid.x' in b['guard']]) \
// DEFINE:   for k in json.load(open(r'%t.json'))['kernels']]"
// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %{divisions} | FileCheck %s
// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-summary=%t.json
// RUN: %{divisions} | FileCheck %s --check-prefix=CLANG

// Nor is it nvcc's way for GPUs of 10.0 and more.
// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -Xclang -target-cpu -Xclang sm_100 -Xclang -target-feature -Xclang +ptx87 \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %{divisions} | FileCheck %s --check-prefix=CLANG

// What clang makes for somebody is not touched.
// RUN: %clang_cuda_device %clang_plugin -O3 -S -emit-llvm -o %t.with.ll %s \
// RUN:   -fplugin-arg-auspex-nvcc
// RUN: %clang_cuda_device -O3 -S -emit-llvm -o %t.without.ll %s
// RUN: diff %t.with.ll %t.without.ll

// CHECK: reduce 2 [{{.*}}floordiv(tid.x, 2*pow2(i0))*pow2(i0) == tid.x
// CLANG: reduce 0 [{{.*}}and(tid.x
__global__ void reduce(int *x) {
  unsigned tid = threadIdx.x;
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    if (tid % (2 * step) == 0)
      x[tid] += x[tid + step];
    __syncthreads();
  }
}
// CHECK: quotients 2
// CLANG: quotients 0
__global__ void quotients(int *x, int n) {
  for (int step = 4; step < n; step <<= 2)
    x[step] = n / step;
}
// A power of two whatever the turn, for both.
// CHECK: byShift 0
// CLANG: byShift 0
__global__ void byShift(unsigned *x, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    x[i] = threadIdx.x % (1u << i);
}
// Nothing is known of a number that is trebled.
// CHECK: trebled 2
// CLANG: trebled 2
__global__ void trebled(unsigned *x, unsigned n) {
  for (unsigned i = 1; i < n; i *= 3)
    x[i] = threadIdx.x % i;
}

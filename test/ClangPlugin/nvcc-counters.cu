// Before 10.0 nvcc copies no loop whose trip count it cannot tell because the
// counter may wrap: one that goes on by more than 1 without a sign, or by a
// widened number without one, or is compared without one. ptxas still has
// versions of four and two turns of it if it goes on by a constant and begins or
// ends with one, or no turn copies by an index that is multiplied. The copies:

// RUN: %clang_cuda_device %clang_plugin -O3 -S -emit-llvm -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %python -c "import json; [print(k['demangled'].split('(')[0], \
// RUN:   sorted(c['unroll'] for b in k['blocks'] if b.get('loop') == len(k['loops']) - 1 \
// RUN:          for c in b['code'] if c['unroll'])) \
// RUN:   for k in json.load(open(r'%t.json'))['kernels']]" | FileCheck %s

// A newer optimiser sees that these do not wrap.
// RUN: %clang_cuda_device %clang_plugin -O3 -S -emit-llvm -o /dev/null %s \
// RUN:   -Xclang -target-cpu -Xclang sm_100 -Xclang -target-feature -Xclang +ptx87 \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.100.json
// RUN: %python -c "import json; [print(k['demangled'].split('(')[0], \
// RUN:   sorted(c['unroll'] for b in k['blocks'] if b.get('loop') == len(k['loops']) - 1 \
// RUN:          for c in b['code'] if c['unroll'])) \
// RUN:   for k in json.load(open(r'%t.100.json'))['kernels']]" \
// RUN:   | FileCheck %s --check-prefix=NEWER

#define KERNEL(name, arguments, loop)                                          \
  __global__ void name(const float *__restrict__ x, float *__restrict__ y,     \
                       arguments) {                                            \
    for (loop)                                                                 \
      y[i] = x[i] * 2;                                                         \
  }

// CHECK: signedStep [1, 4]
// NEWER: signedStep [1, 4]
KERNEL(signedStep, int n, int i = threadIdx.x; i < n; i += (int)blockDim.x)
// CHECK: halfOfN [1]
// NEWER: halfOfN [1, 4]
KERNEL(halfOfN, int n, int i = threadIdx.x; i < n / 2; i += blockDim.x)
// CHECK: quarterWide [1]
// NEWER: quarterWide [1, 4]
KERNEL(quarterWide, size_t n, size_t i = threadIdx.x; i < n / 4;
       i += blockDim.x)
// CHECK: widenedStep [1]
// NEWER: widenedStep [1, 4]
KERNEL(widenedStep, long n, long i = threadIdx.x; i < n; i += blockDim.x)
// CHECK: unsignedConstant [1]
// NEWER: unsignedConstant [1, 4]
KERNEL(unsignedConstant, unsigned n, unsigned i = threadIdx.x; i < n; i += 256)
// CHECK: comparedUnsigned [1]
// NEWER: comparedUnsigned [1, {{.*}}4]
KERNEL(comparedUnsigned, size_t n, int i = threadIdx.x; i < n; i += 256)
// CHECK: mayMissLast [1]
// NEWER: mayMissLast [1, 4]
KERNEL(mayMissLast, int n, int i = 0; i <= n; i += (int)blockDim.x)
// CHECK: oneByOne [1, 4]
KERNEL(oneByOne, unsigned n, unsigned i = threadIdx.x; i < n; ++i)
// By ptxas.
// CHECK: fromConstant [1, 2, 4]
KERNEL(fromConstant, unsigned n, unsigned i = 0; i < n; i += 2)
// CHECK: toConstant [1, 2, 4]
KERNEL(toConstant, unsigned n, unsigned i = threadIdx.x; i < 1000; i += 256)

// A trip count that takes a division is computed once, not in each turn of the
// loop around.
// CHECK: sameForAll [1, 4]
__global__ void sameForAll(const float *x, float *y, int n, int m, int passes) {
  float sum = 0;
  for (int j = 0; j < passes; ++j)
    for (int i = threadIdx.x; i < n; i += m)
      sum += x[i * passes + j];
  y[threadIdx.x] = sum;
}
// CHECK: ofEachTurn [1]
__global__ void ofEachTurn(const float *x, float *y, int n, int m, int passes) {
  float sum = 0;
  for (int j = 0; j < passes; ++j)
    for (int i = j; i < n; i += m)
      sum += x[i * passes + j];
  y[threadIdx.x] = sum;
}

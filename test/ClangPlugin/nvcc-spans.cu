// Where a loop goes from a number that nobody knows to one a constant further
// on, which may have wrapped, nvcc cannot tell before 10.0 how often it runs. It
// copies up to eight turns all the same, unless the loop goes on up to the
// number, as `i <= s` does; leaves up to twenty alone; and makes four copies of
// more. What ptxas adds hangs on whether lanes begin apart and store by an index
// that is multiplied. The copies:

// RUN: %clang_cuda_device %clang_plugin -O3 -S -emit-llvm -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %python -c "import json; [print(k['demangled'].split('(')[0], \
// RUN:   sorted(c['unroll'] for b in k['blocks'] if b.get('loop') == len(k['loops']) - 1 \
// RUN:          for c in b['code'] if c['unroll'])) \
// RUN:   for k in json.load(open(r'%t.json'))['kernels']]" | FileCheck %s

// A newer optimiser knows how often these run.
// RUN: %clang_cuda_device %clang_plugin -O3 -S -emit-llvm -o /dev/null %s \
// RUN:   -Xclang -target-cpu -Xclang sm_100 -Xclang -target-feature -Xclang +ptx87 \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.100.json
// RUN: %python -c "import json; [print(k['demangled'].split('(')[0], \
// RUN:   len([b for b in k['blocks'] if 'loop' in b])) \
// RUN:   for k in json.load(open(r'%t.100.json'))['kernels']]" \
// RUN:   | FileCheck %s --check-prefix=NEWER

#define KERNEL(name, type, first, test)                                        \
  __global__ void name(const float *__restrict__ x, float *__restrict__ y,     \
                       int s, int row, int column) {                           \
    type from = first;                                                         \
    for (type i = from; test; ++i)                                             \
      y[i * row] = x[i * column] * 2;                                          \
  }

// CHECK: eight []
// NEWER: eight 0
KERNEL(eight, int, s, i < from + 8)
// CHECK: nine [1, 2, 4]
// NEWER: nine 0
KERNEL(nine, int, s, i < from + 9)
// CHECK: twenty [1, 2, 4]
KERNEL(twenty, int, s, i < from + 20)
// CHECK: twentyOne [1, 4, 8, 16]
KERNEL(twentyOne, int, s, i < from + 21)

// A window around a number, of three turns and of five.
// CHECK: window3 [1, 2, 4]
KERNEL(window3, int, s - 1, i <= s + 1)
// CHECK: window5 []
KERNEL(window5, int, s - 2, i <= s + 2)

// 64 bits do not wrap, nor do multiples of the number of turns.
// CHECK: wide []
KERNEL(wide, long long, s, i < from + 12)
// CHECK: multiple []
KERNEL(multiple, int, s * 16, i < from + 16)

// Lanes begin apart: no versions by ptxas.
// CHECK: lanes [1]
KERNEL(lanes, int, blockIdx.x * 12 + threadIdx.x, i < from + 12)
// CHECK: manyLanes [1, 4]
KERNEL(manyLanes, int, blockIdx.x * 24 + threadIdx.x, i < from + 24)

// In another loop what is left of four turns is copies too.
// CHECK: inner [1, 4, 8, 16]
__global__ void inner(const float *__restrict__ x, float *__restrict__ y, int n,
                      int row, int column) {
  for (int k = n; k < row; k += gridDim.x)
    for (int i = k; i < k + 12; ++i)
      y[i * row] = x[i * column] * 2;
}

// Of a condition that does not change in a loop nvcc makes a branch around two
// loops, if all threads of a block agree on it: arguments, members of structs
// by value, numbers of the launch, and what is loaded from an address that is
// the same for all. As far as 150 instructions of the loop. The loops:

// RUN: %clang_cuda_device %clang_plugin -O3 -S -emit-llvm -o /dev/null %s \
// RUN:   -mllvm -unswitch-threshold=150 \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %python -c "import json; \
// RUN:   [print(k['demangled'].split('(')[0], len(k['loops'])) \
// RUN:    for k in json.load(open(r'%t.json'))['kernels']]" | FileCheck %s

// What clang makes for somebody is not touched.
// RUN: %clang_cuda_device %clang_plugin -O3 -S -emit-llvm -o %t.with.ll %s \
// RUN:   -fplugin-arg-auspex-nvcc
// RUN: %clang_cuda_device -O3 -S -emit-llvm -o %t.without.ll %s
// RUN: diff %t.with.ll %t.without.ll

// The one runs where the other does not.
// RUN: %python -c "import json; \
// RUN:   k = json.load(open(r'%t.json'))['kernels'][0]; \
// RUN:   print(*sorted(b['guard'] for b in k['blocks'] \
// RUN:                 if b.get('loop', -1) >= 0), sep='\n')" \
// RUN:   | FileCheck %s --check-prefix=GUARD

// GUARD: [arg2 != 0]
// GUARD: [arg2 == 0]

struct Options {
  int rounds;
  bool scales;
};

// CHECK: argument 2
__global__ void argument(const float *x, float *sums, bool scales, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    float value = x[i * 32 + threadIdx.x];
    sum += scales ? 2 * value + 1 : value;
  }
  sums[threadIdx.x] = sum;
}

// CHECK: member 2
__global__ void member(const float *x, float *sums, Options options) {
  float sum = 0;
  for (int i = 0; i < options.rounds; ++i) {
    float value = x[i * 32 + threadIdx.x];
    sum += options.scales ? 2 * value + 1 : value;
  }
  sums[threadIdx.x] = sum;
}

// CHECK: ofBlock 2
__global__ void ofBlock(const float *x, float *sums, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    float value = x[i * 32 + threadIdx.x];
    sum += blockIdx.x == 0 ? 2 * value + 1 : value;
  }
  sums[threadIdx.x] = sum;
}

// CHECK: loaded 2
__global__ void loaded(const float *__restrict__ x, float *__restrict__ sums,
                       const int *__restrict__ mode, int n) {
  float sum = 0;
  bool scales = mode[n] > 1;
  for (int i = 0; i < n; ++i) {
    float value = x[i * 32 + threadIdx.x];
    sum += scales ? 2 * value + 1 : value;
  }
  sums[threadIdx.x] = sum;
}

// CHECK: threeWays 3
__global__ void threeWays(const float *x, float *sums, int mode, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    float value = x[i * 32 + threadIdx.x];
    if (mode == 1)
      value = 2 * value + 1;
    else if (mode == 2)
      value = __cosf(value);
    sum += value;
  }
  sums[threadIdx.x] = sum;
}

// CHECK: ofThread 1
__global__ void ofThread(const float *x, float *sums, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    float value = x[i * 32 + threadIdx.x];
    sum += threadIdx.x < 8 ? 2 * value + 1 : value;
  }
  sums[threadIdx.x] = sum;
}

// 130 and 160 instructions, and what else the loop takes.
template <int length>
__global__ void chain(const float *x, float *sums, bool scales, int n) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    float value = x[i * 32 + threadIdx.x];
#pragma unroll
    for (int k = 0; k < length; ++k)
      value *= 1.5f + k;
    if (scales)
      value += 3;
    sum += value;
  }
  sums[threadIdx.x] = sum;
}
// CHECK: chain<130> 2
template __global__ void chain<130>(const float *, float *, bool, int);
// CHECK: chain<160> 1
template __global__ void chain<160>(const float *, float *, bool, int);

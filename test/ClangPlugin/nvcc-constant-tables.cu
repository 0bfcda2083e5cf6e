// A table of constants in a function is a private array for nvcc, which each
// thread fills: of what is indexed by data ptxas keeps few words in registers,
// as constants in moves under a condition, and the more of them the more other
// code there is. What clang makes for somebody reads the constants in memory,
// once for all threads. ptxas 11.8 and 13 for sm_80 say 10 registers and no
// local memory, 256 bytes of local memory, and none where loops are unrolled.

// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.nvcc.json
// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -fplugin-arg-auspex-summary=%t.clang.json
// RUN: %python %S/Inputs/spaces.py %t.nvcc.json | FileCheck %s --check-prefix=NVCC
// RUN: %python %S/Inputs/spaces.py %t.clang.json | FileCheck %s --check-prefix=CLANG

// NVCC:      few: 0 B local, registers 1{{[0-2]}}, global: 1 load 1 store, local: 1 load 16 store
// NVCC-NEXT: odd: 0 B local, registers 1{{[0-2]}}, global: 1 load 1 store, local: 1 load 25 store
// NVCC-NEXT: zeros: 0 B local, registers 1{{[0-2]}}, global: 1 load 1 store, local: 1 load {{[0-9]+}} store
// NVCC-NEXT: many: 256 B local, registers {{[0-9]+}}, global: 1 load 1 store, local: 1 load 64 store
// NVCC-NEXT: structs: {{[0-9]+}} B local, registers {{[0-9]+}}, global: 1 load 1 store, local: 2 load 8 store
// NVCC-NEXT: unrolled: 0 B local, registers {{[0-9]+}}, global: 4 load 1 store{{$}}
// CLANG:      few: 0 B local, registers {{[0-9]+}}, global: 2 load 1 store{{$}}
// CLANG:      many: 0 B local, registers {{[0-9]+}}, global: 2 load 1 store{{$}}

__global__ void few(const int *in, int *out) {
  const int table[16] = {3,  10, 17, 24, 31, 38, 45, 52,
                         59, 66, 73, 80, 87, 94, 4,  11};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[in[i] & 15];
}

__global__ void odd(const int *in, int *out) {
  const int table[25] = {3,  10, 17, 24, 31, 38, 45, 52, 59, 66, 73, 80, 87,
                         94, 4,  11, 18, 25, 32, 39, 46, 53, 60, 67, 74};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[in[i]];
}

__global__ void zeros(const int *in, int *out) {
  const int table[16] = {1, 2};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[in[i] & 15];
}

__global__ void many(const int *in, int *out) {
  const int table[64] = {
      3,  10, 17, 24, 31, 38, 45, 52, 59, 66, 73, 80, 87, 94, 4,  11,
      18, 25, 32, 39, 46, 53, 60, 67, 74, 81, 88, 95, 5,  12, 19, 26,
      33, 40, 47, 54, 61, 68, 75, 82, 89, 96, 6,  13, 20, 27, 34, 41,
      48, 55, 62, 69, 76, 83, 90, 0,  7,  14, 21, 28, 35, 42, 49, 56};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[in[i] & 63];
}

struct Weight {
  float factor;
  int step;
};

__global__ void structs(const int *in, float *out) {
  const Weight weights[4] = {{0.5f, 1}, {0.25f, 3}, {0.125f, 9}, {0.125f, 27}};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Weight &weight = weights[in[i] & 3];
  out[i + weight.step] = weight.factor;
}

__global__ void unrolled(const float *in, float *out) {
  const int x[4] = {1, 0, -1, 0}, y[4] = {0, 1, 0, -1};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += in[i + x[k] + 1024 * y[k]];
  out[i] = sum;
}

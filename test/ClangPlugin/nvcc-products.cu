// Before 9.0 ptxas unrolls the products of a tile whole, the further the more
// of them loads from shared memory: whose addresses are constants then. Where
// operands come from global memory, or four words at once, there is less to
// gain. Printed are the loops that are left, with nvcc 13's code for 8.0.

// RUN: %clang_cuda_device %clang_plugin -O3 -S -o /dev/null %s \
// RUN:   -mllvm -unroll-threshold=3000 \
// RUN:   -fplugin-arg-auspex-nvcc -fplugin-arg-auspex-summary=%t.json
// RUN: %python -c "import json, sys; [print(k['demangled'].split('(')[0], \
// RUN:   len(k['loops'])) for k in json.load(open(sys.argv[1]))['kernels']]" \
// RUN:   %t.json | FileCheck %s

template <int Rows, int Columns, bool IsShared, class Word>
__global__ void product(const Word *a, const Word *b, float *c, int tiles) {
  constexpr int Depth = 16, Words = sizeof(Word) / sizeof(float);
  __shared__ Word left[Depth][16 * Rows / Words],
      right[Depth][16 * Columns / Words];
  float sums[Rows][Columns] = {};
  int x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (int tile = 0; tile < tiles; ++tile) {
    left[y][x] = a[tile * 256 + threadIdx.x];
    right[y][x] = b[tile * 256 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < Depth; ++k) {
      float column[Rows], row[Columns];
#pragma unroll
      for (int i = 0; i < Rows; i += Words)
        *reinterpret_cast<Word *>(column + i) =
            IsShared ? left[k][x * Rows / Words + i / Words]
                     : a[(tile * Depth + k) * 64 + x * Rows / Words + i / Words];
#pragma unroll
      for (int i = 0; i < Columns; i += Words)
        *reinterpret_cast<Word *>(row + i) =
            right[k][y * Columns / Words + i / Words];
#pragma unroll
      for (int i = 0; i < Rows; ++i)
#pragma unroll
        for (int j = 0; j < Columns; ++j)
          sums[i][j] += column[i] * row[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < Rows; ++i)
#pragma unroll
    for (int j = 0; j < Columns; ++j)
      c[(y * Rows + i) * 256 + x * Columns + j] = sums[i][j];
}

// CHECK: product<8, 8, true, float> 1
template __global__ void product<8, 8, true, float>(const float *,
                                                    const float *, float *,
                                                    int);
// CHECK: product<8, 16, true, float4> 2
template __global__ void product<8, 16, true, float4>(const float4 *,
                                                      const float4 *, float *,
                                                      int);
// CHECK: product<16, 4, false, float> 2
template __global__ void product<16, 4, false, float>(const float *,
                                                      const float *, float *,
                                                      int);

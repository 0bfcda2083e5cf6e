// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices with tiles in shared memory and in registers, in many
// shapes: which of them is fastest is what a programmer wants to know.
#include "../measure.h"

// A block has a tile of c, a thread a smaller one of it; n is a multiple of the
// tiles' sides. The tile of a is stored transposed, so that a thread's rows lie
// side by side.
template <int tileM, int tileN, int tileK, int threadM, int threadN>
__global__ void __launch_bounds__(tileM *tileN / (threadM * threadN))
    multiply(const float *__restrict__ a, const float *__restrict__ b,
             float *__restrict__ c, int n) {
  constexpr int threads = tileM * tileN / (threadM * threadN);
  static_assert(tileM * tileK % threads == 0 && tileK * tileN % threads == 0,
                "every thread loads as much");
  __shared__ float tileA[tileK][tileM + 4], tileB[tileK][tileN];
  int row = threadIdx.x / (tileN / threadN) * threadM;
  int column = threadIdx.x % (tileN / threadN) * threadN;
  a += size_t(blockIdx.y) * tileM * n;
  b += blockIdx.x * tileN;
  float sums[threadM][threadN] = {};
  for (int first = 0; first < n; first += tileK) {
#pragma unroll
    for (int i = 0; i < tileM * tileK; i += threads) {
      int at = i + static_cast<int>(threadIdx.x);
      tileA[at % tileK][at / tileK] = a[at / tileK * n + first + at % tileK];
    }
#pragma unroll
    for (int i = 0; i < tileK * tileN; i += threads) {
      int at = i + static_cast<int>(threadIdx.x);
      tileB[at / tileN][at % tileN] = b[(first + at / tileN) * n + at % tileN];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tileK; ++k) {
      float ofA[threadM], ofB[threadN];
#pragma unroll
      for (int i = 0; i < threadM; ++i)
        ofA[i] = tileA[k][row + i];
#pragma unroll
      for (int j = 0; j < threadN; ++j)
        ofB[j] = tileB[k][column + j];
#pragma unroll
      for (int i = 0; i < threadM; ++i)
#pragma unroll
        for (int j = 0; j < threadN; ++j)
          sums[i][j] += ofA[i] * ofB[j];
    }
    __syncthreads();
  }
  c += (size_t(blockIdx.y) * tileM + row) * n + blockIdx.x * tileN + column;
#pragma unroll
  for (int i = 0; i < threadM; ++i)
#pragma unroll
    for (int j = 0; j < threadN; ++j)
      c[i * n + j] = sums[i][j];
}

#define MEASURE_ONE(M, N, K, TM, TN)                                           \
  session.run(KERNEL(multiply<M, N, K, TM, TN>),                               \
              {dim3(n / N, n / M), dim3(M * N / (TM * TN))}, a, b, c, ARG(n))

MEASURE {
  const int n = 4096;
  measure::Array<float> a(session, size_t(n) * n), b(session, size_t(n) * n);
  measure::Array<float> c(session, size_t(n) * n);
  MEASURE_ONE(16, 16, 16, 1, 1);
  MEASURE_ONE(32, 32, 32, 1, 1);
  MEASURE_ONE(32, 32, 8, 2, 2);
  MEASURE_ONE(32, 32, 32, 2, 2);
  MEASURE_ONE(32, 64, 16, 1, 8);
  MEASURE_ONE(64, 32, 16, 8, 1);
  MEASURE_ONE(64, 64, 8, 2, 4);
  MEASURE_ONE(64, 64, 8, 4, 4);
  MEASURE_ONE(64, 64, 16, 4, 4);
  MEASURE_ONE(64, 64, 32, 4, 4);
  MEASURE_ONE(64, 64, 16, 8, 2);
  MEASURE_ONE(64, 64, 16, 2, 8);
  MEASURE_ONE(64, 64, 16, 8, 8);
  MEASURE_ONE(128, 64, 8, 4, 4);
  MEASURE_ONE(128, 64, 16, 8, 4);
  MEASURE_ONE(64, 128, 16, 4, 8);
  MEASURE_ONE(128, 128, 8, 4, 8);
  MEASURE_ONE(128, 128, 8, 8, 4);
  MEASURE_ONE(128, 128, 8, 8, 8);
  MEASURE_ONE(128, 128, 16, 8, 8);
  MEASURE_ONE(128, 128, 32, 8, 8);
  MEASURE_ONE(128, 256, 8, 8, 8);
  MEASURE_ONE(256, 128, 8, 16, 8);
}

// Registers as an assembler needs them that puts loads where they are used: not
// for all values that the compiler's order keeps alive. The two sums use the
// same rows of the tile, the second one eight rows before the first, and
// coefficients are operands. nvcc 13 makes it 64 registers for 7.5.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O3 -mllvm -unroll-threshold=3000 \
// RUN:   -mllvm -instcombine-code-sinking=0 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -disable-machine-sink \
// RUN:     -passes='print<auspex-summary>' | FileCheck %s

constexpr int Side = 15, Rows = 2, Apart = 8;
__constant__ float coefficients[Side * Side];

// CHECK-LABEL: kernel _Z6filterPKfPfi
// CHECK-NEXT:    registers {{[3-6][0-9]}} (estimated)
__global__ void filter(const float *in, float *out, int height) {
  __shared__ float tile[Side + Rows * Apart][32 + Side];
  int x = threadIdx.x;
  for (int y = 0; y < Side + Rows * Apart; ++y)
    tile[y][x] = in[y * 32 + x];
  __syncthreads();
  float sums[Rows] = {};
#pragma unroll
  for (int i = 0; i < Side; ++i)
#pragma unroll
    for (int j = 0; j < Side; ++j)
#pragma unroll
      for (int row = 0; row < Rows; ++row)
        sums[row] += tile[row * Apart + i][x + j] * coefficients[i * Side + j];
#pragma unroll
  for (int row = 0; row < Rows; ++row)
    if (row * Apart < height)
      out[row * Apart * 32 + x] = sums[row];
}

// Addresses of inline assembly are numbers of 32 bits; what is a constant away
// from one of them takes no register of its own. nvcc 13 makes it 23 for 8.0.
// CHECK-LABEL: kernel _Z8matricesPfi
// CHECK-NEXT:    {{.*}}registers {{[12][0-9]}} (estimated)
__global__ void matrices(float *out, int n) {
  __shared__ float tile[64 * 32];
  unsigned first = static_cast<unsigned>(__cvta_generic_to_shared(tile)) +
                   16 * threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      unsigned word;
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                   : "=r"(word)
                   : "r"(first + 96 * j));
      sum += __uint_as_float(word);
    }
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Two sums of halves that are calculated together are in one register, and a
// half of a word needs none beside it. nvcc 13 makes it 32 for 8.0.
// CHECK-LABEL: kernel _Z6halvesPjS_i
// CHECK-NEXT:    {{.*}}registers {{[23][0-9]}} (estimated)
__global__ void halves(unsigned *out, unsigned *in, int n) {
  constexpr int Count = 8;
  unsigned short sums[Count][4] = {};
  for (int i = 0; i < n; ++i) {
    unsigned x = in[2 * i], y = in[2 * i + 1];
#pragma unroll
    for (int j = 0; j < Count; ++j) {
      unsigned short factor = in[i + 64 * j];
      for (int k = 0; k < 4; ++k) {
        unsigned short other = (k < 2 ? x : y) >> 16 * (k % 2);
        asm("{fma.rn.f16 %0,%1,%2,%3;\n}"
            : "=h"(sums[j][k])
            : "h"(factor), "h"(other), "h"(sums[j][k]));
      }
    }
  }
#pragma unroll
  for (int j = 0; j < Count; ++j)
#pragma unroll
    for (int k = 0; k < 4; ++k)
      reinterpret_cast<unsigned short *>(
          out)[threadIdx.x + (4 * j + k) * 1024] = sums[j][k];
}

// What is read back, scaled and stored needs no register for each value that is
// read: the loads come before all stores, which may be to the same place, but
// each sum is added to right after its load. nvcc 13 makes it 86 for 8.0.
// CHECK-LABEL: kernel _Z6scaledPKfPffi
// CHECK-NEXT:    {{.*}}registers {{[89][0-9]}} (estimated)
__global__ void scaled(const float *in, float *out, float beta, int n) {
  constexpr int Count = 16;
  float4 sums[Count] = {};
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      float x = in[i * Count + k];
      sums[k].x += x * x;
      sums[k].y += x * x * x;
      sums[k].z += x * x + 1;
      sums[k].w += x * x * x + 2;
    }
  float4 *row = reinterpret_cast<float4 *>(out) + threadIdx.x;
  float4 read[Count];
#pragma unroll
  for (int k = 0; k < Count; ++k)
    read[k] = row[k * 32];
#pragma unroll
  for (int k = 0; k < Count; ++k)
    row[k * 32] = {sums[k].x + beta * read[k].x, sums[k].y + beta * read[k].y,
                   sums[k].z + beta * read[k].z, sums[k].w + beta * read[k].w};
}

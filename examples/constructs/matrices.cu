// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor cores, of compute capability 8.0 and above: matrices that wmma moves
// from global and from shared memory, with rows and with columns side by side,
// and rows that ldmatrix moves for mma.
#include "../check.h"

#ifdef __NVCC__
#include <mma.h> // declares what are built-in functions of clang
#endif

// D = A B of 16 times 16 halves each, one tile a warp, A by rows and B by
// columns: a lane's halves stand side by side.
__global__ void multiplyTiles(const int *a, const int *b, float *d) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int partA[8], partB[8];
  float sums[8] = {};
  __hmma_m16n16k16_ld_a(partA, a + warp * 128, 16, /*isColumnMajor=*/0);
  __hmma_m16n16k16_ld_b(partB, b, 16, /*isColumnMajor=*/1);
  __hmma_m16n16k16_mma_f32f32(sums, partA, partB, sums, /*rows, columns=*/1, 0);
  __hmma_m16n16k16_st_c_f32(d + warp * 256, sums, 16, /*isColumnMajor=*/0);
}

// The same with B by rows, in shared memory: it has to be turned over on the
// way.
__global__ void multiplyShared(const int *a, const int4 *b, float *d) {
  __shared__ int4 tile[32];
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (threadIdx.x < 32)
    tile[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  int partA[8], partB[8];
  float sums[8] = {};
  __hmma_m16n16k16_ld_a(partA, a + warp * 128, 16, /*isColumnMajor=*/0);
  __hmma_m16n16k16_ld_b(partB, reinterpret_cast<const int *>(tile), 16,
                        /*isColumnMajor=*/0);
  __hmma_m16n16k16_mma_f32f32(sums, partA, partB, sums, /*rows, rows=*/0, 0);
  __hmma_m16n16k16_st_c_f32(d + warp * 256, sums, 16, /*isColumnMajor=*/0);
}

// A row of 16 halves each lane points to, and a product of 16 times 8 times 16.
__global__ void multiplyRows(const int4 *a, const int4 *b, float *d) {
  __shared__ int4 rowsA[32], rowsB[16];
  int lane = threadIdx.x;
  rowsA[lane] = a[lane];
  if (lane < 16)
    rowsB[lane] = b[lane];
  __syncwarp();
  unsigned partA[4], partB[2];
  // Of A the first halves of its 16 rows, then the second halves.
  auto at = static_cast<unsigned>(
      __cvta_generic_to_shared(&rowsA[lane % 16 * 2 + lane / 16]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
               "[%4];"
               : "=r"(partA[0]), "=r"(partA[1]), "=r"(partA[2]), "=r"(partA[3])
               : "r"(at));
  at = static_cast<unsigned>(__cvta_generic_to_shared(&rowsB[lane % 16]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(partB[0]), "=r"(partB[1])
               : "r"(at));
  float sums[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(partA[0]), "r"(partA[1]), "r"(partA[2]), "r"(partA[3]),
                 "r"(partB[0]), "r"(partB[1]));
  auto *row = reinterpret_cast<float2 *>(d + lane / 4 * 8) + lane % 4;
  row[0] = make_float2(sums[0], sums[1]);
  row[32] = make_float2(sums[2], sums[3]);
}

// Whole numbers as halves: 0 to 3.
static unsigned short halfOf(unsigned number) {
  const unsigned short halves[] = {0, 0x3c00, 0x4000, 0x4200};
  return halves[number];
}

struct Matrix {
  int rows, columns;
  std::vector<unsigned> numbers;

  Matrix(int rows, int columns, unsigned seed)
      : rows(rows), columns(columns), numbers(rows * columns) {
    Random random(seed);
    for (unsigned &number : numbers)
      number = random.below(4);
  }
  unsigned at(int row, int column) const {
    return numbers[row * columns + column];
  }
  // Two halves a number, row by row or column by column.
  std::vector<int> halves(bool isColumnMajor) const {
    std::vector<int> words(rows * columns / 2);
    for (int i = 0; i < rows * columns; ++i) {
      unsigned number =
          isColumnMajor ? at(i % rows, i / rows) : at(i / columns, i % columns);
      words[i / 2] |= halfOf(number) << i % 2 * 16;
    }
    return words;
  }
};

// The product of each 16 rows of a and of b.
static std::vector<float> multiply(const Matrix &a, const Matrix &b) {
  std::vector<float> d(a.rows * b.columns);
  for (int row = 0; row < a.rows; ++row)
    for (int column = 0; column < b.columns; ++column)
      for (int k = 0; k < a.columns; ++k)
        d[row * b.columns + column] += a.at(row, k) * b.at(k, column);
  return d;
}

int main() {
  requireDevice();
  const int warps = 8;
  Matrix a(16 * warps, 16, 1), b(16, 16, 2);
  std::vector<float> expected = multiply(a, b);
  DeviceArray<int> rowsOfA(a.halves(false)), rowsOfB(b.halves(false));
  DeviceArray<int> columnsOfB(b.halves(true));
  DeviceArray<float> d(expected.size());
  multiplyTiles<<<2, 32 * warps / 2>>>(rowsOfA.get(), columnsOfB.get(),
                                       d.get());
  CHECK_KERNEL();
  bool passed = compare("tiles", d.copyBack(), expected);
  d.clear();
  multiplyShared<<<2, 32 * warps / 2>>>(
      rowsOfA.get(), reinterpret_cast<int4 *>(rowsOfB.get()), d.get());
  CHECK_KERNEL();
  passed &= compare("shared tiles", d.copyBack(), expected);

  Matrix narrow(16, 8, 3);
  Matrix first(16, 16, 4);
  DeviceArray<int> rowsOfFirst(first.halves(false));
  DeviceArray<int> rowsOfNarrow(narrow.halves(false));
  DeviceArray<float> product(16 * 8);
  multiplyRows<<<1, 32>>>(reinterpret_cast<int4 *>(rowsOfFirst.get()),
                          reinterpret_cast<int4 *>(rowsOfNarrow.get()),
                          product.get());
  CHECK_KERNEL();
  passed &= compare("rows", product.copyBack(), multiply(first, narrow));
  return finish(passed);
}

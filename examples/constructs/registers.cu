// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread keeps: more values than a large block leaves it registers for,
// and an array of which the index is known at run time alone.
#include "../check.h"

// A tile of 8 times 8 sums a thread: 80 values live at once.
__device__ void addProducts(const float *a, const float *b, float *sums,
                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float tile[8][8] = {};
  for (int k = 0; k < n; ++k) {
    float left[8], right[8];
    for (int j = 0; j < 8; ++j) {
      left[j] = a[(k * 8 + j) * threads + i];
      right[j] = b[(k * 8 + j) * threads + i];
    }
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column)
        tile[row][column] += left[row] * right[column];
  }
  for (int j = 0; j < 64; ++j)
    sums[j * threads + i] = tile[j / 8][j % 8];
}

__global__ void multiplyOuter(const float *a, const float *b, float *sums,
                              int n) {
  addProducts(a, b, sums, n);
}

// The same for blocks of 1024 threads, which leave 64 registers to each.
__global__ void __launch_bounds__(1024)
    multiplyOuterInLargeBlocks(const float *a, const float *b, float *sums,
                               int n) {
  addProducts(a, b, sums, n);
}

// How often each number of 16 comes in a thread's row: registers have no
// indices, so the counts are in local memory.
__global__ void countNumbers(const unsigned char *in, unsigned char *counts,
                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  unsigned char count[16] = {};
  for (int k = 0; k < n; ++k)
    ++count[in[k * threads + i] % 16];
  for (int number = 0; number < 16; ++number)
    counts[number * threads + i] = count[number];
}

static bool runProducts() {
  const int threads = 2048, n = 3;
  std::vector<float> a = fill<float>(8 * n * threads);
  std::vector<float> b = fill<float>(8 * n * threads, 2);
  std::vector<float> expected(64 * threads);
  for (int j = 0; j < 64 * threads; ++j)
    for (int k = 0; k < n; ++k) {
      int i = j % threads, row = j / threads / 8, column = j / threads % 8;
      expected[j] +=
          a[(k * 8 + row) * threads + i] * b[(k * 8 + column) * threads + i];
    }
  DeviceArray<float> deviceA(a), deviceB(b), sums(64 * threads);
  multiplyOuter<<<threads / 128, 128>>>(deviceA.get(), deviceB.get(),
                                        sums.get(), n);
  CHECK_KERNEL();
  bool passed = compare("products", sums.copyBack(), expected);
  sums.clear();
  multiplyOuterInLargeBlocks<<<threads / 1024, 1024>>>(
      deviceA.get(), deviceB.get(), sums.get(), n);
  CHECK_KERNEL();
  return passed & compare("products again", sums.copyBack(), expected);
}

static bool runNumbers() {
  const int threads = 256, n = 50;
  std::vector<unsigned char> numbers(n * threads), expected(16 * threads);
  Random random;
  for (int i = 0; i < n * threads; ++i) {
    numbers[i] = random.below(256);
    ++expected[numbers[i] % 16 * threads + i % threads];
  }
  DeviceArray<unsigned char> in(numbers), counts(16 * threads);
  countNumbers<<<2, threads / 2>>>(in.get(), counts.get(), n);
  CHECK_KERNEL();
  return compare("counts", counts.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runProducts();
  passed &= runNumbers();
  return finish(passed);
}

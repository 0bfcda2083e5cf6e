// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data decide, and what is known all the same: lanes that share what they
// read, searches that halve, loops that data only shorten.
#include "../check.h"

// A sparse matrix by rows, a warp a row: where the row begins is data, and the
// same for the warp, whose lanes read what stands side by side.
__global__ void multiplySparse(const int *rowBegins, const int *columns,
                               const float *values, const float *x, float *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32, end = rowBegins[row + 1];
  float sum = 0;
  for (int i = rowBegins[row] + lane; i < end; i += 32)
    sum += values[i] * x[columns[i]];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (lane == 0)
    y[row] = sum;
}

// How many of n numbers in order are below each key: data choose a half each
// time, and hardly how often.
__global__ void findRanks(const float *sorted, int n, const float *keys,
                          int *ranks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float key = keys[i];
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  ranks[i] = low;
}

// The sum of as many neighbours as data say, but no more than most.
__global__ void sumNeighbours(const float *in, const int *counts, float *sums,
                              int n, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int count = min(counts[i], most);
  float sum = 0;
  for (int k = 0; k < count; ++k)
    sum += in[k * n + i];
  sums[i] = sum;
}

// Tiles that data name, by block: all threads read at the same place.
__global__ void gatherTiles(const int *tiles, const float *in, float *out) {
  int tile = tiles[blockIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      in[tile * blockDim.x + threadIdx.x];
}

// How many numbers each thread finds of each kind, in shared memory: data
// choose the row, and the thread the bank.
__global__ void countKinds(const int *kinds, int *counts, int n) {
  __shared__ int own[8 * 128];
  int thread = threadIdx.x;
  for (int kind = 0; kind < 8; ++kind)
    own[kind * 128 + thread] = 0;
  for (int i = blockIdx.x * 128 + thread; i < n; i += gridDim.x * 128)
    own[kinds[i] * 128 + thread]++;
  for (int kind = 0; kind < 8; ++kind)
    counts[(blockIdx.x * 8 + kind) * 128 + thread] = own[kind * 128 + thread];
}

static bool runSparse() {
  const int rows = 64;
  std::vector<int> begins{0}, columns;
  std::vector<float> values, x = fill<float>(500, 2), y(rows);
  Random random;
  for (int row = 0; row < rows; ++row) {
    for (int i = random.below(100); i > 0; --i) {
      columns.push_back(random.below(500));
      values.push_back(random.below(17) / 16.0f);
      y[row] += values.back() * x[columns.back()];
    }
    begins.push_back(static_cast<int>(columns.size()));
  }
  DeviceArray<int> deviceBegins(begins), deviceColumns(columns);
  DeviceArray<float> deviceValues(values), deviceX(x), deviceY(rows);
  multiplySparse<<<rows / 4, 128>>>(deviceBegins.get(), deviceColumns.get(),
                                    deviceValues.get(), deviceX.get(),
                                    deviceY.get());
  CHECK_KERNEL();
  return compare("sparse product", deviceY.copyBack(), y);
}

static bool runRanks() {
  const int n = 1000, count = 512;
  std::vector<float> sorted(n), keys = fill<float>(count);
  std::vector<int> expected(count);
  for (int i = 0; i < n; ++i)
    sorted[i] = static_cast<float>(i) / n;
  for (int i = 0; i < count; ++i)
    for (float value : sorted)
      expected[i] += value < keys[i];
  DeviceArray<float> deviceSorted(sorted), deviceKeys(keys);
  DeviceArray<int> ranks(count);
  findRanks<<<4, 128>>>(deviceSorted.get(), n, deviceKeys.get(), ranks.get());
  CHECK_KERNEL();
  return compare("ranks", ranks.copyBack(), expected);
}

static bool runNeighbours() {
  const int n = 500, most = 8;
  std::vector<float> values = fill<float>(n * most), expected(n);
  std::vector<int> counts(n);
  Random random;
  for (int i = 0; i < n; ++i) {
    counts[i] = random.below(12);
    for (int k = 0; k < counts[i] && k < most; ++k)
      expected[i] += values[k * n + i];
  }
  DeviceArray<float> in(values), sums(n);
  DeviceArray<int> deviceCounts(counts);
  sumNeighbours<<<4, 128>>>(in.get(), deviceCounts.get(), sums.get(), n, most);
  CHECK_KERNEL();
  return compare("neighbours", sums.copyBack(), expected);
}

static bool runTiles() {
  const int blocks = 10, threads = 64;
  std::vector<float> values = fill<float>(20 * threads), expected;
  std::vector<int> tiles(blocks);
  Random random;
  for (int &tile : tiles) {
    tile = random.below(20);
    expected.insert(expected.end(), values.begin() + tile * threads,
                    values.begin() + (tile + 1) * threads);
  }
  DeviceArray<int> deviceTiles(tiles);
  DeviceArray<float> in(values), out(expected.size());
  gatherTiles<<<blocks, threads>>>(deviceTiles.get(), in.get(), out.get());
  CHECK_KERNEL();
  return compare("tiles", out.copyBack(), expected);
}

static bool runKinds() {
  const int n = 4000, blocks = 3;
  std::vector<int> kinds(n), expected(blocks * 8 * 128);
  Random random;
  for (int i = 0; i < n; ++i) {
    kinds[i] = random.below(8);
    int thread = i % 128, block = i / 128 % blocks;
    ++expected[(block * 8 + kinds[i]) * 128 + thread];
  }
  DeviceArray<int> deviceKinds(kinds), counts(expected.size());
  countKinds<<<blocks, 128>>>(deviceKinds.get(), counts.get(), n);
  CHECK_KERNEL();
  return compare("kinds", counts.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runSparse();
  passed &= runRanks();
  passed &= runNeighbours();
  passed &= runTiles();
  passed &= runKinds();
  return finish(passed);
}

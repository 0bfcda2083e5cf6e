// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y[i] = x[index[i]]: addresses that come from data. The same kernel is a copy
// or a scatter of sectors, depending on what is in `index`.
#include "check.h"

#include <numeric>
#include <utility>

// The index and the result are coalesced; how many sectors the gather itself
// touches, 4 to 32 a request, cannot be known from the code: a prediction has
// to say what it assumes.
__global__ void gather(const float *__restrict__ x,
                       const int *__restrict__ index, float *__restrict__ y,
                       int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    y[i] = x[index[i]];
}

static bool runWith(const char *what, const std::vector<float> &x,
                    const DeviceArray<float> &deviceX,
                    const std::vector<int> &index) {
  constexpr int blockSize = 128;
  const int n = static_cast<int>(index.size());
  DeviceArray<int> deviceIndex(index);
  DeviceArray<float> deviceY(index.size());

  // The size is data here: the grid is known only at run time.
  dim3 grid;
  grid.x = (n + blockSize - 1) / blockSize;
  Stopwatch watch;
  gather<<<grid, blockSize>>>(deviceX.get(), deviceIndex.get(), deviceY.get(),
                              n);
  watch.report(what);

  std::vector<float> expected(index.size());
  for (int i = 0; i < n; ++i)
    expected[i] = x[index[i]];
  return compare(what, deviceY.copyBack(), expected);
}

int main() {
  requireDevice();
  constexpr int size = 1000000;
  std::vector<float> x = fill<float>(size);
  DeviceArray<float> deviceX(x);

  std::vector<int> index(size);
  std::iota(index.begin(), index.end(), 0);
  bool passed = runWith("in order", x, deviceX, index);

  Random random(11);
  for (int i = size - 1; i > 0; --i) {
    unsigned other =
        (random.below(65536) << 16 | random.below(65536)) % (i + 1);
    std::swap(index[i], index[other]);
  }
  passed &= runWith("shuffled", x, deviceX, index);
  return finish(passed);
}

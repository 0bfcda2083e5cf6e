// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = a * x + y, one element a thread: the smallest kernel worth predicting.
#include "check.h"

// Two reads and a write of 4 bytes a thread for one fused multiply-add: bound
// by DRAM on every GPU. Each request of a warp covers 128 consecutive bytes, 4
// sectors, the fewest there can be. The last block is partly masked off.
__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main() {
  requireDevice();
  constexpr int n = 1000000;
  constexpr int blockSize = 256;
  const float a = 2.5f;
  std::vector<float> x = fill<float>(n, 1), y = fill<float>(n, 2);
  DeviceArray<float> deviceX(x), deviceY(y);

  Stopwatch watch;
  saxpy<<<(n + blockSize - 1) / blockSize, blockSize>>>(n, a, deviceX.get(),
                                                        deviceY.get());
  watch.report("saxpy");

  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
  return finish(compare("y", deviceY.copyBack(), y));
}

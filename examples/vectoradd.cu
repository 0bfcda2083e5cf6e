// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// result = a + b with blocks of 32 to 256 threads: the same work, other
// residency. Blocks of one warp are limited by the number of blocks an SM can
// hold, not by registers or threads.
#include "check.h"

// Three coalesced requests of 4 sectors a warp and one addition. There is no
// guard: the size is a multiple of every block size used.
__global__ void vectorAdd(const float *a, const float *b, float *result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = a[i] + b[i];
}

namespace {
constexpr int size = 1048576;

template <unsigned blockSize>
bool runWith(const DeviceArray<float> &a, const DeviceArray<float> &b,
             const std::vector<float> &expected) {
  static_assert(size % blockSize == 0, "the kernel has no guard");
  constexpr dim3 block(blockSize);
  constexpr dim3 grid(size / blockSize);
  DeviceArray<float> result(size);
  Stopwatch watch;
  vectorAdd<<<grid, block>>>(a.get(), b.get(), result.get());
  char label[32];
  std::snprintf(label, sizeof(label), "vectorAdd, blocks of %u", blockSize);
  watch.report(label);
  return compare(label, result.copyBack(), expected);
}
} // namespace

int main() {
  requireDevice();
  std::vector<float> a = fill<float>(size, 1), b = fill<float>(size, 2);
  std::vector<float> expected(size);
  for (int i = 0; i < size; ++i)
    expected[i] = a[i] + b[i];
  DeviceArray<float> deviceA(a), deviceB(b);

  bool passed = runWith<32>(deviceA, deviceB, expected);
  passed &= runWith<64>(deviceA, deviceB, expected);
  passed &= runWith<128>(deviceA, deviceB, expected);
  passed &= runWith<256>(deviceA, deviceB, expected);
  return finish(passed);
}

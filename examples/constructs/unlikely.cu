// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that hardly ever runs: assertions, messages, traps, ways that the source
// calls unlikely, updates of a least value that is rarely beaten.
#include "../check.h"

#include <algorithm>
#include <cassert>

// A wrong index ends the kernel; a table of 16 numbers has no others.
__global__ void lookUp(const float *table, const int *indices, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, index = indices[i];
  assert(index >= 0 && index < 16);
  out[i] = table[index];
}

__global__ void invert(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(in[i] > 0))
    printf("number %d is %f\n", i, in[i]);
  out[i] = 1 / in[i];
}

// What has no root ends the program.
__global__ void takeRoot(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] < 0)
    __trap();
  out[i] = sqrtf(in[i]);
}

// Numbers that need many steps are said to be rare.
__global__ void takeRoots(const float *in, float *out, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i], root = value;
  if (__builtin_expect(value > 16, 0))
    for (int k = 0; k < steps; ++k)
      root = 0.5f * (root + value / root);
  out[i] = root;
}

// A minimum of all threads, of numbers for which there is no such atomic.
__global__ void findLeast(const float *in, float *least) {
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  int *cell = reinterpret_cast<int *>(least), before = *cell;
  while (value < __int_as_float(before)) {
    int expected = before;
    before = atomicCAS(cell, expected, __float_as_int(value));
    if (before == expected)
      break;
  }
}

static bool runTable() {
  const int n = 512;
  std::vector<float> table = fill<float>(16), expected(n);
  std::vector<int> indices(n);
  Random random;
  for (int i = 0; i < n; ++i)
    expected[i] = table[indices[i] = random.below(16)];
  DeviceArray<float> deviceTable(table), out(n);
  DeviceArray<int> deviceIndices(indices);
  lookUp<<<4, 128>>>(deviceTable.get(), deviceIndices.get(), out.get());
  CHECK_KERNEL();
  return compare("table", out.copyBack(), expected);
}

static bool runNumbers() {
  const int n = 512;
  std::vector<float> values = fill<float>(n), inverse(n), root(n), roots(n);
  for (int i = 0; i < n; ++i) {
    values[i] += 1;
    inverse[i] = 1 / values[i];
    root[i] = std::sqrt(values[i]);
    roots[i] = values[i];
  }
  DeviceArray<float> in(values), out(n);
  invert<<<4, 128>>>(in.get(), out.get());
  CHECK_KERNEL();
  bool passed = compare("inverse", out.copyBack(), inverse);
  takeRoot<<<4, 128>>>(in.get(), out.get());
  CHECK_KERNEL();
  passed &= compare("root", out.copyBack(), root, 1e-6f);
  takeRoots<<<4, 128>>>(in.get(), out.get(), 5);
  CHECK_KERNEL();
  passed &= compare("roots", out.copyBack(), roots);
  DeviceArray<float> least(std::vector<float>{1e9f});
  findLeast<<<4, 128>>>(in.get(), least.get());
  CHECK_KERNEL();
  std::vector<float> smallest{*std::min_element(values.begin(), values.end())};
  return passed & compare("least", least.copyBack(), smallest);
}

int main() {
  requireDevice();
  bool passed = runTable();
  passed &= runNumbers();
  return finish(passed);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are not inlined: a call that stays one, one that calls itself,
// of which nobody knows how deep it goes, and one by a pointer, of which nobody
// knows where it goes.
#include "../check.h"

// A row of Pascal's triangle applied to a window: called, not inlined.
__device__ __noinline__ float smooth(const float *window, int distance) {
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += window[k * distance];
  return sum;
}

__global__ void smoothBoth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = smooth(in + i, 1) + smooth(in + i, n);
}

// The number of nodes of a binary tree below one, children at 2i + 1 and
// 2i + 2, until a node is empty.
__device__ int countNodes(const int *isNode, int size, int node) {
  if (node >= size || !isNode[node])
    return 0;
  return 1 + countNodes(isNode, size, 2 * node + 1) +
         countNodes(isNode, size, 2 * node + 2);
}

__global__ void countBelow(const int *isNode, int size, int *counts) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < size)
    counts[node] = countNodes(isNode, size, node);
}

__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }

// One of two functions, by a number.
__global__ void applyChosen(const float *in, float *out, int choice) {
  float (*const functions[])(float) = {twice, square};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = functions[choice](in[i]);
}

int main() {
  requireDevice();
  const int n = 500;
  std::vector<float> values = fill<float>(4 * n + 4), expected(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k)
      expected[i] += values[i + k] + values[i + k * n];
  DeviceArray<float> in(values), out(n);
  smoothBoth<<<4, 128>>>(in.get(), out.get(), n);
  CHECK_KERNEL();
  bool passed = compare("smooth", out.copyBack(), expected);

  const int size = 255;
  std::vector<int> isNode(size), nodes(size);
  Random random;
  for (int &node : isNode)
    node = random.below(8) != 0;
  for (int node = size - 1; node >= 0; --node)
    if (isNode[node])
      nodes[node] =
          1 +
          (2 * node + 2 < size ? nodes[2 * node + 1] + nodes[2 * node + 2] : 0);
  DeviceArray<int> tree(isNode), counts(size);
  countBelow<<<2, 128>>>(tree.get(), size, counts.get());
  CHECK_KERNEL();
  passed &= compare("nodes", counts.copyBack(), nodes);

  for (int i = 0; i < n; ++i)
    expected[i] = values[i] * values[i];
  applyChosen<<<n / 100, 100>>>(in.get(), out.get(), 1);
  CHECK_KERNEL();
  passed &= compare("squares", out.copyBack(), expected);
  return finish(passed);
}

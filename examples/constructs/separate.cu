// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that another file defines, as -fgpu-rdc allows: the compiler does
// not see it, so that what the kernel does is known without it, and the output
// says so; a program that is linked to run has it all. Compile with
// separate_weights.cu.
#include "../check.h"

__device__ float weigh(float distance);

__global__ void weighDistances(const float *distances, float *weights, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    weights[i] = weigh(distances[i]);
}

int main() {
  requireDevice();
  const int n = 1000;
  std::vector<float> distances = fill<float>(n), expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = 1 / (1 + distances[i] * distances[i]);
  DeviceArray<float> in(distances), out(n);
  weighDistances<<<8, 128>>>(in.get(), out.get(), n);
  CHECK_KERNEL();
  return finish(compare("weights", out.copyBack(), expected, 1e-6f));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star of 25 points, radius 4, over a three-dimensional field of double, with
// blocks of several shapes.
#include "check.h"

constexpr int radius = 4;

// The cells that are updated; a halo of `radius` cells surrounds them.
constexpr int width = 128;
constexpr int height = 64;
constexpr int depth = 64;

constexpr int rowPitch = width + 2 * radius;
constexpr int planePitch = rowPitch * (height + 2 * radius);
constexpr int cells = planePitch * (depth + 2 * radius);

/// One weight for the centre and one for each distance.
struct Weights {
  double value[radius + 1];
};

// 25 loads and a store for 49 flops. Every load is coalesced along x (those
// shifted along x touch a sector or two more); what differs between block
// shapes is how many of the 25 find their line in L1 or L2: the volumes decide.
__global__ void star(const double *in, double *out, Weights weights) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= width || y >= height || z >= depth)
    return;
  int i = (z + radius) * planePitch + (y + radius) * rowPitch + x + radius;
  double sum = weights.value[0] * in[i];
#pragma unroll
  for (int r = 1; r <= radius; ++r)
    sum += weights.value[r] * (in[i - r] + in[i + r] + in[i - r * rowPitch] +
                               in[i + r * rowPitch] + in[i - r * planePitch] +
                               in[i + r * planePitch]);
  out[i] = sum;
}

static std::vector<double> applyOnHost(const std::vector<double> &in,
                                       const Weights &weights) {
  std::vector<double> out(in.size(), 0.0);
  for (int z = radius; z < depth + radius; ++z)
    for (int y = radius; y < height + radius; ++y)
      for (int x = radius; x < width + radius; ++x) {
        int i = z * planePitch + y * rowPitch + x;
        double sum = weights.value[0] * in[i];
        for (int r = 1; r <= radius; ++r)
          for (int pitch : {1, rowPitch, planePitch})
            sum += weights.value[r] * (in[i - r * pitch] + in[i + r * pitch]);
        out[i] = sum;
      }
  return out;
}

constexpr unsigned ceilDiv(unsigned a, unsigned b) { return (a + b - 1) / b; }

int main() {
  requireDevice();
  const Weights weights = {{0.5, 0.25, -0.125, 0.0625, -0.03125}};
  std::vector<double> in = fill<double>(cells);
  std::vector<double> expected = applyOnHost(in, weights);
  DeviceArray<double> deviceIn(in), deviceOut(cells);
  bool passed = true;

  {
    // One warp wide: whole lines, eight rows of one plane.
    constexpr dim3 block(32, 8, 1);
    constexpr dim3 grid(ceilDiv(width, block.x), ceilDiv(height, block.y),
                        ceilDiv(depth, block.z));
    Stopwatch watch;
    star<<<grid, block>>>(deviceIn.get(), deviceOut.get(), weights);
    watch.report("32 x 8 x 1");
    passed &= compare("32 x 8 x 1", deviceOut.copyBack(), expected);
  }
  {
    // Nearly a cube: the least surface, the most reuse inside the block.
    constexpr dim3 block(16, 8, 8);
    constexpr dim3 grid(ceilDiv(width, block.x), ceilDiv(height, block.y),
                        ceilDiv(depth, block.z));
    deviceOut.clear();
    Stopwatch watch;
    star<<<grid, block>>>(deviceIn.get(), deviceOut.get(), weights);
    watch.report("16 x 8 x 8");
    passed &= compare("16 x 8 x 8", deviceOut.copyBack(), expected);
  }
  {
    // A row: no reuse along y and z but through L2.
    constexpr dim3 block(width, 1, 1);
    deviceOut.clear();
    Stopwatch watch;
    star<<<dim3(1, height, depth), block>>>(deviceIn.get(), deviceOut.get(),
                                            weights);
    watch.report("128 x 1 x 1");
    passed &= compare("128 x 1 x 1", deviceOut.copyBack(), expected);
  }
  {
    // Narrow and deep, with the guards at work: 24 does not divide 64.
    constexpr dim3 block(4, 24, 8);
    constexpr dim3 grid(ceilDiv(width, block.x), ceilDiv(height, block.y),
                        ceilDiv(depth, block.z));
    deviceOut.clear();
    Stopwatch watch;
    star<<<grid, block>>>(deviceIn.get(), deviceOut.get(), weights);
    watch.report("4 x 24 x 8");
    passed &= compare("4 x 24 x 8", deviceOut.copyBack(), expected);
  }
  return finish(passed);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star of 25 points, radius 4, over a three-dimensional field of double, with
// blocks of several shapes and threads that update one cell, two or four.
//
//     stencil25 [large]     a field of 2.7 GB as well
#include "check.h"
#include <cstring>

constexpr int radius = 4;

/// A field of width x height x depth cells that are updated and a halo of
/// `radius` cells around them.
template <int Width, int Height, int Depth> struct Field {
  static constexpr int width = Width;
  static constexpr int height = Height;
  static constexpr int depth = Depth;
  static constexpr int rowPitch = width + 2 * radius;
  static constexpr int planePitch = rowPitch * (height + 2 * radius);
  static constexpr int cells = planePitch * (depth + 2 * radius);

  __host__ __device__ static constexpr int index(int x, int y, int z) {
    return (z + radius) * planePitch + (y + radius) * rowPitch + x + radius;
  }
  __host__ __device__ static constexpr int offset(int y, int z) {
    return z * planePitch + y * rowPitch;
  }
};

struct Small : Field<128, 64, 64> {};

// 640 x 512 x 512 with the halo, as in D. Ernst, M. Holzer, G. Hager, M. Knorr,
// G. Wellein, "Analytical Performance Estimation during Code Generation on
// Modern GPUs", 2022, which also has the blocks and folds of runLarge().
struct Large : Field<632, 504, 504> {};

/// One weight for the centre and one for each distance.
struct Weights {
  double value[radius + 1];
};

/// The star around a cell.
template <class Field>
__host__ __device__ double starAt(const double *cell, const Weights &weights) {
  double sum = weights.value[0] * *cell;
#pragma unroll
  for (int r = 1; r <= radius; ++r)
    sum += weights.value[r] *
           (cell[-r] + cell[r] + cell[-r * Field::rowPitch] +
            cell[r * Field::rowPitch] + cell[-r * Field::planePitch] +
            cell[r * Field::planePitch]);
  return sum;
}

// 25 loads and a store for 49 flops, a cell. Every load is coalesced along x
// (those shifted along x touch a sector or two more); what differs between
// block shapes is how many of the 25 find their line in L1 or L2: the volumes
// decide. A thread that updates two cells, one behind the other along y or z,
// has 8 of the second one's 25 values already: 42 loads, 21 a cell.
template <class Field, int FoldY, int FoldZ>
__global__ void __launch_bounds__(1024)
    star(const double *in, double *out, Weights weights) {
  static_assert(Field::height % FoldY == 0 && Field::depth % FoldZ == 0,
                "all cells of a thread are inside, or none");
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = (blockIdx.y * blockDim.y + threadIdx.y) * FoldY;
  int z = (blockIdx.z * blockDim.z + threadIdx.z) * FoldZ;
  if (x >= Field::width || y >= Field::height || z >= Field::depth)
    return;
  const double *from = in + Field::index(x, y, z);
  double *to = out + Field::index(x, y, z);
  constexpr int cells = FoldY * FoldZ;
  // One cell is apart, as clang loses the lines of a loop of one step.
  if constexpr (cells == 1) {
    *to = starAt<Field>(from, weights);
  } else {
    // All loads come before the first store, which could change them.
    double sums[cells];
#pragma unroll
    for (int i = 0; i < cells; ++i)
      sums[i] =
          starAt<Field>(from + Field::offset(i % FoldY, i / FoldY), weights);
#pragma unroll
    for (int i = 0; i < cells; ++i)
      to[Field::offset(i % FoldY, i / FoldY)] = sums[i];
  }
}

template <class Field>
static std::vector<double> applyOnHost(const std::vector<double> &in,
                                       const Weights &weights) {
  std::vector<double> out(in.size(), 0.0);
  for (int z = 0; z < Field::depth; ++z)
    for (int y = 0; y < Field::height; ++y)
      for (int x = 0; x < Field::width; ++x) {
        int i = Field::index(x, y, z);
        double sum = weights.value[0] * in[i];
        for (int r = 1; r <= radius; ++r)
          for (int pitch : {1, Field::rowPitch, Field::planePitch})
            sum += weights.value[r] * (in[i - r * pitch] + in[i + r * pitch]);
        out[i] = sum;
      }
  return out;
}

constexpr unsigned ceilDiv(unsigned a, unsigned b) { return (a + b - 1) / b; }

/// What a field is updated with, and what has to come out.
template <class Field> struct Test {
  const Weights weights = {{0.5, 0.25, -0.125, 0.0625, -0.03125}};
  const std::vector<double> in = fill<double>(Field::cells);
  const std::vector<double> expected = applyOnHost<Field>(in, weights);
  const DeviceArray<double> deviceIn{in};
  DeviceArray<double> deviceOut{Field::cells};

  /// One launch, with blocks of X x Y x Z threads of FoldY x FoldZ cells.
  template <int X, int Y, int Z, int FoldY = 1, int FoldZ = 1> bool run() {
    constexpr dim3 block(X, Y, Z);
    constexpr dim3 grid(ceilDiv(Field::width, X),
                        ceilDiv(Field::height, Y * FoldY),
                        ceilDiv(Field::depth, Z * FoldZ));
    char what[64];
    std::snprintf(what, sizeof(what), "%d x %d x %d, fold %d x %d", X, Y, Z,
                  FoldY, FoldZ);
    deviceOut.clear();
    Stopwatch watch;
    star<Field, FoldY, FoldZ>
        <<<grid, block>>>(deviceIn.get(), deviceOut.get(), weights);
    watch.report(what);
    return compare(what, deviceOut.copyBack(), expected);
  }
};

static bool runSmall() {
  Test<Small> test;
  // Nearly a cube: the least surface, the most reuse inside the block.
  bool passed = test.run<16, 8, 8>();
  // Narrow and deep, with the guards at work: 24 does not divide 64.
  passed &= test.run<4, 24, 8>();
  passed &= test.run<32, 8, 2, 2, 1>();
  passed &= test.run<32, 2, 8, 1, 2>();
  passed &= test.run<16, 4, 8, 2, 2>();
  return passed;
}

static bool runLarge() {
  Test<Large> test;
  // One warp wide, whole lines: 32 rows of one plane to one row of 32 planes.
  bool passed = test.run<32, 32, 1>();
  passed &= test.run<32, 8, 4>();
  passed &= test.run<32, 2, 16>();
  passed &= test.run<32, 1, 32>();
  // A row, with no reuse along y in the block and little along z.
  passed &= test.run<256, 1, 4>();
  passed &= test.run<64, 4, 4>();
  passed &= test.run<16, 2, 32>();
  // Narrow: a request has four rows, or eight.
  passed &= test.run<8, 8, 16>();
  passed &= test.run<4, 16, 16>();

  passed &= test.run<256, 1, 4, 2, 1>();
  passed &= test.run<16, 4, 16, 2, 1>();
  passed &= test.run<256, 1, 4, 1, 2>();
  passed &= test.run<64, 4, 4, 1, 2>();
  passed &= test.run<16, 2, 32, 1, 2>();
  return passed;
}

int main(int argc, char **argv) {
  requireDevice();
  bool passed = runSmall();
  if (argc > 1 && std::strcmp(argv[1], "large") == 0)
    passed &= runLarge();
  return finish(passed);
}

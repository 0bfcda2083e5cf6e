// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A star of five points over a two-dimensional field of double, with blocks of
// several shapes.
//
//     star2d [large]        a field of 3.6 GB as well
#include "check.h"
#include <cstring>

/// A field of width x height cells that are updated and a halo of one cell
/// around them.
template <int Width, int Height> struct Field {
  static constexpr int width = Width;
  static constexpr int height = Height;
  static constexpr int pitch = width + 2;
  static constexpr int cells = pitch * (height + 2);

  __host__ __device__ static constexpr int index(int x, int y) {
    return (y + 1) * pitch + x + 1;
  }
};

struct Small : Field<500, 300> {};

// As in D. Ernst, M. Holzer, G. Hager, M. Knorr, G. Wellein, "Analytical
// Performance Estimation during Code Generation on Modern GPUs", 2022.
struct Large : Field<15000, 15000> {};

// Each value is loaded five times and should come from DRAM once: a few rows
// of the field are all that has to stay in the caches. Rows are no multiple of
// a sector and start with the halo: the 256 bytes of a warp start at a sector
// in every other row of the loads shifted along x, and in no row of the other
// accesses.
template <class Field>
__global__ void __launch_bounds__(1024) star(const double *in, double *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= Field::width || y >= Field::height)
    return;
  int i = Field::index(x, y);
  out[i] = 0.5 * in[i] + 0.125 * (in[i - 1] + in[i + 1] + in[i - Field::pitch] +
                                  in[i + Field::pitch]);
}

template <class Field>
static std::vector<double> applyOnHost(const std::vector<double> &in) {
  std::vector<double> out(in.size(), 0.0);
  for (int y = 0; y < Field::height; ++y)
    for (int x = 0; x < Field::width; ++x) {
      double arms = in[Field::index(x - 1, y)] + in[Field::index(x + 1, y)] +
                    in[Field::index(x, y - 1)] + in[Field::index(x, y + 1)];
      out[Field::index(x, y)] = (4 * in[Field::index(x, y)] + arms) / 8;
    }
  return out;
}

constexpr unsigned ceilDiv(unsigned a, unsigned b) { return (a + b - 1) / b; }

/// What a field is updated with, and what has to come out.
template <class Field> struct Test {
  const std::vector<double> in = fill<double>(Field::cells);
  const std::vector<double> expected = applyOnHost<Field>(in);
  const DeviceArray<double> deviceIn{in};
  DeviceArray<double> deviceOut{Field::cells};

  /// One launch, with blocks of X x Y threads.
  template <int X, int Y> bool run() {
    constexpr dim3 block(X, Y);
    constexpr dim3 grid(ceilDiv(Field::width, X), ceilDiv(Field::height, Y));
    char what[32];
    std::snprintf(what, sizeof(what), "%d x %d", X, Y);
    deviceOut.clear();
    Stopwatch watch;
    star<Field><<<grid, block>>>(deviceIn.get(), deviceOut.get());
    watch.report(what);
    return compare(what, deviceOut.copyBack(), expected);
  }
};

static bool runSmall() {
  Test<Small> test;
  bool passed = test.run<32, 8>();
  passed &= test.run<64, 4>();
  return passed;
}

static bool runLarge() {
  Test<Large> test;
  // Narrow: a request has 16 rows, or two.
  bool passed = test.run<2, 256>();
  passed &= test.run<16, 32>();
  // Whole rows of threads, ever longer: less and less reuse in the block.
  passed &= test.run<32, 8>();
  passed &= test.run<32, 16>();
  passed &= test.run<128, 4>();
  passed &= test.run<256, 2>();
  passed &= test.run<512, 1>();
  passed &= test.run<1024, 1>();
  return passed;
}

int main(int argc, char **argv) {
  requireDevice();
  bool passed = runSmall();
  if (argc > 1 && std::strcmp(argv[1], "large") == 0)
    passed &= runLarge();
  return finish(passed);
}

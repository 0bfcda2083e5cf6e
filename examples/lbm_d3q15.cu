// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lattice Boltzmann step, D3Q15, of a phase field: the interface between two
// fluids follows a flow and stays sharp. It solves the conservative Allen-Cahn
// equation, for which see A. Fakhari, T. Mitchell, C. Leonardi, D. Bolster,
// "Improved locality of the phase-field lattice-Boltzmann model for immiscible
// fluids at high density ratios", 2017. The flow is uniform here.
//
//     lbm_d3q15 [large]     a domain of 2.6 GB as well
#include "check.h"
#include <cstring>

constexpr int populationCount = 15;

/// Population 0 rests, 1 to 6 move to a face, 7 to 14 to a corner. The step of
/// population q along an axis, -1, 0 or 1:
__host__ __device__ constexpr int step(int q, int axis) {
  if (q == 0)
    return 0;
  if (q < 7)
    return (q - 1) / 2 == axis ? 2 * (q % 2) - 1 : 0;
  return 1 - 2 * (((q - 7) >> axis) & 1);
}

__host__ __device__ constexpr double weight(int q) {
  return q == 0 ? 2.0 / 9 : q < 7 ? 1.0 / 9 : 1.0 / 72;
}

/// Width x height x depth cells with a halo of one cell around them. The first
/// cell of a row starts a cache line; the halo to its left is at the end of the
/// row before.
template <int Width, int Height, int Depth> struct Domain {
  static constexpr int width = Width;
  static constexpr int height = Height;
  static constexpr int depth = Depth;
  static constexpr int line = 16;
  static constexpr int rowPitch = width + 2;
  static constexpr int planePitch = rowPitch * (height + 2);
  static constexpr int cells = line + planePitch * (depth + 2);
  static_assert(rowPitch % line == 0, "every row starts a cache line");

  __host__ __device__ static constexpr int index(int x, int y, int z) {
    return line + (z + 1) * planePitch + (y + 1) * rowPitch + x;
  }
  /// From the cell that population q comes from.
  __host__ __device__ static constexpr int shift(int q) {
    return step(q, 2) * planePitch + step(q, 1) * rowPitch + step(q, 0);
  }
};

struct Small : Domain<30, 24, 24> {};

// 256 x 200 x 200 with the halo. The kernel and the blocks of runLarge() are
// like those of D. Ernst, M. Holzer, G. Hager, M. Knorr, G. Wellein,
// "Analytical Performance Estimation during Code Generation on Modern GPUs",
// 2022.
struct Large : Domain<254, 198, 198> {};

struct Fluid {
  double velocity[3];
  double relaxation;     ///< Rate, from 0 to 2; 1 / (mobility * 3 + 1 / 2).
  double interfaceWidth; ///< In cells.
};

// 15 populations are pulled, loads that are shifted against the cache lines,
// and 15 are stored, aligned: 240 bytes a cell that are used once. What caches
// can save is in the seven points of the phase field. It lags by a step, as no
// other cell's new value is known yet.
template <class Domain>
__global__ void __launch_bounds__(512)
    trackInterface(const double *populations, const double *phase,
                   double *newPopulations, double *newPhase, Fluid fluid) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= Domain::width || y >= Domain::height || z >= Domain::depth)
    return;
  int i = Domain::index(x, y, z);

  double arriving[populationCount];
  double sum = 0;
#pragma unroll
  for (int q = 0; q < populationCount; ++q) {
    arriving[q] = populations[q * Domain::cells + i - Domain::shift(q)];
    sum += arriving[q];
  }

  // Diffusion is balanced by a flux towards the inside of the interface, along
  // the gradient. Far from it the gradient vanishes, and the flux with it.
  double gradient[3] = {
      0.5 * (phase[i + 1] - phase[i - 1]),
      0.5 * (phase[i + Domain::rowPitch] - phase[i - Domain::rowPitch]),
      0.5 * (phase[i + Domain::planePitch] - phase[i - Domain::planePitch])};
  double slope = sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1] +
                      gradient[2] * gradient[2] + 1e-30);
  double old = phase[i];
  double sharpening = (1 - 0.5 * fluid.relaxation) * 4 * old * (1 - old) /
                      (fluid.interfaceWidth * slope);

  const double *u = fluid.velocity;
  double energy = 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
#pragma unroll
  for (int q = 0; q < populationCount; ++q) {
    double along =
        3 * (step(q, 0) * u[0] + step(q, 1) * u[1] + step(q, 2) * u[2]);
    double equilibrium = sum * (1 + along + 0.5 * along * along - energy);
    double force =
        sharpening * (step(q, 0) * gradient[0] + step(q, 1) * gradient[1] +
                      step(q, 2) * gradient[2]);
    newPopulations[q * Domain::cells + i] =
        (1 - fluid.relaxation) * arriving[q] +
        weight(q) * (fluid.relaxation * equilibrium + force);
  }
  newPhase[i] = sum;
}

/// Both fields of a periodic domain on the host, with the halo.
template <class Domain> struct State {
  std::vector<double> populations =
      std::vector<double>(populationCount * Domain::cells);
  std::vector<double> phase = std::vector<double>(Domain::cells);

  /// Calls f(x, y, z, index) for every cell within `halo` cells of the domain.
  template <class F> static void forEachCell(int halo, F f) {
    for (int z = -halo; z < Domain::depth + halo; ++z)
      for (int y = -halo; y < Domain::height + halo; ++y)
        for (int x = -halo; x < Domain::width + halo; ++x)
          f(x, y, z, Domain::index(x, y, z));
  }

  /// The index of a cell that may be in the halo, inside.
  static int wrap(int x, int y, int z) {
    return Domain::index((x + Domain::width) % Domain::width,
                         (y + Domain::height) % Domain::height,
                         (z + Domain::depth) % Domain::depth);
  }

  void fillHalo() {
    forEachCell(1, [&](int x, int y, int z, int i) {
      int inside = wrap(x, y, z);
      phase[i] = phase[inside];
      for (int q = 0; q < populationCount; ++q)
        populations[q * Domain::cells + i] =
            populations[q * Domain::cells + inside];
    });
  }
};

/// The share of the phase that moves with population q in a uniform flow.
static double share(const Fluid &fluid, int q) {
  double along = 0, square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    along += step(q, axis) * fluid.velocity[axis];
    square += fluid.velocity[axis] * fluid.velocity[axis];
  }
  return weight(q) * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
}

/// A drop in the middle, about half the domain wide.
template <class Domain> static State<Domain> makeDrop(const Fluid &fluid) {
  State<Domain> state;
  State<Domain>::forEachCell(0, [&](int x, int y, int z, int i) {
    double dx = x - 0.5 * Domain::width;
    double dy = y - 0.5 * Domain::height;
    double dz = z - 0.5 * Domain::depth;
    double outwards =
        std::sqrt(dx * dx + dy * dy + dz * dz) - 0.25 * Domain::depth;
    double phase = 0.5 - 0.5 * std::tanh(2 * outwards / fluid.interfaceWidth);
    state.phase[i] = phase;
    for (int q = 0; q < populationCount; ++q)
      state.populations[q * Domain::cells + i] = share(fluid, q) * phase;
  });
  state.fillHalo();
  return state;
}

/// The same step in its textbook order: push all populations, then add them up,
/// find the normal, relax and force.
template <class Domain>
static State<Domain> stepOnHost(const State<Domain> &from, const Fluid &fluid) {
  using State = State<Domain>;
  State to;
  State::forEachCell(0, [&](int x, int y, int z, int i) {
    for (int q = 0; q < populationCount; ++q) {
      int target = State::wrap(x + step(q, 0), y + step(q, 1), z + step(q, 2));
      to.populations[q * Domain::cells + target] =
          from.populations[q * Domain::cells + i];
    }
  });
  State::forEachCell(0, [&](int x, int y, int z, int i) {
    for (int q = 0; q < populationCount; ++q)
      to.phase[i] += to.populations[q * Domain::cells + i];
    double normal[3], square = 1e-30;
    for (int axis = 0; axis < 3; ++axis) {
      int dx = axis == 0, dy = axis == 1, dz = axis == 2;
      normal[axis] = (from.phase[State::wrap(x + dx, y + dy, z + dz)] -
                      from.phase[State::wrap(x - dx, y - dy, z - dz)]) /
                     2;
      square += normal[axis] * normal[axis];
    }
    double level = 2 * from.phase[i] - 1;
    double flux = (1 - level * level) / fluid.interfaceWidth;
    for (int q = 0; q < populationCount; ++q) {
      double along = 0;
      for (int axis = 0; axis < 3; ++axis)
        along += step(q, axis) * normal[axis] / std::sqrt(square);
      double force = weight(q) * along * flux;
      double &population = to.populations[q * Domain::cells + i];
      population += fluid.relaxation * (share(fluid, q) * to.phase[i] -
                                        population - force / 2) +
                    force;
    }
  });
  to.fillHalo();
  return to;
}

constexpr unsigned ceilDiv(unsigned a, unsigned b) { return (a + b - 1) / b; }

/// A drop, and what has to become of it in a number of steps.
template <class Domain> struct Test {
  const int steps;
  const Fluid fluid = {{0.06, -0.04, 0.02}, 1.25, 4.0};
  const State<Domain> start = makeDrop<Domain>(fluid);
  State<Domain> expected = start;

  explicit Test(int steps) : steps(steps) {
    for (int i = 0; i < steps; ++i)
      expected = stepOnHost(expected, fluid);
  }

  /// All steps with blocks of X x Y x Z threads. The halo is filled on the
  /// host, and so the fields go to the device and back in every step.
  template <int X, int Y, int Z> bool run() {
    constexpr dim3 block(X, Y, Z);
    constexpr dim3 grid(ceilDiv(Domain::width, X), ceilDiv(Domain::height, Y),
                        ceilDiv(Domain::depth, Z));
    char what[32];
    std::snprintf(what, sizeof(what), "%d x %d x %d", X, Y, Z);
    State<Domain> state = start;
    for (int i = 0; i < steps; ++i) {
      DeviceArray<double> populations(state.populations), phase(state.phase);
      DeviceArray<double> newPopulations(state.populations.size());
      DeviceArray<double> newPhase(state.phase.size());
      Stopwatch watch;
      trackInterface<Domain><<<grid, block>>>(populations.get(), phase.get(),
                                              newPopulations.get(),
                                              newPhase.get(), fluid);
      if (i == steps - 1)
        watch.report(what);
      else
        CHECK_KERNEL();
      state.populations = newPopulations.copyBack();
      state.phase = newPhase.copyBack();
      state.fillHalo();
    }
    constexpr double tolerance = 1e-12;
    bool passed = compare("phase", state.phase, expected.phase, tolerance);
    passed &= compare("populations", state.populations, expected.populations,
                      tolerance);
    passed &= checkDrop(what, state.phase);
    return passed;
  }

  /// What has to be true of the drop whatever the implementation.
  bool checkDrop(const char *what, const std::vector<double> &phase) const {
    double mass = 0, massBefore = 0, moved[3] = {0, 0, 0};
    double lowest = 0, highest = 0;
    State<Domain>::forEachCell(0, [&](int x, int y, int z, int i) {
      mass += phase[i];
      massBefore += start.phase[i];
      double change = phase[i] - start.phase[i];
      moved[0] += change * x;
      moved[1] += change * y;
      moved[2] += change * z;
      lowest = std::fmin(lowest, phase[i]);
      highest = std::fmax(highest, phase[i]);
    });
    bool passed = true;
    if (std::fabs(mass - massBefore) > 1e-10 * massBefore) {
      std::printf("FAILED: %s: the mass went from %.15g to %.15g\n", what,
                  massBefore, mass);
      passed = false;
    }
    if (lowest < -0.01 || highest > 1.01) {
      std::printf("FAILED: %s: the phase is between %g and %g\n", what, lowest,
                  highest);
      passed = false;
    }
    for (int axis = 0; axis < 3; ++axis) {
      double distance = fluid.velocity[axis] * steps;
      if (std::fabs(moved[axis] / mass - distance) >
          0.02 * std::fabs(distance)) {
        std::printf("FAILED: %s: the drop moved by %g along axis %d, not %g\n",
                    what, moved[axis] / mass, axis, distance);
        passed = false;
      }
    }
    return passed;
  }
};

static bool runSmall() {
  Test<Small> test(20);
  bool passed = test.run<32, 4, 4>();
  passed &= test.run<8, 8, 8>();
  return passed;
}

static bool runLarge() {
  Test<Large> test(1);
  // Narrow: most lines that a block touches it uses in part.
  bool passed = test.run<2, 256, 1>();
  passed &= test.run<4, 32, 4>();
  passed &= test.run<8, 1, 64>();
  passed &= test.run<8, 8, 8>();
  passed &= test.run<16, 8, 4>();
  // Whole lines, but for the ends of the rows.
  passed &= test.run<64, 1, 8>();
  passed &= test.run<64, 8, 1>();
  passed &= test.run<128, 4, 1>();
  passed &= test.run<256, 2, 1>();
  passed &= test.run<512, 1, 1>();
  return passed;
}

int main(int argc, char **argv) {
  requireDevice();
  bool passed = runSmall();
  if (argc > 1 && std::strcmp(argv[1], "large") == 0)
    passed &= runLarge();
  return finish(passed);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic that is one operator or one call in the source and many
// instructions on the GPU; and halves, two to a register.
#include "../check.h"

// A position in a field of three dimensions, by numbers that only the launch
// knows.
__global__ void unravel(const unsigned *places, unsigned *x, unsigned *y,
                        unsigned *z, unsigned width, unsigned height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = places[i] / width;
  x[i] = places[i] % width;
  y[i] = row % height;
  z[i] = row / height;
}

// Length and direction: a root and divisions, of doubles.
__global__ void normalize(double2 *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double2 a = v[i];
  double length = sqrt(a.x * a.x + a.y * a.y);
  v[i] = make_double2(a.x / length, a.y / length);
}

// A random number: 64-bit products of 32-bit registers.
__global__ void advance(unsigned long long *states) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  states[i] = states[i] * 6364136223846793005ull + 1442695040888963407ull;
}

// Numbers of other types.
__global__ void quantize(const float *in, signed char *out, double scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = static_cast<signed char>(rint(in[i] * scale));
}

// y += a x, of pairs of halves.
__global__ void addScaledHalves(const unsigned *x, unsigned *y, unsigned a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum;
  asm("fma.rn.f16x2 %0, %1, %2, %3;"
      : "=r"(sum)
      : "r"(a), "r"(x[i]), "r"(y[i]));
  y[i] = sum;
}

// The same of pairs of bfloats, as cuda_bf16.h has it.
__global__ void addScaledBfloats(const unsigned *x, unsigned *y, unsigned a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;"
      : "=r"(sum)
      : "r"(a), "r"(x[i]), "r"(y[i]));
  y[i] = sum;
}

static bool runUnravel() {
  const unsigned n = 512, width = 13, height = 7;
  std::vector<unsigned> places(n), xs(n), ys(n), zs(n);
  for (unsigned i = 0; i < n; ++i) {
    places[i] = i * 3;
    xs[i] = places[i] % width;
    ys[i] = places[i] / width % height;
    zs[i] = places[i] / width / height;
  }
  DeviceArray<unsigned> in(places), x(n), y(n), z(n);
  unravel<<<4, 128>>>(in.get(), x.get(), y.get(), z.get(), width, height);
  CHECK_KERNEL();
  bool passed = compare("x", x.copyBack(), xs);
  passed &= compare("y", y.copyBack(), ys);
  return passed & compare("z", z.copyBack(), zs);
}

static bool runDoubles() {
  const int n = 512;
  std::vector<double> v = fill<double>(2 * n), expected(2 * n);
  for (int i = 0; i < n; ++i) {
    v[2 * i] += 1;
    double length =
        std::sqrt(v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]);
    expected[2 * i] = v[2 * i] / length;
    expected[2 * i + 1] = v[2 * i + 1] / length;
  }
  DeviceArray<double> device(v);
  normalize<<<4, 128>>>(reinterpret_cast<double2 *>(device.get()));
  CHECK_KERNEL();
  return compare("directions", device.copyBack(), expected, 1e-14);
}

static bool runStates() {
  const int n = 512;
  std::vector<unsigned long long> states(n), expected(n);
  for (int i = 0; i < n; ++i) {
    states[i] = 0x123456789abcdefull * i;
    expected[i] = states[i] * 6364136223846793005ull + 1442695040888963407ull;
  }
  DeviceArray<unsigned long long> device(states);
  advance<<<4, 128>>>(device.get());
  CHECK_KERNEL();
  return device.copyBack() == expected ||
         compare("states", device.copyBack(), expected);
}

static bool runCodes() {
  const int n = 512;
  std::vector<float> values = fill<float>(n);
  std::vector<signed char> codes(n);
  for (int i = 0; i < n; ++i)
    codes[i] = static_cast<signed char>(std::rint(values[i] * 100.0));
  DeviceArray<float> in(values);
  DeviceArray<signed char> out(n);
  quantize<<<4, 128>>>(in.get(), out.get(), 100);
  CHECK_KERNEL();
  return compare("codes", out.copyBack(), codes);
}

// \p numbers are 1, 2, 4 and 5 in 16 bits.
static bool runPairs(const char *name, const unsigned (&numbers)[4],
                     void (*kernel)(const unsigned *, unsigned *, unsigned)) {
  const int n = 512;
  std::vector<unsigned> x(n), y(n), expected(n);
  for (int i = 0; i < n; ++i) {
    x[i] = numbers[i % 2] | numbers[1] << 16;
    y[i] = numbers[0] << 16;
    expected[i] = numbers[i % 2 ? 2 : 1] | numbers[3] << 16;
  }
  DeviceArray<unsigned> deviceX(x), deviceY(y);
  kernel<<<4, 128>>>(deviceX.get(), deviceY.get(),
                     numbers[1] | numbers[1] << 16);
  CHECK_KERNEL();
  return compare(name, deviceY.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runUnravel();
  passed &= runDoubles();
  passed &= runStates();
  passed &= runCodes();
  passed &=
      runPairs("halves", {0x3c00, 0x4000, 0x4400, 0x4500}, addScaledHalves);
  passed &=
      runPairs("bfloats", {0x3f80, 0x4000, 0x4080, 0x40a0}, addScaledBfloats);
  return finish(passed);
}

// Where programs read their options, and what they hold if there are none.

// RUN: auspex predict %s --gpu A100-40GB 2>&1 | FileCheck %s

#include <cstdlib>
#include <cstring>
#include <utility>

template <int number> __global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= number;
}

static int argumentOf(int argc, char **argv, const char *name, int otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (!strcmp(argv[i], name))
      return atoi(argv[i + 1]);
  return otherwise;
}

static int width = 3 << 10, height = 5 << 10, depth = 7 << 10;
static void readDepth(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    depth = atoi(argv[i]);
}

struct Options {
  int n = 9 << 10, block = 128;
  Options() = default;
  Options(int argc, char **argv) {
    if (argc > 1)
      n = atoi(argv[1]);
  }
  void parse(int argc, char **argv) {
    for (int i = 1; i < argc; ++i)
      n = atoi(argv[i]);
  }
  void resize(int size) { n = size; }
};
static void parse(Options *options, int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    options->block = atoi(argv[i]);
}

struct Shape {
  int grid, block;
};
static std::pair<int, int> shapeOf(int n) { return {(n + 63) / 64, 64}; }

static std::pair<dim3, dim3> tilesOf(int n) {
  dim3 block(32, 2), grid(n / 128, 4);
  return std::make_pair(grid, block);
}

int main(int argc, char **argv) {
  float *x;
  cudaMalloc(&x, 1 << 20);

  // A loop of a function that returns from it.
  int n = argumentOf(argc, argv, "-n", 1 << 10);
  // CHECK-DAG: for scale<1> {{.*}} grid 4x1x1 and block 256x1x1 from the source, run without arguments
  scale<1><<<(n + 255) / 256, 256>>>(x, n);

  // Globals, that main and a function write.
  if (argc > 1)
    width = atoi(argv[1]);
  // CHECK-DAG: for scale<2> {{.*}} grid 12x1x1 and
  scale<2><<<width / 256, 256>>>(x, width);
  // CHECK-DAG: for scale<3> {{.*}} grid 20x1x1 and
  scale<3><<<height / 256, 256>>>(x, height);
  height = 6 << 10;
  // CHECK-DAG: for scale<4> {{.*}} grid 24x1x1 and
  scale<4><<<height / 256, 256>>>(x, height);
  readDepth(argc, argv);
  // CHECK-DAG: for scale<5> {{.*}} grid 28x1x1 and
  scale<5><<<depth / 256, 256>>>(x, depth);

  // Objects: by a constructor, a method and through a pointer.
  Options made(argc, argv), parsed, given, resized;
  parsed.parse(argc, argv);
  parse(&given, argc, argv);
  // CHECK-DAG: for scale<6> {{.*}} grid 72x1x1 and block 128x1x1
  scale<6><<<made.n / made.block, made.block>>>(x, made.n);
  // CHECK-DAG: for scale<7> {{.*}} grid 72x1x1 and block 128x1x1
  scale<7><<<parsed.n / parsed.block, parsed.block>>>(x, parsed.n);
  // CHECK-DAG: for scale<8> {{.*}} grid 72x1x1 and block 128x1x1
  scale<8><<<given.n / given.block, given.block>>>(x, given.n);
  resized.resize(1 << 10);
  // CHECK-DAG: for scale<9> {{.*}} grid 8x1x1 and block 128x1x1
  scale<9><<<resized.n / resized.block, resized.block>>>(x, resized.n);

  // Structured bindings.
  Shape shape{40, 96};
  auto [grid, block] = shape;
  // CHECK-DAG: for scale<10> {{.*}} grid 40x1x1 and block 96x1x1
  scale<10><<<grid, block>>>(x, 1 << 10);
  auto [first, second] = shapeOf(1 << 10);
  // CHECK-DAG: for scale<11> {{.*}} grid 16x1x1 and block 64x1x1
  scale<11><<<first, second>>>(x, 1 << 10);
  auto [tiles, threads] = tilesOf(1 << 10);
  // CHECK-DAG: for scale<12> {{.*}} grid 8x4x1 and block 32x2x1
  scale<12><<<tiles, threads>>>(x, 1 << 10);
}

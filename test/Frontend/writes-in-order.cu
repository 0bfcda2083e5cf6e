// Globals and variables of the GPU that several places write: what counts is
// what ran last before the launch.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s --implicit-check-not=launch

__constant__ int n, m, late, never, lazy, rounds, past, half, wrapped = 7, sum;
struct Sizes {
  int width, height;
};
__constant__ Sizes sizes;
__constant__ int pair[2];

__global__ void k(int id) { pair[0] = n + m + late + never + lazy; }
__global__ void loops(int id) { pair[0] = rounds + past + sizes.width; }
__global__ void parts(int id) { pair[0] = half + wrapped + pair[1] + sum; }

static Sizes global;
static int steps;

static void set(int value) { cudaMemcpyToSymbol(m, &value, sizeof(int)); }
static void setAll(const Sizes &from) {
  cudaMemcpyToSymbol(sizes, &from, sizeof(Sizes));
}
static void neverCalled() {
  int value = 5;
  cudaMemcpyToSymbol(never, &value, sizeof(int));
}
template <typename T> static void wrap(const T &symbol, T value) {
  cudaMemcpyToSymbol(symbol, &value, sizeof(T));
}
template <int N> static void instance() {
  int value = N;
  cudaMemcpyToSymbol(sum, &value, sizeof(int));
}

// What a pointer leads to, as the CUDA samples set their parameters.
struct Parameters {
  int cells;
  float radius;
};
__constant__ Parameters parameters;
__global__ void step(int id) { pair[0] = parameters.cells; }
void setParameters(Parameters *host) {
  cudaMemcpyToSymbol(parameters, host, sizeof(Parameters));
}
static void simulate(int cells) {
  Parameters host = {cells, 0.5f};
  setParameters(&host);
  // CHECK: launch _Z4stepi: grid 64x1x1, block 64x1x1, shared 0, @parameters.0=4096, arg0=5, @parameters.4=0.5 (source)
  step<<<cells / 64, 64>>>(5);
}

int main(int argc, char **) {
  simulate(4096);
  int value = 10;
  cudaMemcpyToSymbol(n, &value, sizeof(int));
  set(20);
  if (argc > 3)
    cudaMemcpyToSymbol(lazy, &value, sizeof(int));
  // CHECK: launch _Z1ki: grid 1x1x1, block 32x1x1, shared 0, @m.0=20, @n.0=10, arg0=1 (source)
  k<<<1, 32>>>(1);
  int other = 11;
  if (cudaMemcpyToSymbol(n, &other, sizeof(int)) != cudaSuccess)
    return 1;
  set(21);
  cudaMemcpyToSymbol(late, &value, sizeof(int));
  // CHECK: launch _Z1ki: grid 1x1x1, block 32x1x1, shared 0, @late.0=10, @m.0=21, @n.0=11, arg0=2 (source)
  k<<<1, 32>>>(2);

  // In each round what it copies before; what it copies behind, or copied in
  // the rounds of another loop, is open.
  global.width = 640;
  global.height = 480;
  setAll(global);
  for (int i = 0; i < 3; ++i)
    cudaMemcpyToSymbol(past, &i, sizeof(int));
  // CHECK: launch _Z5loopsi: grid 640x1x1, block 32x1x1, shared 0, @rounds.0=4, @sizes.0=640, @sizes.4=480, arg0=4 (source)
  // CHECK: launch _Z5loopsi: grid 640x1x1, block 32x1x1, shared 0, @rounds.0=8, @sizes.0=640, @sizes.4=480, arg0=8 (source)
  for (int i = 4; i <= 8; i *= 2) {
    cudaMemcpyToSymbol(rounds, &i, sizeof(int));
    loops<<<global.width, 32>>>(i);
  }

  // Half of a variable, one through a reference, which are open, and
  // instances of a template.
  int values[2] = {1, 2};
  cudaMemcpyToSymbol(pair, values, sizeof(int));
  cudaMemcpyToSymbol(half, &value, 2);
  wrap(wrapped, 9);
  instance<1>();
  instance<2>();
  // CHECK: launch _Z5partsi: grid 9x1x1, block 32x1x1, shared 0, @sum.0=2, arg0=3 (source)
  steps = 9;
  parts<<<steps, 32>>>(3);
  steps = 10;
}

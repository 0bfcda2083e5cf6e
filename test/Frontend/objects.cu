// Sizes in objects: from what constructors, methods and functions leave in them.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s --implicit-check-not=launch

#include <vector>

__global__ void k(float *x, int n) {}
void fill(float *begin, float *end);

struct Image {
  int width = 640, height = 480;
  int size() const { return width * height; }
  int blocks(int threads) const { return (size() + threads - 1) / threads; }
  void scale(int factor) { width *= factor; }
  int swaps() { return width = height; }
};
// CHECK: launch _Z1kPfi: grid 1200x1x1, block 256x1x1, shared 0, arg1=307200 (source)
void methods(float *x) {
  Image image;
  k<<<image.blocks(256), 256>>>(x, image.size());
}
// What a method may write is not known; the rest is.
// CHECK: launch _Z1kPfi: grid unknown, block 32x1x1, shared 0, arg1=480 (source)
void scaled(float *x) {
  Image image;
  image.scale(2);
  k<<<image.width, 32>>>(x, image.height);
}
// CHECK: launch _Z1kPfi: grid unknown, block 64x1x1, shared 0, arg1=480 (source)
void swapped(float *x) {
  Image image;
  image.swaps();
  k<<<image.width, 64>>>(x, image.height);
}

struct Options {
  int n, threads;
  bool isFast;
};
Options parse(int count) {
  Options options;
  options.n = 1 << 20;
  options.threads = 128;
  options.isFast = true;
  if (count > 3)
    options.threads = 512;
  return options;
}
Options other(bool isLarge) {
  if (isLarge)
    return {1 << 20, 256, false};
  return {1 << 10, 64, false};
}
// CHECK: launch _Z1kPfi: grid 8192x1x1, block 128x1x1, shared 0, {{.*}} arg1=1048576 (source)
// CHECK: launch _Z1kPfi: grid 16x1x1, block 64x1x1, shared 0, {{.*}} arg1=1024 (source)
void returned(float *x) {
  Options options = parse(1);
  k<<<options.n / options.threads, options.threads>>>(x, options.n);
  const Options small = other(false);
  k<<<small.n / small.threads, small.threads>>>(x, small.n);
}
// Members that branches write.
// CHECK: launch _Z1kPfi: grid 3x1x1, block 128x1x1, shared 0,{{.*}} arg1=3 (source)
void branches(float *x) {
  Options options = {1, 32, true};
  options.n = 7;
  if (options.isFast) {
    options.n = 3;
    options.threads *= 4;
  }
  k<<<options.n, options.threads>>>(x, options.n);
}

// Members of members.
struct Setup {
  Options options;
  dim3 grid;
};
// CHECK: launch _Z1kPfi: grid 5x2x1, block 64x1x1, shared 0, arg1=8 (source)
// CHECK: launch _Z1kPfi: grid 5x3x1, block 64x1x1, shared 0, arg1=1 (source)
// CHECK: launch _Z1kPfi: grid 5x1x1, block unknown, shared 0 (source)
void change(int &);
void nested(float *x) {
  Setup setup;
  setup.options = {6, 32, true};
  setup.options.n += 2;
  setup.options.threads = 64;
  setup.grid = dim3(5, 2);
  k<<<setup.grid, setup.options.threads>>>(x, setup.options.n);
  setup.grid.y = 3;
  k<<<setup.grid, setup.options.threads>>>(x, setup.options.isFast);
  Setup changed;
  changed.options = {6, 32, true};
  change(changed.options.threads);
  k<<<5, changed.options.threads>>>(x, changed.options.n);
}

// How many elements containers have.
// CHECK: launch _Z1kPfi: grid 11x1x1, block 96x1x1, shared 0,{{.*}} arg1=11 (source)
// CHECK: launch _Z1kPfi: grid 70x1x1, block 32x1x1, shared 0,{{.*}} arg1=70 (source)
// CHECK: launch _Z1kPfi: grid 3x1x1, block 32x1x1, shared 0,{{.*}} arg1=3 (source)
// CHECK: launch _Z1kPfi: grid unknown, block 64x1x1, shared 0{{.*}} (source)
// CHECK: launch _Z1kPfi: grid unknown, block 128x1x1, shared 0{{.*}} (source)
void grow(std::vector<float> &);
int count(const std::vector<float> &values) { return values.size(); }
void containers(float *x) {
  std::vector<float> values(11);
  for (float &value : values)
    value = 2;
  for (int i = 0; i < values.size(); ++i)
    values[i] = i;
  fill(values.data(), &values[1]);
  k<<<values.size(), 96>>>(x, values.size());
  values.resize(70);
  k<<<values.size(), 32>>>(x, count(values));
  std::vector<int> list = {1, 2, 3};
  list[0] = 5;
  k<<<list.size(), 32>>>(x, list.size());
  values.push_back(1);
  k<<<values.size(), 64>>>(x, values.size());
  std::vector<float> others(5);
  grow(others);
  k<<<others.size(), 128>>>(x, others.size());
}

// What functions write through references.
int nextPow2(int x) {
  --x;
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  return ++x;
}
void chooseSizes(int n, int most, int &blocks, int &threads) {
  threads = n < most * 2 ? nextPow2((n + 1) / 2) : most;
  blocks = (n + threads * 2 - 1) / (threads * 2);
  if (blocks > 64)
    blocks = 64;
}
// CHECK: launch _Z1kPfi: grid 64x1x1, block 256x1x1, shared 0, arg1=200000 (source)
// CHECK: launch _Z1kPfi: grid 1x1x1, block 64x1x1, shared 0, arg1=100 (source)
void references(float *x) {
  int blocks = 0, threads = 0;
  chooseSizes(200000, 256, blocks, threads);
  k<<<blocks, threads>>>(x, 200000);
  chooseSizes(100, 256, blocks, threads);
  k<<<blocks, threads>>>(x, 100);
}
void setThreads(Options &options, int threads) {
  options.threads = threads;
  if (threads > 1000)
    return;
  options.n = 5;
}
void setAll(Options &options) { options = {9, 96, false}; }
int *kept;
void keep(int &n) { kept = &n; }
// Not to the end, twice the same, and given away.
// CHECK: launch _Z1kPfi: grid unknown, block unknown, shared 0, grid by arguments [arg1] [1] [1] (source)
// CHECK: launch _Z1kPfi: grid unknown, block 128x1x1, shared 0, grid by arguments [arg1] [1] [1] (source)
// CHECK: launch _Z1kPfi: grid 9x1x1, block 96x1x1, shared 0, {{.*}} arg1=9 (source)
// CHECK: launch _Z1kPfi: grid unknown, block 32x1x1, shared 0, grid by arguments [arg1] [1] [1] (source)
void unknownReferences(float *x) {
  Options options = {1, 32, true};
  setThreads(options, 64);
  k<<<options.n, options.threads>>>(x, options.n);
  int same = 1;
  chooseSizes(1000, 128, same, same);
  k<<<same, 128>>>(x, same);
  Options all;
  setAll(all);
  k<<<all.n, all.threads>>>(x, all.n);
  int n = 1;
  keep(n);
  n = 2;
  k<<<n, 32>>>(x, n);
}

// Objects that launch.
class Solver {
public:
  Solver(int n, int threads) : n(n), grid((n + threads - 1) / threads) {
    block = dim3(threads);
    void *address = nullptr;
    cudaMalloc(&address, n * sizeof(float));
    data = (float *)address;
    steps = 10;
  }
  void step() { launch(1); }
  void halve() {
    n /= 2;
    launch(2);
  }

private:
  int n, steps;
  float *data;
  dim3 grid, block;
  void launch(int factor) { k<<<grid, block>>>(data, factor * n); }
};
// CHECK: launch _Z1kPfi: grid 2048x1x1, block 256x1x1, shared 0, arg1=524288, *arg0 of 2097152 B (source)
// CHECK: launch _Z1kPfi: grid 50x1x1, block 64x1x1, shared 0, *arg0 of 12800 B (source)
// CHECK: launch _Z1kPfi: grid 79x1x1, block 128x1x1, shared 0, *arg0 of 40000 B (source)
void solve() {
  Solver large(1 << 19, 256);
  large.step();
  Solver shrinking(10000, 128);
  shrinking.halve();
  Solver small(50 * 64, 64);
  small.halve();
  small.step();
}
struct Base {
  int count;
  Base(int count) : count(count) {}
};
struct Derived : Base {
  int threads;
  Derived(int blocks) : Base(blocks * 2), threads(64) {}
};
// CHECK: launch _Z1kPfi: grid 14x1x1, block 64x1x1, shared 0, {{.*}} arg1=14 (source)
void derived(float *x) {
  Derived object(7);
  k<<<object.count, object.threads>>>(x, object.count);
}

// A copy of what a constructor is given by value.
class Worker {
public:
  explicit Worker(Options given) : options(given) {}
  // CHECK: launch _Z1kPfi: grid 21x1x1, block 64x1x1, shared 0, arg1=21 (source)
  void run(float *x) { k<<<options.n, options.threads>>>(x, options.n); }

private:
  Options options;
};
void work(float *x) {
  Options options = {21, 64, false};
  Worker worker(options);
  worker.run(x);
}

// What is written through the address of a member may go on to the next.
// CHECK: launch _Z1kPfi: grid unknown, block 97x1x1, shared 0 (source)
void overwritten(float *x, const int *from) {
  Options options = {22, 64, false};
  cudaMemcpy(&options.n, from, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  k<<<options.n, 97>>>(x, options.threads);
}

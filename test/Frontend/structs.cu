// Members of structs that are arguments: from the braces, the assignments or the
// constructor that gave the struct its value. The symbols hold their bytes.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

struct Size { int nx, ny; };
struct Grid { float *data; Size size; short steps[2]; bool wraps; };
__global__ void k(float *x, Grid grid) {}
// CHECK: launch _Z1kPf4Grid: grid 1x1x1, block 32x1x1, shared 0, arg1.12=6, arg1.16=2, arg1.18=1, arg1.20=1, arg1.8=4 (source)
void braces(float *x) { k<<<1, 32>>>(x, {x, {4, 6}, {2, 1}, true}); }
// Variables in braces are only read there.
// CHECK: launch _Z1kPf4Grid: grid 5x1x1, block 64x1x1, shared 0, arg1.12=6, arg1.20=1, arg1.8=64 (source)
void variables(float *x) {
  int n = 64;
  bool wraps = true;
  Grid grid = {x, {n, 6}, {}, wraps};
  k<<<5, n>>>(x, grid);
}
// CHECK: launch _Z1kPf4Grid: grid 2x1x1, block 32x1x1, shared 0, arg1.12=6, arg1.20=0, arg1.8=4 (source)
void assigned(float *x, Size other) {
  Grid grid;
  grid.data = x;
  grid.size = other;
  grid.size = Size{4, 6};
  grid.wraps = false;
  grid.steps[0] = 2;
  Grid copy = grid;
  k<<<2, 32>>>(x, copy);
}
// The address of one member says nothing about the others.
// CHECK: launch _Z1kPf4Grid: grid 4x1x1, block 32x1x1, shared 0, arg1.20=1 (source)
void fill(float *&, Size *);
void members(float *x) {
  Grid grid;
  grid.wraps = true;
  grid.size = {1, 2};
  fill(grid.data, &grid.size);
  k<<<4, 32>>>(x, grid);
}
// Nothing is known of what others may have written.
// CHECK: launch _Z1kPf4Grid: grid 3x1x1, block 32x1x1, shared 0 (source)
void fill(Grid &);
void elsewhere(float *x) {
  Grid grid = {x, {4, 6}};
  fill(grid);
  k<<<3, 32>>>(x, grid);
}

class View {
public:
  View(float *data, int length) : data(data), length(length) {}
  View(float *data) : data(data), length(8) { stride = 2; }
  View(int count) : length(count) {
    if (count > 4)
      stride = 3;
  }

private:
  float *data;
  int length;
  int stride = 1;
};
__global__ void l(View view) {}
// CHECK: launch _Z1l4View: grid 1x1x1, block 32x1x1, shared 0, arg0.12=1, arg0.8=100 (source)
void constructed(float *x) {
  int length = 100;
  View view(x, length);
  l<<<1, 32>>>(view);
}
// A body may do more than assign members.
// CHECK: launch _Z1l4View: grid 2x1x1, block 32x1x1, shared 0, arg0.12=2, arg0.8=8 (source)
void withBody(float *x) { l<<<2, 32>>>(View(x)); }
// CHECK: launch _Z1l4View: grid 3x1x1, block 32x1x1, shared 0, arg0.8=5 (source)
void withBranch() { l<<<3, 32>>>(View(5)); }

// CHECK: launch _Z1mPf4int2: grid 1x1x1, block 32x1x1, shared 0, arg1.0=3, arg1.4=5 (source)
__global__ void m(float *x, int2 n) {}
void vector(float *x) { m<<<1, 32>>>(x, int2{3, 5}); }

// By their addresses.
// CHECK: launch _Z1mPf4int2: grid 2x1x1, block 32x1x1, shared 0, arg1.0=3, arg1.4=7 (source)
void addresses(float *x) {
  int2 n;
  n.x = 3;
  n.y = 7;
  void *arguments[] = {&x, &n};
  cudaLaunchKernel((void *)m, 2, 32, arguments, 0, 0);
}

// What a constructor computes of its parameters, for each object anew.
inline int blocksFor(int n, int threads) { return (n + threads - 1) / threads; }
struct Plan {
  dim3 grid, block;
  int shared;
  Plan(int n, int threads) : grid(blocksFor(n, threads)), block(threads) {
    shared = 4 * n / threads;
  }
};
// CHECK: launch _Z1mPf4int2: grid 8x1x1, block 128x1x1, shared 31 (source)
// CHECK: launch _Z1mPf4int2: grid 63x1x1, block 32x1x1, shared 250 (source)
void planned(float *x, int2 n) {
  Plan coarse(1000, 128), fine(2000, 32);
  m<<<coarse.grid, coarse.block, coarse.shared>>>(x, n);
  m<<<fine.grid, fine.block, fine.shared>>>(x, n);
}

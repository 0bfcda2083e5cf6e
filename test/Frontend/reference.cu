// A local bound to a reference that is not const is unknown, also as an argument;
// a reference to const does no harm unless const is cast away.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <utility>

__global__ void k(int n) {}
void change(int &n, dim3 &grid);
void look(const int &n, const dim3 &grid);

void bound() {
  int n = 64, m = 32;
  dim3 grid(8), block(4);
  change(n, grid);
  int &alias = m;
  alias = 7;
  unsigned &side = block.x;
  side = 9;
  // CHECK: grid unknown, block unknown, shared unknown (source) at
  k<<<grid, n, m>>>(alias);
  // CHECK: grid 1x1x1, block unknown, shared 0 (source)
  k<<<1, block>>>(side);
}

void swapped() {
  int a = 1, b = 2;
  std::swap(a, b);
  // CHECK: grid 2x1x1, block 1x1x1, shared 0, grid by arguments [arg0] [1] [1], arg0=2 (source)
  k<<<a, b>>>(a);
}

void constant() {
  int n = 64;
  dim3 grid(8);
  look(n, grid);
  // CHECK: grid 8x1x1, block 64x1x1, shared 0, arg0=64 (source)
  k<<<grid, n>>>(n);
}

void castAway() {
  int n = 64;
  const int &alias = n;
  const_cast<int &>(alias) = 128;
  // CHECK: grid 3x1x1, block unknown, shared 0 (source)
  k<<<3, n>>>(n);
}

// Whoever has a pointer has taken an address.
void castPointer(const float *data) {
  dim3 grid(3), block(48);
  void *untyped = (void *)data;
  // CHECK: grid 3x1x1, block 48x1x1, shared 0, arg0=5 (source)
  k<<<grid, block>>>(5);
}

// Of a copy nobody else hears.
static void runBoth(const int &written, const int &read) {
  *(char *)&written = 128;
  const int copy = read;
  // CHECK: grid 7x1x1, block 32x1x1, shared 0 (source)
  k<<<7, copy>>>(written);
}
void castAwayFromOne() { runBoth(64, 32); }

void castAwayInC() {
  int n = 64;
  const int &alias = n;
  *(int *)&alias = 128;
  // CHECK: grid 4x1x1, block unknown, shared 0 (source)
  k<<<4, n>>>(n);
}

void temporary() {
  int &&n = 64;
  n = 128;
  const int &m = 32;
  // CHECK: grid 1x1x1, block unknown, shared 0, arg0=32 (source)
  k<<<1, n>>>(m);
}

// What a function of this file does with a reference is seen.
template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, dim3 grid, int block, Arguments &&...arguments) {
  // CHECK: launch _Z1ki: grid 32x1x1, block 32x1x1, shared 0, arg0=1000 (source)
  // CHECK-NEXT: launch _Z1ki: grid 4x1x1, block 256x1x1, shared 0, arg0=1000
  kernel<<<grid, block>>>(std::forward<Arguments>(arguments)...);
}
static void increment(int &n) { ++n; }
static void pass(int &n) { increment(n); }
static void show(int &n) { (void)(n > 2); }
void forwarded() {
  int n = 1000, block = 32;
  launch(k, (n + block - 1) / block, block, n);
  launch(k, (n + 255) / 256, 256, n);
  show(n);
  // CHECK-NEXT: grid 5x1x1, block 32x1x1, shared 0, arg0=1000 (source)
  k<<<5, 32>>>(n);
  pass(n);
  // CHECK-NEXT: grid 6x1x1, block 32x1x1, shared 0, arg0=1001 (source)
  k<<<6, 32>>>(n);
}

// A step that is given away is more than a step.
void keep(int &n);
void stepped() {
  int n = 1, m = 1;
  keep(++n);
  n = 2;
  m += 1;
  m = 2;
  // CHECK-NEXT: grid 14x1x1, block 32x1x1, shared 0 (source)
  k<<<14, 32>>>(n);
  // CHECK-NEXT: grid 15x1x1, block 32x1x1, shared 0, arg0=2 (source)
  k<<<15, 32>>>(m);
}

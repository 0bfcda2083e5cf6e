// Parameters of host functions have the values of the calls in the file: each
// way to a launch is one.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}
__global__ void other(int n) {}
using Kernel = void (*)(int);

static void twice(Kernel kernel, int n, int block) {
  // CHECK: launch _Z1ki: grid 4x1x1, block 64x1x1, shared 0, arg0=1000 (source)
  // CHECK-NEXT: launch _Z1ki: grid 4x1x1, block 128x1x1, shared 0, {{.*}}arg0=1000
  kernel<<<4, block>>>(n);
}

// Another file may call it too.
void visible(int n) {
  // CHECK-NEXT: launch _Z1ki: grid 5x1x1, block 32x1x1, shared 0, arg0=1 (source)
  k<<<5, 32>>>(n);
}

// So may whoever gets its address.
static void pointedTo(int n) {
  // CHECK-NEXT: launch _Z1ki: grid 6x1x1, block 32x1x1, shared 0, arg0=1 (source)
  k<<<6, 32>>>(n);
}
void (*const pointer)(int) = pointedTo;

static void changed(int n) {
  // CHECK-NEXT: launch _Z1ki: grid 7x1x1, block 32x1x1, shared 0, arg0=1 (source)
  k<<<7, 32>>>(n);
  n += 1;
  // CHECK-NEXT: launch _Z1ki: grid 7x1x1, block 64x1x1, shared 0, arg0=2 (source)
  k<<<7, 64>>>(n);
  n = 8;
  // CHECK-NEXT: launch _Z1ki: grid 7x1x1, block 96x1x1, shared 0, arg0=8 (source)
  k<<<7, 96>>>(n);
}

struct Sizes {
  int n, block;
};
static void byStructure(Sizes sizes) {
  // CHECK-NEXT: launch _Z1ki: grid 12x1x1, block 64x1x1, shared 0, arg0=1000 (source)
  k<<<12, sizes.block>>>(sizes.n);
}
static void byReference(const Sizes &sizes) {
  // CHECK-NEXT: launch _Z1ki: grid 13x1x1, block 64x1x1, shared 0, arg0=1000 (source)
  k<<<13, sizes.block>>>(sizes.n);
}

static void recursive(int n, int depth) {
  if (depth > 0)
    recursive(n, depth - 1);
  // CHECK-NEXT: launch _Z1ki: grid 9x1x1, block 32x1x1, shared 0 (source)
  k<<<9, 32>>>(n);
}

// Each instance has its own callers.
template <typename F> void generic(F kernel, int n) {
  // CHECK: launch _Z1ki: grid 10x1x1, block 32x1x1, shared 0, arg0=20 (source)
  kernel<<<10, 32>>>(n);
}

static void either(Kernel kernel) {
  // CHECK-NEXT: launch _Z1ki: grid 8x1x1, block 32x1x1, shared 0, arg0=3 (source)
  // CHECK-NEXT: launch _Z5otheri: grid 8x1x1, block 32x1x1, shared 0, arg0=3
  kernel<<<8, 32>>>(3);
}

// A way of several calls. What one of them knows nothing of is not listed
// beside what another knows.
static int blocksFor(int n, int block) { return (n + block - 1) / block; }
static void deepest(int n, int block) {
  // CHECK-NEXT: launch _Z1ki: grid 8x1x1, block 128x1x1, shared 0, {{.*}}arg0=1000
  // CHECK-NEXT: launch _Z1ki: grid 4x1x1, block 256x1x1, shared 0, {{.*}}arg0=1000
  k<<<blocksFor(n, block), block>>>(n);
}
void choose(int kind, int n, int block) {
  switch (kind) {
  case 1:
    return deepest(n, block);
  }
}
struct Runner {
  void run(int n) {
    // CHECK-NEXT: launch _Z1ki: grid 11x1x1, block 32x1x1, shared 0, arg0=7
    k<<<11, 32>>>(n);
  }
};

static void nobodyKnows(Kernel kernel) {
  // CHECK-NEXT: launch of an unknown kernel at {{.*}}:[[#@LINE+1]]:3
  kernel<<<8, 32>>>(3);
}

void run(int kind, int n, Kernel any) {
  twice(k, 1000, 64);
  twice(&k, 500 * 2, 128);
  visible(1);
  pointedTo(1);
  changed(1);
  Sizes sizes = {1000, 64};
  byStructure(sizes);
  byReference(sizes);
  either(k);
  either(other);
  recursive(1, 2);
  generic(k, 20);
  choose(kind, 1000, 128);
  choose(kind, n, 256);
  choose(kind, 1000, 256);
  Runner().run(7);
  nobodyKnows(any);
}

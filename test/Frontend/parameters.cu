// Parameters of host functions: known where all callers are, and give the same.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}
__global__ void other(int n) {}
using Kernel = void (*)(int);

static void same(Kernel kernel, int n, int block) {
  // CHECK: launch _Z1ki: grid 4x1x1, block unknown, shared 0, arg0=1000 (source)
  kernel<<<4, block>>>(n);
}

// Another file may call it.
void visible(int n) {
  // CHECK: launch _Z1ki: grid 5x1x1, block 32x1x1, shared 0 (source)
  k<<<5, 32>>>(n);
}

// So may whoever gets its address.
static void pointedTo(int n) {
  // CHECK: launch _Z1ki: grid 6x1x1, block 32x1x1, shared 0 (source)
  k<<<6, 32>>>(n);
}
void (*const pointer)(int) = pointedTo;

static void changed(int n) {
  n += 1;
  // CHECK: launch _Z1ki: grid 7x1x1, block 32x1x1, shared 0 (source)
  k<<<7, 32>>>(n);
}

static void recursive(int n, int depth) {
  if (depth > 0)
    recursive(n, depth - 1);
  // CHECK: launch _Z1ki: grid 9x1x1, block 32x1x1, shared 0 (source)
  k<<<9, 32>>>(n);
}

// Each instance has its own callers.
template <typename F> void generic(F kernel, int n) {
  // CHECK: launch _Z1ki: grid 10x1x1, block 32x1x1, shared 0, arg0=20 (source)
  kernel<<<10, 32>>>(n);
}

static void either(Kernel kernel) {
  // CHECK: launch of an unknown kernel at {{.*}}:[[#@LINE+1]]:3
  kernel<<<8, 32>>>(3);
}

void run() {
  same(k, 1000, 64);
  same(&k, 500 * 2, 128);
  visible(1);
  pointedTo(1);
  changed(1);
  either(k);
  either(other);
  recursive(1, 2);
  generic(k, 20);
}

// A kernel in a list is one of several, and each is launched.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}
template <int N> __global__ void t(int n) {}

struct Bench {
  void (*kernel)(int);
  int block;
};
__global__ void other(int n) {}
void runAll() {
  Bench benches[] = {{k, 64}, {t<5>, 128}};
  // CHECK: launch _Z1ki: grid 2x1x1, block 64x1x1, shared 0, arg0=6 (source)
  // CHECK: launch _Z1tILi5EEvi: grid 2x1x1, block 128x1x1, shared 0, arg0=6 (source)
  for (const Bench &bench : benches)
    bench.kernel<<<2, bench.block>>>(6);
  void (*kernels[])(int) = {k, other};
  // CHECK: launch _Z1ki: grid 3x1x1, block 32x1x1, shared 0, arg0=7 (source)
  // CHECK: launch _Z5otheri: grid 3x1x1, block 32x1x1, shared 0, arg0=7 (source)
  for (int i = 0; i < 2; ++i)
    kernels[i]<<<3, 32>>>(7);
}

// A reference to a function cannot change.
template <class Kernel> void launch(Kernel &&kernel, int n) {
  kernel<<<4, n>>>(8);
}
void passOn() {
  // CHECK: launch _Z1ki: grid 4x1x1, block 256x1x1, shared 0, arg0=8 (source)
  // CHECK: launch _Z5otheri: grid 4x1x1, block 512x1x1, shared 0, arg0=8 (source)
  launch(k, 256);
  launch(other, 512);
}

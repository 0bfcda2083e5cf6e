// A write after the launch counts too: the launch may be in a loop.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void run(int times) {
  int n = 64;
  dim3 grid(8);
  while (times--) {
    // CHECK: grid unknown, block unknown, shared 0 (source)
    k<<<grid, n>>>(n);
    n = n / 2;
    grid.x *= 2;
  }
}

// Loop variables, and what is computed from them, are unknown.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <initializer_list>

__global__ void k(int n) {}

void run() {
  for (int i = 1; i < 4; ++i) {
    int twice = 2 * i;
    const dim3 grid(i, 2);
    // CHECK: grid unknown, block 2x1x1, shared unknown (source)
    k<<<grid, grid.y, twice>>>(i);
  }
  for (int size : {32, 64})
    // CHECK: grid 1x1x1, block unknown, shared 0 (source)
    k<<<1, size>>>(size);
  // What does not change in the loop is known in it.
  for (int i = 0; i < 4; ++i) {
    int fixed = 96;
    // CHECK: grid 1x1x1, block 96x1x1, shared 0 (source)
    k<<<1, fixed>>>(i);
  }
}

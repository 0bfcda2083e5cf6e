// dim3 by constructor, braces and conversion; copies; single members.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <algorithm>

__global__ void k(int n) {}
constexpr dim3 global(3, 2);

void run(int unknown) {
  dim3 grid(80, 2), block{16, 16};
  // CHECK: grid 80x2x1, block 16x16x1, shared 0, arg0=256 (source)
  k<<<grid, block>>>(block.x * block.y);
  const dim3 copy = grid;
  // CHECK: grid 80x2x1, block 4x5x6, shared 0, arg0=80 (source)
  k<<<copy, dim3{4, 5, 6}>>>(copy.x);
  dim3 one;
  dim3 converted = 64;
  // CHECK: grid 1x1x1, block 64x1x1
  k<<<one, converted>>>(0);
  uint3 members = {8, 9, 10};
  // CHECK: grid 8x9x10, block 3x2x1
  k<<<members, global>>>(1);
  // One unknown member makes the whole unknown, not the others.
  dim3 partly(unknown, 7);
  // CHECK: grid unknown, block 7x1x1
  k<<<partly, partly.y>>>(2);
  // CHECK: grid 80x2x1, block 32x1x1, shared 0, arg0=3 (source)
  k<<<one.x == 1 ? grid : one, std::min(32u, grid.x)>>>(3);
}

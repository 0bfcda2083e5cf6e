// The block that cudaOccupancyMaxPotentialBlockSize gives hangs on GPU and
// registers: a launch says that it is chosen, and for how many threads the grid
// is, to whole warps. A block that is something else than what is given stays unknown.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}
__global__ void other(int n) {}

void check(cudaError_t error);

void covers(int unknown) {
  int n = 1000, blocks, block;
  check(cudaOccupancyMaxPotentialBlockSize(&blocks, &block, k, 64, 512));
  int grid = (n + block - 1) / block;
  // CHECK: launch _Z1ki: grid unknown, block unknown, shared 64, chosen block of up to 512 threads with 64 B, for 1024 threads, arg0=1000 (source)
  k<<<grid, block, 64>>>(n);
  // CHECK: launch _Z1ki: grid unknown, block unknown, shared 0, chosen block of up to 512 threads with 64 B, for 0 threads, arg0=1 (source)
  k<<<blocks, block>>>(1);
  // CHECK: launch _Z1ki: grid 7x1x1, block unknown, shared 0, chosen block of up to 512 threads with 64 B, for unknown threads, arg0=2 (source)
  k<<<7, block>>>(2);
  // CHECK: launch _Z1ki: grid unknown, block unknown, shared 0, chosen block of up to 512 threads with 64 B, for unknown threads, arg0=3 (source)
  k<<<2 * blocks, block>>>(3);
  // The same but for how many threads.
  // CHECK: launch _Z1ki: grid unknown, block unknown, shared 0, chosen block of up to 512 threads with 64 B, for 0 threads, arg0=3 (source)
  k<<<blocks, block>>>(3);
  // CHECK: launch _Z1ki: grid unknown, block unknown, shared 0, chosen block of up to 512 threads with 64 B, for unknown threads, arg0=4 (source)
  k<<<(unknown + block - 1) / block, block>>>(4);
  // CHECK: launch _Z1ki: grid 8x1x1, block unknown, shared 0, arg0=5 (source)
  k<<<8, block / 2>>>(5);
  // CHECK: launch _Z5otheri: grid 9x1x1, block unknown, shared 0, arg0=6 (source)
  other<<<9, block>>>(6);
}

void again(int condition) {
  int blocks, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &block, k);
  if (condition)
    block = 64;
  // CHECK: launch _Z1ki: grid 10x1x1, block unknown, shared 0, arg0=7 (source)
  k<<<10, block>>>(7);
}

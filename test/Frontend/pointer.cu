// A local with its address taken is unknown: anything may write through it.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}
void choose(int *n, dim3 *grid);

void run() {
  int n = 64, m = 32, kept = 16;
  dim3 grid(8), block(4);
  choose(&n, &grid);
  int *p = &m;
  *p = 5;
  unsigned *side = &block.x;
  *side = 2;
  // CHECK: grid unknown, block unknown, shared unknown, arg0=16 (source)
  k<<<grid, n, m>>>(kept);
  // CHECK: grid 16x1x1, block unknown, shared 0
  k<<<kept, block>>>(n);
}

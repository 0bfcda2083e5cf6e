// An asm statement reads its inputs and writes its outputs.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void run() {
  int in = 64, out = 32, both = 16;
  asm volatile("# %0 %1 %2" : "=r"(out), "+r"(both) : "r"(in));
  // CHECK: grid 1x1x1, block 64x1x1, shared unknown (source)
  k<<<1, in, out>>>(both);
}

// An index that is not known picks from each list the same element.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <cstdlib>

__global__ void k(float *x, int nx, int ny) {}

int main(int argc, char **argv) {
  int which = atoi(argv[1]);
  const int widths[3] = {128, 1024, 8192}, heights[3] = {64, 2048, 16384};
  const int others[2] = {1, 2};
  float *x = nullptr;
  // CHECK: launch _Z1kPfii: grid 128x64x1
  // CHECK-NEXT: launch _Z1kPfii: grid 1024x2048x1
  // CHECK-NEXT: launch _Z1kPfii: grid 8192x16384x1
  k<<<dim3(widths[which - 1], heights[which - 1]), 32>>>(x, 0, 0);
  // The second of one and the first of the other, and so on.
  // CHECK-NEXT: launch _Z1kPfii: grid 128x1x1, block 64x1x1
  // CHECK-NEXT: launch _Z1kPfii: grid 1024x2x1, block 64x1x1
  k<<<dim3(widths[which], others[which]), 64>>>(x, 0, 0);
  // Another index is another choice.
  int other = atoi(argv[2]);
  // CHECK-NEXT: launch _Z1kPfii: grid 128x1x1, block 96x1x1
  // CHECK-NEXT: launch _Z1kPfii: grid 128x2x1, block 96x1x1
  k<<<dim3(widths[which], others[other]), 96>>>(x, 0, 0);
}

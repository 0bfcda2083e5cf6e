// Each value that a loop gives its variable is launched, of many three; a
// variable that something else writes too is unknown.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <initializer_list>

__global__ void k(int n) {}
void change(int &n);

void run(int most) {
  for (int i = 1; i < 3; ++i) {
    int twice = 2 * i;
    const dim3 grid(i, 2);
    // CHECK: grid 1x2x1, block 2x1x1, shared 2, {{.*}}arg0=1 (source)
    // CHECK-NEXT: grid 2x2x1, block 2x1x1, shared 4, {{.*}}arg0=2 (source)
    k<<<grid, grid.y, twice>>>(i);
  }
  for (int size : {32, 64})
    // CHECK-NEXT: grid 1x1x1, block 32x1x1, shared 0, arg0=32 (source)
    // CHECK-NEXT: grid 1x1x1, block 64x1x1, shared 0, arg0=64 (source)
    k<<<1, size>>>(size);
  int n;
  for (n = 1 << 10; n <= 1 << 12; n *= 2)
    // CHECK-NEXT: grid 4x1x1, block 256x1x1, shared 0, {{.*}}arg0=1024 (source)
    // CHECK-NEXT: grid 8x1x1, block 256x1x1, shared 0, {{.*}}arg0=2048 (source)
    // CHECK-NEXT: grid 16x1x1, block 256x1x1, shared 0, {{.*}}arg0=4096 (source)
    k<<<(n + 255) / 256, 256>>>(n);
  for (n = 96; n > 0; n -= 32)
    // CHECK-NEXT: grid 2x1x1, block 96x1x1, shared 0 (source)
    // CHECK-NEXT: grid 2x1x1, block 64x1x1, shared 0 (source)
    // CHECK-NEXT: grid 2x1x1, block 32x1x1, shared 0 (source)
    k<<<2, n>>>(most);
  n = 5;
  dim3 outside(n);
  for (n = 1; n <= 2; ++n)
    // CHECK-NEXT: grid 5x1x1, block 1x1x1, shared 0, arg0=1 (source)
    // CHECK-NEXT: grid 5x1x1, block 2x1x1, shared 0, arg0=2 (source)
    k<<<outside, n>>>(n);
  for (size_t down = 1; down < 2; --down)
    // CHECK-NEXT: grid 3x1x1, block 32x1x1, shared 0, arg0=1, L2 warm but for arg0 (source)
    // CHECK-NEXT: grid 3x1x1, block 32x1x1, shared 0, arg0=0, L2 warm but for arg0 (source)
    k<<<3, 32>>>(down);
  // The inner loop hangs on the outer one.
  for (unsigned size = 2; size <= 4; size <<= 1)
    for (unsigned stride = size / 2; stride > 0; stride = stride >> 1)
      // CHECK-NEXT: grid 2x1x1, block 1x1x1, shared 0
      // CHECK-NEXT: grid 4x1x1, block 2x1x1, shared 0
      // CHECK-NEXT: grid 4x1x1, block 1x1x1, shared 0
      k<<<size, stride>>>(most);
  // Of many the first, the middle and the last.
  for (int i = 0; i < 1000; ++i)
    // CHECK-NEXT: grid 5x1x1, block 32x1x1, shared 0, arg0=0, L2 warm but for arg0 (source)
    // CHECK-NEXT: grid 5x1x1, block 32x1x1, shared 0, arg0=500, L2 warm but for arg0 (source)
    // CHECK-NEXT: grid 5x1x1, block 32x1x1, shared 0, arg0=999, L2 warm but for arg0 (source)
    k<<<5, 32>>>(i);
  // Nobody knows how many, and not what the loop says.
  for (int i = 0; i < most; ++i)
    // CHECK-NEXT: grid 6x1x1, block 32x1x1, shared 0, L2 warm but for arg0 (source)
    k<<<6, 32>>>(i);
  for (int i = 0; i < 4; ++i) {
    change(i);
    // CHECK-NEXT: grid 7x1x1, block 32x1x1, shared 0 (source)
    k<<<7, 32>>>(i);
  }
  // What does not change in the loop is known in it.
  for (int i = 0; i < most; ++i) {
    int fixed = 96;
    // CHECK-NEXT: grid 1x1x1, block 96x1x1, shared 0, L2 warm but for arg0 (source)
    k<<<1, fixed>>>(i);
  }
}

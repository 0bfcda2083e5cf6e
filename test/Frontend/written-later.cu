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

void give(int &n);
void keep(int *n);

// What is given away may be written from then on.
void givenLater() {
  int n = 300, again = 400, before = 500;
  keep(&before);
  // CHECK: launch _Z1ki: grid 14x1x1, block 32x1x1, shared 0, arg0=300 (source)
  k<<<14, 32>>>(n);
  for (int i = 0; i < 2; ++i) {
    // CHECK-NEXT: launch _Z1ki: grid 15x1x1, block 32x1x1, shared 0 (source)
    k<<<15, 32>>>(again);
    give(again);
  }
  // CHECK-NEXT: launch _Z1ki: grid 16x1x1, block 32x1x1, shared 0 (source)
  k<<<16, 32>>>(before);
  give(n);
  // CHECK-NEXT: launch _Z1ki: grid 17x1x1, block 32x1x1, shared 0 (source)
  k<<<17, 32>>>(n);
}

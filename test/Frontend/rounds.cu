// A launch in a loop whose rounds are known, whatever they write, is one launch
// for each of them.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void launches(int unknown) {
  int left = 65536;
  while (left > 1) {
    int blocks = (left + 511) / 512;
    // CHECK: grid 128x1x1, block 32x1x1, shared 0, {{.*}}arg0=65536 (source)
    // CHECK-NEXT: grid 1x1x1, block 32x1x1, shared 0, {{.*}}arg0=128 (source)
    k<<<blocks, 32>>>(left);
    left = blocks;
  }
  int size = 64;
  do {
    size /= 2;
    // CHECK-NEXT: grid 32x1x1, block 33x1x1, shared 0, {{.*}}arg0=32 (source)
    // CHECK-NEXT: grid 16x1x1, block 33x1x1, shared 0, {{.*}}arg0=16 (source)
    k<<<size, 33>>>(size);
  } while (size > 16);

  // What else a counting loop writes belongs to the same round.
  int halved = 16;
  for (int i = 0; i < 3; ++i) {
    // CHECK-NEXT: grid 16x1x1, block 34x1x1, shared 0, arg0=0 (source)
    // CHECK-NEXT: grid 8x1x1, block 34x1x1, shared 0, arg0=1 (source)
    // CHECK-NEXT: grid 4x1x1, block 34x1x1, shared 0, arg0=2 (source)
    k<<<halved, 34>>>(i);
    halved /= 2;
  }

  // Loops in one another.
  for (int i = 0; i < 2; ++i) {
    int inner = 8 << i;
    while (inner > 4) {
      // CHECK-NEXT: grid 8x1x1, block 35x1x1, shared 0, arg0=0 (source)
      // CHECK-NEXT: grid 16x1x1, block 35x1x1, shared 0, arg0=1 (source)
      // CHECK-NEXT: grid 8x1x1, block 35x1x1, shared 0, arg0=1 (source)
      k<<<inner, 35>>>(i);
      inner /= 2;
    }
  }

  // Of many the first, the middle and the last; nobody knows of too many, or
  // how many.
  int step = 0;
  while (step < 1000) {
    // CHECK-NEXT: grid 1x1x1, block 36x1x1, shared 0, {{.*}}arg0=0 (source)
    // CHECK-NEXT: grid 501x1x1, block 36x1x1, shared 0, {{.*}}arg0=500 (source)
    // CHECK-NEXT: grid 1000x1x1, block 36x1x1, shared 0, {{.*}}arg0=999 (source)
    k<<<step + 1, 36>>>(step);
    ++step;
  }
  int more = 0;
  while (more < 2000) {
    // CHECK-NEXT: grid unknown, block 38x1x1, shared 0, {{.*}}
    k<<<more + 1, 38>>>(more);
    ++more;
  }
  int other = 100;
  while (other > unknown) {
    // CHECK-NEXT: grid unknown, block 37x1x1, shared 0, {{.*}}
    k<<<other, 37>>>(other);
    other /= 2;
  }
}

// A loop that steps one variable and carries others on; loops in one another
// whose bounds hang on each other, and more launches than are read one by one.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s --implicit-check-not=launch

__global__ void k(int n) {}

void halve() {
  int m = 1024;
  for (int step = 1; step <= 3; ++step) {
    m = m / 2;
    // CHECK: launch _Z1ki: grid 8x1x1, block 32x1x1, shared 0, {{.*}}arg0=512 (source)
    // CHECK-NEXT: launch _Z1ki: grid 4x1x1, block 32x1x1, shared 0, {{.*}}arg0=256 (source)
    // CHECK-NEXT: launch _Z1ki: grid 2x1x1, block 32x1x1, shared 0, {{.*}}arg0=128 (source)
    k<<<m / 64, 32>>>(m);
  }
  int left = 900;
  while (left > 0) {
    // CHECK-NEXT: launch _Z1ki: grid 900x1x1, block 33x1x1, shared 0, arg0=0 (source)
    // CHECK-NEXT: launch _Z1ki: grid 500x1x1, block 33x1x1, shared 0, arg0=0 (source)
    // CHECK-NEXT: launch _Z1ki: grid 100x1x1, block 33x1x1, shared 0, arg0=0 (source)
    k<<<left, 33>>>(0);
    left = left - 400;
  }
}

// Only the inner variable is asked for, and it begins with the outer one.
void sort() {
  for (int group = 2; group <= 8; group <<= 1)
    for (int distance = group >> 1; distance > 0; distance >>= 1)
      // CHECK-NEXT: launch _Z1ki: grid 1x1x1, block 34x1x1, shared 0, arg0=1, L2 warm but for arg0 (source)
      // CHECK-NEXT: launch _Z1ki: grid 1x1x1, block 34x1x1, shared 0, arg0=2, L2 warm but for arg0 (source)
      // CHECK-NEXT: launch _Z1ki: grid 1x1x1, block 34x1x1, shared 0, arg0=4, L2 warm but for arg0 (source)
      k<<<1, 34>>>(distance);
}

// 400 launches: 256 of them, with the first and the last.
void many() {
  for (int row = 0; row < 20; ++row)
    for (int column = 0; column < 20; ++column)
      // CHECK-NEXT: launch _Z1ki: grid 1x1x1, block 35x1x1, shared 0, arg0=0, L2 warm but for arg0 (source)
      // CHECK-NEXT: launch _Z1ki: grid 1x1x1, block 35x1x1, shared 0, arg0=1, L2 warm but for arg0 (source)
      // CHECK-COUNT-253: launch _Z1ki: grid 1x1x1, block 35x1x1
      // CHECK-NEXT: launch _Z1ki: grid 1x1x1, block 35x1x1, shared 0, arg0=1919, L2 warm but for arg0 (source)
      k<<<1, 35>>>(row * 100 + column);
}

// A list of lists that nobody writes, though it is not const, and a loop of many
// rounds that looks for the next multiple.
static int sizes[2][2] = {{100, 2}, {784, 960}};
void round() {
  for (int i = 0; i < 2; ++i) {
    int rows = sizes[i][0], block = sizes[i][1], padded = rows;
    while (padded % block != 0)
      padded++;
    // CHECK-NEXT: launch _Z1ki: grid 50x1x1, block 2x1x1, shared 0, arg0=100 (source)
    // CHECK-NEXT: launch _Z1ki: grid 1x1x1, block 960x1x1, shared 0, arg0=784 (source)
    k<<<padded / block, block>>>(rows);
  }
}

// In a loop over a list of sizes each of them is launched; of a list that may be
// written nothing is known.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}
__global__ void other(int n) {}
const int widths[] = {8, 16};
void fill(int *list);

static void launch(int n, int block) {
  // CHECK: launch _Z1ki: grid 32x1x1, block 32x1x1, shared 0, arg0=1000 (source)
  // CHECK-NEXT: launch _Z1ki: grid 8x1x1, block 128x1x1, shared 0, arg0=1000
  k<<<(n + block - 1) / block, block>>>(n);
}

void run() {
  int blocks[] = {32, 128};
  for (int i = 0; i < 2; ++i) {
    int block = blocks[i];
    launch(1000, block);
  }
  for (int i = 0; i < 2; ++i)
    // CHECK-NEXT: launch _Z5otheri: grid 1x1x1, block 8x1x1, shared 0, arg0=32
    // CHECK-NEXT: launch _Z5otheri: grid 1x1x1, block 16x1x1, shared 0, arg0=32
    other<<<1, widths[i]>>>(blocks[0]);
  for (int i = 0; i < 2; ++i)
    // CHECK-NEXT: launch _Z5otheri: grid 2x1x1, block 8x1x1, shared 0 (source)
    // CHECK-NEXT: launch _Z5otheri: grid 2x1x1, block 16x1x1, shared 0 (source)
    other<<<2, widths[i]>>>(i);
  int written[] = {32, 64};
  for (int i = 0; i < 2; ++i)
    // CHECK-NEXT: launch _Z5otheri: grid 3x1x1, block unknown, shared 0
    other<<<3, written[i]>>>(0);
  fill(written);
}

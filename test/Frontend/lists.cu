// In a loop over a list of sizes each of them is launched, and where loops are
// in one another each combination; of a list that may be written nothing is
// known.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <vector>

__global__ void k(int n) {}
__global__ void other(int n) {}
__global__ void two(int n, int m) {}
const int widths[] = {8, 16};
void fill(int *list);

static void launch(int n, int block) {
  // CHECK: launch _Z1ki: grid 32x1x1, block 32x1x1, shared 0, {{.*}}arg0=1000 (source)
  // CHECK-NEXT: launch _Z1ki: grid 8x1x1, block 128x1x1, shared 0, {{.*}}arg0=1000
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
    // CHECK-NEXT: launch _Z5otheri: grid 2x1x1, block 8x1x1, shared 0, arg0=32 (source)
    // CHECK-NEXT: launch _Z5otheri: grid 2x1x1, block 16x1x1, shared 0, arg0=128 (source)
    other<<<2, widths[i]>>>(blocks[i]);
  int written[] = {32, 64};
  for (int i = 0; i < 2; ++i) {
    // CHECK-NEXT: launch _Z5otheri: grid 3x1x1, block unknown, shared 0
    other<<<3, written[i]>>>(0);
    fill(written);
  }
}

void several(int number) {
  int sizes[] = {100, 200}, blocks[] = {32, 64};
  for (int i = 0; i < 2; ++i)
    for (int block : blocks)
      // CHECK-NEXT: launch _Z1ki: grid 4x1x1, block 32x1x1, shared 0, {{.*}}arg0=100
      // CHECK-NEXT: launch _Z1ki: grid 2x1x1, block 64x1x1, shared 0, {{.*}}arg0=100
      // CHECK-NEXT: launch _Z1ki: grid 7x1x1, block 32x1x1, shared 0, {{.*}}arg0=200
      // CHECK-NEXT: launch _Z1ki: grid 4x1x1, block 64x1x1, shared 0, {{.*}}arg0=200
      k<<<(sizes[i] + block - 1) / block, block>>>(sizes[i]);
  // How many of a list are used may be open, and so may be which.
  for (int i = 0; i < number; ++i)
    // CHECK-NEXT: launch _Z1ki: grid 5x1x1, block 32x1x1, shared 0 (source)
    // CHECK-NEXT: launch _Z1ki: grid 5x1x1, block 64x1x1, shared 0 (source)
    k<<<5, blocks[i]>>>(i);
}

void containers() {
  std::vector<int> sizes = {128, 256};
  const std::vector<int> factors{2, 3};
  for (int n : sizes)
    for (int factor : factors) {
      if (n == 256 && factor == 2)
        continue;
      // CHECK-NEXT: launch _Z3twoii: grid 128x1x1, block 32x1x1, shared 0, {{.*}}arg0=128, arg1=2
      // CHECK-NEXT: launch _Z3twoii: grid 128x1x1, block 32x1x1, shared 0, {{.*}}arg0=128, arg1=3
      // CHECK-NEXT: launch _Z3twoii: grid 256x1x1, block 32x1x1, shared 0, {{.*}}arg0=256, arg1=3
      two<<<n, 32>>>(n, factor);
    }
  for (size_t i = 0; i < sizes.size(); ++i)
    // CHECK-NEXT: launch _Z3twoii: grid 2x1x1, block 64x1x1, shared 0, arg0=128, arg1=3
    // CHECK-NEXT: launch _Z3twoii: grid 2x1x1, block 64x1x1, shared 0, arg0=256, arg1=3
    two<<<2, 64>>>(sizes[i], factors[1]);
  std::vector<int> grown = {1, 2};
  grown.push_back(3);
  for (int n : grown)
    // CHECK-NEXT: launch _Z3twoii: grid unknown, block 96x1x1, shared 0,
    two<<<n, 96>>>(1, 2);
}

struct Shape {
  int width, height;
};
void structures() {
  Shape shapes[] = {{1, 2}, {3, 4}};
  for (const Shape &shape : shapes)
    // CHECK-NEXT: launch _Z3twoii: grid 1x2x1, block 32x1x1, shared 0, {{.*}}arg0=1, arg1=2
    // CHECK-NEXT: launch _Z3twoii: grid 3x4x1, block 32x1x1, shared 0, {{.*}}arg0=3, arg1=4
    two<<<dim3(shape.width, shape.height), 32>>>(shape.width, shape.height);
  for (int i = 0; i < 2; ++i)
    // CHECK-NEXT: launch _Z3twoii: grid 9x1x1, block 32x1x1, shared 0, arg0=1, arg1=2
    // CHECK-NEXT: launch _Z3twoii: grid 9x1x1, block 32x1x1, shared 0, arg0=3, arg1=4
    two<<<9, 32>>>(shapes[i].width, shapes[i].height);
}

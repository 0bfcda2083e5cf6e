// Conditions of loops that step what they ask about.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

int main() {
  // CHECK: grid 3x1x1, block 32x1x1
  // CHECK-NEXT: grid 2x1x1, block 32x1x1
  // CHECK-NEXT: grid 1x1x1, block 32x1x1
  for (unsigned u = 3; u-- > 0;)
    k<<<u + 1, 32>>>(0);
  int n = 8;
  // CHECK-NEXT: grid 17x1x1, block 64x1x1
  // CHECK-NEXT: grid 16x1x1, block 64x1x1
  // CHECK-NEXT: grid 15x1x1, block 64x1x1
  while (n-- > 5)
    k<<<n + 10, 64>>>(0);
  // CHECK-NEXT: grid 4x1x1, block 96x1x1
  k<<<n, 96>>>(0);
  int m = 3;
  // CHECK-NEXT: grid 2x1x1, block 128x1x1
  // CHECK-NEXT: grid 1x1x1, block 128x1x1
  while (--m)
    k<<<m, 128>>>(0);
  // CHECK-NEXT: grid 7x1x1, block 160x1x1
  k<<<m + 7, 160>>>(0);
  int twos = 8;
  // CHECK-NEXT: grid unknown, block 192x1x1
  while (twos -= 2)
    k<<<twos, 192>>>(0);
}

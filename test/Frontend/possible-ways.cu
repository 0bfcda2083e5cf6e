// What a condition asks of a variable a loop may never come to, on one way to a
// function and not on the other: then nothing is launched there. Comparisons of
// real numbers say which way is taken.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

double pow(double base, double exponent);

__global__ void k(int n) {}

static void run(int id, int n) {
  if (id == 2)
    // CHECK: launch _Z1ki: grid 65536x1x1, block 256x1x1
    k<<<n / 256, 256>>>(n);
  switch (id) {
  case 1:
    // CHECK-NEXT: launch _Z1ki: grid 32768x1x1, block 512x1x1
    // CHECK-NEXT: launch _Z1ki: grid 8x1x1, block 512x1x1
    k<<<n / 512, 512>>>(n);
    break;
  case 3:
    // CHECK-NEXT: launch _Z1ki: grid 16384x1x1, block 1024x1x1
    k<<<n / 1024, 1024>>>(n);
  }
}

static void runAll(int count, int n) {
  for (int id = 0; id < count; ++id)
    run(id, n);
}

int main() {
  runAll(4, 1 << 24);
  runAll(2, 1 << 12);
  int n = 10000000;
  if (n <= pow(256, 2))
    k<<<1, 32>>>(n);
  else if (n <= pow(256, 3))
    // CHECK-NEXT: launch _Z1ki: grid 2x1x1, block 32x1x1
    k<<<2, 32>>>(n);
  if (n * 0.5 > 1e6)
    // CHECK-NEXT: launch _Z1ki: grid 3x1x1, block 32x1x1
    k<<<3, 32>>>(n);
  if (n * 0.5 != 5e6)
    k<<<4, 32>>>(n);
}

// CHECK-NOT: launch

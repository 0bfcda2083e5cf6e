// What functions keep in static variables: what they find once is known, what
// says whether something has been done has both its values in turn. Of those
// of the file, what a condition asks for is what it held there.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(float *p, int n) {}

static void findsOnce(float *p) {
  static int blocks;
  if (!blocks)
    blocks = 40;
  static int more = 0;
  if (more == 0)
    more = 41;
  // CHECK: grid 40x1x1, block 32x1x1
  k<<<blocks, 32>>>(p, 0);
  // CHECK-NEXT: grid 41x1x1, block 32x1x1
  k<<<more, 32>>>(p, 0);
}

static void does(float *p, int n) {
  static bool isDone = false;
  if (!isDone) {
    // CHECK-NEXT: grid 4x1x1, block 32x1x1
    k<<<n, 32>>>(p, 2);
    isDone = true;
  }
  // CHECK-NEXT: grid 4x1x1, block 64x1x1
  k<<<n, 64>>>(p, 3);
}

static void changes(float *p, int n) {
  static int next = 1;
  // CHECK-NEXT: grid unknown, block 96x1x1
  k<<<next, 96>>>(p, 0);
  next = 4;
  static int most = 0;
  if (n > most)
    most = 2 * n;
  // CHECK-NEXT: grid unknown, block 128x1x1
  k<<<most, 128>>>(p, 0);
}

static bool isPrepared = false;

static void prepare(float *p) {
  if (isPrepared)
    return;
  isPrepared = true;
  // CHECK-NEXT: grid 5x1x1, block 160x1x1
  k<<<5, 160>>>(p, 0);
}

static void end(float *p) {
  // CHECK-NOT: grid 6x1x1
  if (!isPrepared)
    k<<<6, 192>>>(p, 0);
}

int main() {
  float *p;
  cudaMalloc(&p, 4096);
  prepare(p);
  findsOnce(p);
  does(p, 4);
  changes(p, 8);
  changes(p, 16);
  end(p);
}

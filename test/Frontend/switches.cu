// What the ways through a switch write, and what functions return from them.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void naive(float *x) {}
__global__ void tiled(float *x) {}

enum class Kind { Naive, Tiled, Wide };

static int threadsOf(Kind kind) {
  switch (kind) {
  case Kind::Naive:
    return 64;
  case Kind::Tiled: {
    return 128;
  }
  default:
    return 512;
  }
}

// CHECK: launch _Z5naivePf: grid 16384x1x1, block 64x1x1, shared 0 (source)
// CHECK: launch _Z5tiledPf: grid 4096x1x1, block 256x1x1, shared 0 (source)
// CHECK: launch _Z5tiledPf: grid 1024x1x1, block 256x1x1, shared 0 (source)
static void byPointer(Kind kind, float *x, int n) {
  void (*kernel)(float *) = nullptr;
  int block = 32, times = 1;
  switch (kind) {
  case Kind::Naive:
    kernel = naive;
    block = 64;
    break;
  case Kind::Wide:
    times = 4; // and goes on
  case Kind::Tiled: {
    kernel = tiled;
    block = 256;
    break;
  }
  }
  kernel<<<n / block / times, block>>>(x);
}

// CHECK: launch _Z5naivePf: grid 16x1x1, block 64x1x1, shared 0 (source)
// CHECK: launch _Z5naivePf: grid 16x1x1, block 128x1x1, shared 0 (source)
// CHECK: launch _Z5naivePf: grid 16x1x1, block 512x1x1, shared 0 (source)
static void byFunction(Kind kind, float *x) {
  naive<<<16, threadsOf(kind)>>>(x);
}

// No label is the value's; the other value is not known.
// CHECK: launch _Z5tiledPf: grid 7x1x1, block 32x1x1, shared 0 (source)
// CHECK-NOT: block 32x1x1
static void byNumber(int number, float *x) {
  int grid = 7;
  switch (number) {
  case 1:
    grid = 8;
  }
  tiled<<<grid, 32>>>(x);
}

// A break within a way: whether control comes to what follows is not known.
// CHECK: launch _Z5tiledPf: grid unknown, block 64x1x1, shared 0 (source)
static void breaksWithin(int number, float *x) {
  int grid = 7;
  switch (number) {
  case 3:
    if (x)
      break;
    grid = 9;
  }
  tiled<<<grid, 64>>>(x);
}

int unknown();

void run(float *x) {
  Kind kinds[] = {Kind::Naive, Kind::Tiled, Kind::Wide};
  for (Kind kind : kinds) {
    byPointer(kind, x, 1 << 20);
    byFunction(kind, x);
  }
  byNumber(3, x);
  byNumber(unknown(), x);
  breaksWithin(3, x);
}

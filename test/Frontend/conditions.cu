// A launch is none where a condition around it, or in front of it, is known not
// to hold; what a condition says of a variable is known where it holds.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

template <int size> __global__ void k(int n) {}
constexpr bool Debug = false;

static void launch(int n, int threads) {
  dim3 block(threads);
  switch (threads) {
  case 512:
    // CHECK: launch _Z1kILi512EEvi: grid 1x1x1, block 512x1x1, shared 0, arg0=2
    k<512><<<1, block>>>(n);
    break;
  case 256:
    // CHECK-NEXT: launch _Z1kILi256EEvi: grid 1x1x1, block 256x1x1, shared 0, arg0=1
    // CHECK-NEXT: launch _Z1kILi256EEvi: grid 1x1x1, block 256x1x1, shared 0, arg0=2
    k<256><<<1, block>>>(n);
    return;
  case 128:
    Debug;
  case 64:
  case 32: {
    // CHECK-NEXT: launch _Z1kILi32EEvi: grid 128x1x1, block 1x1x1, shared 0, arg0=2
    // CHECK-NEXT: launch _Z1kILi32EEvi: grid 64x1x1, block 1x1x1, shared 0, arg0=2
    // CHECK-NEXT: launch _Z1kILi32EEvi: grid 32x1x1, block 1x1x1, shared 0, arg0=2
    k<32><<<threads, 1>>>(n);
    break;
  }
  default:
    // CHECK-NEXT: launch _Z1kILi1EEvi: grid 16x1x1, block 1x1x1, shared 0, arg0=2
    k<1><<<threads, 1>>>(n);
  }
}

void run() {
  launch(1, 256);
  for (int threads = 512; threads >= 16; threads /= 2)
    launch(2, threads);
}

void chosen(int n, int threads, int which) {
  if (which == 3)
    // CHECK: launch _Z1kILi2EEvi: grid 3x1x1, block 32x1x1, shared 0 (source)
    k<2><<<which, 32>>>(n);
  else
    // CHECK-NEXT: launch _Z1kILi3EEvi: grid unknown, block 32x1x1, shared 0 (source)
    k<3><<<which, 32>>>(n);
  dim3 block(threads);
  switch (threads) {
  case 64:
    // CHECK-NEXT: launch _Z1kILi64EEvi: grid 4x1x1, block 64x1x1, shared 0 (source)
    k<64><<<4, block>>>(n);
  }
  if (Debug)
    k<5><<<4, 32>>>(n);
  for (int size = 512; size <= 2048; size *= 2) {
    if (size > 1024 || which == 4)
      continue;
    // CHECK-NEXT: launch _Z1kILi6EEvi: grid 4x1x1, block 512x1x1, shared 0 (source)
    // CHECK-NEXT: launch _Z1kILi6EEvi: grid 4x1x1, block 1024x1x1, shared 0 (source)
    k<6><<<4, size>>>(n);
  }
}

[[noreturn]] void fail(const char *why);
void checked() {
  for (int n = 1; n < 4; ++n) {
    if (n > 2)
      fail("too many");
    if (n < 2) {
      exit(1);
    }
    // CHECK-NEXT: launch _Z1kILi7EEvi: grid 2x1x1, block 32x1x1, shared 0, grid by arguments [arg0] [1] [1], arg0=2 (source)
    k<7><<<n, 32>>>(n);
  }
}
// CHECK-NOT: {{^}}launch

// A lambda that only reads what it captures leaves it known, one that writes does
// not. Launches inside of lambdas are seen, in each instance of a generic one.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void run() {
  int read = 64, written = 32, copied = 16, incremented = 8;
  auto reads = [&] { return read; };
  auto writes = [&] { written = 5; };
  auto copies = [copied] { return copied; };
  auto increments = [&value = incremented]() mutable { ++value; };
  reads(), writes(), copies(), increments();
  // CHECK: grid 64x1x1, block 16x1x1, shared 0 (source)
  k<<<read, copied>>>(written);
  // CHECK: grid unknown, block unknown, shared 0 (source)
  k<<<written, incremented>>>(written);

  auto launch = [&] {
    // CHECK: grid 1x1x1, block 64x1x1, shared 0, arg0=16 (source)
    k<<<1, read>>>(copied);
  };
  launch();

  auto generic = [&](auto size) {
    // CHECK: grid 2x1x1, block 64x1x1, shared 4, arg0=1 (source)
    // CHECK: grid 2x1x1, block 64x1x1, shared 8, arg0=1 (source)
    k<<<2, read, sizeof(size)>>>(1);
  };
  generic(1.0f);
  generic(1.0);

  // Parameters of lambdas have the values of their calls.
  auto withParameters = [&](int n, int block) {
    // CHECK: launch _Z1ki: grid 8x1x1, block 128x1x1, shared 0, {{.*}}arg0=1000
    // CHECK-NEXT: launch _Z1ki: grid 4x1x1, block 256x1x1, shared 0, {{.*}}arg0=1000
    k<<<(n + block - 1) / block, block>>>(n);
  };
  withParameters(1000, 128);
  withParameters(1000, 256);
  auto genericWithParameters = [&](auto n, int block) {
    // CHECK-NEXT: launch _Z1ki: grid 5x1x1, block 32x1x1, shared 0, arg0=7
    k<<<5, block>>>(n);
  };
  genericWithParameters(7, 32);

  int writtenInGeneric = 4;
  auto writer = [&](auto value) { writtenInGeneric = value; };
  writer(1);
  // CHECK: grid 3x1x1, block unknown
  k<<<3, writtenInGeneric>>>(2);
}

// What is timed is launched on the ways to where it is written.
template <typename F> void timed(F launch) { launch(); }
void timedByPointer(void (*)());
static void launchTimed(int block) {
  // CHECK: launch _Z1ki: grid 6x1x1, block 64x1x1, shared 0, arg0=64 (source)
  timed([&] { k<<<6, block>>>(block); });
  timedByPointer([] {
    // CHECK-NEXT: launch _Z1ki: grid 9x1x1, block 32x1x1, shared 0, arg0=1
    k<<<9, 32>>>(1);
  });
  // CHECK-NEXT: launch _Z1ki: grid 7x1x1, block 64x1x1, shared 0, arg0=64
  timed([block] { k<<<7, block>>>(block); });
}
void runTimed() { launchTimed(64); }

// What a kernel gets in a lambda is what the lambda keeps a copy of.
template <typename F> __global__ void each(int n, F f) { f(n); }
// CHECK: launch _Z4each{{.*}}: grid 2x1x1, block 32x1x1, shared 0, {{.*}}arg0=64, arg1.0=34, arg1.16=12, *arg1.8 of 4096 B (source)
template <typename F> void forAll(int n, F f) { each<<<n / 32, 32>>>(n, f); }
void runEach() {
  int width = 12, height = 34;
  float *data;
  cudaMalloc(&data, 4096);
  // CHECK: grid 10x1x1, block 32x1x1, shared 0, arg0=1, arg1.0=12, arg1.16=34, *arg1.8 of 4096 B (source)
  each<<<10, 32>>>(1, [width, data, height] __device__(int n) {
    data[n] = width + height;
  });
  forAll(64, [=] __device__(int n) {
    int first = height;
    data[first + n] = width;
  });
}

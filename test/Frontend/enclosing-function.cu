// Functions, methods and initialisers of globals all can launch.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

struct S {
  int n = 7;
  S() {
    int threads = 32;
    // CHECK: grid 1x1x1, block 32x1x1, shared 0 (source)
    k<<<1, threads>>>(n);
  }
  void operator()() {
    struct Local {
      static void run() {
        int threads = 64;
        // CHECK: grid 2x1x1, block 64x1x1
        k<<<2, threads>>>(0);
      }
    };
    Local::run();
  }
};

int global = [] {
  int threads = 96;
  // CHECK: grid 3x1x1, block 96x1x1
  k<<<3, threads>>>(0);
  return 0;
}();

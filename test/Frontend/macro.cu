// A launch inside a macro is where the macro is used.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#define LAUNCH(KERNEL, N, ...) KERNEL<<<((N) + 127) / 128, 128>>>(__VA_ARGS__)

__global__ void k(int n) {}

void run() {
  // CHECK: grid 8x1x1, block 128x1x1, shared 0, arg0=5 (source) at {{.*}}macro.cu:[[#@LINE+1]]:3
  LAUNCH(k, 1000, 5);
}

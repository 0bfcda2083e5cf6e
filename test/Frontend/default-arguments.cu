// Arguments that are left out have their default values; parameters of the host
// function have the values of its callers.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n, int m = 7) {}

void run(int threads = 64) {
  // CHECK: launch {{.*}}: grid 1x1x1, block 2x1x1, shared 0, arg0=5, arg1=7 (source)
  k<<<1, 2>>>(5);
  // CHECK: launch {{.*}}: grid 1x1x1, block unknown, shared 0, arg1=7 (source)
  k<<<1, threads>>>(threads);
}

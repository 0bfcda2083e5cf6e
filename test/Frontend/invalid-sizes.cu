// A launch that no GPU accepts is read as it stands.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void run() {
  int n = 100;
  // CHECK: grid 0x1x1, block 2048x1x1, shared 0, arg0=0 (source)
  k<<<n / 256, 2048>>>(0);
  // CHECK: grid 4294967295x1x1, block 1x1x1, shared 0, arg0=1 (source)
  k<<<dim3(-1), 1>>>(1);
}

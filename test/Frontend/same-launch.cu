// The same launch twice is reported once, at its first place.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void run(int unknown) {
  // CHECK: launch {{.*}} arg0=1 (source) at {{.*}}:[[#@LINE+1]]:
  k<<<1, 32>>>(1);
  // CHECK-NEXT: launch {{.*}} arg0=2 (source) at {{.*}}:[[#@LINE+1]]:
  k<<<1, 32>>>(2);
  k<<<1, 32>>>(1);
  // CHECK-NEXT: launch {{.*}} shared 0 (source) at {{.*}}:[[#@LINE+1]]:
  k<<<1, 32>>>(unknown);
  k<<<1, 32>>>(unknown + 1);
}
// CHECK-NOT: {{^}}launch

// Nothing is read from a source with errors.
//
// RUN: not %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void run() {
  k<<<1, 32>>>(1);
  // CHECK: error: use of undeclared identifier 'undeclared'
  k<<<undeclared, 32>>>(1);
  // CHECK: error: too few arguments
  k<<<1, 32>>>();
  k<<<1, undeclared>>>(undeclared, 1, 2);
}
// CHECK-NOT: {{^}}launch

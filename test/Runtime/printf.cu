// What kernels print stands in order with what the host prints, also in a pipe.
// RUN: %auspex_clang %s -o %t && %t | FileCheck %s --match-full-lines
#include <cstdio>
#include <iostream>

__global__ void hello(int n, float x, const char *who) {
  if (threadIdx.x % 16 == 1)
    printf("hello %d from %d of %d, %s%% %5.2f\n", n, threadIdx.x, blockDim.x,
           "a", x);
}

int main() {
  printf("one\n");
  hello<<<1, 32>>>(1, 2.5f, nullptr);
  std::cout << "two\n";
  hello<<<1, 8>>>(2, 0.125f, nullptr);
  printf("three\n");
  // CHECK: one
  // CHECK-NEXT: hello 1 from 1 of 32, a%  2.50
  // CHECK-NEXT: hello 1 from 17 of 32, a%  2.50
  // CHECK-NEXT: two
  // CHECK-NEXT: hello 2 from 1 of 8, a%  0.12
  // CHECK-NEXT: three
}

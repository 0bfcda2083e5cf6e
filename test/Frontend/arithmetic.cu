// Integers follow the rules of C++; what is undefined is unknown.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <cmath>

__global__ void k(long long n) {}

void run() {
  int a = 7, b = -2, zero = 0, large = 2147483647;
  unsigned u = 5;
  // CHECK: arg0=-3 (source)
  k<<<1, 1>>>(a / b);
  // CHECK: arg0=1 (source)
  k<<<1, 1>>>(a % b);
  // CHECK: arg0=4294967294 (source)
  k<<<1, 1>>>(u - a);
  // CHECK: arg0=28 (source)
  k<<<1, 1>>>(a << 2);
  // CHECK: arg0=-8 (source)
  k<<<1, 1>>>(~a);
  // CHECK: arg0=3 (source)
  k<<<1, 1>>>((a & 3) | (a ^ 6) >> 5);
  // CHECK: arg0=255 (source)
  k<<<1, 1>>>((unsigned char)(zero - 1));
  // CHECK: arg0=40 (source)
  k<<<1, 1>>>((int)std::ceil(large / 5.4e7) + (int)floorf(a / 4.0f) - 1);
  // CHECK: arg0=45 (source)
  k<<<1, 1>>>((int)ceil(a / 2) + (int)sqrt(4) + 40 * (int)floor(1));
  // CHECK: arg0=34 (source)
  k<<<1, 1>>>((int)std::pow(2, 5) + (int)ceil(log2(a / 2.0)));
  // CHECK: shared 0 (source) at {{.*}}:[[#@LINE+1]]:
  k<<<1, 1>>>(a / zero);
  // CHECK: shared 0 (source) at {{.*}}:[[#@LINE+1]]:
  k<<<1, 2>>>(large + 1 + a);
  // CHECK: shared 0 (source) at {{.*}}:[[#@LINE+1]]:
  k<<<1, 3>>>(large * a);
  // CHECK: shared 0 (source) at {{.*}}:[[#@LINE+1]]:
  k<<<1, 4>>>(1 << (a + 30));
  // CHECK: shared 0 (source) at {{.*}}:[[#@LINE+1]]:
  k<<<1, 5>>>((-large - 1) / (b + 1));
}

// To a launch in functions that call each other in all ways there are millions;
// beyond 16 they say nothing, and none of them is looked at twice.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

#define CALLS(M) a##M(n), b##M(n), c##M(n), d##M(n)
#define LEVEL(N, M)                                                            \
  void a##N(int n) { CALLS(M); }                                               \
  void b##N(int n) { CALLS(M); }                                               \
  void c##N(int n) { CALLS(M); }                                               \
  void d##N(int n) { CALLS(M); }

// CHECK: launch _Z1ki: grid 1x1x1, block 32x1x1, shared 0 (source)
void a0(int n) { k<<<1, 32>>>(n); }
void b0(int n) {}
void c0(int n) {}
void d0(int n) {}
LEVEL(1, 0)
LEVEL(2, 1)
LEVEL(3, 2)
LEVEL(4, 3)
LEVEL(5, 4)
LEVEL(6, 5)
LEVEL(7, 6)
LEVEL(8, 7)
LEVEL(9, 8)
LEVEL(10, 9)
LEVEL(11, 10)
LEVEL(12, 11)
void run(int n) { CALLS(12); }

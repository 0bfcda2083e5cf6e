// Values that a loop carries around in another way than by adding the same each
// time: positions in a ring, clamps, flags, what the iteration before had. Their
// addresses are those of a thread that runs through the loop.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -fno-unroll-loops -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' > %t.json
// RUN: %python %S/Inputs/carried-values.py < %t.json | FileCheck %s
// CHECK:      ring(float*, int, int, int): 4 accesses compared
// CHECK-NEXT: doubling(float*, int, int, int): 2 accesses compared
// CHECK-NEXT: previous(float*, int, int, int): 2 accesses compared
// CHECK-NEXT: chosen(float*, int, int, int): 3 accesses compared
// CHECK-NEXT: through(float*, int, int, int): 2 accesses compared
// CHECK-NEXT: deeply(float*, int, int, int): 1 accesses compared

__global__ void ring(float *x, int n, int size, int steps) {
  int a = 0, b = 3, c = n, d = 0;
  for (int k = 0; k < steps; ++k) {
    x[a * 64 + threadIdx.x] = 1;
    x[b * 64 + threadIdx.x] = 2;
    x[c * 64 + threadIdx.x] = 3;
    x[d * 64 + threadIdx.x] = 4;
    a = a + 1 == size ? 0 : a + 1;
    b = (b + 2) % 5;
    c = max(c - 4, 0);
    d ^= 1;
  }
}

__global__ void doubling(float *x, int n, int size, int steps) {
  int a = 1, b = n;
  for (int k = 0; k < steps; ++k) {
    x[(long long)a * 64 + threadIdx.x] = 1;
    x[b * 64 + threadIdx.x] = 2;
    a = 2 * a + 1;
    b = size - b;
  }
}

__global__ void previous(float *x, int n, int size, int steps) {
  int a = n, first = 1;
  for (int k = 0; k < steps; ++k) {
    x[a * 64 + threadIdx.x] = 1;
    x[first * 64 + threadIdx.x] = 2;
    a = 3 * k;
    first = 0;
  }
}

// What only some threads change, where the choice is the same all the time.
__global__ void chosen(float *x, int n, int size, int steps) {
  int a = n, last;
  for (int k = 0; k < steps; ++k) {
    if (n < 20) {
      last = a;
      a += size;
      if (k < steps - 1)
        x[a * 64 + threadIdx.x] = 1;
    }
    __syncthreads();
    x[a * 64 + threadIdx.x] = 2;
    if (n < 20)
      x[last * 64 + threadIdx.x] = 3;
  }
}

// Loops in each other, of which the compiler does not know whether they have
// any trips.
__global__ void through(float *x, int n, int size, int steps) {
  int a = n;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < size; ++j) {
      for (int k = 0; k < steps; ++k) {
        x[a * 64 + threadIdx.x] = 1;
        a += n;
      }
      a -= 2;
    }
    x[a * 64 + threadIdx.x] = 2;
  }
}

__global__ void deeply(float *x, int n, int size, int steps) {
  float *p = x + threadIdx.x;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < size; ++j)
      for (int k = 0; k < steps; ++k)
        for (int l = 0; l < n; ++l) {
          *p = 1;
          p += 64;
        }
}

// How the grid follows from arguments of unknown value, so that who states them
// need not state the grid.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <algorithm>

__global__ void k(float *x, int n) {}
__global__ void two(float *x, int width, long height) {}
struct View {
  float *data;
  int width, height;
};
__global__ void view(View v, int n) {}
extern "C" float ceilf(float);
int unknown();

void byOne(float *x, int n, unsigned blocks) {
  // CHECK: grid unknown, block 256x1x1, shared 0, grid by arguments [floordiv(arg1 + 255, 256)] [1] [1] (source)
  k<<<(n + 255) / 256, 256>>>(x, n);
  int rounded = ceilf((float)n / 128);
  // CHECK-NEXT: grid by arguments [floordiv(arg1 + 127, 128)] [1] [1] (source)
  k<<<rounded, 128>>>(x, n);
  // CHECK-NEXT: grid by arguments [min({{.*}}floordiv(arg1 + 63, 64){{.*}})] [1] [1] (source)
  k<<<(n + 63) / 64 < 1024 ? (n + 63) / 64 : 1024, 64>>>(x, n);
  // CHECK-NEXT: grid by arguments [4*arg1] [1] [1] (source)
  k<<<4 * n, 32>>>(x, n);
  // CHECK-NEXT: grid by arguments [floordiv(arg1, 32)] [2] [1] (source)
  k<<<dim3(n / 32, 2), 32>>>(x, n);
  // CHECK-NEXT: grid by arguments [floordiv(arg1, 96) + 1] [1] [1] (source)
  k<<<n / 96 + 1, 96>>>(x, n);
}

void byTwo(float *x) {
  int width = unknown();
  long height = unknown();
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  // CHECK-NEXT: launch _Z3twoPfil: grid unknown, block 32x8x1, shared 0, grid by arguments [floordiv(arg1 + 31, 32)] [floordiv(arg2 + 7, 8)] [1] (source)
  two<<<grid, block>>>(x, width, height);
}

// A value that is known counts until another is stated.
void known(float *x) {
  int n = 1000;
  // CHECK-NEXT: launch _Z1kPfi: grid 8x1x1, block 128x1x1, shared 0, grid by arguments [floordiv(arg1 + 127, 128)] [1] [1], arg1=1000 (source)
  k<<<(n + 127) / 128, 128>>>(x, n);
}

// Of one argument several times, and of several.
void byProducts(float *x, int n, int m) {
  // CHECK-NEXT: launch _Z1kPfi: grid unknown, block 1x1x1, shared 0, grid by arguments [arg1*arg1] [1] [1] (source)
  k<<<n * n, 1>>>(x, n);
  const int count = n * m;
  // CHECK-NEXT: grid by arguments [floordiv(arg1*arg2 + 255, 256)] [1] [1] (source)
  two<<<(count + 255) / 256, 256>>>(x, n, m);
  // CHECK-NEXT: grid by arguments [floordiv(arg1 + 511, 512)] [1] [1] (source)
  k<<<(count + 511) / 512, 512>>>(x, count);
  // CHECK-NEXT: grid by arguments [max(floordiv(arg1, 32), 1)] [1] [1] (source)
  k<<<std::max(n / 32, 1), 256>>>(x, n);
  // CHECK-NEXT: grid by arguments [floordiv(arg1, 64) + {{.}}mod(arg1, 64) != 0]] [1] [1] (source)
  k<<<n % 64 ? n / 64 + 1 : n / 64, 64>>>(x, n);
}

// Variables that are written, but not between the grid and the launch; and
// members.
void read(int &n, View &v);
void byVersions(float *x) {
  int n;
  View v;
  read(n, v);
  dim3 grid(n / 32);
  // CHECK-NEXT: launch _Z1kPfi: grid unknown, block 32x1x1, shared 0, grid by arguments [floordiv(arg1, 32)] [1] [1] (source)
  k<<<grid, 32>>>(x, n);
  // CHECK-NEXT: launch _Z4view4Viewi: grid unknown, block 32x1x1, shared 0, grid by arguments [floordiv(arg1, 32)] [1] [1] (source)
  view<<<v.width / 32, 32>>>(v, v.width);
  while (n > 1) {
    // CHECK-NEXT: launch _Z1kPfi: grid unknown, block 64x1x1, shared 0, grid by arguments [floordiv(arg1, 64)] [1] [1] (source)
    k<<<n / 64, 64>>>(x, n);
    // CHECK-NEXT: launch _Z1kPfi: grid unknown, block 96x1x1, shared 0, L2 warm but for arg1 (source)
    k<<<grid, 96>>>(x, n);
    n /= 2;
  }
  // CHECK-NEXT: launch _Z1kPfi: grid unknown, block 128x1x1, shared 0 (source)
  k<<<grid, 128>>>(x, n);
}

// Callers give sizes and what they make of them.
static void launch(float *x, int size, int blocks) {
  // CHECK-NEXT: launch _Z1kPfi: grid unknown, block 256x1x1, shared 0, grid by arguments [floordiv(arg1 + 1023, 1024)] [1] [1] (source)
  k<<<blocks, 256>>>(x, size);
}
void call(float *x, int n) { launch(x, n, (n + 1023) / 1024); }

void notFollowed(float *x, int n, int m) {
  // CHECK-NEXT: launch _Z1kPfi: grid unknown, block 2x1x1, shared 0 (source)
  k<<<m, 2>>>(x, n);
  // CHECK-NEXT: launch _Z3twoPfil: grid unknown, block 3x1x1, shared 0, arg2=1 (source)
  two<<<dim3(n, m), 3>>>(x, n, 1);
}

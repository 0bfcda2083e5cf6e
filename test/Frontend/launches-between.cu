// What else a round of the loop uses stays in L2 between two equal launches: at
// most what was allocated for it, or is copied.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <utility>

__global__ void a(const float *from, float *to) {}
__global__ void b(const float *from, float *to) {}
struct Pair {
  float *p, *q;
};
__global__ void ofPair(Pair pair) {}
__device__ float table[256];
__global__ void readsTable(float *to) { to[0] = table[threadIdx.x]; }

struct Solver {
  float *u, *v, *w;
  Solver(int n) {
    cudaMalloc(&u, n);
    cudaMalloc(&v, n);
    cudaMalloc(&w, n);
  }
  // CHECK: grid 20x1x1, {{.*}}, L2 warm after 5000 B of others (source)
  void pressure() { a<<<20, 32>>>(u, v); }
  // CHECK-NEXT: grid 21x1x1, {{.*}}, L2 warm after 5000 B of others (source)
  void advance() { b<<<21, 32>>>(v, w); }
};

// CHECK-NEXT: grid 30x1x1
// CHECK-NEXT: grid 30x1x1
static void scale(float *x, float *y) { b<<<30, 32>>>(x, y); }
// CHECK-NEXT: grid 31x1x1
static void scaleAgain(float *x) { b<<<31, 32>>>(x, x); }

int main() {
  float *x, *y, *z;
  cudaMalloc(&x, 1000);
  cudaMalloc(&y, 2000);
  cudaMalloc(&z, 4000);
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 1x1x1, {{.*}}, L2 warm after 4000 B of others (source)
    a<<<1, 32>>>(x, y);
    // CHECK-NEXT: grid 2x1x1, {{.*}}, L2 warm after 1000 B of others (source)
    b<<<2, 32>>>(y, z);
  }
  // Parts of an array, which are exchanged.
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 3x1x1, {{.*}}, *arg0 of 1000 B, *arg1 of 2000 B, L2 warm after 4000 B of others (source)
    // CHECK-NEXT: grid 3x1x1, {{.*}}, *arg0 of 2000 B, *arg1 of 1000 B, L2 warm after 4000 B of others (source)
    a<<<3, 32>>>(x, y);
    // CHECK-NEXT: grid 4x1x1, block 32x1x1, shared 0 (source)
    b<<<4, 32>>>(x + 8, &z[16]);
    std::swap(x, y);
  }
  // An array of which nothing is known.
  extern float *unknown;
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 5x1x1, {{.*}}, *arg0 of 1000 B, *arg1 of 2000 B (source)
    a<<<5, 32>>>(x, y);
    // CHECK-NEXT: grid 6x1x1, {{.*}}, L2 warm after 3000 B of others (source)
    b<<<6, 32>>>(unknown, unknown);
  }
  // A struct with pointers, a variable of the GPU, copies.
  Pair pair = {x, z};
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 7x1x1, {{.*}}, L2 warm after 7024 B of others (source)
    a<<<7, 32>>>(y, y);
    ofPair<<<8, 32>>>(pair);
    readsTable<<<9, 32>>>(x);
    cudaMemset(x, 0, 300);
  }
  float host[64];
  for (int t = 0; t < 100; ++t) {
    // CHECK: grid 10x1x1, {{.*}}, L2 warm after 8000 B of others (source)
    a<<<10, 32>>>(x, y);
    cudaMemcpy(z, x, 8000, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, y, 5000, cudaMemcpyDeviceToHost);
  }
  Solver solver(5000);
  for (int t = 0; t < 100; ++t) {
    solver.pressure();
    solver.advance();
  }
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 11x1x1, {{.*}}, L2 warm after 11000 B of others (source)
    a<<<11, 32>>>(x, y);
    scale(y, z);
    scale(z, x);
  }
  // Loops within a round: the same arrays in turn, parts and other arrays.
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 12x1x1, {{.*}}, L2 warm after 6000 B of others (source)
    a<<<12, 32>>>(x, x);
    for (int k = 0; k < 20; ++k) {
      // CHECK-NEXT: grid 12x2x1, {{.*}}, L2 warm (source)
      b<<<dim3(12, 2), 32>>>(y, z);
      std::swap(y, z);
    }
  }
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 13x1x1, {{.*}} B (source)
    a<<<13, 32>>>(x, x);
    for (float *one : {y, z})
      // CHECK-NEXT: grid 13x2x1, {{.*}} B (source)
      b<<<dim3(13, 2), 32>>>(one, x);
  }
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 14x1x1, {{.*}} B (source)
    a<<<14, 32>>>(x, x);
    for (int k = 0; k < 20; ++k)
      scaleAgain(k % 2 ? x : z);
  }
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 15x1x1, {{.*}} B (source)
    a<<<15, 32>>>(x, x);
    for (int k = 0; k < 20; ++k)
      cudaMemset(y + k * 16, 0, 64);
  }
  // What never runs uses nothing.
  const bool isVerbose = false;
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 16x1x1, {{.*}}, L2 warm after 2000 B of others (source)
    a<<<16, 32>>>(x, x);
    // CHECK-NEXT: grid 16x2x1, {{.*}}, L2 warm (source)
    a<<<dim3(16, 2), 32>>>(x, y);
    if (isVerbose)
      b<<<17, 32>>>(unknown, unknown);
    if (isVerbose)
      cudaMemset(z, 0, 4000);
  }
  // More than any GPU has is a mistake, and not known.
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 18x1x1, {{.*}} B (source)
    a<<<18, 32>>>(x, x);
    cudaMemset(z, 0, size_t(1) << 62);
    cudaMemset(y, 0, size_t(3) << 62);
  }
}

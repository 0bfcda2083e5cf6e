// A loop that exchanges arrays of its own runs the same launch again and again,
// and so does one that picks which one comes first.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s
#include <utility>

__global__ void relax(const float *from, float *to, const float *sources, int n) {}

int main() {
  int n = 256, rounds = 5000;
  float *u, *v, *sources;
  cudaMalloc(&u, n * n * 4);
  cudaMalloc(&v, n * n * 4);
  cudaMalloc(&sources, n * n * 4);
  dim3 block(16, 16), grid(16, 16);
  for (int i = 0; i < rounds; ++i) {
    // CHECK: grid 16x16x1, {{.*}}, L2 warm (source)
    relax<<<grid, block>>>(u, v, sources, n);
    std::swap(u, v);
  }
  for (int i = 0; i < 2; ++i)
    // CHECK: grid 17x1x1, {{.*}}, L2 warm (source)
    relax<<<17, block>>>(i % 2 ? v : u, i % 2 ? u : v, sources, n);
  float *both[2] = {u, v};
  for (int i = 0; i < 2; ++i)
    // CHECK: grid 18x1x1, {{.*}}, L2 warm (source)
    relax<<<18, block>>>(both[i & 1], both[1 - (i & 1)], sources, n);

  // One more array, or others each time.
  for (int i = 0; i < 2; ++i)
    // CHECK: grid 19x1x1, {{.*}}, *arg2 of 262144 B (source)
    relax<<<19, block>>>(i % 2 ? v : u, i % 2 ? u : sources, sources, n);
  for (int i = 0; i < 2; ++i)
    // CHECK: grid 20x1x1, {{.*}}, *arg2 of 262144 B (source)
    relax<<<20, block>>>(both[i], sources, sources, n);
  float *three[3] = {u, v, sources};
  for (int i = 0; i < 2; ++i)
    // CHECK: grid 21x1x1, {{.*}}, *arg2 of 262144 B (source)
    relax<<<21, block>>>(three[i], three[i + 1], sources, n);
}

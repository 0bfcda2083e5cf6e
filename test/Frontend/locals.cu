// Local variables keep what they are defined with as long as they are only read.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <cstdio>
#include <cstdlib>

__global__ void k(int n, unsigned m) {}
inline int ceilDiv(int a, int b) { return (a + b - 1) / b; }
void takesConst(const int &, const dim3 &);

void run(float *data) {
  int n = 1000;
  unsigned threads = 128;
  auto divide = [](int a, int b) { return a / b; };
  dim3 grid(ceilDiv(n, threads));
  std::printf("%d %u %zu\n", n, grid.x, sizeof(n));
  float *host = (float *)std::malloc(n * sizeof(float)); // casts no const away
  takesConst(n, grid);
  (void)threads, std::free(host);
  const int &alias = n;
  // CHECK: grid 8x1x1, block 128x1x1, shared 4000, {{.*}}arg0=1000, arg1=7 (source)
  k<<<grid, threads, n * sizeof(*data)>>>(alias, divide(n, threads));
  // CHECK: grid 4x1x1, block 128x1x1, shared 0, arg0=1000, arg1=128 (source)
  k<<<n > 500 && threads ? 4 : 2, threads>>>(n < 500 ? n : (n), threads);
}

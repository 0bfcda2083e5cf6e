// The same arrays in every round, whichever way they are exchanged: by members,
// by the parity of the round, in methods of what holds them.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <utility>

__global__ void k(const float *from, float *to, int n) {}

struct Fields {
  float *u, *v;
  int n;
  void exchange() { std::swap(u, v); }
  void advance() { u += n; }
};

const dim3 Block(32);

static void members(Fields f, Fields g, float *other) {
  for (int t = 0; t < 100; ++t) {
    // CHECK: grid 1x1x1, {{.*}}, L2 warm (source)
    k<<<1, Block>>>(f.u, f.v, f.n);
    std::swap(f.u, f.v);
  }
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 2x1x1, {{.*}}, L2 warm (source)
    k<<<2, Block>>>(f.u, f.v, 0);
    f.exchange();
  }
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 3x1x1, {{.*}}, L2 warm (source)
    k<<<3, Block>>>(f.u, f.v, 0);
    float *u = f.u;
    f.u = f.v;
    f.v = u;
  }
  // Another array comes in.
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 4x1x1, {{.*}}=0 (source)
    k<<<4, Block>>>(f.u, f.v, 0);
    std::swap(f.u, g.u);
  }
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 5x1x1, {{.*}}=0 (source)
    k<<<5, Block>>>(f.u, f.v, 0);
    f.advance();
  }
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 6x1x1, {{.*}}=0 (source)
    k<<<6, Block>>>(f.u, f.v, 0);
    f = {f.v, other, 0};
  }
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 7x1x1, {{.*}}=0 (source)
    k<<<7, Block>>>(f.u, f.v, 0);
    f.u = other + t;
  }
  // What is exchanged is none of the launch's.
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 8x1x1, {{.*}}, L2 warm (source)
    k<<<8, Block>>>(f.u, f.v, 0);
    std::swap(g.u, g.v);
  }
}

// Another object, by another name of what points to it.
static void aliased(Fields *f) {
  Fields *&alias = f;
  for (int t = 0; t < 100; ++t) {
    // CHECK-NEXT: grid 9x1x1, {{.*}}=0 (source)
    k<<<9, Block>>>(f->u, f->v, 0);
    ++alias;
  }
}

static void parity(float **buffers, float *a, float *b) {
  for (int t = 0; t < 100; ++t)
    // CHECK-NEXT: grid 11x1x1, {{.*}}, L2 warm (source)
    k<<<11, Block>>>(buffers[t & 1], buffers[1 - (t & 1)], 0);
  for (int t = 0; t < 100; ++t)
    // CHECK-NEXT: grid 12x1x1, {{.*}}, L2 warm (source)
    k<<<12, Block>>>(buffers[t % 2], buffers[(t + 1) % 2], 0);
  for (int t = 0; t < 100; ++t)
    // CHECK-NEXT: grid 13x1x1, {{.*}}=0 (source)
    k<<<13, Block>>>(buffers[t % 3], buffers[1 - t % 3], 0);
  for (int t = 0; t < 100; ++t) {
    float *from = t % 2 ? b : a, *to = t % 2 ? a : b;
    // CHECK-NEXT: grid 14x1x1, {{.*}}, L2 warm (source)
    k<<<14, Block>>>(from, to, 0);
  }
  for (int t = 0; t < 100; ++t) {
    float *from = t % 2 ? b : a, *to = t % 3 ? a : b;
    // CHECK-NEXT: grid 15x1x1, {{.*}} B (source)
    k<<<15, Block>>>(from, to, 0);
  }
}

// The number beside the arrays is none of them.
class Solver {
  Fields f;
  float *u, *v;
  int n = 1024;

public:
  Solver(float *a, float *b) : f{a, b, 0}, u(a), v(b) {}
  void step() {
    // CHECK-NEXT: grid 21x1x1, {{.*}}, L2 warm (source)
    k<<<21, Block>>>(u, v, n);
    std::swap(u, v);
  }
  void grow() {
    // CHECK-NEXT: grid 22x1x1, {{.*}}=0 (source)
    k<<<22, Block>>>(u, v, 0);
    u = v++;
  }
  void run(int rounds) {
    while (rounds--)
      step();
    for (int t = 0; t < 100; ++t)
      grow();
  }
};

int main() {
  float *a, *b;
  cudaMalloc(&a, 1 << 22);
  cudaMalloc(&b, 1 << 22);
  float *buffers[] = {a, b};
  members({a, b, 0}, {a, b, 0}, b);
  Fields fields[100] = {};
  aliased(fields);
  parity(buffers, a, b);
  Solver solver(a, b);
  solver.run(100);
}

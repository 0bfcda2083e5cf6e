// The same launch again and again, where the loop is around the call of the
// function that launches, and where a loop launches a kernel for two arrays in
// turn.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s
#include <utility>

__global__ void k(float *data, int n) {}
__global__ void copy(const float *from, float *to) {}

static void launch(float *data, int n) {
  dim3 grid((n + 31) / 32);
  // CHECK: grid 1x1x1, {{.*}}, L2 warm (source)
  k<<<grid, 32>>>(data, n);
}

static void launchTwo(float *data) {
  // CHECK-NEXT: grid 2x1x1, {{.*(=0|B)}} (source)
  k<<<2, 32>>>(data, 0);
}

static void launchNext(float *&data) {
  // CHECK-NEXT: grid 3x1x1, {{.*(=0|B)}} (source)
  k<<<3, 32>>>(data, 0);
  data += 100;
}

static void launchDeeper(float *data) {
  // CHECK-NEXT: grid 4x1x1, {{.*}}, L2 warm (source)
  k<<<4, 32>>>(data, 0);
}
static void launchDeep(float *data) { launchDeeper(data); }

static void launchOnce(float *data) {
  // CHECK-NEXT: grid 5x1x1, {{.*(=0|B)}} (source)
  k<<<5, 32>>>(data, 0);
}

struct Solver {
  float *from, *to;
  void step() {
    // CHECK-NEXT: grid 6x1x1, {{.*}}, L2 warm (source)
    copy<<<6, 32>>>(from, to);
    std::swap(from, to);
  }
  void stepOn() {
    // CHECK-NEXT: grid 7x1x1, {{.*(0|B)}} (source)
    copy<<<7, 32>>>(from, to);
    from += 100;
  }
  void stepBy() {
    // CHECK-NEXT: grid 8x1x1, {{.*}}, L2 warm (source)
    copy<<<8, 32>>>(from, to);
    float *before = from;
    from = to;
    to = before;
  }
  void stepTwice() {
    // CHECK-NEXT: grid 9x1x1, {{.*(0|B)}} (source)
    copy<<<9, 32>>>(from, to);
  }
  void advance() { from += 100; }
};

int main() {
  float *data, *other, done;
  cudaMalloc(&data, 1 << 20);
  cudaMalloc(&other, 1 << 20);
  for (int i = 0; i < 50; ++i)
    launch(data, 32);
  for (int i = 0; i < 50; ++i) {
    launchTwo(data);
    launchTwo(other);
  }
  for (int i = 0; i < 50; ++i)
    launchNext(data);
  for (int i = 0; i < 50; ++i)
    launchDeep(data);
  launchOnce(data);
  Solver solver{data, other};
  for (int i = 0; i < 50; ++i)
    solver.step();
  for (int i = 0; i < 50; ++i)
    solver.stepOn();
  for (int i = 0; i < 50; ++i)
    solver.stepBy();
  for (int i = 0; i < 50; ++i) {
    solver.stepTwice();
    solver.advance();
  }
  auto again = [&] {
    // CHECK-NEXT: grid 10x1x1, {{.*}}, L2 warm (source)
    k<<<10, 32>>>(data, 0);
  };
  for (int i = 0; i < 50; ++i)
    again();
  auto onwards = [&] {
    // CHECK-NEXT: grid 11x1x1, {{.*(=0|B)}} (source)
    k<<<11, 32>>>(data, 0);
    data += 100;
  };
  for (int i = 0; i < 50; ++i)
    onwards();

  // Two arrays in turn are the same in every round, unless the blocks have
  // other sizes.
  for (int i = 0; i < 50; ++i) {
    // CHECK-NEXT: grid 12x1x1, {{.*}}, L2 warm (source)
    copy<<<12, 32>>>(data, other);
    // CHECK-NEXT: grid 12x1x1, {{.*}}, L2 warm (source)
    copy<<<12, 32>>>(other, data);
  }
  for (int i = 0; i < 50; ++i) {
    // CHECK-NEXT: grid 13x1x1, {{.*}}, L2 warm (source)
    copy<<<13, 32>>>(data, other);
    // CHECK-NEXT: grid 13x1x1, block 64x1x1, {{.*}}, L2 warm (source)
    copy<<<13, 64>>>(other, data);
  }
  // Sizes that are exchanged make another launch, and so do the parts of what a
  // round takes.
  int width = 64, height = 32;
  for (int i = 0; i < 2; ++i) {
    // CHECK-NEXT: grid 64x1x1, {{.*}}arg1=64 (source)
    // CHECK-NEXT: grid 32x1x1, {{.*}}arg1=32 (source)
    k<<<width, 32>>>(data, width);
    std::swap(width, height);
  }
  struct Part {
    float *data;
    int n;
  } parts[] = {{data, 1}, {other, 2}};
  for (auto &[part, n] : parts)
    // CHECK-NEXT: grid 15x1x1, {{.*(0|B)}} (source)
    copy<<<15, 32>>>(part, other);
  // Much in small pieces is much. What a loop flushes L2 for is not warm because
  // another loop warms up.
  for (int i = 0; i < 9; ++i) {
    for (int j = 0; j < 16384; ++j)
      cudaMemset(other + j * 1024, 0, 4096);
    // CHECK-NEXT: grid 16x1x1, {{.*(0|B)}} (source)
    copy<<<16, 32>>>(data, data);
  }
  for (int i = 0; i < 9; ++i)
    // CHECK-NEXT: grid 17x1x1, {{.*}}, L2 warm after 134217728 B of others (source)
    copy<<<17, 32>>>(data, data);
  for (int i = 0; i < 9; ++i) {
    cudaMemset(other, 0, 1 << 27);
    copy<<<17, 32>>>(data, data);
  }
  // Whether it is done is asked with a word.
  while (done > 0) {
    // CHECK-NEXT: grid 14x1x1, {{.*}}, L2 warm (source)
    copy<<<14, 32>>>(data, other);
    cudaMemcpy(&done, other, 4, cudaMemcpyDeviceToHost);
  }
}

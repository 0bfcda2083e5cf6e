// A launch that a loop makes again and again on the same data, while nothing
// else uses the device, finds in L2 what the one before left.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#include <utility>

__global__ void k(float *data, int n) {}
__global__ void copy(const float *from, float *to) {}
void anything();
static void check(cudaError_t error) {
  if (error != cudaSuccess)
    __builtin_trap();
}
static void prepare(float *data) { k<<<16, 32>>>(data, 0); }

#define LAUNCH(blocks)                                                         \
  do {                                                                         \
    k<<<blocks, 32>>>(data, 0);                                                \
  } while (0)

struct Solver {
  float *data;
  void iterate() {
    for (int i = 0; i < 9; ++i)
      // CHECK: grid 1x1x1, {{.*}}, L2 warm (source)
      k<<<1, 32>>>(data, 0);
    for (int i = 0; i < 9; ++i) {
      // CHECK-NEXT: grid 2x1x1, {{.*}}=0 (source)
      k<<<2, 32>>>(data, 0);
      ++data;
    }
  }
};

void run(float *data, float *other, float *third, bool isDone) {
  cudaEvent_t begin, end;
  for (int i = 0; i < 100; ++i) {
    cudaEventRecord(begin);
    // CHECK-NEXT: grid 3x1x1, {{.*}}, L2 warm (source)
    k<<<3, 32>>>(data, 0);
    check(cudaGetLastError());
    cudaEventRecord(end);
    cudaEventSynchronize(end);
  }
  while (!isDone) {
    // CHECK-NEXT: grid 4x1x1, {{.*}}, L2 warm (source)
    copy<<<4, 32>>>(data, other);
    std::swap(data, other);
  }
  for (int i = 0; i < 100; ++i)
    // CHECK-NEXT: grid 5x1x1, {{.*}}, L2 warm (source)
    LAUNCH(5);

  // Once, or on other data each time.
  // CHECK-NEXT: grid 6x1x1, {{.*}}=0 (source)
  LAUNCH(6);
  for (int i = 0; i < 2; ++i)
    // CHECK-NEXT: grid 7x1x1, {{.*}} shared 0 (source)
    copy<<<7, 32>>>(data + i, other);
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 8x1x1, {{.*}} shared 0 (source)
    copy<<<8, 32>>>(data, other);
    std::swap(data, third);
  }
  for (int i = 0; i < 100; ++i) {
    float *mine = third;
    // CHECK-NEXT: grid 9x1x1, {{.*}} shared 0 (source)
    copy<<<9, 32>>>(mine, other);
  }

  // Something else may use L2 between.
  for (int i = 0; i < 100; ++i) {
    // CHECK-NEXT: grid 10x1x1, {{.*}}=0 (source)
    k<<<10, 32>>>(data, 0);
    // CHECK-NEXT: grid 11x1x1, {{.*}}=0 (source)
    k<<<11, 32>>>(other, 0);
  }
  for (int i = 0; i < 100; ++i) {
    cudaMemset(other, 0, 1000);
    // CHECK-NEXT: grid 12x1x1, {{.*}}=0 (source)
    k<<<12, 32>>>(data, 0);
  }
  for (int i = 0; i < 100; ++i) {
    anything();
    // CHECK-NEXT: grid 13x1x1, {{.*}}=0 (source)
    k<<<13, 32>>>(data, 0);
  }
  for (int i = 0; i < 100; ++i) {
    prepare(other);
    // CHECK-NEXT: grid 14x1x1, {{.*}}=0 (source)
    k<<<14, 32>>>(data, 0);
  }

  // The same launch as one in a loop counts as that.
  // CHECK-NEXT: grid 15x1x1, {{.*}}, L2 warm (source)
  k<<<15, 32>>>(data, 0);
  for (int i = 0; i < 100; ++i)
    k<<<15, 32>>>(data, 0);
}
// CHECK-NOT: L2 warm

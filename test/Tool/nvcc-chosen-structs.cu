// One of two structs is chosen member by member, as nvcc does: clang copies it
// from where it is, so that both are in memory.
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB \
// RUN:   --launch sum=grid:4096,block:256 | FileCheck %s

// CHECK:     registers a thread (estimated)
// CHECK-NOT: LocalMemory
struct Point {
  float x, y, weight;

  __device__ bool isNone() const { return x == 0 && y == 0 && weight == 0; }
};

__global__ void sum(const float *x, const float *y, const float *weights,
                    float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Point first{x[i], y[i], weights[i]};
  float sum = 0;
#pragma unroll
  for (int k = 1; k < 4; ++k) {
    Point point{x[i + k], y[i + k], weights[i + k]};
    point = point.isNone() ? first : point;
    sum += point.weight * (point.x - first.x) * (point.y - first.y);
  }
  out[i] = sum;
}

// A trip count that a condition of the thread chooses is known: LLVM makes an
// exit of it that the condition stands in.

// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s --implicit-check-not=open:

// CHECK-LABEL: {{^}}byThread(
// CHECK:       x loads {{ *}}532 kB
// CHECK-LABEL: {{^}}byBlock(
// CHECK:       x loads {{ *}}80.9 kB
template <class Condition>
__device__ float sumOf(const float *x, int i, Condition isLong) {
  int turns = isLong() ? 64 : 1;
  float sum = 0;
  for (int turn = 0; turn < turns; ++turn)
    sum = sum * 2 + x[i + turn * 8192];
  return sum;
}
__global__ void byThread(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = sumOf(x, i, [] { return threadIdx.x >= 128; });
}
__global__ void byBlock(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = sumOf(x, i, [] { return blockIdx.x == 0; });
}
int main() {
  float *x, *y;
  cudaMalloc(&x, 1 << 24);
  cudaMalloc(&y, 1 << 20);
  byThread<<<16, 256>>>(x, y);
  byBlock<<<16, 256>>>(x, y);
}

// Where a GPU has few lanes for doubles, these convert from and to floats as
// well: four operations of one pipe, on all GPUs of such an architecture.

// RUN: auspex predict %s --gpu RTX-3080 --gpu A40 --gpu RTX-2080 | FileCheck %s

// CHECK-COUNT-3: busy: fp64 pipe {{[0-9.]+}} %
__global__ void clampAsDouble(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = min(max(x[i], 0.0), 1.0);
}

int main() {
  int n = 1 << 26;
  float *x, *y;
  cudaMalloc(&x, n * 4L);
  cudaMalloc(&y, n * 4L);
  clampAsDouble<<<n / 512, 512>>>(x, y, n);
}

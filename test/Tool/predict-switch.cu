// A switch parts lanes as a branch does, and is named once.

// RUN: auspex predict %s --gpu RTX-3080 | FileCheck %s

// CHECK-LABEL: mixed(
// CHECK-NOT:   DivergentBranch
// CHECK:       :18:3: the lanes of 100 % of the warps part here [DivergentBranch]
// CHECK-NOT:   DivergentBranch
// CHECK-LABEL: together(
// CHECK-NOT:   DivergentBranch
// CHECK-LABEL: ofData(
// CHECK:       :42:3: whether the lanes of a warp part here depends on data or on values that are not stated [DivergentBranch]
// CHECK-NOT:   DivergentBranch
__global__ void mixed(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  // Every warp runs all four.
  switch (threadIdx.x % 4) {
  case 0: for (int k = 0; k < n; k++) v = v * v + 0.5f; break;
  case 1: for (int k = 0; k < n; k++) v = __expf(v) - 1; break;
  case 2: for (int k = 0; k < n; k++) v = __logf(v + 1); break;
  default: for (int k = 0; k < n; k++) v = sqrtf(v + 2);
  }
  y[i] = v;
}

__global__ void together(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  switch (threadIdx.x / 32 % 4) {
  case 0: for (int k = 0; k < n; k++) v = v * v + 0.5f; break;
  case 1: for (int k = 0; k < n; k++) v = __expf(v) - 1; break;
  case 2: for (int k = 0; k < n; k++) v = __logf(v + 1); break;
  default: for (int k = 0; k < n; k++) v = sqrtf(v + 2);
  }
  y[i] = v;
}

__global__ void ofData(const float *x, const int *which, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  switch (which[i]) {
  case 0: for (int k = 0; k < n; k++) v = v * v + 0.5f; break;
  case 1: for (int k = 0; k < n; k++) v = __expf(v) - 1; break;
  case 2: for (int k = 0; k < n; k++) v = __logf(v + 1); break;
  default: for (int k = 0; k < n; k++) v = sqrtf(v + 2);
  }
  y[i] = v;
}

int main() {
  int n = 1 << 22, *which;
  float *x, *y;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 4);
  cudaMalloc(&which, n * 4);
  mixed<<<n / 256, 256>>>(x, y, 64);
  together<<<n / 256, 256>>>(x, y, 64);
  ofData<<<n / 256, 256>>>(x, which, y, 64);
}

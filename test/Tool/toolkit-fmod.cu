// REQUIRES: cuda-toolkit
// The device library finds a remainder in a loop, which turns once if the
// numbers are of about the same size.

// RUN: env CUDA_PATH=%cuda auspex predict %s --gpu A100-40GB | FileCheck %s

// CHECK-LABEL: wrap<float>
// CHECK:       predicted {{[0-9.]+}} us
// CHECK:       assumed: the loop at line 16 that finds a remainder of floating-point numbers turns once
// CHECK-LABEL: wrap<double>
// CHECK:       predicted {{[0-9.]+}} us
// CHECK:       assumed: the loop at line 16 that finds a remainder of floating-point numbers turns once
template <typename T> __global__ void wrap(T *x, T box, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = fmod(x[i] + box, box);
}

int main() {
  int n = 1 << 22;
  float *x;
  double *y;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 8);
  wrap<<<n / 256, 256>>>(x, 10.f, n);
  wrap<<<n / 256, 256>>>(y, 10.0, n);
}

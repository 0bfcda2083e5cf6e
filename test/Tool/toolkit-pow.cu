// REQUIRES: cuda-toolkit
// pow with a whole number is pow of two doubles for nvcc since C++11. clang's
// headers of a toolkit multiply instead.

// RUN: env CUDA_PATH=%cuda auspex predict %s --gpu RTX-3080 | FileCheck %s
// RUN: env CUDA_PATH= auspex predict %s --gpu RTX-3080 | FileCheck %s

// CHECK: predicted 1.{{[0-9]+}} ms {{.*}}for powers {{.*}}(fp64 pipe)
__global__ void powers(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = pow(x[i], 2);
}

int main() {
  int n = 1 << 22;
  float *x, *y;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 4);
  powers<<<n / 256, 256>>>(x, y, n);
}

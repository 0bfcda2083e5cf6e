// Constants without an f make arithmetic on floats one in double precision, for
// which this GPU has few units.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu RTX-4090 | FileCheck %s --implicit-check-not="[single-precision]"

__global__ void root(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float y = x[i];
  for (int k = 0; k < 20; ++k)
    // CHECK-LABEL: root(float*)
    // CHECK: predicted {{.*}} of its limit (fp64 pipe)
    // CHECK: less: {{.*}}fix-doubles.cu:[[@LINE+1]]: write constants with an f (0.5f): here floats are calculated with as doubles, since a constant is one [single-precision]
    y = 0.5 * (y + 2.0 / y);
  x[i] = y;
}

__global__ void twoLines(float *x, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float y = x[i];
  for (int k = 0; k < 20; ++k) {
    // CHECK-LABEL: twoLines(float*, float)
    // CHECK: fix-doubles.cu:[[@LINE+1]]: write constants with an f (0.5f): here and on another line floats {{.*}} [single-precision]
    y = 0.1 * y + 0.3;
    y = a * (1.1 - y);
  }
  x[i] = y;
}

// With an f, and what is meant to be double: sums, and numbers that are.
// CHECK-LABEL: inFloat(float*, float)
__global__ void inFloat(float *x, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 0.5f * (x[i] + a / x[i]);
}
// CHECK-LABEL: sum(float*, int)
__global__ void sum(float *x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += 0.1 * x[k * n];
  x[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK-LABEL: ofDoubles(float*, double const*)
__global__ void ofDoubles(float *x, const double *scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 0.5 * x[i] * scale[i] / 3.0;
}

int main() {
  float *x;
  double *scale;
  const int n = 1 << 22;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&scale, n * sizeof(double));
  root<<<n / 256, 256>>>(x);
  twoLines<<<n / 256, 256>>>(x, 2);
  inFloat<<<n / 256, 256>>>(x, 2);
  sum<<<n / 256, 256>>>(x, 100);
  ofDoubles<<<n / 256, 256>>>(x, scale);
}

// More than 48 KiB of shared memory have to be dynamic.

// RUN: not auspex predict %s --gpu A100-40GB 2>&1 | FileCheck %s
// CHECK: error: {{.*}}predict-static-shared.cu:[[#@LINE+11]]: large: shared: 49156 B of static shared memory exceed the 49152 B (dynamic: 166912 B) a block can have on A100-40GB

__global__ void large(float *x) {
  __shared__ float values[12 * 1024 + 1];
  values[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = values[1023 - threadIdx.x];
}
int main() {
  float *x;
  cudaMalloc(&x, 1 << 20);
  large<<<1, 1024>>>(x);
}

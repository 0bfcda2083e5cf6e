// A thread that takes at most 60 values needs the grid to be as large as it is:
// fewer blocks would leave values out, and are no advice.
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK: predicted {{.*}} for sums
// CHECK-NOT: launch a grid of

__global__ void sums(const unsigned *data, unsigned *out, int n) {
  unsigned sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0; k < 60 && i < n;
       ++k, i += gridDim.x * blockDim.x)
    sum += data[i] & 63;
  atomicAdd(&out[threadIdx.x], sum);
}

int main() {
  int n = 64 << 20;
  unsigned *data, *out;
  cudaMalloc(&data, n * 4ull);
  cudaMalloc(&out, 512);
  sums<<<n / 128 / 60 + 1, 128>>>(data, out, n);
  cudaDeviceSynchronize();
}

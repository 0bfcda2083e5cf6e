// Blocks that are told apart without their size along the same axis keep it:
// those of another size would leave rows out. And a grid that has a thread for
// each row has no use for more.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s --implicit-check-not="launch blocks of" --implicit-check-not="launch a grid of"
// CHECK-LABEL: rows(
// CHECK-LABEL: matrices(
// CHECK-LABEL: tiles(
// CHECK-LABEL: covered(

__global__ void rows(const float *a, float *o, int columns) {
  size_t row = (size_t)blockIdx.x * columns;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    o[row + c] = a[row + c] * 2;
}

__global__ void matrices(const float *a, float *o, int columns) {
  size_t matrix = blockIdx.x * blockDim.y + threadIdx.y;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    o[matrix * columns + c] = a[matrix * columns + c] * 2;
}

__global__ void tiles(const float *a, float *o, int width) {
  for (int y = threadIdx.y; y < 64; y += blockDim.y)
    for (int x = threadIdx.x; x < 64; x += blockDim.x) {
      size_t i = (size_t)(blockIdx.y * 64 + y) * width + blockIdx.x * 64 + x;
      o[i] = a[i] * 2;
    }
}

__global__ void covered(const float *a, float *o, int n, int m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float s = 0;
    for (int k = 0; k < m; ++k)
      s += a[k * n + i];
    o[i] = s;
  }
}

void run(float *a, float *o) {
  rows<<<4096, 32>>>(a, o, 4096);
  matrices<<<1024, dim3(32, 4)>>>(a, o, 4096);
  tiles<<<dim3(64, 64), dim3(8, 4)>>>(a, o, 4096);
  covered<<<10, 256>>>(a, o, 2560, 1000);
}

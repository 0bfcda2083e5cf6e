// Rows and columns by division of a counter that goes by the size of the grid:
// neighbours share what they touch as where each element has its thread.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK-NOT: takes too many pieces to count
// CHECK-LABEL: stencil(
// CHECK: a loads 500 MB 550 MB 307 MB 100 MB{{$}}
// CHECK-LABEL: stencilOnce(
// CHECK: a loads 500 MB 550 MB 307 MB 100 MB{{$}}
// CHECK-LABEL: toChannels(
// CHECK: a loads 103 MB 822 MB 208 MB 103 MB{{$}}
// What rows of odd width leave of sectors, the next turn fills.
// CHECK-LABEL: planes(
// CHECK: out stores 114 MB 126 MB 126 MB 114 MB{{$}}
// A persistent kernel goes over tiles.
// CHECK-LABEL: tiles(
// CHECK: a loads 1.07 GB 1.07 GB 1.07 GB {{[0-9.]+}} MB

__device__ void pointOf(const float *a, float *out, int i, int width,
                        int height) {
  int x = i % width, y = i / width;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    out[i] = a[i - 1] + a[i] + a[i + 1] + a[i - width] + a[i + width];
}

__global__ void stencil(const float *a, float *out, int n, int width,
                        int height) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    pointOf(a, out, i, width, height);
}

__global__ void stencilOnce(const float *a, float *out, int n, int width,
                            int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    pointOf(a, out, i, width, height);
}

__global__ void toChannels(const float *a, float *out, int n, int channels,
                           int pixels) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int c = i % channels, p = i / channels % pixels, b = i / channels / pixels;
    out[i] = a[(b * channels + c) * pixels + p];
  }
}

__global__ void planes(const float *a, float *out, int n, int width) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int x = i % width, y = i / width % width, c = i / width / width;
    for (int k = 0; k < 9; ++k)
      out[((c * 9 + k) * width + y) * width + x] = a[i];
  }
}

__global__ void tiles(const float *a, float *out, int n, int across) {
  for (int tile = blockIdx.x; tile < across * across; tile += gridDim.x) {
    int row = tile / across * 32 + threadIdx.y;
    float sum = 0;
    for (int k = threadIdx.x; k < n; k += 32)
      sum += a[row * n + k];
    out[(tile % across * 32 + threadIdx.x) * n + row] = sum;
  }
}

int main() {
  float *a, *out;
  cudaMalloc(&a, 1 << 30);
  cudaMalloc(&out, 1 << 30);
  stencil<<<1080, 256>>>(a, out, 5000 * 5000, 5000, 5000);
  stencilOnce<<<(5000 * 5000 + 255) / 256, 256>>>(a, out, 5000 * 5000, 5000, 5000);
  toChannels<<<1080, 256>>>(a, out, 32 * 64 * 112 * 112, 64, 112 * 112);
  planes<<<1024, 256>>>(a, out, 222 * 222 * 64, 222);
  tiles<<<216, dim3(32, 32)>>>(a, out, 2048, 64);
}

// Blocks of other sizes are looked for step by step, on in the direction that
// is faster: rows along x ask for narrow blocks, however wide these are.

// RUN: auspex predict %s --gpu=a100-sxm4-40gb | FileCheck %s

// CHECK: multiply
// CHECK: fixes:
// CHECK-NEXT: ms ({{8|9}}{{[0-9.]+}} %) less: {{.*}}launch blocks of {{[1-4]}}x{{[0-9]+}}x1 in a grid of {{.*}} instead of 32x32x1 [block-size]

// Words that others want too are where x goes on: wider blocks are faster.
// CHECK: blur
// CHECK: fixes:
// CHECK: launch blocks of {{32|64|128}}x{{[0-9]+}}x1 in a grid of {{.*}} instead of 8x32x1 [block-size]

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// Kept within the image: what is at its edges costs no time to find.
__global__ void blur(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i)
      sum += in[min(max(y + j, 0), height - 1) * width +
                min(max(x + i, 0), width - 1)];
  out[y * width + x] = sum / 25;
}

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, 2048 * 2048 * sizeof(float));
  cudaMalloc(&b, 2048 * 2048 * sizeof(float));
  cudaMalloc(&c, 2048 * 2048 * sizeof(float));
  multiply<<<dim3(64, 64), dim3(32, 32)>>>(a, b, c, 2048);
  blur<<<dim3(256, 64), dim3(8, 32)>>>(a, c, 2048, 2048);
}

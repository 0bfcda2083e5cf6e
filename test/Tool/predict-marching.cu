// An index that a loop steps, used again behind it. nvcc does not take the first
// turns out of a loop for the condition in it, and there is one way behind it.

// RUN: auspex predict %s --gpu RTX-2080 | FileCheck %s

// CHECK-LABEL: march(
// CHECK-NOT:   UnknownAccess
// CHECK:       :[[#@LINE+13]]:{{.*}}store of 4 B a lane: 4 sectors a request
// CHECK-NOT:   UnknownAccess
__global__ void march(const float *in, float *out, int nx, int ny, int nz) {
  int stride = nx * ny;
  int idx = (blockIdx.y * blockDim.y + threadIdx.y) * nx +
            blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int z = 4; z < nz - 4; z++) {
    sum += in[idx];
    if (z > 8)
      out[idx] = sum;
    idx += stride;
  }
  out[idx] = sum;
  out[idx + stride] = sum * 2;
}

int main() {
  int nx = 512, ny = 512, nz = 40;
  float *a, *b;
  cudaMalloc(&a, nx * ny * nz * 4L);
  cudaMalloc(&b, nx * ny * nz * 4L);
  march<<<dim3(nx / 32, ny / 8), dim3(32, 8)>>>(a, b, nx, ny, nz);
}

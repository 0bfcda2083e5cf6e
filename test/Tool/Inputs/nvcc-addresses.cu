// Rows of a tile in turns, and two arrays side by side.
__global__ void sumRows(const float *in, float *out) {
  __shared__ float tile[12 * 32];
  for (int i = threadIdx.x; i < 12 * 32; i += 128)
    tile[i] = in[i];
  __syncthreads();
  float sums[4] = {};
  int row = 0;
#pragma unroll 4
  for (int step = 0; step < 8192; ++step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float value = tile[(row + i) * 32 + threadIdx.x % 32];
      sums[i] += value * value;
    }
    row = (row + 1) % 8;
  }
  out[blockIdx.x * 128 + threadIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}

__global__ void differences(const float *a, const float *b, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 818; ++k)
    sum += __frsqrt_rn(a[i * 818 + k] - b[k]);
  out[i] = sum;
}

void launch(float *a, float *b, float *out) {
  sumRows<<<132, 128>>>(a, out);
  differences<<<4096, 64>>>(a, b, out);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the emulator's benchmark runs.

extern "C" __global__ void saxpy(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

template <int tile>
__device__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[tile][tile];
  __shared__ float tileB[tile][tile];
  int row = blockIdx.y * tile + threadIdx.y;
  int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    tileA[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void tiled16(const float *a, const float *b, float *c,
                                   int n) {
  multiply<16>(a, b, c, n);
}

extern "C" __global__ void tiled32(const float *a, const float *b, float *c,
                                   int n) {
  multiply<32>(a, b, c, n);
}

// Lanes leave the loop one after the other.
extern "C" __global__ void divergent(const int *steps, int *results, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned value = i;
  for (int step = steps[i]; step > 0; --step)
    value = value & 1 ? 3 * value + 1 : value / 2;
  results[i] = value;
}

extern "C" __global__ void histogram(const unsigned *pixels, int n,
                                     unsigned *counts) {
  __shared__ unsigned local[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    unsigned pixel = pixels[i];
    for (unsigned channel = 0; channel < 4; ++channel)
      atomicAdd(&local[channel * 256 + (pixel >> (8 * channel) & 255)], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    if (local[i] != 0)
      atomicAdd(&counts[i], local[i]);
}

// A row of a sparse matrix for each thread.
extern "C" __global__ void spmv(const int *begins, const int *columns,
                                const float *values, const float *x, float *y,
                                int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = begins[row]; i < begins[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

// A row for each warp.
extern "C" __global__ void spmvWarp(const int *begins, const int *columns,
                                    const float *values, const float *x,
                                    float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = begins[row] + lane; i < begins[row + 1]; i += 32)
    sum += values[i] * x[columns[i]];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(~0u, sum, distance);
  if (lane == 0)
    y[row] = sum;
}

extern "C" __global__ void empty() {}

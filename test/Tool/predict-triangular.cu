// Rows that end at the diagonal: of a row's bytes those before it are moved,
// each once, by warps and by blocks that have rows of their own.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK-LABEL: rowPerWarp(
// CHECK: a loads 537 MB 537 MB 537 MB 537 MB{{$}}
// CHECK-LABEL: rowPerBlock(
// CHECK: a loads 134 MB 134 MB 134 MB 134 MB{{$}}
// Warps that meet in the rows: those of the blocks on an SM are the same.
// CHECK-LABEL: rowsFromOwn(
// CHECK: a loads {{[0-9.]+}} GB {{[0-9.]+}} GB {{[0-9.]+}} GB {{[1-6](\.[0-9]+)?}} GB{{$}}
// A guard on the same diagonal: the rows are in L1 all the same.
// CHECK-LABEL: belowDiagonal(
// CHECK: a loads {{[0-9.]+}} GB 17{{(\.[0-9]+)?}} GB {{[0-9.]+}} MB {{[0-9.]+}} MB{{$}}
// CHECK-NOT: takes too many pieces to count
// A block a part of a row: what is fetched is what is asked for.
// CHECK-LABEL: below(
// CHECK: a loads 134 MB 134 MB 134 MB 134 MB{{$}}

__global__ void rowPerWarp(float *y, const float *a, const float *x, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  float sum = 0;
  for (int j = lane; j <= row; j += 32)
    sum += a[(long long)row * n + j] * x[j];
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0)
    y[row] = sum;
}

__global__ void rowPerBlock(float *y, const float *a, int n) {
  int row = blockIdx.x;
  float sum = 0;
  for (int j = threadIdx.x; j <= row; j += blockDim.x)
    sum += a[(long long)row * n + j];
  y[(long long)row * blockDim.x + threadIdx.x] = sum;
}

__global__ void rowsFromOwn(float *y, const float *a, int n) {
  int own = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  const float *matrix = a + blockIdx.y * n * n;
  for (int row = own; row < n; ++row) {
    float sum = 0;
    for (int j = lane; j <= row; j += 32)
      sum += matrix[row * n + j];
    y[blockIdx.y * n * n + row * n + own] = sum;
  }
}

__global__ void belowDiagonal(float *y, const float *a, int n) {
  a += blockIdx.y * n * n;
  y += blockIdx.y * n * n;
  for (int column = threadIdx.x; column < n; column += blockDim.x)
    for (int row = blockIdx.x; row < n; row += gridDim.x) {
      if (column > row)
        continue;
      float sum = 0;
      for (int k = 0; k <= row; ++k)
        sum += a[row * n + k] * a[row * n + column];
      y[row * n + column] = sum;
    }
}

__global__ void below(float *y, const float *a, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column <= row)
    y[row * n + column] = a[row * n + column];
}

void run(float *y, float *a, float *x) {
  rowPerWarp<<<2048, 256>>>(y, a, x, 16384);
  rowPerBlock<<<8192, 128>>>(y, a, 8192);
  rowsFromOwn<<<dim3(32, 48), 1024>>>(y, a, 1024);
  belowDiagonal<<<dim3(16, 48), 256>>>(y, a, 1024);
  below<<<dim3(32, 8192), 256>>>(y, a, 8192);
}

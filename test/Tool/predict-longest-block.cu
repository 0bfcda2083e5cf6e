// One thread, or one block, that does far more than all others takes the launch
// along.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu H100-SXM | FileCheck %s
// CHECK-LABEL: scan(
// CHECK-NEXT: predicted {{[0-9.]+}} ms for scan on H100-SXM, {{[0-9.]+}} % of its limit (longest block)
// CHECK-LABEL: roles(
// CHECK-NEXT: predicted {{[12][0-9][0-9]}} us for roles on H100-SXM, {{[0-9.]+}} % of its limit (longest block)
// CHECK-LABEL: even(
// CHECK-NOT: longest block
// Idle blocks beside it do not make a block faster.
// CHECK-LABEL: columns(
// CHECK-NEXT: predicted {{3[0-9][0-9.]*}} us
// CHECK: predicted {{(2[5-9]|3[0-9])[0-9.]*}} us for columns on H100-SXM, {{[0-9.]+}} % of its limit (longest block)

// A second block halves the mean, not the time.
// CHECK-LABEL: lone(
// CHECK-NEXT: predicted [[LONE:[0-9.]+ us]]
// CHECK: predicted [[LONE]] for lone on H100-SXM, {{[0-9.]+}} % of its limit (longest block)
// Short as it is, to launch it takes most of the time.
// CHECK-LABEL: few(
// CHECK-NEXT: predicted {{[0-9.]+}} us for few on H100-SXM, {{[0-9.]+}} % of its limit (launch overhead)

__global__ void scan(const float *w, float *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[n + i] = 2 * w[i];
  __syncthreads();
  if (i == 0) {
    sums[0] = w[0];
    for (int x = 1; x < n; ++x)
      sums[x] = w[x] + sums[x - 1];
  }
}

__global__ void roles(float *out) {
  float s = threadIdx.x;
  int n = blockIdx.x == 7 ? 100000 : 10;
  for (int j = 0; j < n; ++j)
    s = s * 1.5f + 2;
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// Half of the blocks has up to twice as much to do as the mean.
__global__ void even(const float *w, float *out) {
  float s = 0;
  for (int j = 0; j < blockIdx.x; ++j)
    s += w[j * blockDim.x + threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// The first row of blocks alone works.
__global__ void columns(const float *w, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.y == 0) {
    float s = 0;
    for (int j = 0; j < n; ++j)
      s += w[j * n + x];
    out[x] = s;
  }
}

__global__ void lone(const float *w, float *sums, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0)
    for (int x = 1; x < n; ++x)
      sums[x] = w[x] + sums[x - 1];
}

__global__ void few(const float *w, float *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] = w[i] + w[n - i];
}

void run(float *x, float *y) {
  scan<<<1563, 256>>>(x, y, 400000);
  roles<<<64, 128>>>(y);
  even<<<1000, 256>>>(x, y);
  columns<<<dim3(32, 1), 32>>>(x, y, 1024);
  columns<<<dim3(32, 16), 32>>>(x, y, 1024);
  lone<<<8, 256>>>(x, y, 1000);
  lone<<<2, 256>>>(x, y, 1000);
  few<<<10, 128>>>(x, y, 7);
}

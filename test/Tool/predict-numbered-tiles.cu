// Tiles in two dimensions of the grid, and the same tiles numbered along one:
// thread and block are divided each by itself, and blocks share as many rows.
//
// RUN: auspex predict %s --gpu V100-PCIe | FileCheck %s

// Rows that are divided by one number and by another have no common digits.
//
// CHECK-LABEL: {{^}}odd
// CHECK:       assumed: what blocks have in common of in takes too many pieces to count: its addresses are taken to be picked at random
__global__ void odd(const float *in, float *out) {
  int t = threadIdx.x, b = blockIdx.x;
  out[b * 256 + t] = in[t / 12 * 4096 + t % 20 * 100 + b / 7 * 70000 + b % 5];
}

// CHECK-LABEL: {{^}}void tiles<false>
// CHECK:       predicted [[TIME:[0-9.]+ us]] for
// CHECK:       rows loads [[ROWS:.*]]
// CHECK-LABEL: {{^}}void tiles<true>
// CHECK:       predicted [[TIME]] for
// CHECK:       rows loads [[ROWS]]
// CHECK-NOT:   picked at random
template <bool isNumbered>
__global__ void tiles(const float *rows, float *sums, int n) {
  int across = n / 64;
  int x = isNumbered ? blockIdx.x % across : blockIdx.x;
  int y = isNumbered ? blockIdx.x / across : blockIdx.y;
  int row = threadIdx.x / 16, column = threadIdx.x % 16;
  float sum = 0;
  for (int k = 0; k < n; k += 16)
    for (int i = 0; i < 64; i += 16)
      sum += rows[(y * 64 + row + i) * n + k + column];
  sums[(y * across + x) * 256 + threadIdx.x] = sum;
}

int main() {
  constexpr int n = 1024;
  float *rows, *sums;
  cudaMalloc(&rows, n * n * sizeof(float));
  cudaMalloc(&sums, n / 64 * (n / 64) * 256 * sizeof(float));
  tiles<false><<<dim3(n / 64, n / 64), 256>>>(rows, sums, n);
  tiles<true><<<n / 64 * (n / 64), 256>>>(rows, sums, n);
  odd<<<4096, 256>>>(rows, sums);
}

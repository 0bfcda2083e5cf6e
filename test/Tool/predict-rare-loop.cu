// A loop of any length that hardly any warp comes to leaves the time known.

// RUN: auspex predict %s --gpu A100-80GB | FileCheck %s

// CHECK-LABEL: {{^}}inner(
// CHECK:       predicted {{.*}} for inner
// CHECK-NOT:   [UnknownLoop]
// CHECK:       assumed: the loop at line [[#@LINE+10]], which 0.56 % of the warps come to, is taken to run once: its trip count is unknown (indirect)
__global__ void inner(const int *ends, const double *v, double *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n * n)
    return;
  int i = row / n, j = row % n;
  double sum = 0;
  if (i > 0 && i < n - 1 && j > 0 && j < n - 1)
    sum = v[row - n] + v[row] + v[row + n];
  else
    for (int k = ends[row]; k < ends[row + 1]; ++k)
      sum += v[k];
  y[row] = sum;
}

// Where every warp has its border, it does not.
//
// CHECK-LABEL: {{^}}outer(
// CHECK:       time unknown
// CHECK:       [UnknownLoop]
__global__ void outer(const int *ends, const double *v, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = v[i];
  if (threadIdx.x % 32 == 0)
    for (int k = ends[i]; k < ends[i + 1]; ++k)
      sum += v[k];
  y[i] = sum;
}

void run(int *ends, double *v, double *y) {
  int n = 10000;
  inner<<<(n * n + 255) / 256, 256>>>(ends, v, y, n);
  outer<<<n, 256>>>(ends, v, y);
}

// A thread goes over each row of a sparse matrix: its rows lie one after the
// other, so that DRAM moves some three times what they are at most, not each
// element with a fetch of its own (1.4 GB).
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK: values loads {{ *}}113 MB {{ *}}906 MB {{ *}}905 MB {{ *}}{{[123][0-9][0-9]}} MB
// CHECK: assumed: {{.*}}goes over all of values once, 27 turns in the mean

__global__ void multiply(int rows, const int *first, const int *columns,
                         const float *values, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = first[row]; i < first[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

int main() {
  const int rows = 1 << 20, count = 27 << 20;
  int *first, *columns;
  float *values, *x, *y;
  cudaMalloc(&first, sizeof(int) * (rows + 1));
  cudaMalloc(&columns, sizeof(int) * count);
  cudaMalloc(&values, sizeof(float) * count);
  cudaMalloc(&x, sizeof(float) * rows);
  cudaMalloc(&y, sizeof(float) * rows);
  multiply<<<rows / 256, 256>>>(rows, first, columns, values, x, y);
}

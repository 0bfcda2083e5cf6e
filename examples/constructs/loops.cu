// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose number of trips is an expression: over the grid, by doubling and
// halving, in a triangle, different in each thread, unrolled with a remainder,
// left in two places; and a counter that starts again at a bound.
#include "../check.h"

// Any grid does for any size: as many trips as the threads of all blocks need.
__global__ void scaleGridStride(float *x, int n, float factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    x[i] *= factor;
}

// The sums up to each number, in a block: the distance doubles, s *= 2.
__global__ void scanBlock(const float *in, float *out) {
  extern __shared__ float values[];
  int t = threadIdx.x, n = blockDim.x;
  values[t] = in[blockIdx.x * n + t];
  __syncthreads();
  for (int s = 1; s < n; s *= 2) {
    float before = t >= s ? values[t - s] : 0;
    __syncthreads();
    values[t] += before;
    __syncthreads();
  }
  out[blockIdx.x * n + t] = values[t];
}

// The largest number of a block: the distance is halved, s >>= 1.
__global__ void largest(const float *in, float *out) {
  extern __shared__ float values[];
  int t = threadIdx.x;
  values[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s)
      values[t] = fmaxf(values[t], values[t + s]);
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = values[0];
}

// How many pairs of each set of n numbers are in order: i < j is a triangle.
__global__ void countInOrder(const float *values, int *counts, int sets,
                             int n) {
  int set = blockIdx.x * blockDim.x + threadIdx.x;
  if (set >= sets)
    return;
  int count = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      count += values[i * sets + set] < values[j * sets + set];
  counts[set] = count;
}

// Row r of a triangular matrix has r + 1 numbers: each thread runs for as long
// as its row is, each warp for as long as its longest.
__global__ void multiplyTriangle(const float *matrix, const float *x, float *y,
                                 int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int column = 0; column <= row; ++column)
    sum += matrix[column * n + row] * x[column];
  y[row] = sum;
}

// Four terms a trip, and what is left.
__global__ void evaluatePolynomial(const float *x, const float *coefficients,
                                   float *y, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float at = x[i], sum = 0;
#pragma unroll 4
  for (int k = 0; k < terms; ++k)
    sum = sum * at + coefficients[k];
  y[i] = sum;
}

// The last numbers of each sequence stay in a ring: its place starts again at
// 0.
__global__ void keepLast(const float *in, float *ring, int steps, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  int place = 0;
  for (int step = 0; step < steps; ++step) {
    ring[place * n + i] = in[step * n + i];
    place = place + 1 == size ? 0 : place + 1;
  }
}

// From each number on to the next that 32 divides: the compiler counts that in
// five bits.
__global__ void fillToBorder(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    x[i] = 1;
    ++i;
  } while (i % 32);
}

// Each row up to its border, but a thread that meets `end` stops there; the
// others step over it.
__global__ void fillRows(int *x, int n, int end) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (i == end)
      return;
    x[blockIdx.x * n + i] = 1;
  }
}

static bool runGridStride() {
  const int n = 5000;
  std::vector<float> x = fill<float>(n), expected = x;
  for (float &value : expected)
    value *= 2;
  DeviceArray<float> device(x);
  scaleGridStride<<<5, 128>>>(device.get(), n, 2);
  CHECK_KERNEL();
  return compare("grid stride", device.copyBack(), expected);
}

static bool runBlocks() {
  const int blocks = 6, threads = 256;
  std::vector<float> values = fill<float>(blocks * threads), most(blocks);
  std::vector<float> sums = values;
  for (int i = 0; i < blocks * threads; ++i) {
    sums[i] += i % threads ? sums[i - 1] : 0;
    most[i / threads] = std::fmax(most[i / threads], values[i]);
  }
  DeviceArray<float> in(values), out(values.size()), results(blocks);
  scanBlock<<<blocks, threads, threads * sizeof(float)>>>(in.get(), out.get());
  CHECK_KERNEL();
  bool passed = compare("sums", out.copyBack(), sums);
  largest<<<blocks, threads, threads * sizeof(float)>>>(in.get(),
                                                        results.get());
  CHECK_KERNEL();
  return passed & compare("largest", results.copyBack(), most);
}

static bool runTriangles() {
  const int sets = 100, numbers = 12, n = 150;
  std::vector<float> values = fill<float>(sets * numbers);
  std::vector<int> inOrder(sets);
  for (int set = 0; set < sets; ++set)
    for (int j = 0; j < numbers; ++j)
      for (int i = 0; i < j; ++i)
        inOrder[set] += values[i * sets + set] < values[j * sets + set];
  DeviceArray<float> deviceValues(values);
  DeviceArray<int> counts(sets);
  countInOrder<<<2, 64>>>(deviceValues.get(), counts.get(), sets, numbers);
  CHECK_KERNEL();
  bool passed = compare("pairs", counts.copyBack(), inOrder);

  std::vector<float> matrix = fill<float>(n * n), x = fill<float>(n, 2), y(n);
  for (int row = 0; row < n; ++row)
    for (int column = 0; column <= row; ++column)
      y[row] += matrix[column * n + row] * x[column];
  DeviceArray<float> deviceMatrix(matrix), deviceX(x), deviceY(n);
  multiplyTriangle<<<3, 64>>>(deviceMatrix.get(), deviceX.get(), deviceY.get(),
                              n);
  CHECK_KERNEL();
  return passed & compare("triangle", deviceY.copyBack(), y);
}

static bool runPolynomial() {
  const int n = 512, terms = 11;
  std::vector<float> x = fill<float>(n), c = fill<float>(terms, 2), y(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < terms; ++k)
      y[i] = y[i] * x[i] + c[k];
  DeviceArray<float> deviceX(x), coefficients(c), deviceY(n);
  evaluatePolynomial<<<4, 128>>>(deviceX.get(), coefficients.get(),
                                 deviceY.get(), terms);
  CHECK_KERNEL();
  return compare("polynomial", deviceY.copyBack(), y, 1e-5);
}

static bool runRing() {
  const int n = 256, steps = 11, size = 4;
  std::vector<float> values = fill<float>(steps * n), expected(size * n);
  for (int i = 0; i < steps * n; ++i)
    expected[i / n % size * n + i % n] = values[i];
  DeviceArray<float> in(values), ring(size * n);
  keepLast<<<2, n / 2>>>(in.get(), ring.get(), steps, size);
  CHECK_KERNEL();
  return compare("ring", ring.copyBack(), expected);
}

static bool runBorders() {
  const int rows = 3, n = 256, end = 70, threads = 64;
  DeviceArray<int> line(n), filled(rows * n);
  fillToBorder<<<n / threads, threads>>>(line.get());
  CHECK_KERNEL();
  bool passed = compare("line", line.copyBack(), std::vector<int>(n, 1));
  fillRows<<<rows, threads>>>(filled.get(), n, end);
  CHECK_KERNEL();
  std::vector<int> expected(rows * n, 1);
  for (int row = 0; row < rows; ++row)
    for (int i = end; i < n; i += threads)
      expected[row * n + i] = 0;
  return passed & compare("rows", filled.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runGridStride();
  passed &= runBlocks();
  passed &= runTriangles();
  passed &= runPolynomial();
  passed &= runRing();
  passed &= runBorders();
  return finish(passed);
}

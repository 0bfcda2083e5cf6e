// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers: that walk, that stand in a struct passed by value, that lost their
// array on the way, that are null; and accesses wider than a number: vectors
// and whole structs.
#include "../check.h"

// A field with its shape, as libraries pass them: the pointer is in the struct.
struct View {
  float *data;
  int rows, columns, stride;

  __device__ float &at(int row, int column) const {
    return data[row * stride + column];
  }
};

// One thread a row, and pointers that walk along it.
__global__ void dotRows(const float *a, const float *b, float *dots, int rows,
                        int length) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const float *p = a + row * length, *q = b;
  float sum = 0;
  for (const float *end = p + length; p != end;)
    sum += *p++ * *q++;
  dots[row] = sum;
}

__global__ void addViews(View a, View b, View sum) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < sum.rows && column < sum.columns)
    sum.at(row, column) = a.at(row, column) + b.at(row, column);
}

// The same code for two address spaces: what it gets is a pointer that could be
// to either.
__device__ float sumOfFour(const float *values) {
  return values[0] + values[1] + values[2] + values[3];
}

// Sums within a row of 128 numbers, and of sums, in an array that another
// function sees as memory of any kind.
__global__ void sumInSteps(const float *in, float *out) {
  __shared__ float partial[32];
  const float *row = in + blockIdx.x * 128;
  partial[threadIdx.x] = sumOfFour(row + 4 * threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 8)
    out[blockIdx.x * 8 + threadIdx.x] = sumOfFour(partial + 4 * threadIdx.x);
}

// Twelve bytes, copied as a whole.
struct Point {
  float x, y, z;
};

__global__ void reversePoints(const Point *in, Point *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[n - 1 - i] = in[i];
}

// 16 bytes a lane, and 8.
__global__ void lengths(const float4 *in, float2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = in[i];
  out[i] = make_float2(v.x * v.x + v.y * v.y, v.z * v.z + v.w * v.w);
}

// What lies in a box at each cell: one pointer walks through three loops, the
// innermost of which may have no trips as far as the compiler knows.
__global__ void unfoldBoxes(const float *field, float *boxes, int cells,
                            int width, int height, int side) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells)
    return;
  float *to = boxes + cell;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        *to = field[cell + (z * height + y) * width + x];
        to += cells;
      }
}

// An input that may be left out.
__global__ void addResidual(const float *in, const float *residual, float *out,
                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = in[i];
  if (residual != nullptr)
    value += residual[i];
  out[i] = value;
}

static bool runDots() {
  const int rows = 100, length = 40;
  std::vector<float> a = fill<float>(rows * length), b = fill<float>(length, 2);
  std::vector<float> expected(rows);
  for (int i = 0; i < rows * length; ++i)
    expected[i / length] += a[i] * b[i % length];
  DeviceArray<float> deviceA(a), deviceB(b), dots(rows);
  dotRows<<<2, 64>>>(deviceA.get(), deviceB.get(), dots.get(), rows, length);
  CHECK_KERNEL();
  return compare("dots", dots.copyBack(), expected);
}

static bool runViews() {
  const int rows = 30, columns = 50, strideA = 64, strideB = 52;
  std::vector<float> a = fill<float>(rows * strideA);
  std::vector<float> b = fill<float>(rows * strideB, 2), expected;
  for (int i = 0; i < rows * columns; ++i)
    expected.push_back(a[i / columns * strideA + i % columns] +
                       b[i / columns * strideB + i % columns]);
  DeviceArray<float> deviceA(a), deviceB(b), sum(rows * columns);
  View viewA{deviceA.get(), rows, columns, strideA};
  View viewB{deviceB.get(), rows, columns, strideB};
  View viewSum{sum.get(), rows, columns, columns};
  addViews<<<dim3(2, 4), dim3(32, 8)>>>(viewA, viewB, viewSum);
  CHECK_KERNEL();
  return compare("sums of views", sum.copyBack(), expected);
}

static bool runSteps() {
  const int rows = 20;
  std::vector<float> values = fill<float>(rows * 128), expected(rows * 8);
  for (int i = 0; i < rows * 128; ++i)
    expected[i / 16] += values[i];
  DeviceArray<float> in(values), out(rows * 8);
  sumInSteps<<<rows, 32>>>(in.get(), out.get());
  CHECK_KERNEL();
  return compare("sums in steps", out.copyBack(), expected);
}

static bool runPoints() {
  const int n = 300;
  std::vector<float> numbers = fill<float>(3 * n), expected(3 * n);
  for (int i = 0; i < 3 * n; ++i)
    expected[i] = numbers[3 * (n - 1 - i / 3) + i % 3];
  DeviceArray<float> in(numbers), out(3 * n);
  reversePoints<<<3, 128>>>(reinterpret_cast<Point *>(in.get()),
                            reinterpret_cast<Point *>(out.get()), n);
  CHECK_KERNEL();
  return compare("points", out.copyBack(), expected);
}

static bool runLengths() {
  const int n = 1000;
  std::vector<float> v = fill<float>(4 * n), expected(2 * n);
  for (int i = 0; i < 4 * n; ++i)
    expected[i / 2] += v[i] * v[i];
  DeviceArray<float> in(v), out(2 * n);
  lengths<<<8, 128>>>(reinterpret_cast<float4 *>(in.get()),
                      reinterpret_cast<float2 *>(out.get()), n);
  CHECK_KERNEL();
  return compare("lengths", out.copyBack(), expected);
}

static bool runBoxes() {
  const int cells = 500, width = 20, height = 10, side = 3;
  std::vector<float> field = fill<float>(cells + side * height * width);
  std::vector<float> expected;
  for (int i = 0; i < side * side * side; ++i)
    for (int cell = 0; cell < cells; ++cell)
      expected.push_back(
          field[cell + (i / (side * side) * height + i / side % side) * width +
                i % side]);
  DeviceArray<float> in(field), out(expected.size());
  unfoldBoxes<<<4, 128>>>(in.get(), out.get(), cells, width, height, side);
  CHECK_KERNEL();
  return compare("boxes", out.copyBack(), expected);
}

static bool runResiduals() {
  const int n = 3000;
  std::vector<float> numbers = fill<float>(n), more = fill<float>(n, 2);
  std::vector<float> expected = numbers;
  DeviceArray<float> in(numbers), residual(more), out(n);
  addResidual<<<24, 128>>>(in.get(), nullptr, out.get(), n);
  CHECK_KERNEL();
  bool passed = compare("without residual", out.copyBack(), expected);
  for (int i = 0; i < n; ++i)
    expected[i] += more[i];
  addResidual<<<24, 128>>>(in.get(), residual.get(), out.get(), n);
  CHECK_KERNEL();
  return passed & compare("with residual", out.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runDots();
  passed &= runViews();
  passed &= runSteps();
  passed &= runPoints();
  passed &= runLengths();
  passed &= runBoxes();
  passed &= runResiduals();
  return finish(passed);
}

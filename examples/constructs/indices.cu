// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses made from a flat thread index: division and remainder, as such and
// as shifts and masks; a swizzle by exclusive or; 32-bit arithmetic; strides
// that are arguments.
#include "../check.h"

// Images of 3 channels from "pixels of channels" to "planes": the flat index is
// taken apart by division and remainder by constants and by arguments.
__global__ void toPlanes(const float *__restrict__ pixels,
                         float *__restrict__ planes, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int channel = i % 3;
  int pixel = i / 3;
  int x = pixel % width;
  int y = pixel / width;
  if (y < height)
    planes[(channel * height + y) * width + x] = pixels[i];
}

constexpr int tile = 32;

// A block of 256 threads is taken as 8 rows of a tile by shifts and masks. The
// tile in shared memory is stored with its columns exchanged by row, so that
// rows and columns are free of bank conflicts without padding.
__global__ void transposeSwizzled(const float *in, float *out, unsigned size) {
  __shared__ float values[tile * tile];
  unsigned column = threadIdx.x & 31, row = threadIdx.x >> 5;
  unsigned left = blockIdx.x << 5, top = blockIdx.y << 5;
  for (unsigned r = row; r < tile; r += 8)
    values[r << 5 | (column ^ r)] = in[(top + r) * size + left + column];
  __syncthreads();
  for (unsigned r = row; r < tile; r += 8)
    out[(left + r) * size + top + column] = values[column << 5 | (column ^ r)];
}

// A column of a matrix with a leading dimension, in unsigned numbers of 32 bits
// that are widened only when they become an address.
__global__ void scaleColumns(float *matrix, unsigned rows, unsigned stride,
                             unsigned step, float factor) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    matrix[row * stride + blockIdx.y * step] *= factor;
}

static bool runPlanes() {
  const int width = 120, height = 50, size = 3 * width * height;
  std::vector<float> pixels = fill<float>(size), expected(size);
  for (int i = 0; i < size; ++i)
    expected[i % 3 * width * height + i / 3] = pixels[i];
  DeviceArray<float> in(pixels), out(size);
  toPlanes<<<71, 256>>>(in.get(), out.get(), width, height);
  CHECK_KERNEL();
  return compare("planes", out.copyBack(), expected);
}

static bool runTranspose() {
  const unsigned size = 128;
  std::vector<float> matrix = fill<float>(size * size), expected(size * size);
  for (unsigned row = 0; row < size; ++row)
    for (unsigned column = 0; column < size; ++column)
      expected[column * size + row] = matrix[row * size + column];
  DeviceArray<float> in(matrix), out(size * size);
  transposeSwizzled<<<dim3(4, 4), 256>>>(in.get(), out.get(), size);
  CHECK_KERNEL();
  return compare("transposed", out.copyBack(), expected);
}

static bool runColumns() {
  const unsigned rows = 200, stride = 24, step = 3;
  std::vector<float> matrix = fill<float>(rows * stride), expected = matrix;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < stride; column += step)
      expected[row * stride + column] *= 2;
  DeviceArray<float> device(matrix);
  scaleColumns<<<dim3(2, 8), 128>>>(device.get(), rows, stride, step, 2);
  CHECK_KERNEL();
  return compare("columns", device.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runPlanes();
  passed &= runTranspose();
  passed &= runColumns();
  return finish(passed);
}

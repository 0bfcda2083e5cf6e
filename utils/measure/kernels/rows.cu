// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of the rows of a matrix, as networks have it: a warp or a block a
// row, read three times or kept in registers.
#include "../measure.h"

#include <cmath>

struct Greatest {
  static __device__ float of(float x, float y) { return fmaxf(x, y); }
};
struct Sum {
  static __device__ float of(float x, float y) { return x + y; }
};

template <class Operation> __device__ float reduceWarp(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value = Operation::of(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}

template <class Operation, int threads>
__device__ float reduceBlock(float value) {
  __shared__ float parts[threads / 32];
  value = reduceWarp<Operation>(value);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
#pragma unroll
  for (int warp = 1; warp < threads / 32; ++warp)
    value = Operation::of(value, parts[warp]);
  return value;
}

template <int threads>
__global__ void softmaxOfBlock(const float *in, float *out, int width) {
  const float *row = in + size_t(blockIdx.x) * width;
  float greatest = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < width; i += threads)
    greatest = fmaxf(greatest, row[i]);
  greatest = reduceBlock<Greatest, threads>(greatest);
  for (int i = threadIdx.x; i < width; i += threads)
    sum += expf(row[i] - greatest);
  float factor = 1 / reduceBlock<Sum, threads>(sum);
  for (int i = threadIdx.x; i < width; i += threads)
    out[size_t(blockIdx.x) * width + i] = expf(row[i] - greatest) * factor;
}

template <int width>
__global__ void softmaxOfWarp(const float *in, float *out, int rows) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows)
    return;
  size_t first = size_t(row) * width + threadIdx.x % 32;
  float values[width / 32], greatest = -INFINITY, sum = 0;
#pragma unroll
  for (int i = 0; i < width / 32; ++i) {
    values[i] = in[first + 32 * i];
    greatest = fmaxf(greatest, values[i]);
  }
  greatest = reduceWarp<Greatest>(greatest);
#pragma unroll
  for (float &value : values) {
    value = expf(value - greatest);
    sum += value;
  }
  float factor = 1 / reduceWarp<Sum>(sum);
#pragma unroll
  for (int i = 0; i < width / 32; ++i)
    out[first + 32 * i] = values[i] * factor;
}

MEASURE {
  const size_t values = size_t(1) << 26;
  measure::Array<float> in(session, values), out(session, values);
  for (int width : {256, 1024, 4096, 16384}) {
    unsigned rows = static_cast<unsigned>(values / width);
    session.run(KERNEL(softmaxOfBlock<128>), {dim3(rows), dim3(128)}, in, out,
                ARG(width));
    session.run(KERNEL(softmaxOfBlock<512>), {dim3(rows), dim3(512)}, in, out,
                ARG(width));
  }
  auto warps = [&](int rows, unsigned block) {
    return measure::Launch{dim3(rows / (block / 32)), dim3(block)};
  };
  for (unsigned block : {64, 256}) {
    int rows = static_cast<int>(values / 256);
    session.run(KERNEL(softmaxOfWarp<256>), warps(rows, block), in, out,
                ARG(rows));
    rows = static_cast<int>(values / 1024);
    session.run(KERNEL(softmaxOfWarp<1024>), warps(rows, block), in, out,
                ARG(rows));
  }
}

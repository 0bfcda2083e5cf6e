// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution of an image in many shapes: filters, blocks, pixels a thread,
// straight from memory or from a tile in shared memory.
#include "../measure.h"

constexpr int mostRadius = 5;
__constant__ float weights[(2 * mostRadius + 1) * (2 * mostRadius + 1)];

// Image and result have a border of mostRadius on each side; a block has
// threadsX * pixelsX by threadsY * pixelsY pixels.
template <bool isTiled, int radius, int threadsX, int threadsY, int pixelsX,
          int pixelsY>
__global__ void __launch_bounds__(threadsX *threadsY)
    convolve(const float *__restrict__ in, float *__restrict__ out, int pitch) {
  constexpr int side = 2 * radius + 1;
  constexpr int width = threadsX * pixelsX, height = threadsY * pixelsY;
  constexpr int tileX = width + 2 * radius, tileY = height + 2 * radius;
  __shared__ float tile[isTiled ? tileY : 1][isTiled ? tileX : 1];
  int left = blockIdx.x * width + mostRadius - radius;
  int top = blockIdx.y * height + mostRadius - radius;
  if (isTiled) {
    for (int y = threadIdx.y; y < tileY; y += threadsY)
      for (int x = threadIdx.x; x < tileX; x += threadsX)
        tile[y][x] = in[(top + y) * pitch + left + x];
    __syncthreads();
  }
  float sums[pixelsY][pixelsX] = {};
#pragma unroll
  for (int dy = 0; dy < side; ++dy)
#pragma unroll
    for (int dx = 0; dx < side; ++dx)
#pragma unroll
      for (int j = 0; j < pixelsY; ++j)
#pragma unroll
        for (int i = 0; i < pixelsX; ++i) {
          int x = threadIdx.x + i * threadsX + dx;
          int y = threadIdx.y + j * threadsY + dy;
          float pixel = isTiled ? tile[y][x] : in[(top + y) * pitch + left + x];
          sums[j][i] += weights[dy * side + dx] * pixel;
        }
#pragma unroll
  for (int j = 0; j < pixelsY; ++j)
#pragma unroll
    for (int i = 0; i < pixelsX; ++i)
      out[(top + radius + threadIdx.y + j * threadsY) * pitch + left + radius +
          threadIdx.x + i * threadsX] = sums[j][i];
}

#define MEASURE_ONE(TILED, RADIUS, TX, TY, PX, PY)                             \
  session.run(KERNEL(convolve<TILED, RADIUS, TX, TY, PX, PY>),                 \
              {dim3(n / (TX * PX), n / (TY * PY)), dim3(TX, TY)}, in, out,     \
              ARG(pitch))
#define MEASURE_BOTH(RADIUS, TX, TY, PX, PY)                                   \
  MEASURE_ONE(false, RADIUS, TX, TY, PX, PY);                                  \
  MEASURE_ONE(true, RADIUS, TX, TY, PX, PY)

MEASURE {
  const int n = 4096, pitch = n + 2 * mostRadius;
  const size_t pixels = size_t(pitch) * pitch;
  measure::Array<float> in(session, pixels), out(session, pixels);
  MEASURE_BOTH(1, 32, 8, 1, 1);
  MEASURE_BOTH(2, 32, 8, 1, 1);
  MEASURE_BOTH(3, 32, 8, 1, 1);
  MEASURE_BOTH(3, 32, 8, 1, 4);
  MEASURE_BOTH(3, 32, 8, 4, 1);
  MEASURE_BOTH(3, 64, 4, 2, 2);
  MEASURE_BOTH(5, 8, 8, 1, 1);
  MEASURE_BOTH(5, 16, 16, 1, 1);
  MEASURE_BOTH(5, 32, 4, 1, 1);
  MEASURE_BOTH(5, 32, 4, 1, 4);
  MEASURE_BOTH(5, 32, 8, 2, 2);
  MEASURE_BOTH(5, 32, 32, 1, 1);
}

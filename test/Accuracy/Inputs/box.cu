// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Box stencils over a square of 8192 x 8192 doubles: all cells up to Range
// away, diagonally too.

template <int Range>
__device__ void box(const double *__restrict__ in, double *__restrict__ out,
                    double weight) {
  constexpr int side = 8192, inner = side - 2 * Range;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= inner || y >= inner)
    return;
  int cell = (y + Range) * side + x + Range;
  double sum = 0;
#pragma unroll
  for (int j = -Range; j <= Range; ++j)
#pragma unroll
    for (int i = -Range; i <= Range; ++i)
      sum += in[cell + j * side + i];
  out[cell] = weight * sum;
}

__global__ void box1(const double *__restrict__ in, double *__restrict__ out,
                     double weight) {
  box<1>(in, out, weight);
}

__global__ void box2(const double *__restrict__ in, double *__restrict__ out,
                     double weight) {
  box<2>(in, out, weight);
}

__global__ void box3(const double *__restrict__ in, double *__restrict__ out,
                     double weight) {
  box<3>(in, out, weight);
}

__global__ void box7(const double *__restrict__ in, double *__restrict__ out,
                     double weight) {
  box<7>(in, out, weight);
}

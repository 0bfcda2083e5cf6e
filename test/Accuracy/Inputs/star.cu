// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Star stencils in three dimensions, a thread for Fold cells along z, as Ernst
// et al. measured them (Analytical performance estimation during code
// generation on modern GPUs, 2022).

// The NX x NY x NZ cells have a margin of Range on all sides.
// The first cell of a row begins a sector.
template <int Range, int Fold, int NX, int NY, int NZ>
__device__ void star(const double *__restrict__ in, double *__restrict__ out,
                     double centre, double arm) {
  constexpr int row = NX + 2 * Range, plane = row * (NY + 2 * Range);
  constexpr int firstInRow = 4;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = (blockIdx.z * blockDim.z + threadIdx.z) * Fold;
  if (x >= NX || y >= NY || z >= NZ)
    return;
#pragma unroll
  for (int fold = 0; fold < Fold; ++fold) {
    int cell = firstInRow + x + (y + Range) * row + (z + fold + Range) * plane;
    double sum = 0;
#pragma unroll
    for (int k = 1; k <= Range; ++k)
      sum += in[cell - k] + in[cell + k] + in[cell - k * row] +
             in[cell + k * row] + in[cell - k * plane] + in[cell + k * plane];
    out[cell] = centre * in[cell] + arm * sum;
  }
}

__global__ void star25(const double *__restrict__ in, double *__restrict__ out,
                       double centre, double arm) {
  star<4, 1, 632, 504, 504>(in, out, centre, arm);
}

__global__ void star13Fold1(const double *__restrict__ in,
                            double *__restrict__ out, double centre,
                            double arm) {
  star<2, 1, 596, 596, 508>(in, out, centre, arm);
}

__global__ void star13Fold2(const double *__restrict__ in,
                            double *__restrict__ out, double centre,
                            double arm) {
  star<2, 2, 596, 596, 508>(in, out, centre, arm);
}

__global__ void star13Fold4(const double *__restrict__ in,
                            double *__restrict__ out, double centre,
                            double arm) {
  star<2, 4, 596, 596, 508>(in, out, centre, arm);
}

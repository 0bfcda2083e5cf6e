// The layer condition of a star of 25 points in double precision, as Ernst et
// al. 2022 have it (figure 23): bytes of DRAM loads per cell, over the edge of a
// cube. While L2 holds what a wave needs of the layers before, a cell is loaded
// once (8 B and a halo); when it does not, a wave of d layers loads d + 8.
// REQUIRES: plugins

// DEFINE: %{block} =
// DEFINE: %{sweep} = auspex sweep %s --gpu A100-40GB --format csv --launch star=registers:64 \
// DEFINE:   --arg n=200..1200:100 --grid 'x=(n+ntid.x-1)/ntid.x,y=(n+ntid.y-1)/ntid.y,z=(n+ntid.z-1)/ntid.z' \
// DEFINE:   --block %{block} | %python %S/Inputs/bytes-per-cell.py

// It starts to rise just above an edge of 400, with deeper blocks earlier.
// REDEFINE: %{block} = x=512,y=2
// RUN: %{sweep} | FileCheck %s --check-prefix=ONE
// ONE:      200 {{[89]}}.
// ONE-NEXT: 300 8.
// ONE-NEXT: 400 {{8|9|10}}.
// ONE-NEXT: 500 2
// ONE-NEXT: 600 {{[45]}}
// ONE-NEXT: 700 6
// ONE:      1200 7{{[123]}}.

// REDEFINE: %{block} = x=256,y=2,z=2
// RUN: %{sweep} | FileCheck %s --check-prefix=TWO
// TWO:      400 1{{[01]}}.
// TWO:      1200 40.

// REDEFINE: %{block} = x=64,y=4,z=4
// RUN: %{sweep} | FileCheck %s --check-prefix=FOUR
// FOUR:      400 1{{[23]}}.
// FOUR:      1200 24.

// REDEFINE: %{block} = x=32,y=4,z=8
// RUN: %{sweep} | FileCheck %s --check-prefix=EIGHT
// EIGHT:     400 1{{[34]}}.
// EIGHT:     1200 16.

// REDEFINE: %{block} = x=16,y=4,z=16
// RUN: %{sweep} | FileCheck %s --check-prefix=SIXTEEN
// SIXTEEN:   300 1{{[01]}}.
// SIXTEEN:   1200 12.

// REDEFINE: %{block} = x=16,y=2,z=32
// RUN: %{sweep} | FileCheck %s --check-prefix=THIRTYTWO
// THIRTYTWO: 300 10.
// THIRTYTWO: 1200 10.

__global__ void star(const double *in, double *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n)
    return;
  long row = n + 8, plane = row * (n + 8);
  long at = (z + 4) * plane + (y + 4) * row + x + 4;
  double sum = in[at];
#pragma unroll
  for (int r = 1; r <= 4; ++r)
    sum += in[at - r] + in[at + r] + in[at - r * row] + in[at + r * row] +
           in[at - r * plane] + in[at + r * plane];
  out[at] = sum;
}

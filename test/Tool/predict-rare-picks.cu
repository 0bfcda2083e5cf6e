// What few lanes pick by data does not hide that all others share what they
// load.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-80GB | FileCheck %s
// CHECK: predicted {{2[.][0-9]+}} ms for rows
// CHECK: v loads 4 GB 16 GB 4.{{[0-9]+}} GB 4{{([.][0-9]+)?}} GB{{$}}
// CHECK: open: the address of the load at line {{[0-9]+}} is unknown (indirect)

__global__ void rows(const int *first, const double *v, double *y, int n,
                     int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  int column = row % width, at = row * 5;
  y[row] = column > 0 && column < width - 1
               ? v[at] + v[at + 1] + v[at + 2] + v[at + 3] + v[at + 4]
               : v[first[row]];
}

void run(int *first, double *v, double *y) {
  rows<<<390625, 256>>>(first, v, y, 100000000, 10000);
}

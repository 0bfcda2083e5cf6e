// Who states the arguments states the grid that the host code makes of them.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 --launch 'add=n=1048576' | FileCheck %s
// CHECK: grid 4096x1x1 and block 256x1x1 from the source, arguments from the command line

// Blocks of another size are not what the source counts.
// RUN: auspex predict %s --gpu A100 --launch 'add=n=1048576,block:128' \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER: grid 1728x1x1 assumed and block 128x1x1 from the command line

__global__ void add(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}
void run(float *x, int n) { add<<<(n + 255) / 256, 256>>>(x, n); }

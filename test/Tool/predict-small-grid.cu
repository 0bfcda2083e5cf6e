// A grid of less than a wave: what an SM could hold does not matter, and what
// is missing are blocks.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --launch copy=grid:54 | FileCheck %s --check-prefix=FEW
// FEW: 64 of 64 warps an SM in 8 blocks{{.*}}; the grid has 54 blocks, 1 for an SM at most [Occupancy]
// FEW: 54 blocks leave 54 of 108 SMs idle, and the others room: {{[0-9]+}} fill the GPU; without it {{.*}} less [TailEffect]
// RUN: auspex predict %s --gpu A100-40GB --launch copy=grid:1 | FileCheck %s --check-prefix=ONE
// ONE: 1 block leaves 107 of 108 SMs idle
// RUN: auspex predict %s --gpu A100-40GB --launch copy=grid:108 | FileCheck %s --check-prefix=THIN
// THIN: 108 blocks are 0.125 waves of 864: the SMs are not filled
// RUN: auspex predict %s --gpu A100-40GB --launch copy=grid:864 \
// RUN:   | FileCheck %s --check-prefix=FULL --implicit-check-not=TailEffect --implicit-check-not="the grid has"
// FULL: predicted

__global__ void copy(const float4 *__restrict__ x, float4 *__restrict__ y,
                     int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    y[i] = x[i];
}

void run(const float4 *x, float4 *y) { copy<<<54, 256>>>(x, y, 1 << 24); }

// With the headers of a toolkit, whose types are those of CUDA 13.
// REQUIRES: cuda-toolkit
// RUN: env CUDA_PATH=%cuda %auspex_clang %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cooperative_groups.h>
#include <cub/block/block_reduce.cuh>

namespace cg = cooperative_groups;

__global__ void sum(const int *in, int *out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  int total = Reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0)
    *out = total;
}

__global__ void acrossBlocks(int *data, int *out) {
  cg::grid_group grid = cg::this_grid();
  data[grid.thread_rank()] = grid.thread_rank();
  grid.sync();
  if (grid.thread_rank() == 0)
    *out = data[grid.size() - 1];
}

int main() {
  cudaDeviceProp gpu;
  cudaGetDeviceProperties(&gpu, 0);
  // CHECK: A100-40GB, 108 SMs, 32 blocks an SM, 1 for cooperative launches
  printf("%s, %d SMs, %d blocks an SM, %d for cooperative launches\n", gpu.name,
         gpu.multiProcessorCount, gpu.maxBlocksPerMultiProcessor,
         gpu.cooperativeLaunch);
  int *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 128; ++i)
    in[i] = i;
  sum<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  // CHECK: 8128
  printf("%d\n", *out);
  void *arguments[] = {&in, &out};
  cudaError_t error =
      cudaLaunchCooperativeKernel(acrossBlocks, 4, 64, arguments);
  cudaDeviceSynchronize();
  // CHECK: no error 255
  printf("%s %d\n", cudaGetErrorString(error), *out);
  error = cudaLaunchCooperativeKernel(acrossBlocks, 100000, 64, arguments);
  // CHECK: too many blocks in cooperative launch
  puts(cudaGetErrorString(error));
  cudaGetLastError();
}

// The device is the one that AUSPEX_GPU names, or that of the code's
// architecture, with the numbers of its description.
// RUN: %auspex_clang --offload-arch=sm_90 %s -o %t
// RUN: %t | FileCheck %s --check-prefixes=H100,BOTH
// RUN: env AUSPEX_GPU=rtx-a6000 %t | FileCheck %s --check-prefixes=A6000,BOTH
// RUN: env AUSPEX_GPU=rtx-a6001 not %t 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: env AUSPEX_THREADS=two not %t 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: env AUSPEX_EMULATOR_ISA=avx3 not %t 2>&1 | FileCheck %s --check-prefix=ISA
#include <cstdio>

__global__ void kernel(int *out) { *out = 1; }

int main() {
  cudaDeviceProp gpu;
  // H100: H100-SXM 9.0 132 SMs, 80000000000 B, 232448 B shared
  // A6000: RTX-A6000 8.6 84 SMs, 48000000000 B, 101376 B shared
  cudaGetDeviceProperties(&gpu, 0);
  printf("%s %d.%d %d SMs, %zu B, %zu B shared\n", gpu.name, gpu.major,
         gpu.minor, gpu.multiProcessorCount, gpu.totalGlobalMem,
         gpu.sharedMemPerBlockOptin);
  // BOTH: Auspex emulator
  printf("%.16s\n", gpu.uuid);
  int blocks = 0, threads = 0, count = 0, device = 1;
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
  // H100: 2048 threads an SM
  // A6000: 1536 threads an SM
  printf("%d threads an SM\n", threads);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0);
  // H100: 8 blocks of 256
  // A6000: 6 blocks of 256
  printf("%d blocks of 256\n", blocks);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 40000);
  // H100: 5 with shared memory
  // A6000: 2 with shared memory
  printf("%d with shared memory\n", blocks);
  cudaGetDeviceCount(&count);
  cudaGetDevice(&device);
  // BOTH: device 0 of 1; another: invalid device ordinal
  printf("device %d of %d; another: %s\n", device, count,
         cudaGetErrorString(cudaSetDevice(1)));
  size_t free = 0, total = 0;
  void *pointer = nullptr;
  cudaMalloc(&pointer, 1000);
  cudaMemGetInfo(&free, &total);
  // BOTH: used: 1
  printf("used: %d\n", total > free && total == gpu.totalGlobalMem);
  // BOTH: too much: out of memory
  printf("too much: %s\n", cudaGetErrorString(cudaMalloc(&pointer, total)));
}
// WRONG: auspex: AUSPEX_GPU: unknown GPU 'rtx-a6001'; did you mean RTX-A6000
// NUMBER: auspex: AUSPEX_THREADS=two: expected a number of threads
// ISA: auspex: AUSPEX_EMULATOR_ISA=avx3: expected sse2 or avx2

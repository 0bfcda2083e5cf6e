// What programs ask of the GPU stays a symbol: a prediction puts in what each
// GPU has.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

void check(cudaError_t error);

void members(int unknown) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  // CHECK: launch _Z1ki: grid unknown, block 1024x1x1, shared 0, grid by arguments [4*gpu.sm_count] [1] [1], arg0=1 (source)
  k<<<4 * properties.multiProcessorCount, properties.maxThreadsPerBlock>>>(1);
  const cudaDeviceProp *other = &properties;
  int filling = other->multiProcessorCount *
                (other->maxThreadsPerMultiProcessor / 256);
  // CHECK: launch _Z1ki: grid unknown, block 256x1x1, shared 0, grid by arguments [gpu.sm_count*floordiv(gpu.max_threads_per_sm, 256)] [1] [1], arg0=2 (source)
  k<<<filling, 8 * properties.warpSize>>>(2);
}

void attributes(int device) {
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                         device);
  int n = 1 << 20;
  // CHECK: launch _Z1ki: grid unknown, block 256x1x1, shared 0, grid by arguments [min(32*gpu.sm_count, floordiv(arg0 + 255, 256))] [1] [1], arg0=1048576 (source)
  k<<<std::min((n + 255) / 256, 32 * multiprocessors), 256>>>(n);
  int clock;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  // CHECK: launch _Z1ki: grid unknown, block 128x1x1, shared 0, arg0=3 (source)
  k<<<clock, 128>>>(3);
  multiprocessors = device;
  // CHECK: launch _Z1ki: grid unknown, block 64x1x1, shared 0, arg0=4 (source)
  k<<<multiprocessors, 64>>>(4);
}

int multiprocessorsOf(int device) {
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                               device));
  return multiprocessors;
}

void helper(int device) {
  // CHECK: launch _Z1ki: grid unknown, block 32x1x1, shared 0, grid by arguments [2*gpu.sm_count] [1] [1], arg0=5 (source)
  k<<<2 * multiprocessorsOf(device), 32>>>(5);
}

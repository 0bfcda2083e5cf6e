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

// So large is each.
void limits() {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  // CHECK: launch _Z1ki: grid 65535x1x1, block 64x1x1, shared 49152, arg0=2147483647 (source)
  k<<<properties.maxGridSize[1], properties.maxThreadsDim[2],
      properties.sharedMemPerBlock>>>(properties.maxGridSize[0]);
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

// Kept in a global, or a static local, that one statement writes.
static int ofGPU, ofMember, twice, two;
int open;
static int started = 8;
void initialize() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  cudaDeviceGetAttribute(&ofGPU, cudaDevAttrMultiProcessorCount, 0);
  ofMember = properties.multiProcessorCount * 2;
  open = started = properties.multiProcessorCount;
  twice = properties.multiProcessorCount;
  twice = 7;
  two = 2;
}
inline int cached() {
  static int count = 0;
  if (count == 0)
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  return count;
}
void globals() {
  // CHECK: launch _Z1ki: grid unknown, block 32x1x1, shared 0, grid by arguments [gpu.sm_count] [1] [1], arg0=6 (source)
  k<<<ofGPU, 32>>>(6);
  // CHECK: launch _Z1ki: grid unknown, block 32x1x1, shared 0, grid by arguments [2*gpu.sm_count] [1] [1], arg0=7 (source)
  k<<<ofMember, 32>>>(7);
  // CHECK: launch _Z1ki: grid unknown, block 32x1x1, shared 0, grid by arguments [3*gpu.sm_count] [1] [1], arg0=8 (source)
  k<<<cached() * 3, 32>>>(8);
  // CHECK: launch _Z1ki: grid unknown, block 32x1x1, shared 0, arg0=9 (source)
  k<<<open, 32>>>(9);
  // CHECK: launch _Z1ki: grid unknown, block 32x1x1, shared 0, arg0=10 (source)
  k<<<started, 32>>>(10);
  // CHECK: launch _Z1ki: grid unknown, block 32x1x1, shared 0, arg0=11 (source)
  k<<<twice, 32>>>(11);
  // CHECK: launch _Z1ki: grid 2x1x1, block 32x1x1, shared 0, arg0=12 (source)
  k<<<two, 32>>>(12);
}

// As many blocks as the GPU has room for at once, if that is asked of the kernel
// that is launched.
__global__ void another(int n) {}
void resident() {
  int sms, blocks, others;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&others, another, 256, 0);
  // CHECK: launch _Z1ki: grid unknown, block 256x1x1, shared 0, grid by arguments [gpu.blocks_per_sm*gpu.sm_count] [1] [1], arg0=13 (source)
  k<<<blocks * sms, 256>>>(13);
  // CHECK: launch _Z1ki: grid unknown, block 256x1x1, shared 0, arg0=14 (source)
  k<<<others * sms, 256>>>(14);
}

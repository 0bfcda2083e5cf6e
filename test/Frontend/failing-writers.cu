// A function that gives its result through a pointer may return before that,
// where something failed: nothing is launched then. What it returns after it has
// written, and what it writes in places, is another matter. A block of its own
// is one like any other.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(int n) {}

cudaError_t blocksFor(int n, int *blocks) {
  int device;
  {
    cudaError_t error = cudaGetDevice(&device);
    if (error != cudaSuccess)
      return error;
  }
  int sms;
  {
    cudaError_t error = cudaDeviceGetAttribute(
        &sms, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess) {
      return error;
    }
  }
  *blocks = n / 256 < 8 * sms ? n / 256 : 8 * sms;
  return cudaSuccess;
}

bool early(int n, int *blocks) {
  if (n < 0)
    return false;
  *blocks = n / 256;
  return true;
}

bool twice(int n, int *blocks) {
  *blocks = 1;
  if (n > 0)
    return true;
  *blocks = 2;
  return true;
}

void run(int *n) {
  int blocks, some, other, own;
  blocksFor(256 * 40, &blocks);
  // CHECK: grid by arguments [min(8*gpu.sm_count, 40)] [1] [1], arg0=0 (source)
  k<<<blocks, 256>>>(0);
  early(256 * 30, &some);
  // CHECK: grid 30x1x1, block 256x1x1, shared 0, arg0=1 (source)
  k<<<some, 256>>>(1);
  twice(n[0], &other);
  // CHECK: grid unknown, block 256x1x1, shared 0, arg0=2 (source)
  k<<<other, 256>>>(2);
  {
    own = 7;
  }
  // CHECK: grid 7x1x1, block 256x1x1, shared 0, arg0=3 (source)
  k<<<own, 256>>>(3);
}

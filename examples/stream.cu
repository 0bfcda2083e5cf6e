// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams through double arrays: how much bandwidth how much residency buys.
//
//   stream [block size]
//
// Every kernel declares 6 KiB of shared memory, which caps how many blocks an
// SM holds, and uses it only if `never` is true, which the compiler cannot
// know. So the block size decides how many warps are resident.
#include "check.h"

constexpr int capInDoubles = 6144 / sizeof(double);

// What keeps the shared memory from being optimised away.
__device__ void use(double *cap, double *a) {
  cap[threadIdx.x % capInDoubles] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = cap[(threadIdx.x + 1) % capInDoubles];
}

// Writes 8 bytes a thread, 8 sectors a request.
__global__ void initKernel(double *a, int n, bool never) {
  __shared__ double cap[capInDoubles];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (never)
    use(cap, a);
  if (i < n)
    a[i] = 0.25;
}

// Reads 8 bytes a thread and writes nothing: no value is 7.
__global__ void readKernel(const double *b, double *a, int n, bool never) {
  __shared__ double cap[capInDoubles];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (never)
    use(cap, a);
  if (i < n) {
    double value = b[i];
    if (value == 7.0)
      a[i] = value;
  }
}

// One read and one write.
__global__ void scaleKernel(const double *b, double *a, int n, bool never) {
  __shared__ double cap[capInDoubles];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (never)
    use(cap, a);
  if (i < n)
    a[i] = 1.5 * b[i];
}

// Two reads, one write, one fused multiply-add in double: bound by DRAM where
// double precision is fast, near the double precision pipe where it is 1/64.
__global__ void triadKernel(const double *b, const double *c, double *a, int n,
                            bool never) {
  __shared__ double cap[capInDoubles];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (never)
    use(cap, a);
  if (i < n)
    a[i] = b[i] + 2.0 * c[i];
}

// One read and one write of DRAM, the neighbours from L1: half of the second
// difference.
__global__ void threePointKernel(const double *b, double *a, int n,
                                 bool never) {
  __shared__ double cap[capInDoubles];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (never)
    use(cap, a);
  if (i >= 1 && i < n - 1)
    a[i] = 0.5 * b[i - 1] - b[i] + 0.5 * b[i + 1];
}

// The same with two neighbours to each side, twelve times the difference.
__global__ void fivePointKernel(const double *b, double *a, int n, bool never) {
  __shared__ double cap[capInDoubles];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (never)
    use(cap, a);
  if (i >= 2 && i < n - 2)
    a[i] = 16.0 * b[i - 1] - b[i - 2] - 30.0 * b[i] + 16.0 * b[i + 1] -
           1.0 * b[i + 2];
}

constexpr int size = 1 << 21;

int main(int argc, char **argv) {
  requireDevice();
  std::vector<double> b = fill<double>(size, 1), c = fill<double>(size, 2);
  DeviceArray<double> deviceA(size), deviceB(b), deviceC(c);
  double *a = deviceA.get();
  std::vector<double> expected(size, 0.25);

  // A launch whose configuration is in the source.
  constexpr int blockSize = 256;
  constexpr int blocks = (size + blockSize - 1) / blockSize;
  Stopwatch watch;
  initKernel<<<blocks, blockSize>>>(a, size, false);
  watch.report("init, blocks of 256");
  bool passed = compare("init", deviceA.copyBack(), expected);

  // And launches whose configuration is known only at run time.
  int chosen = argc > 1 ? std::atoi(argv[1]) : 128;
  if (chosen < 1 || chosen > 1024) {
    std::printf("FAILED: the block size must be 1 to 1024\n");
    return 1;
  }
  int grid = (size - 1) / chosen + 1;
  std::printf("blocks of %d:\n", chosen);

  Stopwatch readWatch;
  readKernel<<<grid, chosen>>>(deviceB.get(), a, size, false);
  readWatch.report("read");
  passed &= compare("read", deviceA.copyBack(), expected);

  Stopwatch scaleWatch;
  scaleKernel<<<grid, chosen>>>(deviceB.get(), a, size, false);
  scaleWatch.report("scale");
  for (int i = 0; i < size; ++i)
    expected[i] = 1.5 * b[i];
  passed &= compare("scale", deviceA.copyBack(), expected);

  Stopwatch triadWatch;
  triadKernel<<<grid, chosen>>>(deviceB.get(), deviceC.get(), a, size, false);
  triadWatch.report("triad");
  for (int i = 0; i < size; ++i)
    expected[i] = b[i] + 2.0 * c[i];
  passed &= compare("triad", deviceA.copyBack(), expected);

  Stopwatch threeWatch;
  threePointKernel<<<grid, chosen>>>(deviceB.get(), a, size, false);
  threeWatch.report("three points");
  for (int i = 1; i < size - 1; ++i)
    expected[i] = 0.5 * b[i - 1] - b[i] + 0.5 * b[i + 1];
  passed &= compare("three points", deviceA.copyBack(), expected);

  Stopwatch fiveWatch;
  fivePointKernel<<<grid, chosen>>>(deviceB.get(), a, size, false);
  fiveWatch.report("five points");
  for (int i = 2; i < size - 2; ++i)
    expected[i] =
        16.0 * (b[i - 1] + b[i + 1]) - b[i - 2] - b[i + 2] - 30.0 * b[i];
  passed &= compare("five points", deviceA.copyBack(), expected);
  return finish(passed);
}

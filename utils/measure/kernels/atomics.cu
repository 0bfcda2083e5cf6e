// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long atomics take under contention. On shared memory it is T(n, e, c) of
// R. Dong, S. Pai, "Modeling utilization to identify shared-memory atomic
// bottlenecks", GPGPU 2025, section 3.2: n jobs are issued at once, e lanes of
// each on one address, c of them compare-and-swap; T is the time from the first
// start to the last end, by the SM's clock.
#include "../measure.h"

constexpr int mostWarps = 32;

// The times of the warps of a block, and the span of all of them.
struct Stamps {
  long long starts[mostWarps], stops[mostWarps];

  __device__ void set(long long start, long long stop) {
    if (threadIdx.x % 32 == 0) {
      starts[threadIdx.x / 32] = start;
      stops[threadIdx.x / 32] = stop;
    }
  }
  __device__ long long span() const {
    long long first = starts[0], last = stops[0];
    for (int warp = 1; warp < blockDim.x / 32; ++warp) {
      first = min(first, starts[warp]);
      last = max(last, stops[warp]);
    }
    return last - first;
  }
};

// One or two jobs a warp, those of the first casWarps compare-and-swap. The sum
// over all rounds is left in cycles. What a job returns is stored, as volatile,
// before the clock is read.
__global__ void timeSharedAtomics(int passes, int casWarps, int jobsPerWarp,
                                  int rounds, long long *cycles) {
  __shared__ unsigned cells[32];
  __shared__ volatile unsigned results[32 * mostWarps];
  __shared__ Stamps stamps;
  unsigned lane = threadIdx.x % 32;
  bool swaps = static_cast<int>(threadIdx.x / 32) < casWarps;
  unsigned *cell = &cells[lane / passes];
  cells[lane] = 0;
  long long sum = 0;
  for (int round = 0; round < rounds; ++round) {
    unsigned value = lane + round, second = 0;
    __syncthreads();
    long long start = clock64();
    if (swaps) {
      if (jobsPerWarp > 1)
        second = atomicCAS(cell, value + 1, value);
      value = atomicCAS(cell, value, value + 1);
    } else {
      if (jobsPerWarp > 1)
        second = atomicAdd(cell, value + 1);
      value = atomicAdd(cell, value);
    }
    results[threadIdx.x] = value + second;
    stamps.set(start, clock64());
    __syncthreads();
    if (threadIdx.x == 0)
      sum += stamps.span();
  }
  if (threadIdx.x == 0)
    *cycles = sum;
}

// The same for ATOMS.POPC.INC, which returns nothing: a load of the word waits
// for it.
__global__ void timeSharedIncrements(int passes, int jobsPerWarp, int rounds,
                                     long long *cycles) {
  __shared__ unsigned cells[32];
  __shared__ volatile unsigned results[32 * mostWarps];
  __shared__ Stamps stamps;
  unsigned lane = threadIdx.x % 32;
  unsigned *cell = &cells[lane / passes];
  cells[lane] = 0;
  long long sum = 0;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    long long start = clock64();
    atomicAdd(cell, 1u);
    if (jobsPerWarp > 1)
      atomicAdd(cell, 1u);
    results[threadIdx.x] = *static_cast<volatile unsigned *>(cell);
    stamps.set(start, clock64());
    __syncthreads();
    if (threadIdx.x == 0)
      sum += stamps.span();
  }
  if (threadIdx.x == 0)
    *cycles = sum;
}

// One address of global memory, for all threads of the launch. What it returns
// is used, or lanes would be added up first.
__global__ void contend(unsigned *cell, int rounds, unsigned *out) {
  unsigned value = threadIdx.x;
  for (int i = 0; i < rounds; ++i)
    value += atomicAdd(cell, value | 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

MEASURE {
  const int rounds = 100;
  for (int jobs : {1, 2, 4, 8, 16, 24, 32, 48, 64}) {
    int jobsPerWarp = jobs > mostWarps ? 2 : 1;
    int warps = jobs / jobsPerWarp;
    measure::Launch launch{dim3(1), dim3(32 * warps)};
    for (int passes : {1, 2, 4, 8, 16, 32}) {
      for (int casWarps = 0; casWarps <= warps; casWarps += (warps + 1) / 2)
        session.run(KERNEL(timeSharedAtomics), launch, ARG(passes),
                    ARG(casWarps), ARG(jobsPerWarp), ARG(rounds),
                    measure::Cycles());
      session.run(KERNEL(timeSharedIncrements), launch, ARG(passes),
                  ARG(jobsPerWarp), ARG(rounds), measure::Cycles());
    }
  }
  unsigned blocks = 4 * session.device().multiProcessorCount;
  measure::Array<unsigned> cell(session, 1), out(session, blocks * 256);
  session.run(KERNEL(contend), {dim3(blocks), dim3(256)}, cell, ARG(rounds),
              out);
}

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

// All warps start at once. A warp reads the clock before it waits at a barrier,
// so there is another one, at which all arrive at the same time.
__device__ long long startTogether() {
  __syncthreads();
  __syncthreads();
  return clock64();
}

// Two jobs a warp at most, or none, which is what the rest takes; those of the
// first casWarps are compare-and-swap. The sum over all rounds is left in
// cycles. What a job returns is stored, as volatile, before the clock is read.
template <int jobsPerWarp>
__global__ void timeSharedAtomics(int passes, int casWarps, int rounds,
                                  long long *cycles) {
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
    long long start = startTogether();
    if (swaps) {
      if (jobsPerWarp > 1)
        second = atomicCAS(cell, value + 1, value);
      if (jobsPerWarp > 0)
        value = atomicCAS(cell, value, value + 1);
    } else {
      if (jobsPerWarp > 1)
        second = atomicAdd(cell, value + 1);
      if (jobsPerWarp > 0)
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
template <int jobsPerWarp>
__global__ void timeSharedIncrements(int passes, int rounds,
                                     long long *cycles) {
  __shared__ unsigned cells[32];
  __shared__ volatile unsigned results[32 * mostWarps];
  __shared__ Stamps stamps;
  unsigned lane = threadIdx.x % 32;
  unsigned *cell = &cells[lane / passes];
  cells[lane] = 0;
  long long sum = 0;
  for (int round = 0; round < rounds; ++round) {
    long long start = startTogether();
    if (jobsPerWarp > 0)
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

// One address of global memory, for all threads of the launch: zero is 0, which
// the compiler cannot know, or it would add up the lanes of a warp first.
__global__ void contend(unsigned *cell, int zero, int rounds, unsigned *out) {
  unsigned value = threadIdx.x;
  for (int i = 0; i < rounds; ++i)
    value += atomicAdd(&cell[value & zero], value | 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <int jobsPerWarp>
static void measureWarps(measure::Session &session, int warps, int passes) {
  const int rounds = 100;
  std::string instance = '<' + std::to_string(jobsPerWarp) + '>';
  measure::Launch launch{dim3(1), dim3(32 * warps)};
  for (int casWarps = 0; casWarps <= warps; casWarps += (warps + 1) / 2)
    session.run(("timeSharedAtomics" + instance).c_str(),
                &timeSharedAtomics<jobsPerWarp>, launch, ARG(passes),
                ARG(casWarps), ARG(rounds), measure::Cycles());
  session.run(("timeSharedIncrements" + instance).c_str(),
              &timeSharedIncrements<jobsPerWarp>, launch, ARG(passes),
              ARG(rounds), measure::Cycles());
}

MEASURE {
  for (int warps : {1, 2, 4, 8, 16, 24, 32})
    measureWarps<0>(session, warps, 1);
  for (int passes : {1, 2, 4, 8, 16, 32}) {
    for (int warps : {1, 2, 4, 8, 16, 24, 32})
      measureWarps<1>(session, warps, passes);
    for (int warps : {24, 32})
      measureWarps<2>(session, warps, passes);
  }
  const int zero = 0, rounds = 100;
  unsigned blocks = 4 * session.device().multiProcessorCount;
  measure::Array<unsigned> cell(session, 1), out(session, blocks * 256);
  session.run(KERNEL(contend), {dim3(blocks), dim3(256)}, cell, ARG(zero),
              ARG(rounds), out);
}

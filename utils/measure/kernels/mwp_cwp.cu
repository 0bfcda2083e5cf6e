// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The micro-benchmarks of S. Hong, H. Kim, "An analytical model for a GPU
// architecture with memory-level and thread-level parallelism awareness", ISCA
// 2009, Table 4: a loop with 0 to 6 loads and 8 to 20 floating point
// operations, coalesced or with a line for each lane. From few warps, which
// wait for each load, to as many as saturate memory. A thousand passes, or as
// many as find something in memory that was not loaded before.
#include "../measure.h"

#include <algorithm>

constexpr unsigned elements = 1u << 29;

template <int loads, int operations>
__global__ void microbenchmark(const float *in, float *out, int passes,
                               unsigned laneStride) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned threads = gridDim.x * blockDim.x;
  unsigned at = thread * laneStride;
  float sum = static_cast<float>(passes);
  for (int pass = 0; pass < passes; ++pass) {
    float values[loads + 1] = {1.5f};
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      values[i] = in[at];
      at += threads * laneStride;
    }
#pragma unroll
    for (int i = 0; i < operations; ++i)
      sum = sum * values[i % (loads ? loads : 1)] + 0.5f;
  }
  out[thread] = sum;
}

template <int loads, int operations>
static void measureOne(measure::Session &session, const char *name,
                       void (*kernel)(const float *, float *, int, unsigned),
                       const measure::Array<float> &in,
                       const measure::Array<float> &out) {
  unsigned sms = session.device().multiProcessorCount;
  for (unsigned laneStride : {1, 32})
    for (auto [blocksPerSM, block] :
         {std::pair{1, 32}, {1, 128}, {2, 256}, {4, 256}}) {
      unsigned threads = sms * blocksPerSM * block;
      unsigned onePass = std::max(loads, 1) * threads * laneStride;
      const int passes = static_cast<int>(std::min(1000u, elements / onePass));
      session.run(name, kernel, {dim3(sms * blocksPerSM), dim3(block)}, in, out,
                  ARG(passes), ARG(laneStride));
    }
}

#define MEASURE_ONE(LOADS, OPERATIONS)                                         \
  measureOne<LOADS, OPERATIONS>(                                               \
      session, KERNEL(microbenchmark<LOADS, OPERATIONS>), in, out)

MEASURE {
  measure::Array<float> in(session, elements);
  measure::Array<float> out(session,
                            session.device().multiProcessorCount * 1024);
  MEASURE_ONE(0, 20);
  MEASURE_ONE(1, 8);
  MEASURE_ONE(1, 20);
  MEASURE_ONE(2, 12);
  MEASURE_ONE(2, 20);
  MEASURE_ONE(4, 20);
  MEASURE_ONE(6, 20);
}

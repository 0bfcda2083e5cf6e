// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far loads and arithmetic of the same warps overlap: from one to sixteen
// warps a scheduler, and from loads alone to arithmetic alone that matter.
#include "../measure.h"

constexpr int threads = 128;
constexpr int accumulators = 8;
constexpr int rows = 8;
constexpr int unrolled = 4;

template <class Value> constexpr int wordsOf = sizeof(Value) / sizeof(float);

// A step loads some values, a lane beside the other, and multiplies each with
// the next one, as often as is asked for.
template <class Value, int loads, int products>
__device__ float work(const Value *values, int steps) {
  constexpr int words = loads * wordsOf<Value>;
  float sums[accumulators] = {};
  int row = 0;
#pragma unroll unrolled
  for (int step = 0; step < steps; ++step) {
    Value loaded[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i)
      loaded[i] = values[(row + i) * 32 + threadIdx.x % 32];
    const float *factors = reinterpret_cast<const float *>(loaded);
#pragma unroll
    for (int i = 0; i < products; ++i)
      sums[i % accumulators] +=
          factors[i % words] * factors[(i + i / words) % words];
    row = (row + 1) % rows;
  }
  float sum = 0;
  for (float part : sums)
    sum += part;
  return sum;
}

template <class Value, int loads, int products>
__global__ void __launch_bounds__(1024)
    multiplyShared(const Value *values, int steps, float *out) {
  __shared__ Value tile[(rows + loads) * 32];
  for (int i = threadIdx.x; i < (rows + loads) * 32; i += threads)
    tile[i] = values[i];
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] =
      work<Value, loads, products>(tile, steps);
}

template <class Value, int loads, int products>
__global__ void __launch_bounds__(1024)
    multiplyL1(const Value *values, int steps, float *out) {
  out[blockIdx.x * threads + threadIdx.x] =
      work<Value, loads, products>(values, steps);
}

template <class Value>
static void measureOne(measure::Session &session, const char *name,
                       void (*kernel)(const Value *, int, float *)) {
  unsigned sms = session.device().multiProcessorCount;
  measure::Array<Value> values(session, 1024);
  measure::Array<float> out(session, size_t(sms) * 16 * threads);
  const int steps = 8192;
  for (unsigned blocksPerSM : {1, 2, 3, 4, 5, 6, 8, 12, 16})
    if (blocksPerSM * threads <=
        unsigned(session.device().maxThreadsPerMultiProcessor))
      session.run(name, kernel, {dim3(sms * blocksPerSM), dim3(threads)},
                  values, ARG(steps), out);
}

#define MEASURE_BOTH(VALUE, LOADS, PRODUCTS)                                   \
  measureOne<VALUE>(session, KERNEL(multiplyShared<VALUE, LOADS, PRODUCTS>));  \
  measureOne<VALUE>(session, KERNEL(multiplyL1<VALUE, LOADS, PRODUCTS>))

MEASURE {
  MEASURE_BOTH(float, 4, 4);
  MEASURE_BOTH(float, 4, 16);
  MEASURE_BOTH(float, 4, 32);
  MEASURE_BOTH(float4, 2, 16);
  MEASURE_BOTH(float4, 2, 32);
  MEASURE_BOTH(float4, 2, 64);
}

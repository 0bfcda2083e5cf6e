// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Latencies, by the SM's clock: chains in which each operation waits for the
// one before, in one warp; only a barrier has more to wait for.
#include "../measure.h"

#include <algorithm>
#include <numeric>
#include <random>

// Steps are a multiple of these, so that the loops cost next to nothing.
constexpr int unrolled = 16;

constexpr unsigned lineInBytes = 128;

// Follows a ring through lines of memory: where a cache holds it, first once
// around.
__global__ void chase(const unsigned *next, int lines, bool isCached, int steps,
                      unsigned *last, long long *cycles) {
  unsigned at = 0;
  for (int i = 0; isCached && i < lines; ++i)
    at = next[at];
  long long start = clock64();
  for (int i = 0; i < steps; ++i)
    at = next[at];
  *last = at;
  *cycles = clock64() - start;
}

// Two operations: sums alone would be folded.
struct IntegerAdd {
  using Value = int;
  static __device__ int apply(int x, int y) { return (x + y) ^ 0x5a5a5a5a; }
};
struct IntegerMultiply {
  using Value = int;
  static __device__ int apply(int x, int y) { return x * y + y; }
};
struct SingleMultiplyAdd {
  using Value = float;
  static __device__ float apply(float x, float y) { return x * y + y; }
};
struct DoubleMultiplyAdd {
  using Value = double;
  static __device__ double apply(double x, double y) { return x * y + y; }
};
struct SpecialFunction {
  using Value = float;
  static __device__ float apply(float x, float) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
  }
};
struct Shuffle {
  using Value = int;
  static __device__ int apply(int x, int) {
    return __shfl_xor_sync(0xffffffffu, x, 1);
  }
};
struct Barrier {
  using Value = int;
  static __device__ int apply(int x, int) {
    __syncthreads();
    return x;
  }
};

template <class Operation>
__global__ void chain(typename Operation::Value y, int steps,
                      typename Operation::Value *last, long long *cycles) {
  typename Operation::Value x = threadIdx.x;
  long long start = clock64();
  for (int i = 0; i < steps; i += unrolled)
#pragma unroll
    for (int j = 0; j < unrolled; ++j)
      x = Operation::apply(x, y);
  *last = x;
  *cycles = clock64() - start;
}

// The words are all 0, which the compiler cannot know.
__global__ void chaseShared(int zero, int steps, int *last, long long *cycles) {
  __shared__ int words[32];
  words[threadIdx.x] = zero;
  __syncthreads();
  int at = threadIdx.x;
  long long start = clock64();
  for (int i = 0; i < steps; i += unrolled)
#pragma unroll
    for (int j = 0; j < unrolled; ++j)
      at = words[at];
  *last = at;
  *cycles = clock64() - start;
}

// One lane, as others would wait for it.
__global__ void chaseSharedAtomic(int zero, int steps, int *last,
                                  long long *cycles) {
  __shared__ int words[32];
  words[threadIdx.x] = zero;
  int at = 0;
  long long start = clock64();
  for (int i = 0; i < steps; i += unrolled)
#pragma unroll
    for (int j = 0; j < unrolled; ++j)
      at = atomicAdd(&words[at], zero);
  *last = at;
  *cycles = clock64() - start;
}

__global__ void chaseGlobalAtomic(int *words, int zero, int steps, int *last,
                                  long long *cycles) {
  int at = 0;
  long long start = clock64();
  for (int i = 0; i < steps; i += unrolled)
#pragma unroll
    for (int j = 0; j < unrolled; ++j)
      at = atomicAdd(&words[at], zero);
  *last = at;
  *cycles = clock64() - start;
}

// A ring through lines of memory, in random order.
static std::vector<unsigned> makeRing(int lines) {
  constexpr unsigned line = lineInBytes / sizeof(unsigned);
  std::vector<unsigned> order(lines), next(size_t(lines) * line);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  for (size_t i = 0; i < order.size(); ++i)
    next[order[i] * line] = order[(i + 1) % order.size()] * line;
  return next;
}

static void measureMemory(measure::Session &session) {
  measure::Array<unsigned> last(session, 1);
  size_t l2 = session.device().l2CacheSize;
  const int steps = 16384;
  for (int lines = 32; lines <= 1 << 22; lines *= 2) {
    measure::Array<unsigned> ring(session, session.launches()
                                               ? makeRing(lines)
                                               : std::vector<unsigned>());
    const bool isCached = size_t(lines) * lineInBytes <= 2 * l2;
    session.run(KERNEL(chase), {dim3(1), dim3(1)}, ring, ARG(lines),
                ARG(isCached), ARG(steps), last, measure::Cycles());
  }
}

template <class Operation>
static void measureChain(measure::Session &session, const char *name,
                         void (*kernel)(typename Operation::Value, int,
                                        typename Operation::Value *,
                                        long long *),
                         unsigned threads = 32) {
  measure::Array<typename Operation::Value> last(session, 1);
  const int steps = 1 << 16;
  session.run(name, kernel, {dim3(1), dim3(threads)},
              static_cast<typename Operation::Value>(1), ARG(steps), last,
              measure::Cycles());
}

MEASURE {
  measureMemory(session);
  measureChain<IntegerAdd>(session, KERNEL(chain<IntegerAdd>));
  measureChain<IntegerMultiply>(session, KERNEL(chain<IntegerMultiply>));
  measureChain<SingleMultiplyAdd>(session, KERNEL(chain<SingleMultiplyAdd>));
  measureChain<DoubleMultiplyAdd>(session, KERNEL(chain<DoubleMultiplyAdd>));
  measureChain<SpecialFunction>(session, KERNEL(chain<SpecialFunction>));
  measureChain<Shuffle>(session, KERNEL(chain<Shuffle>));
  for (unsigned threads : {32, 64, 128, 256, 512, 1024})
    measureChain<Barrier>(session, KERNEL(chain<Barrier>), threads);
  measure::Array<int> last(session, 1), words(session, 1);
  const measure::Launch warp{dim3(1), dim3(32)}, lane{dim3(1), dim3(1)};
  const int zero = 0, steps = 1 << 14;
  session.run(KERNEL(chaseShared), warp, ARG(zero), ARG(steps), last,
              measure::Cycles());
  session.run(KERNEL(chaseSharedAtomic), lane, ARG(zero), ARG(steps), last,
              measure::Cycles());
  session.run(KERNEL(chaseGlobalAtomic), lane, words, ARG(zero), ARG(steps),
              last, measure::Cycles());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many results of an instruction an SM has per cycle: as many warps as fit,
// each with chains that wait for nothing but a free pipe.
#include "../measure.h"

constexpr int threads = 256;
constexpr int chains = 8;
constexpr int unrolled = 8;

namespace throughput {

// What a step makes of the value of a chain and of those of two others, such
// that the assembler does not fold it into what follows. The sum has three
// terms, since those of two are done by two pipes in turns.
struct IntegerAdd {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned y, unsigned z) {
    return x + y + z;
  }
};
struct IntegerMultiply {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned y, unsigned z) {
    return x * y + z;
  }
};
struct Shift {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned y, unsigned z) {
    return __funnelshift_l(x, y, z);
  }
};
struct Compare {
  using Value = int;
  static __device__ int apply(int x, int y, int) { return min(x, y); }
};
struct Logic {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned y, unsigned z) {
    unsigned result;
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;"
        : "=r"(result)
        : "r"(x), "r"(y), "r"(z));
    return result;
  }
};
struct BitCount {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned, unsigned) {
    return __popc(x);
  }
};
struct Convert {
  using Value = float;
  static __device__ float apply(float x, float, float) {
    return __int2float_rn(__float2int_rn(x));
  }
};
struct ConvertNarrow {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned, unsigned) {
    unsigned short half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(__uint_as_float(x)));
    return half;
  }
};
struct ConvertWide {
  using Value = double;
  static __device__ double apply(double x, double, double) {
    float narrow;
    asm volatile("cvt.rn.f32.f64 %0, %1;" : "=f"(narrow) : "d"(x));
    asm volatile("cvt.f64.f32 %0, %1;" : "=d"(x) : "f"(narrow));
    return x;
  }
};
struct Shuffle {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned, unsigned) {
    asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(x));
    return x;
  }
};
struct Vote {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned, unsigned) {
    return __ballot_sync(0xffffffffu, x != 0);
  }
};
struct Redux {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned, unsigned) {
    unsigned result = x;
#if __CUDA_ARCH__ >= 800
    asm("redux.sync.add.u32 %0, %1, -1;" : "=r"(result) : "r"(x));
#endif
    return result;
  }
};
struct SpecialFunction {
  using Value = float;
  static __device__ float apply(float x, float, float) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
  }
};
struct HalfMultiplyAdd {
  using Value = unsigned;
  static __device__ unsigned apply(unsigned x, unsigned y, unsigned z) {
    unsigned result;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
    return result;
  }
};
struct SingleMultiplyAdd {
  using Value = float;
  static __device__ float apply(float x, float y, float z) { return x * y + z; }
};
// Fewer operands come from registers.
struct SingleScale {
  using Value = float;
  static __device__ float apply(float x, float y, float) {
    return x * 0.999f + y;
  }
};
struct SingleAdd {
  using Value = float;
  static __device__ float apply(float x, float y, float) { return x + y; }
};
struct DoubleAdd {
  using Value = double;
  static __device__ double apply(double x, double y, double) { return x + y; }
};
struct DoubleMultiplyAdd {
  using Value = double;
  static __device__ double apply(double x, double y, double z) {
    return x * y + z;
  }
};

} // namespace throughput

template <class Operation>
__global__ void work(int steps, typename Operation::Value first,
                     typename Operation::Value *out) {
  typename Operation::Value values[chains];
  for (int i = 0; i < chains; ++i)
    values[i] = first + i + threadIdx.x;
  for (int step = 0; step < steps; step += unrolled)
#pragma unroll
    for (int j = 0; j < unrolled; ++j)
#pragma unroll
      for (int i = 0; i < chains; ++i)
        values[i] = Operation::apply(values[i], values[(i + 3) % chains],
                                     values[(i + 5) % chains]);
  for (int i = 0; i < chains; ++i)
    out[(blockIdx.x * chains + i) * threads + threadIdx.x] = values[i];
}

/// One chain, whose other operands stay the same.
template <class Operation>
__global__ void workOnChain(int steps, typename Operation::Value first,
                            typename Operation::Value second,
                            typename Operation::Value *out) {
  typename Operation::Value value = first + threadIdx.x;
  typename Operation::Value third = second + first;
  for (int step = 0; step < steps; step += chains * unrolled)
#pragma unroll
    for (int j = 0; j < chains * unrolled; ++j)
      value = Operation::apply(value, second, third);
  out[blockIdx.x * threads + threadIdx.x] = value;
}

static unsigned blocksThatFit(const cudaDeviceProp &device) {
  return device.multiProcessorCount *
         (device.maxThreadsPerMultiProcessor / threads);
}

template <class Operation>
static void measureOne(measure::Session &session, const char *name,
                       void (*kernel)(int, typename Operation::Value,
                                      typename Operation::Value *)) {
  unsigned blocks = blocksThatFit(session.device());
  measure::Array<typename Operation::Value> out(session, size_t(blocks) *
                                                             threads * chains);
  const int steps = 4096;
  session.run(name, kernel, {dim3(blocks), dim3(threads)}, ARG(steps),
              static_cast<typename Operation::Value>(3), out);
}

template <class Operation>
static void measureChain(measure::Session &session, const char *name,
                         void (*kernel)(int, typename Operation::Value,
                                        typename Operation::Value,
                                        typename Operation::Value *)) {
  using Value = typename Operation::Value;
  unsigned blocks = blocksThatFit(session.device());
  measure::Array<Value> out(session, size_t(blocks) * threads);
  const int steps = 1 << 15;
  session.run(name, kernel, {dim3(blocks), dim3(threads)}, ARG(steps),
              static_cast<Value>(3), static_cast<Value>(0.25), out);
}

MEASURE {
  measureOne<throughput::IntegerAdd>(session,
                                     KERNEL(work<throughput::IntegerAdd>));
  measureOne<throughput::IntegerMultiply>(
      session, KERNEL(work<throughput::IntegerMultiply>));
  measureOne<throughput::Shift>(session, KERNEL(work<throughput::Shift>));
  measureOne<throughput::Compare>(session, KERNEL(work<throughput::Compare>));
  measureOne<throughput::Logic>(session, KERNEL(work<throughput::Logic>));
  measureOne<throughput::BitCount>(session, KERNEL(work<throughput::BitCount>));
  measureOne<throughput::Convert>(session, KERNEL(work<throughput::Convert>));
  measureOne<throughput::ConvertNarrow>(
      session, KERNEL(work<throughput::ConvertNarrow>));
  measureOne<throughput::ConvertWide>(session,
                                      KERNEL(work<throughput::ConvertWide>));
  measureOne<throughput::Shuffle>(session, KERNEL(work<throughput::Shuffle>));
  measureOne<throughput::Vote>(session, KERNEL(work<throughput::Vote>));
  if (session.device().major >= 8)
    measureOne<throughput::Redux>(session, KERNEL(work<throughput::Redux>));
  measureOne<throughput::SpecialFunction>(
      session, KERNEL(work<throughput::SpecialFunction>));
  measureOne<throughput::HalfMultiplyAdd>(
      session, KERNEL(work<throughput::HalfMultiplyAdd>));
  measureOne<throughput::SingleMultiplyAdd>(
      session, KERNEL(work<throughput::SingleMultiplyAdd>));
  measureOne<throughput::SingleScale>(session,
                                      KERNEL(work<throughput::SingleScale>));
  measureOne<throughput::SingleAdd>(session,
                                    KERNEL(work<throughput::SingleAdd>));
  measureOne<throughput::DoubleAdd>(session,
                                    KERNEL(work<throughput::DoubleAdd>));
  measureOne<throughput::DoubleMultiplyAdd>(
      session, KERNEL(work<throughput::DoubleMultiplyAdd>));
  measureChain<throughput::SingleMultiplyAdd>(
      session, KERNEL(workOnChain<throughput::SingleMultiplyAdd>));
  measureChain<throughput::SingleScale>(
      session, KERNEL(workOnChain<throughput::SingleScale>));
  measureChain<throughput::SingleAdd>(
      session, KERNEL(workOnChain<throughput::SingleAdd>));
  measureChain<throughput::DoubleAdd>(
      session, KERNEL(workOnChain<throughput::DoubleAdd>));
  measureChain<throughput::DoubleMultiplyAdd>(
      session, KERNEL(workOnChain<throughput::DoubleMultiplyAdd>));
}

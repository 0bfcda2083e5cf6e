// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What an ordinary CUDA C++ source needs from a toolkit, for clang without
/// one: force it in front of the source.
///
///   clang++ -x cuda --cuda-gpu-arch=sm_80 --cuda-path=/nonexistent -nocudainc
///           -nocudalib -include auspex_cuda.h -idirafter <its folder>
///           --cuda-device-only --cuda-feature=+ptx80 -O2 -S x.cu
///   clang++ (the first two lines) --cuda-host-only
///           -Xclang -target-sdk-version=12.8 -O2 -c x.cu
///
/// The path keeps clang from a toolkit that is installed, the feature is a PTX
/// version that knows the GPU (clang's default is too old), and the SDK version
/// has a launch compiled as cudaLaunchKernel.
///
/// clang brings its own half of CUDA (builtin variables, device functions,
/// <cmath> on the device) in headers that ask for the toolkit's other half:
/// qualifiers, vector types, the runtime's declarations, libdevice. This is
/// that half. Where a toolkit is in use (nvcc, or clang with its wrapper of the
/// toolkit's headers) this header is empty.
///
/// The runtime is declared only, with the names, types and values of CUDA's
/// binary interface: a runtime library is a matter of linking.
#if defined(__CUDA__) && !defined(__NVCC__) &&                                 \
    !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__) && !defined(AUSPEX_CUDA_H)
#define AUSPEX_CUDA_H
#pragma clang system_header

// The device's math must be declared before the host's, whose constexpr
// functions would otherwise count as device functions too.
#include <__clang_cuda_math_forward_declares.h>

#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <math.h>

//===--- Qualifiers (__noinline__ is a keyword of clang) ------------------===//

#define __CUDACC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef __CUDA_ARCH__
// For the device's side; programs with it do not run.
#define __managed__ __device__
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))

#include "auspex_vector_types.h"

#include <__clang_cuda_builtin_vars.h>

#define AUSPEX_BUILTIN_VARIABLE(NAME)                                          \
  __device__ inline __cuda_builtin_##NAME##_t::operator dim3() const {         \
    return dim3(x, y, z);                                                      \
  }                                                                            \
  __device__ inline __cuda_builtin_##NAME##_t::operator uint3() const {        \
    return {x, y, z};                                                          \
  }
AUSPEX_BUILTIN_VARIABLE(threadIdx)
AUSPEX_BUILTIN_VARIABLE(blockIdx)
AUSPEX_BUILTIN_VARIABLE(blockDim)
AUSPEX_BUILTIN_VARIABLE(gridDim)
#undef AUSPEX_BUILTIN_VARIABLE

//===--- Device functions -------------------------------------------------===//

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file,
                             unsigned line, const char *function, size_t size);
__device__ static inline void __assert_fail(const char *message,
                                            const char *file, unsigned line,
                                            const char *function) {
  __assertfail(message, file, line, function, 1);
}
}

// clang's headers ask which toolkit they complete. With a version of 10 and an
// architecture of 60 they ask it for no file.
#pragma push_macro("CUDA_VERSION")
#pragma push_macro("__CUDA_ARCH__")
#undef CUDA_VERSION
#undef __CUDA_ARCH__
#define CUDA_VERSION 10000
#define __CUDA_ARCH__ 600
#include "auspex_libdevice.h"
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
// (Uses the functions of the header above.)
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("CUDA_VERSION")

// Atomics, each for the device, the block and the whole system.
#define AUSPEX_ATOMIC_SCOPE(T, NAME, PREFIX, SCOPE)                            \
  static __device__ __forceinline__ T atomic##NAME##SCOPE(T *p, T value) {     \
    return __##PREFIX##Atomic##NAME##SCOPE(p, value);                          \
  }
#define AUSPEX_ATOMIC(T, NAME, PREFIX)                                         \
  AUSPEX_ATOMIC_SCOPE(T, NAME, PREFIX, )                                       \
  AUSPEX_ATOMIC_SCOPE(T, NAME, PREFIX, _block)                                 \
  AUSPEX_ATOMIC_SCOPE(T, NAME, PREFIX, _system)
#define AUSPEX_ATOMIC_INT(NAME)                                                \
  AUSPEX_ATOMIC(int, NAME, i)                                                  \
  AUSPEX_ATOMIC(unsigned, NAME, u)                                             \
  AUSPEX_ATOMIC(unsigned long long, NAME, ull)
#define AUSPEX_ATOMIC_CAS(T, PREFIX)                                           \
  static __device__ __forceinline__ T atomicCAS(T *p, T expected, T value) {   \
    return __##PREFIX##AtomicCAS(p, expected, value);                          \
  }
#define AUSPEX_ATOMIC_SUB(T)                                                   \
  static __device__ __forceinline__ T atomicSub(T *p, T value) {               \
    return atomicAdd(p, (T) - value);                                          \
  }
AUSPEX_ATOMIC_INT(Add)
AUSPEX_ATOMIC_INT(Exch)
AUSPEX_ATOMIC_INT(Min)
AUSPEX_ATOMIC_INT(Max)
AUSPEX_ATOMIC_INT(And)
AUSPEX_ATOMIC_INT(Or)
AUSPEX_ATOMIC_INT(Xor)
AUSPEX_ATOMIC(float, Add, f)
AUSPEX_ATOMIC(double, Add, d)
AUSPEX_ATOMIC(float, Exch, f)
AUSPEX_ATOMIC(long long, Min, ill)
AUSPEX_ATOMIC(long long, Max, ill)
AUSPEX_ATOMIC(unsigned, Inc, u)
AUSPEX_ATOMIC(unsigned, Dec, u)
AUSPEX_ATOMIC_CAS(int, i)
AUSPEX_ATOMIC_CAS(unsigned, u)
AUSPEX_ATOMIC_CAS(unsigned long long, ull)
AUSPEX_ATOMIC_SUB(int)
AUSPEX_ATOMIC_SUB(unsigned)
#undef AUSPEX_ATOMIC_SUB
#undef AUSPEX_ATOMIC_CAS
#undef AUSPEX_ATOMIC_INT
#undef AUSPEX_ATOMIC
#undef AUSPEX_ATOMIC_SCOPE

// For inline assembly on shared memory.
static __device__ __forceinline__ size_t
__cvta_generic_to_shared(const void *p) {
  return (size_t)(const void __attribute__((address_space(3))) *)p;
}

// Sums of products of bytes.
static __device__ __forceinline__ int __dp4a(int a, int b, int c) {
  int sum;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
static __device__ __forceinline__ unsigned __dp4a(unsigned a, unsigned b,
                                                  unsigned c) {
  unsigned sum;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}

static __device__ __forceinline__ void __nanosleep(unsigned nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <class T>
static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask,
                                                            T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "words of 4 or 8 bytes");
  unsigned long long bits = 0;
  memcpy(&bits, &value, sizeof(T));
  return sizeof(T) == 4 ? __nvvm_match_any_sync_i32(mask, (unsigned)bits)
                        : __nvvm_match_any_sync_i64(mask, bits);
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define AUSPEX_REDUCE(T, NAME, BUILTIN)                                        \
  static __device__ __forceinline__ T __reduce_##NAME##_sync(unsigned mask,    \
                                                             T value) {        \
    return __nvvm_redux_sync_##BUILTIN(value, mask);                           \
  }
AUSPEX_REDUCE(int, add, add)
AUSPEX_REDUCE(int, min, min)
AUSPEX_REDUCE(int, max, max)
AUSPEX_REDUCE(unsigned, add, add)
AUSPEX_REDUCE(unsigned, min, umin)
AUSPEX_REDUCE(unsigned, max, umax)
AUSPEX_REDUCE(unsigned, and, and)
AUSPEX_REDUCE(unsigned, or, or)
AUSPEX_REDUCE(unsigned, xor, xor)
#undef AUSPEX_REDUCE
#endif

#include "auspex_device_functions.h"

//===--- Host and device --------------------------------------------------===//

#define AUSPEX_MIN_MAX(T, A, B, TARGET)                                        \
  static inline TARGET constexpr T min(A a, B b) {                             \
    return (T)a < (T)b ? (T)a : (T)b;                                          \
  }                                                                            \
  static inline TARGET constexpr T max(A a, B b) {                             \
    return (T)a < (T)b ? (T)b : (T)a;                                          \
  }
#define AUSPEX_MIN_MAX_MIXED(T, S)                                             \
  AUSPEX_MIN_MAX(T, T, T, __host__ __device__)                                 \
  AUSPEX_MIN_MAX(T, T, S, __host__ __device__)                                 \
  AUSPEX_MIN_MAX(T, S, T, __host__ __device__)
AUSPEX_MIN_MAX(int, int, int, __host__) // The device has it already.
AUSPEX_MIN_MAX(long, long, long, __host__ __device__)
AUSPEX_MIN_MAX(long long, long long, long long, __host__ __device__)
AUSPEX_MIN_MAX_MIXED(unsigned, int)
AUSPEX_MIN_MAX_MIXED(unsigned long, long)
AUSPEX_MIN_MAX_MIXED(unsigned long long, long long)
AUSPEX_MIN_MAX(float, float, float, __host__ __device__)
AUSPEX_MIN_MAX_MIXED(double, float)
#undef AUSPEX_MIN_MAX_MIXED
#undef AUSPEX_MIN_MAX

static inline __host__ float rsqrtf(float a) { return 1.0f / sqrtf(a); }
static inline __host__ double rsqrt(double a) { return 1.0 / sqrt(a); }
static inline __device__ float rsqrt(float a) { return rsqrtf(a); }

#include "auspex_runtime.h"

#endif

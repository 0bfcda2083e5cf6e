// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// CUDA's vector types, for sources of CUDA and of C++.
#ifndef AUSPEX_VECTOR_TYPES_H
#define AUSPEX_VECTOR_TYPES_H

#ifndef __CUDA__
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#endif

#define AUSPEX_VECTOR(T, NAME)                                                 \
  struct NAME##1 { T x; };                                                     \
  struct alignas(2 * sizeof(T)) NAME##2 { T x, y; };                           \
  struct NAME##3 { T x, y, z; };                                               \
  struct alignas(sizeof(T) < 8 ? 4 * sizeof(T) : 16) NAME##4 {                 \
    T x, y, z, w;                                                              \
  };                                                                           \
  static inline __host__ __device__ NAME##1 make_##NAME##1(T x) {              \
    return {x};                                                                \
  }                                                                            \
  static inline __host__ __device__ NAME##2 make_##NAME##2(T x, T y) {         \
    return {x, y};                                                             \
  }                                                                            \
  static inline __host__ __device__ NAME##3 make_##NAME##3(T x, T y, T z) {    \
    return {x, y, z};                                                          \
  }                                                                            \
  static inline __host__ __device__ NAME##4 make_##NAME##4(T x, T y, T z,      \
                                                           T w) {              \
    return {x, y, z, w};                                                       \
  }
AUSPEX_VECTOR(signed char, char)
AUSPEX_VECTOR(unsigned char, uchar)
AUSPEX_VECTOR(short, short)
AUSPEX_VECTOR(unsigned short, ushort)
AUSPEX_VECTOR(int, int)
AUSPEX_VECTOR(unsigned, uint)
AUSPEX_VECTOR(long, long)
AUSPEX_VECTOR(unsigned long, ulong)
AUSPEX_VECTOR(long long, longlong)
AUSPEX_VECTOR(unsigned long long, ulonglong)
AUSPEX_VECTOR(float, float)
AUSPEX_VECTOR(double, double)
#undef AUSPEX_VECTOR

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1,
                                     unsigned z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#endif

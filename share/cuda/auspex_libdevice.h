// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The part of libdevice that is one or two instructions, for auspex_cuda.h:
/// defined here, the code is what it would be with libdevice, but for its
/// choice of flushing denormals. The rest of libdevice (sinf, log, pow ...)
/// stays calls of __nv_sinf and so on, which the models cost by name.
#ifndef AUSPEX_LIBDEVICE_H
#define AUSPEX_LIBDEVICE_H
#pragma clang system_header
#include <__clang_cuda_libdevice_declares.h>

// What libdevice does in one or two instructions.
#define AUSPEX_LIBDEVICE(T, NAME, PARAMETERS, VALUE)                           \
  extern "C" __device__ __forceinline__ T __nv_##NAME PARAMETERS {             \
    return VALUE;                                                              \
  }
#define AUSPEX_LIBDEVICE_REAL(NAME, BUILTIN_D, BUILTIN_F)                      \
  AUSPEX_LIBDEVICE(double, NAME, (double a), BUILTIN_D(a))                     \
  AUSPEX_LIBDEVICE(float, NAME##f, (float a), BUILTIN_F(a))
#define AUSPEX_LIBDEVICE_REAL2(NAME)                                           \
  AUSPEX_LIBDEVICE(double, NAME, (double a, double b), __builtin_##NAME(a, b)) \
  AUSPEX_LIBDEVICE(float, NAME##f, (float a, float b),                         \
                   __builtin_##NAME##f(a, b))
#define AUSPEX_LIBDEVICE_ROUNDED(T, NAME, PARAMETERS, BUILTIN, SUFFIX, ...)    \
  AUSPEX_LIBDEVICE(T, NAME##_rn, PARAMETERS,                                   \
                   __nvvm_##BUILTIN##_rn##SUFFIX(__VA_ARGS__))                 \
  AUSPEX_LIBDEVICE(T, NAME##_rz, PARAMETERS,                                   \
                   __nvvm_##BUILTIN##_rz##SUFFIX(__VA_ARGS__))                 \
  AUSPEX_LIBDEVICE(T, NAME##_rd, PARAMETERS,                                   \
                   __nvvm_##BUILTIN##_rm##SUFFIX(__VA_ARGS__))                 \
  AUSPEX_LIBDEVICE(T, NAME##_ru, PARAMETERS,                                   \
                   __nvvm_##BUILTIN##_rp##SUFFIX(__VA_ARGS__))
#define AUSPEX_LIBDEVICE_ARITHMETIC(T, L, FMA)                                 \
  AUSPEX_LIBDEVICE_ROUNDED(T, L##add, (T a, T b), add, _##L, a, b)             \
  AUSPEX_LIBDEVICE_ROUNDED(T, L##sub, (T a, T b), add, _##L, a, -b)            \
  AUSPEX_LIBDEVICE_ROUNDED(T, L##mul, (T a, T b), mul, _##L, a, b)             \
  AUSPEX_LIBDEVICE_ROUNDED(T, L##div, (T a, T b), div, _##L, a, b)             \
  AUSPEX_LIBDEVICE_ROUNDED(T, L##rcp, (T a), rcp, _##L, a)                     \
  AUSPEX_LIBDEVICE_ROUNDED(T, L##sqrt, (T a), sqrt, _##L, a)                   \
  AUSPEX_LIBDEVICE_ROUNDED(T, FMA, (T a, T b, T c), fma, _##L, a, b, c)
#define AUSPEX_LIBDEVICE_CONVERT(TO, FROM, NAME, BUILTIN)                      \
  AUSPEX_LIBDEVICE_ROUNDED(TO, NAME, (FROM a), BUILTIN, , a)
#define AUSPEX_LIBDEVICE_BITS(TO, FROM, NAME)                                  \
  AUSPEX_LIBDEVICE(TO, NAME, (FROM a), __builtin_bit_cast(TO, a))
AUSPEX_LIBDEVICE_REAL(fabs, __builtin_fabs, __builtin_fabsf)
AUSPEX_LIBDEVICE_REAL(floor, __builtin_floor, __builtin_floorf)
AUSPEX_LIBDEVICE_REAL(ceil, __builtin_ceil, __builtin_ceilf)
AUSPEX_LIBDEVICE_REAL(trunc, __builtin_trunc, __builtin_truncf)
AUSPEX_LIBDEVICE_REAL(sqrt, __builtin_sqrt, __builtin_sqrtf)
AUSPEX_LIBDEVICE_REAL(rsqrt, __nvvm_rsqrt_approx_d, __nvvm_rsqrt_approx_f)
AUSPEX_LIBDEVICE_REAL2(fmin)
AUSPEX_LIBDEVICE_REAL2(fmax)
AUSPEX_LIBDEVICE_REAL2(copysign)
AUSPEX_LIBDEVICE(double, fma, (double a, double b, double c),
                 __builtin_fma(a, b, c))
AUSPEX_LIBDEVICE(float, fmaf, (float a, float b, float c),
                 __builtin_fmaf(a, b, c))
AUSPEX_LIBDEVICE(float, exp2f, (float a), __nvvm_ex2_approx_f(a))
AUSPEX_LIBDEVICE(float, saturatef, (float a), __nvvm_saturate_f(a))
AUSPEX_LIBDEVICE(float, fast_sinf, (float a), __nvvm_sin_approx_f(a))
AUSPEX_LIBDEVICE(float, fast_cosf, (float a), __nvvm_cos_approx_f(a))
AUSPEX_LIBDEVICE(float, fast_tanf, (float a),
                 __nvvm_div_approx_f(__nvvm_sin_approx_f(a),
                                     __nvvm_cos_approx_f(a)))
AUSPEX_LIBDEVICE(float, fast_log2f, (float a), __nvvm_lg2_approx_f(a))
AUSPEX_LIBDEVICE(float, fast_logf, (float a),
                 __nvvm_lg2_approx_f(a) * 0.693147181f)
AUSPEX_LIBDEVICE(float, fast_log10f, (float a),
                 __nvvm_lg2_approx_f(a) * 0.301029996f)
AUSPEX_LIBDEVICE(float, fast_expf, (float a),
                 __nvvm_ex2_approx_f(a * 1.44269504f))
AUSPEX_LIBDEVICE(float, fast_exp10f, (float a),
                 __nvvm_ex2_approx_f(a * 3.32192809f))
AUSPEX_LIBDEVICE(float, fast_powf, (float a, float b),
                 __nvvm_ex2_approx_f(b *__nvvm_lg2_approx_f(a)))
AUSPEX_LIBDEVICE(float, fast_fdividef, (float a, float b),
                 __nvvm_div_approx_f(a, b))
AUSPEX_LIBDEVICE_ARITHMETIC(float, f, fmaf)
AUSPEX_LIBDEVICE_ARITHMETIC(double, d, fma)
AUSPEX_LIBDEVICE_CONVERT(float, int, int2float, i2f)
AUSPEX_LIBDEVICE_CONVERT(float, unsigned, uint2float, ui2f)
AUSPEX_LIBDEVICE_CONVERT(float, long long, ll2float, ll2f)
AUSPEX_LIBDEVICE_CONVERT(float, unsigned long long, ull2float, ull2f)
AUSPEX_LIBDEVICE_CONVERT(float, double, double2float, d2f)
AUSPEX_LIBDEVICE_CONVERT(double, long long, ll2double, ll2d)
AUSPEX_LIBDEVICE_CONVERT(double, unsigned long long, ull2double, ull2d)
AUSPEX_LIBDEVICE_CONVERT(int, float, float2int, f2i)
AUSPEX_LIBDEVICE_CONVERT(unsigned, float, float2uint, f2ui)
AUSPEX_LIBDEVICE_CONVERT(long long, float, float2ll, f2ll)
AUSPEX_LIBDEVICE_CONVERT(unsigned long long, float, float2ull, f2ull)
AUSPEX_LIBDEVICE_CONVERT(int, double, double2int, d2i)
AUSPEX_LIBDEVICE_CONVERT(unsigned, double, double2uint, d2ui)
AUSPEX_LIBDEVICE_CONVERT(long long, double, double2ll, d2ll)
AUSPEX_LIBDEVICE_CONVERT(unsigned long long, double, double2ull, d2ull)
AUSPEX_LIBDEVICE(double, int2double_rn, (int a), a)
AUSPEX_LIBDEVICE(double, uint2double_rn, (unsigned a), a)
AUSPEX_LIBDEVICE_BITS(int, float, float_as_int)
AUSPEX_LIBDEVICE_BITS(unsigned, float, float_as_uint)
AUSPEX_LIBDEVICE_BITS(float, int, int_as_float)
AUSPEX_LIBDEVICE_BITS(float, unsigned, uint_as_float)
AUSPEX_LIBDEVICE(unsigned long long, double_as_longlong, (double a),
                 __builtin_bit_cast(unsigned long long, a))
AUSPEX_LIBDEVICE_BITS(double, long long, longlong_as_double)
AUSPEX_LIBDEVICE(int, abs, (int a), a < 0 ? -a : a)
AUSPEX_LIBDEVICE(long long, llabs, (long long a), a < 0 ? -a : a)
AUSPEX_LIBDEVICE(int, min, (int a, int b), a < b ? a : b)
AUSPEX_LIBDEVICE(int, max, (int a, int b), a < b ? b : a)
AUSPEX_LIBDEVICE(unsigned, umin, (unsigned a, unsigned b), a < b ? a : b)
AUSPEX_LIBDEVICE(unsigned, umax, (unsigned a, unsigned b), a < b ? b : a)
AUSPEX_LIBDEVICE(int, clz, (int a), __builtin_clzg((unsigned)a, 32))
AUSPEX_LIBDEVICE(int, clzll, (long long a),
                 __builtin_clzg((unsigned long long)a, 64))
AUSPEX_LIBDEVICE(int, ffs, (int a),
                 32 - __builtin_clzg((unsigned)a & -(unsigned)a, 32))
AUSPEX_LIBDEVICE(
    int, ffsll, (long long a),
    64 - __builtin_clzg((unsigned long long)a & -(unsigned long long)a, 64))
AUSPEX_LIBDEVICE(int, popc, (int a), __builtin_popcount(a))
AUSPEX_LIBDEVICE(int, popcll, (long long a), __builtin_popcountll(a))
AUSPEX_LIBDEVICE(unsigned, brev, (unsigned a), __builtin_bitreverse32(a))
AUSPEX_LIBDEVICE(unsigned long long, brevll, (unsigned long long a),
                 __builtin_bitreverse64(a))
AUSPEX_LIBDEVICE(unsigned, byte_perm, (unsigned a, unsigned b, unsigned c),
                 __nvvm_prmt(a, b, c & 0x7777))
AUSPEX_LIBDEVICE(int, mul24, (int a, int b), (a << 8 >> 8) * (b << 8 >> 8))
AUSPEX_LIBDEVICE(unsigned, umul24, (unsigned a, unsigned b),
                 (a & 0xffffff) * (b & 0xffffff))
AUSPEX_LIBDEVICE(int, mulhi, (int a, int b), ((long long)a * b) >> 32)
AUSPEX_LIBDEVICE(unsigned, umulhi, (unsigned a, unsigned b),
                 ((unsigned long long)a * b) >> 32)
AUSPEX_LIBDEVICE(long long, mul64hi, (long long a, long long b),
                 __nvvm_mulhi_ll(a, b))
AUSPEX_LIBDEVICE(unsigned long long, umul64hi,
                 (unsigned long long a, unsigned long long b),
                 __nvvm_mulhi_ull(a, b))
AUSPEX_LIBDEVICE(unsigned, sad, (int a, int b, unsigned c),
                 __nvvm_sad_i(a, b, c))
AUSPEX_LIBDEVICE(unsigned, usad, (unsigned a, unsigned b, unsigned c),
                 __nvvm_sad_ui(a, b, c))
AUSPEX_LIBDEVICE(long long, llmin, (long long a, long long b), a < b ? a : b)
AUSPEX_LIBDEVICE(long long, llmax, (long long a, long long b), a < b ? b : a)
AUSPEX_LIBDEVICE(unsigned long long, ullmin,
                 (unsigned long long a, unsigned long long b), a < b ? a : b)
AUSPEX_LIBDEVICE(unsigned long long, ullmax,
                 (unsigned long long a, unsigned long long b), a < b ? b : a)
AUSPEX_LIBDEVICE(int, double2hiint, (double a),
                 __builtin_bit_cast(long long, a) >> 32)
AUSPEX_LIBDEVICE(int, double2loint, (double a),
                 (int)__builtin_bit_cast(long long, a))
AUSPEX_LIBDEVICE(double, hiloint2double, (int hi, int lo),
                 __builtin_bit_cast(double,
                                    ((unsigned long long)(unsigned)hi << 32) |
                                        (unsigned)lo))
AUSPEX_LIBDEVICE(int, signbitd, (double a), __builtin_signbit(a) != 0)
AUSPEX_LIBDEVICE(int, signbitf, (float a), __builtin_signbitf(a) != 0)
AUSPEX_LIBDEVICE(int, isnand, (double a), __builtin_isnan(a))
AUSPEX_LIBDEVICE(int, isnanf, (float a), __builtin_isnan(a))
AUSPEX_LIBDEVICE(int, isinfd, (double a), __builtin_isinf(a))
AUSPEX_LIBDEVICE(int, isinff, (float a), __builtin_isinf(a))
AUSPEX_LIBDEVICE(int, isfinited, (double a), __builtin_isfinite(a))
AUSPEX_LIBDEVICE(int, finitef, (float a), __builtin_isfinite(a))
AUSPEX_LIBDEVICE(double, fdim, (double a, double b), a <= b ? 0.0 : a - b)
AUSPEX_LIBDEVICE(float, fdimf, (float a, float b), a <= b ? 0.0f : a - b)
#undef AUSPEX_LIBDEVICE_BITS
#undef AUSPEX_LIBDEVICE_CONVERT
#undef AUSPEX_LIBDEVICE_ARITHMETIC
#undef AUSPEX_LIBDEVICE_ROUNDED
#undef AUSPEX_LIBDEVICE_REAL2
#undef AUSPEX_LIBDEVICE_REAL
#undef AUSPEX_LIBDEVICE

// What stays a call: say that it reads and writes no memory, as the optimizer
// would see in libdevice.
#define AUSPEX_LIBDEVICE_CALL(NAME)                                            \
  extern "C" __device__                                                        \
      __attribute__((const, noconvergent)) decltype(__nv_##NAME) __nv_##NAME;
// clang-format off
#define AUSPEX_LIBDEVICE_CALLS(NAME)                                           \
  AUSPEX_LIBDEVICE_CALL(NAME) AUSPEX_LIBDEVICE_CALL(NAME##f)
AUSPEX_LIBDEVICE_CALLS(acos) AUSPEX_LIBDEVICE_CALLS(acosh)
AUSPEX_LIBDEVICE_CALLS(asin) AUSPEX_LIBDEVICE_CALLS(asinh)
AUSPEX_LIBDEVICE_CALLS(atan) AUSPEX_LIBDEVICE_CALLS(atanh)
AUSPEX_LIBDEVICE_CALLS(atan2) AUSPEX_LIBDEVICE_CALLS(cbrt)
AUSPEX_LIBDEVICE_CALLS(cos) AUSPEX_LIBDEVICE_CALLS(cosh)
AUSPEX_LIBDEVICE_CALLS(cospi) AUSPEX_LIBDEVICE_CALLS(erf)
AUSPEX_LIBDEVICE_CALLS(erfc) AUSPEX_LIBDEVICE_CALL(exp2)
AUSPEX_LIBDEVICE_CALLS(exp) AUSPEX_LIBDEVICE_CALLS(exp10)
AUSPEX_LIBDEVICE_CALLS(expm1) AUSPEX_LIBDEVICE_CALL(frsqrt_rn)
AUSPEX_LIBDEVICE_CALLS(fmod) AUSPEX_LIBDEVICE_CALLS(hypot)
AUSPEX_LIBDEVICE_CALLS(ldexp) AUSPEX_LIBDEVICE_CALLS(lgamma)
AUSPEX_LIBDEVICE_CALLS(log) AUSPEX_LIBDEVICE_CALLS(log10)
AUSPEX_LIBDEVICE_CALLS(log1p) AUSPEX_LIBDEVICE_CALLS(log2)
AUSPEX_LIBDEVICE_CALLS(pow) AUSPEX_LIBDEVICE_CALLS(powi)
AUSPEX_LIBDEVICE_CALLS(rcbrt) AUSPEX_LIBDEVICE_CALLS(remainder)
AUSPEX_LIBDEVICE_CALLS(round) AUSPEX_LIBDEVICE_CALLS(sin)
AUSPEX_LIBDEVICE_CALLS(sinh) AUSPEX_LIBDEVICE_CALLS(sinpi)
AUSPEX_LIBDEVICE_CALLS(tan) AUSPEX_LIBDEVICE_CALLS(tanh)
AUSPEX_LIBDEVICE_CALLS(tgamma)
// clang-format on

// Defined, these need no memory for their results.
#define AUSPEX_LIBDEVICE_SINCOS(T, NAME, SIN, COS)                             \
  extern "C" __device__ __forceinline__ void __nv_##NAME(T a, T *s, T *c) {    \
    *s = __nv_##SIN(a);                                                        \
    *c = __nv_##COS(a);                                                        \
  }
                                            AUSPEX_LIBDEVICE_SINCOS(double,
                                                                    sincos, sin,
                                                                    cos)
                                                AUSPEX_LIBDEVICE_SINCOS(float,
                                                                        sincosf,
                                                                        sinf,
                                                                        cosf)
                                                    AUSPEX_LIBDEVICE_SINCOS(
                                                        double, sincospi, sinpi,
                                                        cospi)
                                                        AUSPEX_LIBDEVICE_SINCOS(
                                                            float, sincospif,
                                                            sinpif, cospif)
                                                            AUSPEX_LIBDEVICE_SINCOS(
                                                                float,
                                                                fast_sincosf,
                                                                fast_sinf,
                                                                fast_cosf)
#undef AUSPEX_LIBDEVICE_SINCOS
#undef AUSPEX_LIBDEVICE_CALLS
#undef AUSPEX_LIBDEVICE_CALL

#endif

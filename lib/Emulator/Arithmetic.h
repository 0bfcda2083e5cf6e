// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What one lane computes. Everything here is compiled once for every
/// instruction set, in a namespace of its own (AUSPEX_ISA): a function that two
/// of them shared might be taken from the one that this processor lacks.
#ifndef AUSPEX_LIB_EMULATOR_ARITHMETIC_H
#define AUSPEX_LIB_EMULATOR_ARITHMETIC_H

#include "Operation.h"

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace auspex::emulator::AUSPEX_ISA {

template <class T> constexpr unsigned bitsOf = sizeof(T) * 8;

// The library's traits know of __int128 only with extensions.
template <class T> struct SignedOf {
  using Type = std::make_signed_t<T>;
};
template <> struct SignedOf<uint128_t> {
  using Type = int128_t;
};
template <class T> using Signed = typename SignedOf<T>::Type;
template <class T> Signed<T> asSigned(T a) { return static_cast<Signed<T>>(a); }

template <class To, class From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

template <class T> T add(T a, T b) { return a + b; }
template <class T> T sub(T a, T b) { return a - b; }
template <class T> T mul(T a, T b) {
  // Not as int, which would overflow.
  if constexpr (sizeof(T) < 4)
    return static_cast<T>(uint32_t(a) * uint32_t(b));
  return a * b;
}
template <class T> T bitAnd(T a, T b) { return a & b; }
template <class T> T bitOr(T a, T b) { return a | b; }
template <class T> T bitXor(T a, T b) { return a ^ b; }

// A shift too far is poison in IR; PTX gives these results.
template <class T> T shiftLeft(T a, T b) {
  return b < bitsOf<T> ? static_cast<T>(a << (b & (bitsOf<T> - 1))) : T(0);
}
template <class T> T shiftRight(T a, T b) {
  return b < bitsOf<T> ? static_cast<T>(a >> (b & (bitsOf<T> - 1))) : T(0);
}
template <class T> T shiftRightSigned(T a, T b) {
  T most = bitsOf<T> - 1;
  return asSigned(a) >> (b < most ? b : most);
}

// What traps on the processor must not trap here: lanes that are not active
// hold anything.
template <class T> T divideUnsigned(T a, T b) { return b ? a / b : T(~T(0)); }
template <class T> T remainderUnsigned(T a, T b) { return b ? a % b : a; }
template <class T> T divideSigned(T a, T b) {
  if (b == 0)
    return ~T(0);
  if (b == T(~T(0)))
    return T(0) - a;
  return asSigned(a) / asSigned(b);
}
template <class T> T remainderSigned(T a, T b) {
  if (b == 0)
    return a;
  if (b == T(~T(0)))
    return 0;
  return asSigned(a) % asSigned(b);
}

template <class T> T minUnsigned(T a, T b) { return b < a ? b : a; }
template <class T> T maxUnsigned(T a, T b) { return b > a ? b : a; }
template <class T> T minSigned(T a, T b) {
  return asSigned(b) < asSigned(a) ? b : a;
}
template <class T> T maxSigned(T a, T b) {
  return asSigned(b) > asSigned(a) ? b : a;
}

template <class T> bool equal(T a, T b) { return a == b; }
template <class T> bool notEqual(T a, T b) { return a != b; }
template <class T> bool lessUnsigned(T a, T b) { return a < b; }
template <class T> bool lessEqualUnsigned(T a, T b) { return a <= b; }
template <class T> bool lessSigned(T a, T b) {
  return asSigned(a) < asSigned(b);
}
template <class T> bool lessEqualSigned(T a, T b) {
  return asSigned(a) <= asSigned(b);
}

template <class T> T select(bool condition, T a, T b) {
  return condition ? a : b;
}
/// The upper bits of a:b, shifted left.
template <class T> T funnelLeft(T a, T b, T shift) {
  unsigned by = static_cast<unsigned>(shift) & (bitsOf<T> - 1);
  return static_cast<T>(a << by) |
         static_cast<T>(static_cast<T>(b >> 1) >> (bitsOf<T> - 1 - by));
}
/// The lower bits of a:b, shifted right.
template <class T> T funnelRight(T a, T b, T shift) {
  unsigned by = static_cast<unsigned>(shift) & (bitsOf<T> - 1);
  return static_cast<T>(static_cast<T>(a << 1) << (bitsOf<T> - 1 - by)) |
         static_cast<T>(b >> by);
}

template <class T> T countOnes(T a) {
  if constexpr (sizeof(T) == 16)
    return __builtin_popcountll(static_cast<uint64_t>(a)) +
           __builtin_popcountll(static_cast<uint64_t>(a >> 64));
  else
    return __builtin_popcountll(a);
}
template <class T> T countLeadingZeros(T a) {
  if (a == 0)
    return bitsOf<T>;
  if constexpr (sizeof(T) == 16) {
    auto high = static_cast<uint64_t>(a >> 64);
    return high ? __builtin_clzll(high)
                : 64 + __builtin_clzll(static_cast<uint64_t>(a));
  } else {
    return __builtin_clzll(a) - (64 - bitsOf<T>);
  }
}
template <class T> T countTrailingZeros(T a) {
  if (a == 0)
    return bitsOf<T>;
  if constexpr (sizeof(T) == 16) {
    auto low = static_cast<uint64_t>(a);
    return low ? __builtin_ctzll(low)
               : 64 + __builtin_ctzll(static_cast<uint64_t>(a >> 64));
  } else {
    return __builtin_ctzll(a);
  }
}
template <class T> T reverseBytes(T a) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T); ++i)
    result |= static_cast<T>(static_cast<T>(a >> (8 * i)) & 255)
              << (8 * (sizeof(T) - 1 - i));
  return result;
}
template <class T> T reverseBits(T a) {
  T result = 0;
  for (unsigned i = 0; i < bitsOf<T>; ++i)
    result |= static_cast<T>(static_cast<T>(a >> i) & 1) << (bitsOf<T> - 1 - i);
  return result;
}
template <class T> T absInteger(T a) {
  return asSigned(a) < 0 ? T(T(0) - a) : a;
}

template <class T> bool addOverflowsUnsigned(T a, T b) { return T(a + b) < a; }
template <class T> bool subOverflowsUnsigned(T a, T b) { return a < b; }
template <class T> bool addOverflowsSigned(T a, T b) {
  T sum = a + b;
  return asSigned(T((a ^ sum) & (b ^ sum))) < 0;
}
template <class T> bool subOverflowsSigned(T a, T b) {
  T difference = a - b;
  return asSigned(T((a ^ b) & (a ^ difference))) < 0;
}
template <class T> bool mulOverflowsUnsigned(T a, T b) {
  T product;
  return __builtin_mul_overflow(a, b, &product);
}
template <class T> bool mulOverflowsSigned(T a, T b) {
  Signed<T> product;
  return __builtin_mul_overflow(asSigned(a), asSigned(b), &product);
}
template <class T> constexpr T largestSigned = T(~T(0)) >> 1;
template <class T> T addSaturatingUnsigned(T a, T b) {
  return addOverflowsUnsigned(a, b) ? T(~T(0)) : T(a + b);
}
template <class T> T subSaturatingUnsigned(T a, T b) {
  return a < b ? T(0) : T(a - b);
}
template <class T> T addSaturatingSigned(T a, T b) {
  T limit = largestSigned<T> + (asSigned(a) < 0);
  return addOverflowsSigned(a, b) ? limit : T(a + b);
}
template <class T> T subSaturatingSigned(T a, T b) {
  T limit = largestSigned<T> + (asSigned(a) < 0);
  return subOverflowsSigned(a, b) ? limit : T(a - b);
}

template <class T> T mulHighUnsigned(T a, T b) {
  if constexpr (sizeof(T) <= 4) {
    return (uint64_t(a) * b) >> bitsOf<T>;
  } else if constexpr (sizeof(T) == 8) {
    return static_cast<T>((uint128_t(a) * b) >> 64);
  } else {
    auto half = [](uint128_t x) { return static_cast<uint64_t>(x); };
    uint128_t low = uint128_t(half(a)) * half(b);
    uint128_t first = uint128_t(half(a >> 64)) * half(b) + (low >> 64);
    uint128_t second = uint128_t(half(a)) * half(b >> 64) + half(first);
    return uint128_t(half(a >> 64)) * half(b >> 64) + (first >> 64) +
           (second >> 64);
  }
}
template <class T> T mulHighSigned(T a, T b) {
  T high = mulHighUnsigned(a, b);
  high -= asSigned(a) < 0 ? b : T(0);
  high -= asSigned(b) < 0 ? a : T(0);
  return high;
}
template <class T> T absDiffUnsigned(T a, T b) { return a < b ? b - a : a - b; }
template <class T> T absDiffSigned(T a, T b) {
  return asSigned(a) < asSigned(b) ? b - a : a - b;
}
template <class T> T signExtendFrom(T a, T bits) {
  unsigned by = bitsOf<T> - static_cast<unsigned>(bits);
  return asSigned(static_cast<T>(a << by)) >> by;
}

inline bool maskAnd(bool a, bool b) { return a & b; }
inline bool maskOr(bool a, bool b) { return a | b; }
inline bool maskXor(bool a, bool b) { return a ^ b; }
inline bool maskSelect(bool c, bool a, bool b) { return (c & a) | (!c & b); }
template <class T> T fromMask(bool a) { return a; }
template <class T> T signFromMask(bool a) { return a ? T(~T(0)) : T(0); }
template <class T> bool toMask(T a) { return a & 1; }
template <class From, class To> To zeroExtend(From a) { return a; }
template <class From, class To> To signExtend(From a) { return asSigned(a); }
template <class From, class To> To truncate(From a) {
  return static_cast<To>(a);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
template <class T>
constexpr BitsOf<T> signBit = BitsOf<T>(1) << (bitsOf<T> - 1);

template <class T> T addFloat(T a, T b) { return a + b; }
template <class T> T subFloat(T a, T b) { return a - b; }
template <class T> T mulFloat(T a, T b) { return a * b; }
template <class T> T divFloat(T a, T b) { return a / b; }
template <class T> T remFloat(T a, T b) { return std::fmod(a, b); }
template <class T> T negFloat(T a) {
  return bitCast<T>(bitCast<BitsOf<T>>(a) ^ signBit<T>);
}
template <class T> T absFloat(T a) {
  return bitCast<T>(bitCast<BitsOf<T>>(a) & ~signBit<T>);
}
template <class T> T fmaFloat(T a, T b, T c) {
  if constexpr (sizeof(T) == 4)
    return __builtin_fmaf(a, b, c);
  return __builtin_fma(a, b, c);
}
template <class T> T sqrtFloat(T a) {
  if constexpr (sizeof(T) == 4)
    return __builtin_sqrtf(a);
  return __builtin_sqrt(a);
}
template <class T> T rsqrtFloat(T a) { return T(1) / sqrtFloat(a); }
template <class T> T rcpFloat(T a) { return T(1) / a; }
template <class T> bool isNan(T a) { return a != a; }
/// The number if one of them is none; -0 below 0.
template <class T> T minNumber(T a, T b) {
  T smaller = a < b ? a : b;
  T either = bitCast<T>(bitCast<BitsOf<T>>(a) | bitCast<BitsOf<T>>(b));
  T result = a == b ? either : smaller;
  return isNan(a) ? b : isNan(b) ? a : result;
}
template <class T> T maxNumber(T a, T b) {
  T larger = a > b ? a : b;
  T both = bitCast<T>(bitCast<BitsOf<T>>(a) & bitCast<BitsOf<T>>(b));
  T result = a == b ? both : larger;
  return isNan(a) ? b : isNan(b) ? a : result;
}
template <class T> T minimum(T a, T b) {
  return isNan(a) || isNan(b) ? std::numeric_limits<T>::quiet_NaN()
                              : minNumber(a, b);
}
template <class T> T maximum(T a, T b) {
  return isNan(a) || isNan(b) ? std::numeric_limits<T>::quiet_NaN()
                              : maxNumber(a, b);
}
template <class T> T copySign(T a, T b) {
  return bitCast<T>((bitCast<BitsOf<T>>(a) & ~signBit<T>) |
                    (bitCast<BitsOf<T>>(b) & signBit<T>));
}
template <class T> T floorFloat(T a) { return std::floor(a); }
template <class T> T ceilFloat(T a) { return std::ceil(a); }
template <class T> T truncFloat(T a) { return std::trunc(a); }
template <class T> T roundEvenFloat(T a) { return std::nearbyint(a); }
template <class T> T roundFloat(T a) { return std::round(a); }
template <class T> T exp2Float(T a) { return std::exp2(a); }
template <class T> T log2Float(T a) { return std::log2(a); }
template <class T> T expFloat(T a) { return std::exp(a); }
template <class T> T logFloat(T a) { return std::log(a); }
template <class T> T exp10Float(T a) { return std::pow(T(10), a); }
template <class T> T log10Float(T a) { return std::log10(a); }
template <class T> T sinFloat(T a) { return std::sin(a); }
template <class T> T cosFloat(T a) { return std::cos(a); }
template <class T> T tanFloat(T a) { return std::tan(a); }
template <class T> T tanhFloat(T a) { return std::tanh(a); }
template <class T> T powFloat(T a, T b) { return std::pow(a, b); }
template <class T> T powInteger(T a, uint32_t b) {
  return std::pow(a, static_cast<T>(static_cast<int32_t>(b)));
}
template <class T> T loadExponent(T a, uint32_t b) {
  return std::ldexp(a, static_cast<int32_t>(b));
}
template <class T> T flushDenormal(T a) {
  return absFloat(a) < std::numeric_limits<T>::min() ? copySign(T(0), a) : a;
}
template <class T> T saturateFloat(T a) {
  return a > T(1) ? T(1) : a > T(0) ? a : T(0); // NaN becomes 0
}
template <class T> bool orderedEqual(T a, T b) { return a == b; }
template <class T> bool orderedLess(T a, T b) { return a < b; }
template <class T> bool orderedLessEqual(T a, T b) { return a <= b; }
template <class T> bool orderedNotEqual(T a, T b) { return (a < b) | (a > b); }
template <class T> bool areOrdered(T a, T b) { return (a == a) & (b == b); }
/// The classes of llvm.is.fpclass.
template <class T> bool isFloatClass(T a, uint32_t classes) {
  BitsOf<T> bits = bitCast<BitsOf<T>>(a);
  constexpr unsigned Digits = std::numeric_limits<T>::digits - 1;
  bool negative = bits >> (bitsOf<T> - 1);
  unsigned kind;
  if (isNan(a))
    return classes & (bits >> (Digits - 1) & 1 ? 2 : 1);
  T magnitude = absFloat(a);
  if (magnitude == std::numeric_limits<T>::infinity())
    kind = 0;
  else if (magnitude >= std::numeric_limits<T>::min())
    kind = 1;
  else if (magnitude > 0)
    kind = 2;
  else
    kind = 3;
  return classes >> (negative ? 2 + kind : 9 - kind) & 1;
}

enum RoundingMode { Down, Up, TowardsZero };

/// The same value, which the compiler does not know.
template <class T> T opaque(T value) {
  volatile T held = value;
  return held;
}

/// A function under another rounding mode. What is set and computed is opaque
/// so that the compiler keeps the order.
template <RoundingMode mode, auto function> struct Rounded;
template <RoundingMode mode, class R, class... A, R (*function)(A...)>
struct Rounded<mode, function> {
  [[gnu::noinline]] static R compute(A... operands) {
    return opaque(function(opaque(operands)...));
  }
  static R run(A... operands) {
    constexpr int Modes[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    std::fesetround(Modes[mode]);
    R result = compute(operands...);
    std::fesetround(FE_TONEAREST);
    return result;
  }
};

template <class From, class To> To convertFloat(From a) {
  return static_cast<To>(a);
}

inline float halfToFloat(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t rest = half & 0x7fff;
  // Denormals come out of the multiplication as normal numbers.
  float small = static_cast<float>(rest) * 0x1p-24f;
  uint32_t normal = (rest << 13) + (112u << 23);
  uint32_t special = (rest << 13) | 0x7f800000;
  uint32_t bits = rest < 0x400    ? bitCast<uint32_t>(small)
                  : rest < 0x7c00 ? normal
                                  : special;
  return bitCast<float>(bits | sign);
}
/// Rounds the magnitude of a float to 11 binary digits; \p up is what is added
/// below the last of them before the rest is cut off.
inline uint16_t packHalf(uint32_t sign, uint32_t magnitude, bool nearest) {
  if (magnitude > 0x7f800000)
    return sign | 0x7e00 | (magnitude >> 13 & 0x3ff);
  if (magnitude >= (nearest ? 0x477ff000u : 0x47800000u))
    return sign | (nearest || magnitude == 0x7f800000 ? 0x7c00 : 0x7bff);
  if (magnitude < 0x38800000) {
    // In units of the smallest denormal; adding 2^23 rounds to them.
    float scaled = bitCast<float>(magnitude) * 0x1p24f;
    return sign | static_cast<uint16_t>(nearest ? __builtin_nearbyintf(scaled)
                                                : scaled);
  }
  uint32_t rounding = nearest ? 0xfff + (magnitude >> 13 & 1) : 0;
  return sign | ((magnitude + rounding - (112u << 23)) >> 13);
}
inline uint16_t floatToHalf(float a) {
  uint32_t bits = bitCast<uint32_t>(a);
  return packHalf(bits >> 16 & 0x8000, bits & 0x7fffffff, true);
}
inline uint16_t floatToHalfZero(float a) {
  uint32_t bits = bitCast<uint32_t>(a);
  return packHalf(bits >> 16 & 0x8000, bits & 0x7fffffff, false);
}
/// By way of a float that is rounded to odd, so that the second rounding sees
/// what the first lost.
inline float narrowToOdd(double a) {
  float near = static_cast<float>(a);
  double back = near;
  uint32_t bits = bitCast<uint32_t>(near);
  if (back == a || isNan(a) || (bits & 1))
    return near;
  bool tooLarge = absFloat(back) > absFloat(a);
  return bitCast<float>(tooLarge ? bits - 1 : bits + 1);
}
inline uint16_t doubleToHalf(double a) { return floatToHalf(narrowToOdd(a)); }
inline float bfloatToFloat(uint16_t a) {
  return bitCast<float>(uint32_t(a) << 16);
}
inline uint16_t floatToBfloat(float a) {
  uint32_t bits = bitCast<uint32_t>(a);
  uint32_t nan = (bits >> 16) | 0x40;
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return isNan(a) ? nan : rounded;
}
inline uint16_t floatToBfloatZero(float a) {
  uint32_t bits = bitCast<uint32_t>(a);
  return (bits >> 16) | (isNan(a) ? 0x40 : 0);
}
inline uint32_t floatToTf32(float a) {
  uint32_t bits = bitCast<uint32_t>(a);
  return isNan(a) ? bits : (bits + 0x1000) & ~0x1fffu;
}

template <class From, class To, bool isSigned> To toInteger(From a) {
  // A wide type first: then its conversion is in range, and vectors have one.
  using Limits = std::conditional_t<isSigned, Signed<To>, To>;
  constexpr auto Ones = static_cast<To>(~To(0));
  constexpr auto High = static_cast<Limits>(isSigned ? Ones >> 1 : Ones);
  constexpr auto Low = static_cast<Limits>(isSigned ? ~High : 0);
  From magnitude = static_cast<From>(High); // rounded up to a power of 2
  bool above = a >= magnitude, below = a < static_cast<From>(Low);
  if constexpr (sizeof(To) < 8 && sizeof(From) == 8) {
    // Between the largest integer and it is nothing else to round.
    above = a >= static_cast<From>(High);
  }
  From inRange = above || below || isNan(a) ? From(0) : a;
  auto converted = static_cast<Limits>(inRange);
  return isNan(a) ? To(0)
         : above  ? static_cast<To>(High)
         : below  ? static_cast<To>(Low)
                  : static_cast<To>(converted);
}
template <class From, bool isSigned, class To> To fromInteger(From a) {
  if constexpr (isSigned)
    return static_cast<To>(asSigned(a));
  return static_cast<To>(a);
}

//===----------------------------------------------------------------------===//
// What PTX has beside
//===----------------------------------------------------------------------===//

inline uint32_t byteOf(uint64_t bytes, unsigned index) {
  return bytes >> (8 * (index & 7)) & 255;
}
template <class Index> uint32_t permute(uint32_t a, uint32_t b, Index indexOf) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= byteOf(bytes, indexOf(i)) << (8 * i);
  return result;
}
inline uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned control = selector >> (4 * i) & 15;
    uint32_t byte = byteOf(bytes, control & 7);
    if (control & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}
inline uint32_t permuteForward4(uint32_t a, uint32_t b, uint32_t c) {
  return permute(a, b, [c](unsigned i) { return (c & 3) + i; });
}
inline uint32_t permuteBackward4(uint32_t a, uint32_t b, uint32_t c) {
  return permute(a, b, [c](unsigned i) { return (c & 3) - i; });
}
inline uint32_t permuteReplicate8(uint32_t a, uint32_t, uint32_t c) {
  return permute(a, 0, [c](unsigned) { return c & 3; });
}
inline uint32_t permuteReplicate16(uint32_t a, uint32_t, uint32_t c) {
  return permute(a, 0, [c](unsigned i) { return 2 * (c & 1) + (i & 1); });
}
inline uint32_t permuteEdgeLeft(uint32_t a, uint32_t, uint32_t c) {
  return permute(a, 0, [c](unsigned i) { return i > (c & 3) ? i : c & 3; });
}
inline uint32_t permuteEdgeRight(uint32_t a, uint32_t, uint32_t c) {
  return permute(a, 0, [c](unsigned i) { return i < (c & 3) ? i : c & 3; });
}

inline int64_t low24Signed(uint32_t a) {
  return static_cast<int32_t>(a << 8) >> 8;
}
inline uint32_t mul24Signed(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(low24Signed(a) * low24Signed(b));
}
inline uint32_t mul24Unsigned(uint32_t a, uint32_t b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
inline uint32_t mulHigh24Signed(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>((low24Signed(a) * low24Signed(b)) >> 16);
}
inline uint32_t mulHigh24Unsigned(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>((uint64_t(a & 0xffffff) * (b & 0xffffff)) >> 16);
}

template <bool isSigned>
int32_t pieceOf(uint32_t a, unsigned at, unsigned bits) {
  uint32_t upper = a << (32 - bits - at);
  return isSigned ? static_cast<int32_t>(upper) >> (32 - bits)
                  : static_cast<int32_t>(upper >> (32 - bits));
}
template <bool signedA, bool signedB>
uint32_t dotBytes(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned at = 0; at < 32; at += 8)
    c += static_cast<uint32_t>(pieceOf<signedA>(a, at, 8) *
                               pieceOf<signedB>(b, at, 8));
  return c;
}
/// Two halves of \p a with the upper or lower two bytes of \p b.
template <bool signedA, bool signedB>
uint32_t dotHalves(uint32_t a, uint32_t b, bool upper, uint32_t c) {
  for (unsigned i = 0; i < 2; ++i)
    c +=
        static_cast<uint32_t>(pieceOf<signedA>(a, 16 * i, 16) *
                              pieceOf<signedB>(b, 8 * i + (upper ? 16 : 0), 8));
  return c;
}

inline uint32_t funnelLeftClamp(uint32_t low, uint32_t high, uint32_t by) {
  by = by < 32 ? by : 32;
  return static_cast<uint32_t>(((uint64_t(high) << 32 | low) << by) >> 32);
}
inline uint32_t funnelRightClamp(uint32_t low, uint32_t high, uint32_t by) {
  by = by < 32 ? by : 32;
  return static_cast<uint32_t>((uint64_t(high) << 32 | low) >> by);
}
/// The position of the highest bit that is not the sign's; -1 if there is none.
template <class T, bool isSigned> uint32_t findHighest(T a) {
  if (isSigned && asSigned(a) < 0)
    a = ~a;
  return bitsOf<T> - 1 - static_cast<uint32_t>(countLeadingZeros(a));
}
inline uint32_t findNthSet(uint32_t mask, uint32_t base, uint32_t offset) {
  auto n = static_cast<int32_t>(offset);
  int step = n < 0 ? -1 : 1;
  int left = n == 0 ? 1 : n < 0 ? -n : n;
  for (int at = base & 31; at >= 0 && at < 32; at += step) {
    if (mask >> at & 1)
      if (--left == 0)
        return at;
    if (n == 0)
      break;
  }
  return ~0u;
}
template <class T> T shiftLeftClamp(T a, uint32_t by) {
  return shiftLeft<T>(a, by);
}
template <class T> T shiftRightClamp(T a, uint32_t by) {
  return shiftRight<T>(a, by);
}
template <class T> T shiftRightSignedClamp(T a, uint32_t by) {
  return shiftRightSigned<T>(a, by);
}
template <class T, bool isSigned>
T extractBits(T a, uint32_t position, uint32_t length) {
  position &= 255;
  length &= 255;
  if (length == 0)
    return 0;
  constexpr unsigned Last = bitsOf<T> - 1;
  unsigned top = position + length - 1 < Last ? position + length - 1 : Last;
  T sign = isSigned ? T(a >> top & 1) : T(0);
  T bits = shiftRight<T>(a, position);
  unsigned known = position > Last ? 0 : Last + 1 - position;
  known = known < length ? known : length;
  if (known >= bitsOf<T>)
    return bits;
  T low = (T(1) << known) - 1;
  return (bits & low) | (sign ? T(~low) : T(0));
}
template <class T>
T insertBits(T a, T into, uint32_t position, uint32_t length) {
  position &= 255;
  length &= 255;
  T ones = length >= bitsOf<T> ? T(~T(0)) : T((T(1) << length) - 1);
  T mask = shiftLeft<T>(ones, position);
  return (into & ~mask) | (shiftLeft<T>(a, position) & mask);
}
inline uint32_t bitMaskClamp(uint32_t position, uint32_t length) {
  return insertBits<uint32_t>(~0u, 0, position < 255 ? position : 255,
                              length < 255 ? length : 255);
}
inline uint32_t bitMaskWrap(uint32_t position, uint32_t length) {
  return insertBits<uint32_t>(~0u, 0, position & 31, length & 31);
}
template <bool isSigned, bool clamps>
uint32_t extendFrom(uint32_t a, uint32_t bits) {
  bits = clamps ? (bits < 32 ? bits : 32) : bits & 31;
  if (bits == 0)
    return 0;
  return isSigned ? static_cast<uint32_t>(
                        static_cast<int32_t>(a << (32 - bits)) >> (32 - bits))
                  : a << (32 - bits) >> (32 - bits);
}
inline uint32_t logic3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

} // namespace auspex::emulator::AUSPEX_ISA

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostArithmetic.h"

using namespace auspex;
using llvm::APFloat;
using llvm::APSInt;

static bool sameType(const APSInt &left, const APSInt &right) {
  return left.getBitWidth() == right.getBitWidth() &&
         left.isSigned() == right.isSigned();
}

std::optional<APSInt> auspex::calculate(clang::BinaryOperatorKind kind,
                                        const APSInt &left,
                                        const APSInt &right) {
  if (!sameType(left, right))
    return std::nullopt;
  bool overflow = false;
  auto checked = [&](const llvm::APInt &value) -> std::optional<APSInt> {
    if (left.isSigned() && overflow)
      return std::nullopt;
    return APSInt(value, left.isUnsigned());
  };
  switch (kind) {
  case clang::BO_Add:
    return checked(left.sadd_ov(right, overflow));
  case clang::BO_Sub:
    return checked(left.ssub_ov(right, overflow));
  case clang::BO_Mul:
    return checked(left.smul_ov(right, overflow));
  case clang::BO_Div:
  case clang::BO_Rem:
    if (right.isZero() ||
        (left.isSigned() && left.isMinSignedValue() && right.isAllOnes()))
      return std::nullopt;
    return kind == clang::BO_Div ? left / right : left % right;
  case clang::BO_And:
    return left & right;
  case clang::BO_Or:
    return left | right;
  case clang::BO_Xor:
    return left ^ right;
  default:
    return std::nullopt;
  }
}

std::optional<APSInt> auspex::shift(clang::BinaryOperatorKind kind,
                                    const APSInt &value, const APSInt &amount) {
  if (amount.isNegative() || amount.uge(value.getBitWidth()))
    return std::nullopt;
  unsigned bits = amount.getZExtValue();
  if (kind == clang::BO_Shr)
    return value >> bits;
  bool overflow = false;
  (void)value.sshl_ov(bits, overflow);
  if (kind != clang::BO_Shl || (value.isSigned() && overflow))
    return std::nullopt;
  return value << bits;
}

template <typename Number>
static std::optional<bool> compareNumbers(clang::BinaryOperatorKind kind,
                                          const Number &left,
                                          const Number &right) {
  switch (kind) {
  case clang::BO_LT:
    return left < right;
  case clang::BO_GT:
    return left > right;
  case clang::BO_LE:
    return left <= right;
  case clang::BO_GE:
    return left >= right;
  case clang::BO_EQ:
    return left == right;
  case clang::BO_NE:
    return left != right;
  default:
    return std::nullopt;
  }
}

std::optional<bool> auspex::compare(clang::BinaryOperatorKind kind,
                                    const APSInt &left, const APSInt &right) {
  return sameType(left, right) ? compareNumbers(kind, left, right)
                               : std::nullopt;
}

std::optional<bool> auspex::compare(clang::BinaryOperatorKind kind,
                                    const APFloat &left, const APFloat &right) {
  return &left.getSemantics() == &right.getSemantics()
             ? compareNumbers(kind, left, right)
             : std::nullopt;
}

std::optional<APFloat> auspex::calculate(clang::BinaryOperatorKind kind,
                                         const APFloat &left,
                                         const APFloat &right) {
  if (&left.getSemantics() != &right.getSemantics())
    return std::nullopt;
  constexpr auto Nearest = APFloat::rmNearestTiesToEven;
  APFloat result = left;
  switch (kind) {
  case clang::BO_Add:
    result.add(right, Nearest);
    break;
  case clang::BO_Sub:
    result.subtract(right, Nearest);
    break;
  case clang::BO_Mul:
    result.multiply(right, Nearest);
    break;
  case clang::BO_Div:
    result.divide(right, Nearest);
    break;
  default:
    return std::nullopt;
  }
  return result.isFinite() ? std::optional(result) : std::nullopt;
}

/// Variables are taken to be sizes.
static bool mayBeNegative(const Expr &expr) {
  return expr.range([](llvm::StringRef) { return Interval{0, INT32_MAX}; })
             .low < 0;
}

/// C's division, which rounds towards 0, by what is taken to be positive.
static Expr divide(const Expr &left, const Expr &right) {
  Expr upwards = (right - Expr(1)) * Expr::isLess(left, 0);
  return Expr::floorDiv(mayBeNegative(left) ? left + upwards : left, right);
}

Expr auspex::calculate(clang::BinaryOperatorKind kind, const Expr &left,
                       const Expr &right) {
  switch (kind) {
  case clang::BO_Add:
    return left + right;
  case clang::BO_Sub:
    return left - right;
  case clang::BO_Mul:
    return left * right;
  case clang::BO_Div:
    return divide(left, right);
  case clang::BO_Rem:
    return mayBeNegative(left) ? left - right * divide(left, right)
                               : Expr::mod(left, right);
  case clang::BO_And:
    return Expr::bitAnd(left, right);
  case clang::BO_Or:
    return Expr::bitOr(left, right);
  case clang::BO_Xor:
    return Expr::bitXor(left, right);
  case clang::BO_Shl:
    return left * Expr::pow2(right);
  case clang::BO_Shr:
    return Expr::floorDiv(left, Expr::pow2(right));
  case clang::BO_LT:
    return Expr::isLess(left, right);
  case clang::BO_GT:
    return Expr::isLess(right, left);
  case clang::BO_LE:
    return Expr::isLessOrEqual(left, right);
  case clang::BO_GE:
    return Expr::isLessOrEqual(right, left);
  case clang::BO_EQ:
    return Expr::isEqual(left, right);
  case clang::BO_NE:
    return Expr::isNotEqual(left, right);
  default:
    return Expr::invalid();
  }
}

Expr Fraction::floor() const {
  return Expr::floorDiv(numerator, Expr(denominator));
}

Expr Fraction::ceil() const {
  return Expr::floorDiv(numerator + Expr(denominator - 1), Expr(denominator));
}

std::optional<Fraction> auspex::calculate(clang::BinaryOperatorKind kind,
                                          const Fraction &left,
                                          const APFloat &right) {
  APSInt whole(32, /*isUnsigned=*/false);
  bool isExact = false;
  right.convertToInteger(whole, llvm::RoundingMode::TowardZero, &isExact);
  int64_t number = whole.getExtValue();
  if (!isExact || number <= 0)
    return std::nullopt;
  if (kind == clang::BO_Mul)
    return Fraction{left.numerator * Expr(number), left.denominator};
  constexpr int64_t Most = int64_t(1) << 31;
  if (kind == clang::BO_Div && left.denominator < Most)
    return Fraction{left.numerator, left.denominator * number};
  return std::nullopt;
}

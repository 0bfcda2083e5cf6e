// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a floating-point type that are fractions of integers, as in
// ceil(n / 16.0f): they are exact as long as nothing is rounded, which is taken
// for granted.
#include "ValueTranslator.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cmath>

using namespace auspex;

using Fraction = ValueTranslator::Fraction;

/// Nothing for numbers with a long fraction, unless they are what a whole
/// number, as often divided by, is the inverse of.
static std::optional<Fraction> fractionOf(const llvm::ConstantFP &constant) {
  constexpr double MostParts = 1 << 16, Most = 1 << 30;
  llvm::APFloat number = constant.getValueAPF();
  bool losesInfo = false;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  double value = number.convertToDouble();
  if (!std::isfinite(value) || std::abs(value) > Most)
    return std::nullopt;
  for (double parts = 1; parts <= MostParts; parts *= 2)
    if (double whole = value * parts; whole == std::trunc(whole))
      return Fraction{Expr(static_cast<int64_t>(whole)),
                      Expr(static_cast<int64_t>(parts))};
  double inverse = std::round(1 / value);
  llvm::APFloat again(1 / inverse);
  again.convert(constant.getValueAPF().getSemantics(),
                llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  if (inverse < 2 || inverse > Most ||
      again.compare(constant.getValueAPF()) != llvm::APFloat::cmpEqual)
    return std::nullopt;
  return Fraction{Expr(1), Expr(static_cast<int64_t>(inverse))};
}

static Fraction product(const Fraction &a, const Fraction &b) {
  return {a.numerator * b.numerator, a.denominator * b.denominator};
}

static Fraction sum(const Fraction &a, const Fraction &b) {
  if (a.denominator == b.denominator)
    return {a.numerator + b.numerator, a.denominator};
  return {a.numerator * b.denominator + b.numerator * a.denominator,
          a.denominator * b.denominator};
}

static Fraction negative(const Fraction &a) {
  return {-a.numerator, a.denominator};
}

Expr ValueTranslator::Fraction::floor() const {
  return Expr::floorDiv(numerator, denominator);
}

Expr ValueTranslator::Fraction::truncated() const {
  Expr down = floor(), up = -negative(*this).floor();
  return numerator.range(sizeRange).low >= 0
             ? down
             : Expr::select(Expr::isAtLeastZero(numerator), down, up);
}

/// Nothing if \p b may be 0 or less.
static std::optional<Fraction> quotient(const Fraction &a, const Fraction &b) {
  if (b.numerator.range(sizeRange).low <= 0)
    return std::nullopt;
  return product(a, {b.denominator, b.numerator});
}

/// What a call rounds \p value to; nothing if it does something else.
static std::optional<Expr> rounded(const llvm::IntrinsicInst &call,
                                   const Fraction &value) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::ceil:
    return -negative(value).floor();
  case llvm::Intrinsic::floor:
    return value.floor();
  case llvm::Intrinsic::trunc:
    return value.truncated();
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
  case llvm::Intrinsic::round:
  case llvm::Intrinsic::roundeven:
    return sum(value, {Expr(1), Expr(2)}).floor();
  default:
    return std::nullopt;
  }
}

/// What grows by the same in each turn of a loop.
std::optional<Fraction> ValueTranslator::fractionOfCounter(
    llvm::PHINode &phi, const llvm::BasicBlock *block, unsigned depth) {
  std::optional<CarriedValue> carried = carriedValue(phi);
  if (!carried || !carried->loop->contains(block))
    return std::nullopt;
  auto *next = llvm::dyn_cast<llvm::BinaryOperator>(carried->next);
  bool isAdded = next && next->getOpcode() == llvm::Instruction::FAdd;
  bool isTaken = next && next->getOpcode() == llvm::Instruction::FSub;
  if (!isAdded && !isTaken)
    return std::nullopt;
  bool isFirst = next->getOperand(0) == &phi;
  llvm::Value *by = next->getOperand(isFirst ? 1 : 0);
  if ((!isFirst && (isTaken || next->getOperand(1) != &phi)) ||
      !carried->loop->isLoopInvariant(by))
    return std::nullopt;
  auto start = fractionOf(carried->start, carried->before, depth + 1);
  auto step = start ? fractionOf(by, carried->before, depth + 1) : std::nullopt;
  if (!step)
    return std::nullopt;
  Expr turn = Expr::symbol(counterName(carried->loop));
  return sum(*start,
             product(isTaken ? negative(*step) : *step, {turn, Expr(1)}));
}

std::optional<Fraction>
ValueTranslator::fractionOf(llvm::Value *value, const llvm::BasicBlock *block,
                            unsigned depth) {
  constexpr unsigned Deepest = 8;
  if (auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value))
    return ::fractionOf(*constant);
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth == Deepest)
    return std::nullopt;
  auto operand = [&](unsigned number) {
    return fractionOf(instruction->getOperand(number), instruction->getParent(),
                      depth + 1);
  };
  auto joined = [&](auto &&join) -> std::optional<Fraction> {
    std::optional<Fraction> a = operand(0);
    std::optional<Fraction> b = a ? operand(1) : std::nullopt;
    if (!b)
      return std::nullopt;
    return join(*a, *b);
  };
  switch (instruction->getOpcode()) {
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP: {
    bool isSigned = instruction->getOpcode() == llvm::Instruction::SIToFP;
    Expr number = translateNumber(instruction->getOperand(0),
                                  instruction->getParent(), isSigned);
    if (!number.isValid())
      return std::nullopt;
    return Fraction{number, Expr(1)};
  }
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
    return operand(0);
  case llvm::Instruction::FNeg:
    if (std::optional<Fraction> a = operand(0))
      return negative(*a);
    return std::nullopt;
  case llvm::Instruction::FMul:
    return joined(product);
  case llvm::Instruction::FAdd:
    return joined(sum);
  case llvm::Instruction::FSub:
    return joined([](const Fraction &a, const Fraction &b) {
      return sum(a, negative(b));
    });
  case llvm::Instruction::FDiv:
    return joined(quotient);
  case llvm::Instruction::PHI:
    return fractionOfCounter(*llvm::cast<llvm::PHINode>(instruction), block,
                             depth);
  case llvm::Instruction::Call:
    break;
  default:
    return std::nullopt;
  }
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
  if (!call || call->arg_empty() ||
      !call->getArgOperand(0)->getType()->isFloatingPointTy())
    return std::nullopt;
  std::optional<Fraction> first = operand(0);
  if (!first)
    return std::nullopt;
  if (std::optional<Expr> whole = rounded(*call, *first))
    return Fraction{*whole, Expr(1)};
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::fabs:
  case llvm::Intrinsic::nvvm_fabs:
  case llvm::Intrinsic::nvvm_fabs_ftz:
    return Fraction{Expr::max(first->numerator, negative(*first).numerator),
                    first->denominator};
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
    break;
  default:
    return std::nullopt;
  }
  std::optional<Fraction> second = operand(1), third = operand(2);
  if (!second || !third)
    return std::nullopt;
  return sum(product(*first, *second), *third);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DoublesOfFloats.h"

#include "ValueTranslator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace auspex;

/// Whether \p step is one of arithmetic, or a choice among its results.
static bool isArithmetic(const llvm::Instruction &step) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&step);
  if (!call)
    return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator,
                     llvm::SelectInst>(step);
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
  case llvm::Intrinsic::fabs:
  case llvm::Intrinsic::sqrt:
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maxnum:
    return true;
  default:
    return false;
  }
}

/// The first step of what \p result, a double, is made of; null if anything but
/// floats and constants goes into it, or one of both does not.
static const llvm::Instruction *stepOfFloats(const llvm::Value &result) {
  constexpr unsigned Most = 64;
  llvm::SmallSetVector<const llvm::Value *, 16> values;
  values.insert(&result);
  const llvm::Instruction *step = nullptr;
  bool hasFloat = false, hasConstant = false;
  for (size_t i = 0; i < values.size(); ++i) {
    const llvm::Value *value = values[i];
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (llvm::isa<llvm::ConstantFP>(value)) {
      hasConstant = true;
    } else if (llvm::isa_and_nonnull<llvm::FPExtInst>(instruction)) {
      hasFloat = true;
    } else if (!llvm::isa_and_nonnull<llvm::SIToFPInst, llvm::UIToFPInst>(
                   instruction)) {
      if (!instruction || !isArithmetic(*instruction) || i >= Most)
        return nullptr;
      step = step ? step : instruction;
      for (const llvm::Value *operand : instruction->operand_values())
        if (operand->getType()->isDoubleTy())
          values.insert(operand);
    }
  }
  return hasFloat && hasConstant ? step : nullptr;
}

std::vector<SourceLocation>
auspex::doublesOfFloats(const llvm::Function &kernel) {
  std::vector<SourceLocation> places;
  for (const llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *toFloat = llvm::dyn_cast<llvm::FPTruncInst>(&instruction);
    const llvm::Instruction *step = toFloat && toFloat->getSrcTy()->isDoubleTy()
                                        ? stepOfFloats(*toFloat->getOperand(0))
                                        : nullptr;
    const llvm::DILocation *location = step ? locationOf(*step) : nullptr;
    if (!location)
      continue;
    SourceLocation place = sourceLocation(location);
    if (llvm::none_of(places, [&](const SourceLocation &other) {
          return other.file == place.file && other.line == place.line;
        }))
      places.push_back(std::move(place));
  }
  return places;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccAlignmentChecks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <utility>

using namespace auspex;
using namespace llvm::PatternMatch;

using Pointers = llvm::SmallVector<llvm::Value *, 4>;

/// What cudaMalloc aligns to, and the most that code may ask for.
static constexpr unsigned Log2OfMost = 8;

static bool isMultiple(const llvm::Value *number, unsigned log2,
                       const llvm::DataLayout &layout) {
  return llvm::computeKnownBits(number, layout).countMinTrailingZeros() >= log2;
}

/// Whether \p pointer is a multiple of 2^\p log2 bytes away from what is given
/// to the kernel.
static bool isAligned(const llvm::Value *pointer, unsigned log2,
                      const llvm::DataLayout &layout) {
  while (true) {
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer)) {
      pointer = cast->getPointerOperand();
      continue;
    }
    auto *moved = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (!moved)
      break;
    unsigned bits = layout.getIndexTypeSizeInBits(moved->getType());
    llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> steps;
    llvm::APInt constant(bits, 0);
    if (!moved->collectOffset(layout, bits, steps, constant) ||
        constant.countr_zero() < log2)
      return false;
    for (const auto &[index, step] : steps)
      if (step.countr_zero() < log2 &&
          !isMultiple(index, log2 - step.countr_zero(), layout))
        return false;
    pointer = moved->getPointerOperand();
  }
  return llvm::isa<llvm::Argument, llvm::LoadInst>(pointer);
}

/// Whether the low \p log2 bits of \p address are 0, of one pointer or of
/// several joined by or; adds those to \p pointers.
static bool isAlignedAddress(llvm::Value *address, unsigned log2,
                             const llvm::DataLayout &layout,
                             Pointers &pointers) {
  llvm::Value *one = nullptr, *other = nullptr;
  if (match(address, m_Or(m_Value(one), m_Value(other))))
    return isAlignedAddress(one, log2, layout, pointers) &&
           isAlignedAddress(other, log2, layout, pointers);
  if (match(address, m_Trunc(m_Value(one))))
    return isAlignedAddress(one, log2, layout, pointers);
  if (match(address, m_PtrToIntOrAddr(m_Value(one)))) {
    pointers.push_back(one);
    return isAligned(one, log2, layout);
  }
  return isMultiple(address, log2, layout);
}

/// If \p instruction asks whether pointers are aligned, which they are: by how
/// many bytes, and adds them to \p pointers; else 1.
static llvm::Align alignmentAsked(const llvm::Instruction &instruction,
                                  Pointers &pointers) {
  llvm::Value *address = nullptr;
  const llvm::APInt *mask = nullptr;
  if (!match(&instruction,
             m_ICmp(m_And(m_Value(address), m_APInt(mask)), m_Zero())) ||
      !llvm::cast<llvm::ICmpInst>(instruction).isEquality() ||
      !mask->isMask() || mask->countr_one() > Log2OfMost ||
      !isAlignedAddress(address, mask->countr_one(),
                        instruction.getDataLayout(), pointers) ||
      pointers.empty())
    return llvm::Align();
  return llvm::Align(uint64_t(1) << mask->countr_one());
}

llvm::PreservedAnalyses
AnswerAlignmentChecks::run(llvm::Function &function,
                           llvm::FunctionAnalysisManager &analyses) {
  auto &assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  bool isChanged = false;
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    Pointers pointers;
    llvm::Align alignment = alignmentAsked(instruction, pointers);
    if (alignment == 1)
      continue;
    llvm::IRBuilder<> builder(&instruction);
    for (llvm::Value *pointer : pointers)
      assumptions.registerAssumption(
          llvm::cast<llvm::AssumeInst>(builder.CreateAlignmentAssumption(
              function.getDataLayout(), pointer, alignment.value())));
    auto &check = llvm::cast<llvm::ICmpInst>(instruction);
    check.replaceAllUsesWith(
        builder.getInt1(check.getPredicate() == llvm::ICmpInst::ICMP_EQ));
    check.eraseFromParent();
    isChanged = true;
  }
  if (!isChanged)
    return llvm::PreservedAnalyses::all();
  for (llvm::BasicBlock &block : function)
    llvm::ConstantFoldTerminator(&block);
  llvm::removeUnreachableBlocks(function);
  return llvm::PreservedAnalyses::none();
}

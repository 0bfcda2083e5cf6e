// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccAddresses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace auspex;

/// An element of an array in global memory at an index of 64 bits that is no
/// constant.
static llvm::GetElementPtrInst *elementOf(llvm::Value *pointer) {
  auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (!element || element->getNumIndices() != 1)
    return nullptr;
  const llvm::Value *index = element->getOperand(1);
  unsigned space = element->getPointerAddressSpace();
  bool isWide = index->getType()->isIntegerTy(64);
  bool mayBeGlobal = space == llvm::NVPTXAS::ADDRESS_SPACE_GENERIC ||
                     space == llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL;
  return isWide && mayBeGlobal && !llvm::isa<llvm::Constant>(index) ? element
                                                                    : nullptr;
}

/// Whether \p counter goes on in a loop, without wrapping: by blockDim.x, which
/// has no sign, one may.
static bool goesOn(const llvm::PHINode &counter, bool isSigned) {
  using namespace llvm::PatternMatch;
  return llvm::any_of(counter.incoming_values(), [&](const auto &next) {
    auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(next.get());
    return sum && match(sum, m_c_Add(m_Specific(&counter), m_Value())) &&
           (isSigned ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
  });
}

/// Whether \p index is a counter of 64 bits or follows one of 32 without
/// wrapping: it is counted on as an address.
static bool isCountedOn(const llvm::Value *index) {
  using namespace llvm::PatternMatch;
  const llvm::Value *narrow;
  if (!match(index, m_ZExtOrSExt(m_Value(narrow))))
    return true;
  bool isSigned = llvm::isa<llvm::SExtInst>(index);
  while (auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(narrow)) {
    if (sum->getOpcode() != llvm::Instruction::Add ||
        !(isSigned ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap()))
      return false;
    narrow = llvm::isa<llvm::PHINode>(sum->getOperand(1)) ? sum->getOperand(1)
                                                          : sum->getOperand(0);
  }
  auto *counter = llvm::dyn_cast<llvm::PHINode>(narrow);
  return counter && goesOn(*counter, isSigned);
}

void auspex::addIndicesFirst(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    llvm::GetElementPtrInst *element = elementOf(&instruction);
    if (!element || isCountedOn(element->getOperand(1)))
      continue;
    llvm::GetElementPtrInst *row = elementOf(element->getPointerOperand());
    if (!row || row->getSourceElementType() != element->getSourceElementType())
      continue;
    llvm::IRBuilder<> builder(element);
    llvm::Value *index =
        builder.CreateAdd(row->getOperand(1), element->getOperand(1));
    // Or loop strength reduction would take it apart.
    element->setOperand(1, builder.CreateFreeze(index));
    element->setOperand(0, row->getPointerOperand());
    element->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
  }
}

/// Whether \p phi of \p loop goes on by the same every time; and the sum that
/// it goes on by.
static llvm::BinaryOperator *stepOf(llvm::PHINode &phi,
                                    const llvm::Loop &loop) {
  using namespace llvm::PatternMatch;
  auto *next = llvm::dyn_cast<llvm::BinaryOperator>(
      phi.getIncomingValueForBlock(loop.getLoopLatch()));
  llvm::Value *step;
  return next && match(next, m_c_Add(m_Specific(&phi), m_Value(step))) &&
                 loop.isLoopInvariant(step)
             ? next
             : nullptr;
}

/// The constraints of an empty piece of assembly that has its operand as its
/// result; none for other types than those of counters.
static const char *constraintsFor(const llvm::Type &type) {
  return type.isIntegerTy(32)   ? "=r,0"
         : type.isIntegerTy(64) ? "=l,0"
                                : nullptr;
}

void auspex::calculateFromOuterCounters(llvm::Function &kernel) {
  llvm::DominatorTree dominators(kernel);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (loop->isInnermost() || !loop->getLoopLatch())
      continue;
    llvm::BasicBlock *header = loop->getHeader();
    for (llvm::PHINode &counter : header->phis()) {
      llvm::Type *type = counter.getType();
      const char *constraints = constraintsFor(*type);
      llvm::BinaryOperator *next =
          constraints ? stepOf(counter, *loop) : nullptr;
      if (!next)
        continue;
      // Loop strength reduction does not see through it, nor moves it as it
      // would a freeze.
      llvm::Value *hidden =
          llvm::IRBuilder<>(header, header->getFirstNonPHIIt())
              .CreateCall(llvm::InlineAsm::get(
                              llvm::FunctionType::get(type, {type}, false), "",
                              constraints, /*hasSideEffects=*/false),
                          &counter);
      counter.replaceUsesWithIf(hidden, [&](const llvm::Use &use) {
        const llvm::User *user = use.getUser();
        return user != hidden && user != next &&
               !llvm::isa<llvm::ICmpInst, llvm::PHINode>(user);
      });
    }
  }
}

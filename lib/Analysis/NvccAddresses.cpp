// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccAddresses.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
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

/// Whether \p index has 32 bits and may wrap as it goes on in a loop, for one
/// as it goes on by blockDim.x, which has no sign. Others are counted on as
/// addresses.
static bool mayWrap(const llvm::Value *index) {
  using namespace llvm::PatternMatch;
  const llvm::Value *counter;
  if (!match(index, m_ZExtOrSExt(m_Value(counter))))
    return false;
  auto *phi = llvm::dyn_cast<llvm::PHINode>(counter);
  return phi && llvm::any_of(phi->incoming_values(), [&](const auto &next) {
           auto *sum =
               llvm::dyn_cast<llvm::OverflowingBinaryOperator>(next.get());
           return sum && match(sum, m_c_Add(m_Specific(phi), m_Value())) &&
                  !sum->hasNoSignedWrap() && !sum->hasNoUnsignedWrap();
         });
}

void auspex::addIndicesFirst(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    llvm::GetElementPtrInst *element = elementOf(&instruction);
    if (!element || !mayWrap(element->getOperand(1)))
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccAddresses.h"

#include "LoopMarks.h"
#include "llvm/ADT/DenseMap.h"
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

/// Whether \p counter goes on by a constant in a loop, without wrapping: by a
/// variable one may, for all that the optimiser finds out.
static bool goesOn(const llvm::PHINode &counter, bool isSigned) {
  using namespace llvm::PatternMatch;
  return llvm::any_of(counter.incoming_values(), [&](const auto &next) {
    auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(next.get());
    return sum && match(sum, m_Add(m_Specific(&counter), m_ConstantInt())) &&
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
  const llvm::Value *a, *b;
  while (isSigned ? match(narrow, m_NSWAddLike(m_Value(a), m_Value(b)))
                  : match(narrow, m_NUWAddLike(m_Value(a), m_Value(b))))
    narrow = llvm::isa<llvm::PHINode>(b) ? b : a;
  auto *counter = llvm::dyn_cast<llvm::PHINode>(narrow);
  return counter && goesOn(*counter, isSigned);
}

/// The elements of rows in a block, each by its row and its index before that
/// is widened.
using ElementsOfRows =
    llvm::DenseMap<std::pair<const llvm::Value *, const llvm::Value *>,
                   llvm::GetElementPtrInst *>;

/// Reaches \p element of \p row by a step from the one before it in an unrolled
/// loop, if it is among \p known; \p index is its own before it is widened.
static bool goOnFromBefore(llvm::GetElementPtrInst &element,
                           const llvm::Value &row, const llvm::Value *index,
                           const ElementsOfRows &known) {
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(index);
  if (!sum || sum->getOpcode() != llvm::Instruction::Add)
    return false;
  for (unsigned i : {0, 1}) {
    auto before = known.find({&row, sum->getOperand(i)});
    llvm::Value *step = sum->getOperand(1 - i);
    auto *definition = llvm::dyn_cast<llvm::Instruction>(step);
    if (before == known.end() ||
        (definition && definition->getParent() == element.getParent()))
      continue;
    element.setOperand(1, llvm::IRBuilder<>(&element).CreateSExt(
                              step, element.getOperand(1)->getType()));
    element.setOperand(0, before->second);
    element.setNoWrapFlags(llvm::GEPNoWrapFlags::none());
    return true;
  }
  return false;
}

/// The same as addIndicesFirst, of the elements in \p block, where one may be
/// reached from another \p bySteps.
static void addIndicesFirstIn(llvm::BasicBlock &block, bool bySteps) {
  using namespace llvm::PatternMatch;
  ElementsOfRows known;
  for (llvm::Instruction &instruction : block) {
    llvm::GetElementPtrInst *element = elementOf(&instruction);
    if (!element || isCountedOn(element->getOperand(1)))
      continue;
    llvm::GetElementPtrInst *row = elementOf(element->getPointerOperand());
    if (!row || row->getSourceElementType() != element->getSourceElementType())
      continue;
    llvm::Value *index = element->getOperand(1), *narrow = nullptr;
    bool isWidened = match(index, m_ZExtOrSExt(m_Value(narrow)));
    if (!bySteps || !isWidened ||
        !goOnFromBefore(*element, *row, narrow, known)) {
      llvm::IRBuilder<> builder(element);
      // Or loop strength reduction would take it apart.
      element->setOperand(1, builder.CreateFreeze(
                                 builder.CreateAdd(row->getOperand(1), index)));
      element->setOperand(0, row->getPointerOperand());
      element->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
    }
    if (isWidened)
      known[{row, narrow}] = element;
  }
}

void auspex::addIndicesFirst(llvm::Function &kernel, unsigned arch) {
  bool bySteps = arch < OptimizedByNewer;
  for (llvm::BasicBlock &block : kernel)
    addIndicesFirstIn(block, bySteps);
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

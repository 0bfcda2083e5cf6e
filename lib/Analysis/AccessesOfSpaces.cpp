// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessesOfSpaces.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <functional>

using namespace auspex;

/// The address space of the object that \p pointer is cast from; where nothing
/// tells, that of \p pointer.
static unsigned spaceOfObject(const llvm::Value *pointer) {
  return llvm::getUnderlyingObject(pointer)
      ->getType()
      ->getPointerAddressSpace();
}

/// The pointers of which \p value is one; none if it is no choice.
static llvm::SmallVector<llvm::Value *, 4> armsOf(llvm::Value *value) {
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
    return llvm::SmallVector<llvm::Value *, 4>(phi->incoming_values());
  auto *choice = llvm::dyn_cast<llvm::SelectInst>(value);
  if (choice && choice->getCondition()->getType()->isIntegerTy(1))
    return {choice->getTrueValue(), choice->getFalseValue()};
  return {};
}

/// The choice between objects in different spaces that \p pointer is in or has
/// an offset to; null if there is none.
static llvm::Instruction *choiceOfSpaces(llvm::Value *pointer) {
  constexpr unsigned MostSteps = 8;
  for (unsigned step = 0; step < MostSteps; ++step) {
    llvm::SmallVector<llvm::Value *, 4> arms = armsOf(pointer);
    if (!arms.empty())
      return llvm::all_equal(llvm::map_range(arms, spaceOfObject))
                 ? nullptr
                 : llvm::cast<llvm::Instruction>(pointer);
    auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
    if (!element)
      return nullptr;
    pointer = element->getPointerOperand();
  }
  return nullptr;
}

/// \p access has all that it needs where a way into its block ends, and may
/// stand there as well: \p choice is a phi of the block, entered once from each
/// block before.
static bool mayMoveToWays(llvm::Instruction &access, llvm::PHINode &choice) {
  llvm::BasicBlock *block = access.getParent();
  if (choice.getParent() != block)
    return false;
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> before(choice.block_begin(),
                                                  choice.block_end());
  if (before.size() != choice.getNumIncomingValues() ||
      llvm::any_of(before, [](llvm::BasicBlock *way) {
        return !llvm::isa<llvm::BranchInst>(way->getTerminator());
      }))
    return false;
  for (llvm::Instruction &earlier :
       llvm::make_range(block->getFirstNonPHIIt(), access.getIterator()))
    if (earlier.mayWriteToMemory() ||
        !llvm::isGuaranteedToTransferExecutionToSuccessor(&earlier) ||
        (access.mayWriteToMemory() && earlier.mayReadFromMemory()))
      return false;
  auto isThere = [&](llvm::Value *operand) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
    return !instruction || instruction->getParent() != block ||
           llvm::isa<llvm::PHINode>(instruction);
  };
  for (llvm::Value *pointer = llvm::getPointerOperand(&access);
       pointer != &choice;) {
    auto *element = llvm::cast<llvm::GetElementPtrInst>(pointer);
    if (element->getParent() != block ||
        !llvm::all_of(element->indices(), isThere))
      return false;
    pointer = element->getPointerOperand();
  }
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&access);
  return !store || isThere(store->getValueOperand());
}

namespace {
/// One of the places that an access is split to: what it goes before, and what
/// stands for operands of the access there.
struct Way {
  llvm::Instruction *end;
  std::function<llvm::Value *(llvm::Value *)> operand;

  /// \p pointer, or the copy of it that has its own operands.
  llvm::Value *copyOf(llvm::Value *pointer, llvm::Instruction *choice) const {
    if (pointer == choice)
      return operand(pointer);
    auto *element = llvm::cast<llvm::GetElementPtrInst>(pointer);
    llvm::Instruction *copy = element->clone();
    for (llvm::Use &index : copy->operands())
      index.set(operand(index.get()));
    copy->setOperand(element->getPointerOperandIndex(),
                     copyOf(element->getPointerOperand(), choice));
    copy->insertBefore(end->getIterator());
    return copy;
  }
};
} // namespace

/// The two sides of a branch before \p access.
static llvm::SmallVector<Way, 4> waysOfSelect(llvm::Instruction &access,
                                              llvm::SelectInst *choice) {
  llvm::Instruction *ends[2];
  llvm::SplitBlockAndInsertIfThenElse(choice->getCondition(),
                                      access.getIterator(), &ends[0], &ends[1]);
  llvm::SmallVector<Way, 4> ways;
  for (unsigned arm : {0, 1})
    ways.push_back({ends[arm], [=](llvm::Value *value) {
                      return value == choice ? choice->getOperand(arm + 1)
                                             : value;
                    }});
  return ways;
}

/// The ways into the block of \p choice.
static llvm::SmallVector<Way, 4> waysOfPhi(llvm::PHINode *choice) {
  llvm::BasicBlock *block = choice->getParent();
  llvm::SmallVector<Way, 4> ways;
  for (llvm::BasicBlock *from : llvm::to_vector(choice->blocks())) {
    if (!from->getUniqueSuccessor())
      from = llvm::SplitEdge(from, block);
    ways.push_back({from->getTerminator(), [=](llvm::Value *value) {
                      auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
                      return phi && phi->getParent() == block
                                 ? phi->getIncomingValueForBlock(from)
                                 : value;
                    }});
  }
  return ways;
}

static void split(llvm::Instruction &access, llvm::Instruction *choice) {
  auto *phi = llvm::dyn_cast<llvm::PHINode>(choice);
  if (phi && !mayMoveToWays(access, *phi))
    return;
  llvm::SmallVector<Way, 4> ways =
      phi ? waysOfPhi(phi)
          : waysOfSelect(access, llvm::cast<llvm::SelectInst>(choice));
  llvm::PHINode *joined = nullptr;
  if (!access.getType()->isVoidTy())
    joined = llvm::IRBuilder<>(&access.getParent()->front())
                 .CreatePHI(access.getType(), ways.size());
  llvm::Value *pointer = llvm::getPointerOperand(&access);
  for (const Way &way : ways) {
    llvm::Instruction *own = access.clone();
    for (llvm::Use &operand : own->operands())
      operand.set(operand.get() == pointer ? way.copyOf(pointer, choice)
                                           : way.operand(operand.get()));
    own->insertBefore(way.end->getIterator());
    if (joined)
      joined->addIncoming(own, way.end->getParent());
  }
  if (joined)
    access.replaceAllUsesWith(joined);
  access.eraseFromParent();
}

void auspex::splitAccessesOfSpaces(llvm::Function &function) {
  llvm::SmallVector<llvm::Instruction *> accesses;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if ((load && load->isSimple()) || (store && store->isSimple()))
      accesses.push_back(&instruction);
  }
  for (llvm::Instruction *access : accesses)
    if (llvm::Instruction *choice =
            choiceOfSpaces(llvm::getPointerOperand(access)))
      split(*access, choice);
}

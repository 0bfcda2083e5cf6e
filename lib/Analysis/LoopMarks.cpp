// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopMarks.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace auspex;

void auspex::removeMarks(llvm::ArrayRef<llvm::StringRef> marks,
                         llvm::Loop &loop) {
  llvm::MDNode *id = loop.getLoopID();
  loop.setLoopID(
      llvm::makePostTransformationMetadata(id->getContext(), id, marks, {}));
}

bool auspex::isKept(const llvm::Loop &loop) {
  return llvm::findOptionMDForLoop(&loop, loopmarks::Kept) != nullptr;
}

void auspex::forgetKept(llvm::Loop &loop) {
  if (isKept(loop))
    removeMarks({loopmarks::Disabled, loopmarks::Kept}, loop);
}

bool auspex::isMarked(const llvm::BasicBlock &block, llvm::StringRef mark) {
  const llvm::MDNode *loop =
      block.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop);
  return loop && llvm::findOptionMDForLoopID(const_cast<llvm::MDNode *>(loop),
                                             mark) != nullptr;
}

std::optional<unsigned> auspex::lengthOf(const llvm::Loop &loop) {
  unsigned length = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && call->cannotDuplicate())
        return std::nullopt;
      auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      bool isFree =
          llvm::isa<llvm::PHINode>(instruction) ||
          (address && loop.isLoopInvariant(address->getPointerOperand()));
      length += !isFree;
    }
  return length;
}

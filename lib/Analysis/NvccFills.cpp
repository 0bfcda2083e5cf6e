// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccFills.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>

using namespace auspex;

llvm::PreservedAnalyses KeepStores::run(llvm::Function &function,
                                        llvm::FunctionAnalysisManager &) {
  function.addFnAttr("no-builtin-memset");
  return llvm::PreservedAnalyses::none();
}

/// The fill's bytes as a value of \p size bytes: an integer, or words.
static llvm::Constant *pieceOf(const llvm::ConstantInt &byte, uint64_t size) {
  constexpr unsigned Word = 4, BitsPerByte = 8;
  unsigned width = std::min<uint64_t>(size, Word);
  llvm::Constant *word = llvm::ConstantInt::get(
      byte.getContext(),
      llvm::APInt::getSplat(BitsPerByte * width, byte.getValue()));
  return size <= Word ? word
                      : llvm::ConstantVector::getSplat(
                            llvm::ElementCount::getFixed(size / Word), word);
}

static void storeFill(llvm::MemSetInst &fill, const llvm::ConstantInt &byte,
                      uint64_t length, llvm::Align alignment) {
  constexpr uint64_t Widest = 16;
  llvm::IRBuilder<> builder(&fill);
  llvm::Value *start = fill.getRawDest();
  for (uint64_t offset = 0; offset < length;) {
    uint64_t size = std::min(Widest, alignment.value());
    while (size > length - offset)
      size /= 2;
    builder.CreateAlignedStore(
        pieceOf(byte, size),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), start, offset),
        llvm::commonAlignment(alignment, offset), fill.isVolatile());
    offset += size;
  }
  fill.eraseFromParent();
}

void auspex::storeFills(llvm::Module &module,
                        llvm::FunctionAnalysisManager &functions) {
  // What is larger a source fills in a loop.
  constexpr uint64_t Longest = 1024;
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::MemSetInst *> fills;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
        fills.push_back(fill);
    for (llvm::MemSetInst *fill : fills) {
      auto *byte = llvm::dyn_cast<llvm::ConstantInt>(fill->getValue());
      auto *length = llvm::dyn_cast<llvm::ConstantInt>(fill->getLength());
      if (!byte || !length || length->getValue().ugt(Longest))
        continue;
      llvm::Align alignment = std::max(
          fill->getDestAlign().valueOrOne(),
          llvm::getKnownAlignment(
              fill->getRawDest(), layout, fill,
              &functions.getResult<llvm::AssumptionAnalysis>(function),
              &functions.getResult<llvm::DominatorTreeAnalysis>(function)));
      storeFill(*fill, *byte, length->getZExtValue(), alignment);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccUnrolling.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace auspex;

static constexpr llvm::StringLiteral Mark = "auspex.unrolled.twice";

/// A sum of 32 bits without a sign may wrap, so that an address cannot be
/// counted on in its place.
static bool mayWrap(const llvm::Value &pointer, const llvm::Loop &loop) {
  for (auto *at = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer); at;
       at = llvm::dyn_cast<llvm::GetElementPtrInst>(at->getPointerOperand()))
    for (const llvm::Use &index : at->indices())
      if (auto *wide = llvm::dyn_cast<llvm::ZExtInst>(index))
        if (!wide->hasNonNeg() && !loop.isLoopInvariant(wide))
          return true;
  return false;
}

/// The constant by which \p value, or an index in it, goes on from one turn of
/// \p loop to the next, in multiples of \p bytes or of an index; 0 if there is
/// none.
static uint64_t constantStep(const llvm::Value &value, uint64_t bytes,
                             const llvm::Loop &loop,
                             llvm::ScalarEvolution &evolution) {
  uint64_t found = 0;
  auto hasStep = [&](const llvm::SCEV *part) {
    auto *steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
    if (!steps || steps->getLoop() != &loop)
      return false;
    auto *step =
        llvm::dyn_cast<llvm::SCEVConstant>(steps->getStepRecurrence(evolution));
    if (step)
      found = step->getAPInt().abs().getLimitedValue() /
              (part->getType()->isPointerTy() ? bytes : 1);
    return step != nullptr;
  };
  llvm::SCEVExprContains(evolution.getSCEV(const_cast<llvm::Value *>(&value)),
                         hasStep);
  return found;
}

/// Whether an access keeps the loop from having a counter of its own: an
/// address in global memory that may wrap, or that goes on by more than what is
/// accessed for each of the \p elements that the counter goes on by.
static bool sharesCounter(const llvm::Instruction &access,
                          const llvm::Loop &loop, uint64_t elements,
                          llvm::ScalarEvolution &evolution) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
  if (!pointer || pointer->getType()->getPointerAddressSpace() ==
                      llvm::NVPTXAS::ADDRESS_SPACE_SHARED)
    return false;
  if (mayWrap(*pointer, loop))
    return true;
  uint64_t bytes =
      access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access));
  return constantStep(*pointer, std::max<uint64_t>(1, bytes), loop, evolution) >
         elements;
}

static bool isUnrolledTwice(const llvm::Loop &loop, const llvm::ICmpInst &test,
                            llvm::ScalarEvolution &evolution) {
  constexpr unsigned WidestCounter = 32;
  if (test.getOperand(0)->getType()->getScalarSizeInBits() > WidestCounter)
    return false;
  uint64_t elements =
      std::max(constantStep(*test.getOperand(0), 1, loop, evolution),
               constantStep(*test.getOperand(1), 1, loop, evolution));
  if (elements == 0)
    return false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (sharesCounter(instruction, loop, elements, evolution))
        return false;
  return true;
}

/// How often the optimiser copies a body of this size; 1 where it must not.
static unsigned copiesOf(const llvm::Loop &loop) {
  constexpr unsigned Most = 4, LongestUnrolled = 200;
  unsigned length = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && call->isConvergent())
        return 1;
      ++length;
    }
  unsigned copies = Most;
  while (copies > 1 && copies * length > LongestUnrolled)
    copies /= 2;
  return copies;
}

void auspex::unrollAsNvcc(llvm::Function &kernel,
                          llvm::FunctionAnalysisManager &functions) {
  auto &evolution = functions.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  for (llvm::Loop *loop :
       functions.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder()) {
    const llvm::ICmpInst *test = loop->getLatchCmpInst();
    if (!test || !loop->isInnermost() ||
        llvm::hasUnrollTransformation(loop) != llvm::TM_Unspecified)
      continue;
    if (::isUnrolledTwice(*loop, *test, evolution))
      llvm::addStringMetadataToLoop(loop, Mark.data(), 1);
    if (!test->isSigned() || loop->getExitingBlock() != loop->getLoopLatch() ||
        !evolution.hasLoopInvariantBackedgeTakenCount(loop) ||
        evolution.getSmallConstantTripCount(loop) != 0)
      continue;
    // LLVM takes the division for the trip count to cost too much.
    if (unsigned copies = copiesOf(*loop); copies > 1)
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", copies);
  }
}

bool auspex::isUnrolledTwice(const llvm::BasicBlock &block) {
  const llvm::MDNode *loop =
      block.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop);
  return loop && llvm::findOptionMDForLoopID(const_cast<llvm::MDNode *>(loop),
                                             Mark) != nullptr;
}

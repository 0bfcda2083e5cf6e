// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccUnrolling.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

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

/// What a turn costs, in instructions; none if it cannot be copied. An address
/// that is next to another one is an addition in its index.
static std::optional<unsigned> lengthOf(const llvm::Loop &loop) {
  unsigned length = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && (call->isConvergent() || call->cannotDuplicate()))
        return std::nullopt;
      auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      bool isFree =
          llvm::isa<llvm::PHINode>(instruction) ||
          (address && loop.isLoopInvariant(address->getPointerOperand()));
      length += !isFree;
    }
  return length;
}

/// How often the optimiser has a turn of \p length, which runs \p trips times
/// (0 if that is not known): as often as fits and leaves no rest, or by four.
static unsigned copiesOf(unsigned length, unsigned trips) {
  constexpr unsigned MostWithRest = 4, LongestUnrolled = 200;
  unsigned fitting =
      llvm::bit_floor(std::max(1u, LongestUnrolled / std::max(1u, length)));
  unsigned withoutRest = trips & -trips; // the largest power of two
  if (withoutRest > 1)
    return std::min(fitting, withoutRest);
  return std::min(fitting, MostWithRest);
}

/// Whether LLVM takes the division for the trip count to cost too much. nvcc
/// does not mind if the counter has a sign.
static bool costsMuch(const llvm::Loop &loop, const llvm::SCEV *turns,
                      llvm::ScalarEvolution &evolution,
                      const llvm::TargetTransformInfo &target) {
  return llvm::SCEVExpander(evolution, "")
      .isHighCostExpansion(turns, const_cast<llvm::Loop *>(&loop),
                           llvm::SCEVCheapExpansionBudget, &target,
                           loop.getLoopPreheader()->getTerminator());
}

/// How often nvcc's optimiser copies the body; none where LLVM does the same.
static std::optional<unsigned>
firstCopies(const llvm::Loop &loop, const llvm::ICmpInst &test,
            llvm::ScalarEvolution &evolution,
            const llvm::TargetTransformInfo &target) {
  const llvm::SCEV *turns = evolution.getBackedgeTakenCount(&loop);
  std::optional<unsigned> length = lengthOf(loop);
  if (!length || llvm::isa<llvm::SCEVCouldNotCompute>(turns))
    return std::nullopt;
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  bool isSigned =
      test.isSigned() && loop.getExitingBlock() == loop.getLoopLatch();
  if (trips == 0 && !isSigned && costsMuch(loop, turns, evolution, target))
    return std::nullopt;
  return copiesOf(*length, trips);
}

void auspex::unrollAsNvcc(llvm::Function &kernel,
                          llvm::FunctionAnalysisManager &functions) {
  auto &evolution = functions.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  auto &target = functions.getResult<llvm::TargetIRAnalysis>(kernel);
  for (llvm::Loop *loop :
       functions.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder()) {
    const llvm::ICmpInst *test = loop->getLatchCmpInst();
    if (!test || !loop->isLoopSimplifyForm() ||
        llvm::hasUnrollTransformation(loop) != llvm::TM_Unspecified)
      continue;
    if (loop->isInnermost() &&
        (evolution.getSmallConstantTripCount(loop) != 0 ||
         ::isUnrolledTwice(*loop, *test, evolution)))
      llvm::addStringMetadataToLoop(loop, Mark.data(), 1);
    if (auto copies = firstCopies(*loop, *test, evolution, target))
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", *copies);
  }
}

bool auspex::isUnrolledTwice(const llvm::BasicBlock &block) {
  const llvm::MDNode *loop =
      block.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop);
  return loop && llvm::findOptionMDForLoopID(const_cast<llvm::MDNode *>(loop),
                                             Mark) != nullptr;
}

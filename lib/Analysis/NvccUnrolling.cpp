// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccUnrolling.h"

#include "LoopMarks.h"
#include "SpecialRegisters.h"
#include "Target.h"
#include "auspex/Footprint/SymbolKinds.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace auspex;
using namespace auspex::loopmarks;

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// The number that \p operand of a test in \p loop counts with, whether it is
/// tested before or after it goes on; null if it is no such number.
static const llvm::PHINode *counterOf(const llvm::Value *operand,
                                      const llvm::Loop &loop) {
  while (auto *cast = llvm::dyn_cast<llvm::CastInst>(operand))
    operand = cast->getOperand(0);
  if (auto *next = llvm::dyn_cast<llvm::BinaryOperator>(operand))
    operand = next->getOperand(0);
  auto *counter = llvm::dyn_cast<llvm::PHINode>(operand);
  return counter && counter->getParent() == loop.getHeader() &&
                 counter->getType()->isIntegerTy()
             ? counter
             : nullptr;
}

/// Whether \p counter may wrap before \p test ends \p loop, for all that nvcc
/// knows.
static bool counterMayWrap(const llvm::PHINode &counter,
                           const llvm::ICmpInst &test, const llvm::Loop &loop) {
  using namespace llvm::PatternMatch;
  const llvm::Value *next =
      counter.getIncomingValueForBlock(loop.getLoopLatch());
  const llvm::Value *step = nullptr;
  if (!match(next, m_c_Add(m_Specific(&counter), m_Value(step))))
    return llvm::isa<llvm::TruncInst>(next);
  if (match(step, m_One()) || match(step, m_AllOnes()))
    return false;
  return test.isUnsigned() || test.isNonStrictPredicate() ||
         llvm::isa<llvm::ZExtInst>(step) ||
         !llvm::cast<llvm::BinaryOperator>(next)->hasNoSignedWrap();
}

static bool exitMayWrap(const llvm::BasicBlock &exiting,
                        const llvm::Loop &loop) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  auto *test =
      branch ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  return test && llvm::any_of(test->operands(), [&](const llvm::Use &operand) {
           const llvm::PHINode *counter = counterOf(operand, loop);
           return counter && counterMayWrap(*counter, *test, loop);
         });
}

llvm::PreservedAnalyses
MarkWrappingCounters::run(llvm::Function &function,
                          llvm::FunctionAnalysisManager &functions) {
  if (archOf(*function.getParent()) >= OptimizedByNewer)
    return llvm::PreservedAnalyses::all();
  for (llvm::Loop *loop :
       functions.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->getLoopLatch())
      continue;
    llvm::SmallVector<llvm::BasicBlock *> exiting;
    loop->getExitingBlocks(exiting);
    if (llvm::any_of(exiting, [&](const llvm::BasicBlock *block) {
          return exitMayWrap(*block, *loop);
        }))
      llvm::addStringMetadataToLoop(loop, MayWrap.data(), 1);
  }
  return llvm::PreservedAnalyses::all();
}

//===----------------------------------------------------------------------===//
// Unrolling by a count
//===----------------------------------------------------------------------===//

/// A sum of 32 bits without a sign may wrap, so that an address cannot be
/// counted on in its place, unless it is counted from a constant.
static bool indexMayWrap(const llvm::Value &pointer, const llvm::Loop &loop,
                         llvm::ScalarEvolution &evolution) {
  for (auto *at = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer); at;
       at = llvm::dyn_cast<llvm::GetElementPtrInst>(at->getPointerOperand()))
    for (const llvm::Use &index : at->indices()) {
      auto *wide = llvm::dyn_cast<llvm::ZExtInst>(index);
      if (!wide || wide->hasNonNeg() || loop.isLoopInvariant(wide))
        continue;
      auto *steps =
          llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(wide));
      if (!steps || !llvm::isa<llvm::SCEVConstant>(steps->getStart()))
        return true;
    }
  return false;
}

/// What \p value, or an index in it, is in the turns of \p loop, if it goes on
/// by a constant; else null.
static const llvm::SCEVAddRecExpr *
constantSteps(const llvm::Value &value, const llvm::Loop &loop,
              llvm::ScalarEvolution &evolution) {
  const llvm::SCEVAddRecExpr *found = nullptr;
  llvm::SCEVExprContains(
      evolution.getSCEV(const_cast<llvm::Value *>(&value)),
      [&](const llvm::SCEV *part) {
        auto *steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
        if (steps && steps->getLoop() == &loop &&
            llvm::isa<llvm::SCEVConstant>(steps->getStepRecurrence(evolution)))
          found = steps;
        return found != nullptr;
      });
  return found;
}

/// In bytes, if the steps are of a pointer.
static uint64_t sizeOf(const llvm::SCEVAddRecExpr &steps,
                       llvm::ScalarEvolution &evolution) {
  return llvm::cast<llvm::SCEVConstant>(steps.getStepRecurrence(evolution))
      ->getAPInt()
      .abs()
      .getLimitedValue();
}

/// The same for the \p steps of the pointer of \p access, in what is accessed;
/// 0 if there are none.
static uint64_t sizeFor(const llvm::Instruction &access,
                        const llvm::SCEVAddRecExpr *steps,
                        llvm::ScalarEvolution &evolution) {
  if (!steps)
    return 0;
  uint64_t unit = 1;
  if (steps->getType()->isPointerTy())
    unit = access.getDataLayout().getTypeStoreSize(
        llvm::getLoadStoreType(&access));
  return sizeOf(*steps, evolution) / std::max<uint64_t>(1, unit);
}

/// Whether \p address is its object's and a constant at first.
static bool startsAtConstant(const llvm::SCEVAddRecExpr &address,
                             llvm::ScalarEvolution &evolution) {
  const llvm::SCEV *start = address.getStart();
  return llvm::isa<llvm::SCEVConstant>(start->getType()->isPointerTy()
                                           ? evolution.removePointerBase(start)
                                           : start);
}

/// Whether \p pointer goes on by a product of the counter and a variable, of 64
/// bits if it has to be \p isWide.
static bool multiplies(const llvm::Value &pointer, const llvm::Loop &loop,
                       bool isWide) {
  auto *operation = llvm::dyn_cast<llvm::Instruction>(&pointer);
  if (!operation || !loop.contains(operation) ||
      llvm::isa<llvm::PHINode, llvm::LoadInst>(operation))
    return false;
  if (operation->getOpcode() == llvm::Instruction::Mul &&
      (!isWide || operation->getType()->isIntegerTy(64)) &&
      !llvm::isa<llvm::Constant>(operation->getOperand(1)))
    return true;
  return llvm::any_of(operation->operands(), [&](const llvm::Use &operand) {
    return multiplies(*operand, loop, isWide);
  });
}

/// Whether the counter in \p test begins or ends with a constant.
static bool countsWithConstant(const llvm::ICmpInst &test,
                               const llvm::Loop &loop,
                               llvm::ScalarEvolution &evolution) {
  return llvm::any_of(test.operands(), [&](const llvm::Use &operand) {
    const llvm::SCEV *value = evolution.getSCEV(operand);
    auto *steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
    return llvm::isa<llvm::SCEVConstant>(value) ||
           (steps && steps->getLoop() == &loop &&
            llvm::isa<llvm::SCEVConstant>(steps->getStart()));
  });
}

/// Whether it may be another one for another thread.
static bool maySplitWarps(const llvm::SCEV *start) {
  return llvm::SCEVExprContains(start, [](const llvm::SCEV *part) {
    auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    return unknown && llvm::isa<llvm::Instruction>(unknown->getValue());
  });
}

/// Whether it is another one for another lane, so far as that is seen at once.
static bool variesByLane(const llvm::SCEV *start,
                         llvm::ScalarEvolution &evolution) {
  return llvm::SCEVExprContains(start, [&](const llvm::SCEV *part) {
    auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    if (!unknown)
      return false;
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(unknown->getValue()))
      return variesByLane(evolution.getSCEV(load->getPointerOperand()),
                          evolution);
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(unknown->getValue());
    return call && isThreadIndex(specialRegister(call->getIntrinsicID()));
  });
}

/// What \p test compares, if that goes on by a constant; else null.
static const llvm::SCEVAddRecExpr *
constantCounter(const llvm::ICmpInst &test, const llvm::Loop &loop,
                llvm::ScalarEvolution &evolution) {
  for (const llvm::Use &operand : test.operands())
    if (const auto *steps = constantSteps(*operand, loop, evolution))
      return steps;
  return nullptr;
}

/// Whether ptxas can tell the trip count: strength reduction has left the loop
/// a counter of its own, and not put an address in its place. nvcc has unrolled
/// the loop before, or not.
static bool isCountedByItself(const llvm::Loop &loop,
                              const llvm::ICmpInst &test, bool isUnrolled,
                              llvm::ScalarEvolution &evolution) {
  const auto *counter = constantCounter(test, loop, evolution);
  bool isFromConstant = countsWithConstant(test, loop, evolution);
  constexpr unsigned Widest = 32;
  bool isWide = test.getOperand(0)->getType()->getScalarSizeInBits() > Widest;
  bool isWidened = llvm::any_of(test.operands(), [&](const llvm::Use &operand) {
    return llvm::isa<llvm::CastInst>(operand) && !loop.isLoopInvariant(operand);
  });
  if (!counter || (isFromConstant ? isWide : isWidened))
    return false;
  llvm::SmallSet<uint64_t, 4> sizes;
  bool isFromVariable = false, loads = false, stores = false;
  bool isIndexed = false;
  bool isSpan = llvm::findOptionMDForLoop(&loop, Spans);
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &access : *block) {
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
      if (!pointer)
        continue;
      const auto *steps = constantSteps(*pointer, loop, evolution);
      sizes.insert(sizeFor(access, steps, evolution));
      isFromVariable |= steps && !startsAtConstant(*steps, evolution);
      if (pointer->getType()->getPointerAddressSpace() ==
          llvm::NVPTXAS::ADDRESS_SPACE_SHARED)
        continue;
      (access.mayReadFromMemory() ? loads : stores) = true;
      if (isSpan && !access.mayReadFromMemory() &&
          multiplies(*pointer, loop, /*isWide=*/false) &&
          variesByLane(counter->getStart(), evolution))
        return false;
      bool mayWrap = indexMayWrap(*pointer, loop, evolution);
      bool isProduct = multiplies(*pointer, loop, /*isWide=*/true);
      if (isFromConstant ? mayWrap : isProduct && !isWide)
        return false;
      isIndexed |= mayWrap || isProduct;
    }
  // What stores by an index that is multiplied in each turn.
  if (isIndexed && stores && (loads || isUnrolled) &&
      maySplitWarps(counter->getStart()))
    return false;
  // If there is one step, and a long one, the turns are counted by it.
  constexpr uint64_t ShortStep = 2;
  bool countsBySteps = isFromConstant && sizeOf(*counter, evolution) == 1 &&
                       sizes.size() == 1 && *sizes.begin() > ShortStep &&
                       isFromVariable;
  return !countsBySteps;
}

unsigned auspex::nvccCopies(unsigned length, unsigned trips) {
  constexpr unsigned MostWithRest = 4, LongestUnrolled = 200,
                     LongestWithoutTrips = 92;
  if (trips == 0 && length > LongestWithoutTrips)
    return 1;
  unsigned fitting =
      llvm::bit_floor(std::max(1u, LongestUnrolled / std::max(1u, length)));
  unsigned withoutRest = trips & -trips; // the largest power of two
  if (withoutRest > 1)
    return std::min(fitting, withoutRest);
  return std::min(fitting, MostWithRest);
}

/// Whether it takes a division by what is no constant to compute \p turns.
static bool hasDivision(const llvm::SCEV *turns) {
  return llvm::SCEVExprContains(turns, [](const llvm::SCEV *part) {
    auto *division = llvm::dyn_cast<llvm::SCEVUDivExpr>(part);
    return division && !llvm::isa<llvm::SCEVConstant>(division->getRHS());
  });
}

/// Whether warps do something together in \p loop, or for all that nvcc knows
/// of inline assembly.
static bool hasConvergentCall(const llvm::Loop &loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
    return llvm::any_of(*block, [](const llvm::Instruction &instruction) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && call->isConvergent();
    });
  });
}

/// Whether LLVM takes the division for the trip count to cost too much. nvcc
/// does not mind if the counter has a sign, unless it divides in each turn of
/// the loop around.
static bool costsMuch(const llvm::Loop &loop, const llvm::SCEV *turns,
                      llvm::ScalarEvolution &evolution,
                      const llvm::TargetTransformInfo &target) {
  return llvm::SCEVExpander(evolution, "")
      .isHighCostExpansion(turns, const_cast<llvm::Loop *>(&loop),
                           llvm::SCEVCheapExpansionBudget, &target,
                           loop.getLoopPreheader()->getTerminator());
}

/// How often nvcc's optimiser copies the body, once if there are loops in it;
/// none where LLVM does the same.
static std::optional<unsigned>
firstCopies(const llvm::Loop &loop, const llvm::ICmpInst &test, unsigned arch,
            llvm::ScalarEvolution &evolution,
            const llvm::TargetTransformInfo &target) {
  if (!loop.isInnermost())
    return 1;
  const llvm::SCEV *turns = evolution.getBackedgeTakenCount(&loop);
  std::optional<unsigned> length = lengthOf(loop);
  if (!length)
    return std::nullopt;
  if (llvm::isa<llvm::SCEVCouldNotCompute>(turns)) {
    // Data may end it before it has counted to the end.
    unsigned most =
        evolution.getSmallConstantTripCount(&loop, loop.getLoopLatch());
    return most ? std::optional(nvccCopies(*length, most)) : std::nullopt;
  }
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (std::optional<int> isOnce =
          llvm::getOptionalIntLoopAttribute(&loop, Spans))
    return *isOnce ? 1 : nvccCopies(*length, 0);
  if (trips == 0 && llvm::findOptionMDForLoop(&loop, MayWrap))
    return 1;
  // LLVM says samesign of what it knows to be comparable without a sign.
  bool isSigned = (test.isSigned() || test.hasSameSign()) &&
                  loop.getExitingBlock() == loop.getLoopLatch();
  if (trips == 0 && !isSigned && costsMuch(loop, turns, evolution, target))
    return std::nullopt;
  const llvm::Loop *outer = loop.getParentLoop();
  if (outer && hasDivision(turns) && !evolution.isLoopInvariant(turns, outer))
    return 1;
  if (arch < OptimizedByNewer && hasDivision(turns) && hasConvergentCall(loop))
    return 1;
  return nvccCopies(*length, trips);
}

/// Marks \p loop for CopyRests: it has \p copies. Of loops in no other one the
/// rest stays a loop.
static void markRest(llvm::Loop &loop, unsigned copies) {
  if (copies <= 2 || !loop.getParentLoop())
    return;
  llvm::LLVMContext &context = loop.getHeader()->getContext();
  auto *turns = llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), copies - 1));
  llvm::MDNode *ofRest =
      llvm::MDNode::get(context, {llvm::MDString::get(context, Rest), turns});
  llvm::MDNode *rest = llvm::MDNode::get(
      context,
      {llvm::MDString::get(context, llvm::LLVMLoopUnrollFollowupRemainder),
       ofRest});
  loop.setLoopID(llvm::makePostTransformationMetadata(context, loop.getLoopID(),
                                                      {}, {rest}));
}

llvm::PreservedAnalyses
CopyRests::run(llvm::Function &function,
               llvm::FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto &dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto &target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  auto &assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto &remarks =
      analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
  bool hasChanged = false;
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    std::optional<int> turns = llvm::getOptionalIntLoopAttribute(loop, Rest);
    if (!turns)
      continue;
    llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions,
                       nullptr, /*PreserveLCSSA=*/false);
    llvm::formLCSSARecursively(*loop, dominators, &loops, &evolution);
    for (llvm::BasicBlock *block : loop->blocks())
      block->getTerminator()->setMetadata(
          Rest, llvm::MDNode::get(function.getContext(), {}));
    llvm::UnrollLoopOptions copies{};
    copies.Count = *turns;
    auto result = llvm::UnrollLoop(loop, copies, &loops, &evolution,
                                   &dominators, &assumptions, &target, &remarks,
                                   /*PreserveLCSSA=*/true);
    // No rest is longer, though not all say so.
    if (result == llvm::LoopUnrollResult::PartiallyUnrolled)
      llvm::breakLoopBackedge(loop, dominators, evolution, loops, nullptr);
    hasChanged |= result != llvm::LoopUnrollResult::Unmodified;
  }
  return hasChanged ? llvm::PreservedAnalyses::none()
                    : llvm::PreservedAnalyses::all();
}

bool auspex::isOfCopiedRest(const llvm::BasicBlock &block) {
  return block.getTerminator()->hasMetadata(Rest);
}

/// Whether LLVM would make a chain of \p copies of the loop, with a \p test
/// behind each: there are not more turns. Of integers it can be kept from it.
static bool wouldBeChain(const llvm::Loop &loop, const llvm::ICmpInst &test,
                         unsigned copies, llvm::ScalarEvolution &evolution) {
  unsigned bits = test.getOperand(0)->getType()->getScalarSizeInBits();
  if (bits != 32 && bits != 64)
    return false;
  unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  return evolution.getSmallConstantTripCount(&loop) == 0 && most > 1 &&
         most <= copies;
}

/// Leaves as they are the loops that would be longer than nvcc lets the source
/// ask for (`#pragma unroll 64` around one of the same): 16384 instructions,
/// LLVM 7's threshold, which LLVM no longer has for a stated count.
static void refuseLongLoops(const llvm::LoopInfo &loops) {
  constexpr uint64_t Most = 16384;
  llvm::DenseMap<const llvm::Loop *, uint64_t> lengths;
  llvm::SmallVector<llvm::Loop *, 4> all = loops.getLoopsInPreorder();
  for (llvm::Loop *loop : llvm::reverse(all)) {
    uint64_t length = 0;
    for (const llvm::BasicBlock *block : loop->blocks())
      if (loops.getLoopFor(block) == loop)
        length += block->sizeWithoutDebug();
    for (const llvm::Loop *inner : *loop)
      length += lengths[inner];
    lengths[loop] = length;
    std::optional<int> copies = llvm::getOptionalIntLoopAttribute(loop, Count);
    if (!copies || *copies <= 1)
      continue;
    if (length * *copies < Most) {
      lengths[loop] *= *copies;
      continue;
    }
    removeMarks({Count}, *loop);
    llvm::addStringMetadataToLoop(loop, Disabled.data(), 1);
  }
}

void auspex::unrollAsNvcc(llvm::Function &kernel, unsigned arch,
                          llvm::FunctionAnalysisManager &functions) {
  auto &evolution = functions.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  refuseLongLoops(functions.getResult<llvm::LoopAnalysis>(kernel));
  auto &target = functions.getResult<llvm::TargetIRAnalysis>(kernel);
  for (llvm::Loop *loop :
       functions.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder()) {
    forgetKept(*loop);
    const llvm::ICmpInst *test = loop->getLatchCmpInst();
    if (!test || !loop->isLoopSimplifyForm() ||
        llvm::hasUnrollTransformation(loop) != llvm::TM_Unspecified)
      continue;
    auto copies = firstCopies(*loop, *test, arch, evolution, target);
    bool isCounted =
        isCountedByItself(*loop, *test, copies.value_or(1) > 1, evolution);
    bool isSpan = llvm::findOptionMDForLoop(loop, Spans);
    if (!isCounted && (isSpan || llvm::findOptionMDForLoop(loop, MayWrap)) &&
        !countsWithConstant(*test, *loop, evolution))
      llvm::addStringMetadataToLoop(loop, Uncounted.data(), 1);
    bool isChain = copies && wouldBeChain(*loop, *test, *copies, evolution);
    if (isChain || isSpan)
      llvm::addStringMetadataToLoop(loop, Hidden.data(), 1);
    if (loop->isInnermost() && !isChain) {
      if (evolution.getSmallConstantTripCount(loop) != 0 && !isSpan)
        llvm::addStringMetadataToLoop(loop, Counted.data(), 1);
      else if (isCounted)
        llvm::addStringMetadataToLoop(loop, Twice.data(), 1);
    }
    if (copies) {
      llvm::addStringMetadataToLoop(loop, Count.data(), *copies);
      markRest(*loop, *copies);
    }
  }
}

/// The same as \p value, which LLVM cannot know: assembly without an
/// instruction.
static llvm::Value *hide(llvm::Value &value, const llvm::Loop &loop) {
  bool isKnownFromStart = llvm::isa<llvm::Constant, llvm::Argument>(value);
  const llvm::BasicBlock &before =
      isKnownFromStart ? loop.getHeader()->getParent()->getEntryBlock()
                       : *loop.getLoopPreheader();
  llvm::IRBuilder<> builder(
      const_cast<llvm::Instruction *>(before.getTerminator()));
  llvm::Type *type = value.getType();
  llvm::StringRef constraints = type->isIntegerTy(64) ? "=l,0" : "=r,0";
  llvm::CallInst *same = builder.CreateCall(
      llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false), "",
                           constraints, /*hasSideEffects=*/false),
      {&value});
  // It may be moved out of loops around.
  same->setDoesNotThrow();
  same->setDoesNotAccessMemory();
  same->addFnAttr(llvm::Attribute::WillReturn);
  same->addFnAttr(llvm::Attribute::Speculatable);
  return same;
}

void auspex::hideMostTurns(llvm::Function &kernel,
                           llvm::FunctionAnalysisManager &functions) {
  if (llvm::none_of(kernel, [](const llvm::BasicBlock &block) {
        return isMarked(block, Hidden);
      }))
    return;
  for (llvm::Loop *loop :
       functions.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder()) {
    llvm::ICmpInst *test = loop->getLatchCmpInst();
    if (!test || !llvm::findOptionMDForLoop(loop, Hidden))
      continue;
    for (llvm::Use &operand : test->operands())
      if (loop->isLoopInvariant(operand))
        operand = hide(*operand, *loop);
  }
}

bool auspex::isUnrolledTwice(const llvm::BasicBlock &block) {
  return isMarked(block, Twice) || isCounted(block);
}

bool auspex::isCounted(const llvm::BasicBlock &block) {
  return isMarked(block, Counted);
}

bool auspex::isNeverUnrolled(const llvm::BasicBlock &block) {
  return isMarked(block, Disabled) || isMarked(block, Uncounted);
}

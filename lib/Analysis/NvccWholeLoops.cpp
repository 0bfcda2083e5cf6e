// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccWholeLoops.h"

#include "LoopMarks.h"
#include "Target.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace auspex;
using namespace auspex::loopmarks;

/// Whether \p value is an index a constant away from another one, which is in
/// the address then.
static bool isNextToAnother(const llvm::Value &value) {
  if (auto *wide = llvm::dyn_cast<llvm::CastInst>(&value))
    return isNextToAnother(*wide->getOperand(0));
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return sum && sum->getOpcode() == llvm::Instruction::Add &&
         llvm::isa<llvm::ConstantInt>(sum->getOperand(1)) &&
         !llvm::isa<llvm::PHINode>(sum->getOperand(0)) &&
         llvm::all_of(sum->users(), [](const llvm::User *user) {
           return llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(user);
         });
}

/// Whether \p access is one to a private array that will be a register.
static bool isInRegister(const llvm::Instruction &access) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
  return pointer &&
         llvm::isa<llvm::AllocaInst>(pointer->stripInBoundsConstantOffsets());
}

unsigned auspex::costInWholeLoop(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) ||
      instruction.isDebugOrPseudoInst() || isNextToAnother(instruction) ||
      isInRegister(instruction))
    return 0;
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return !address->hasAllConstantIndices() &&
           llvm::none_of(address->indices(), [](const llvm::Use &index) {
             return isNextToAnother(*index);
           });
  auto isSum = [](const llvm::User *user) {
    unsigned opcode = llvm::cast<llvm::Instruction>(user)->getOpcode();
    return opcode == llvm::Instruction::FAdd ||
           opcode == llvm::Instruction::FSub;
  };
  return instruction.getOpcode() != llvm::Instruction::FMul ||
         !instruction.hasOneUse() || !isSum(instruction.user_back());
}

/// The cost of \p copies of a turn that costs \p turn: a comparison and a
/// branch of them stay one.
static unsigned costOfCopies(unsigned turn, unsigned copies) {
  constexpr unsigned Shared = 2;
  return (std::max(turn, Shared) - Shared) * copies + Shared;
}

/// Whether copies are made of the body of \p loop, which runs nobody knows how
/// often.
static bool isCopied(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  return loop.isInnermost() && lengthOf(loop) &&
         llvm::hasUnrollTransformation(&loop) != llvm::TM_SuppressedByUser &&
         evolution.hasLoopInvariantBackedgeTakenCount(&loop);
}

/// What a turn of \p loop costs where the loops in it are unrolled, by four
/// with a rest of three, as they are if they cannot be unrolled whole.
static unsigned costOfTurn(const llvm::Loop &loop,
                           llvm::ScalarEvolution &evolution) {
  constexpr unsigned Copies = 4, Rest = 3, Preparation = 8;
  unsigned cost = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    if (llvm::none_of(loop.getSubLoops(), [&](const llvm::Loop *inner) {
          return inner->contains(block);
        }))
      for (const llvm::Instruction &instruction : *block)
        cost += costInWholeLoop(instruction);
  // nvcc widens the counter where it is an index.
  if (const llvm::PHINode *counter = loop.getInductionVariable(evolution))
    cost += counter->getType()->getScalarSizeInBits() > 32;
  for (const llvm::Loop *inner : loop.getSubLoops()) {
    unsigned turn = costOfTurn(*inner, evolution);
    if (isKept(*inner))
      cost += costOfCopies(turn, Copies);
    else if (isCopied(*inner, evolution))
      cost += costOfCopies(turn, Copies) + Rest * turn + Preparation;
    else
      cost += turn;
  }
  return cost;
}

/// What remains of the cost of a turn of \p loop, which has none inside, where
/// its counter is a constant.
static unsigned costWithConstantCounter(const llvm::Loop &loop,
                                        llvm::ScalarEvolution &evolution) {
  llvm::SmallPtrSet<const llvm::Value *, 16> constants;
  auto isConstant = [&](const llvm::Value *operand) {
    return llvm::isa<llvm::Constant>(operand) || constants.contains(operand);
  };
  unsigned cost = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      auto *steps = llvm::dyn_cast_or_null<llvm::SCEVAddRecExpr>(
          evolution.isSCEVable(instruction.getType())
              ? evolution.getSCEV(const_cast<llvm::Instruction *>(&instruction))
              : nullptr);
      bool isCounter =
          steps && llvm::all_of(steps->operands(), [](const llvm::SCEV *part) {
            return llvm::isa<llvm::SCEVConstant>(part);
          });
      if (isCounter || (!llvm::isa<llvm::PHINode>(instruction) &&
                        !instruction.mayReadOrWriteMemory() &&
                        llvm::all_of(instruction.operands(), isConstant)))
        constants.insert(&instruction);
      else
        cost += costInWholeLoop(instruction);
    }
  return cost;
}

/// Whether nvcc unrolls \p loop whole if no private arrays depend on that.
static bool isShortAsAWhole(const llvm::Loop &loop, unsigned trips,
                            llvm::ScalarEvolution &evolution) {
  constexpr unsigned Most = 400, FewTrips = 10, MostBoost = 4;
  unsigned turn = costOfTurn(loop, evolution);
  if (costOfCopies(turn, trips) <= Most)
    return true;
  if (!loop.isInnermost() || trips > FewTrips)
    return false;
  // Of few copies it looks what becomes of them, and takes as many times more
  // as they get shorter.
  unsigned left =
      std::max(1u, trips * costWithConstantCounter(loop, evolution));
  return left <= Most * std::min<double>(1.0 * turn * trips / left, MostBoost);
}

/// Whether what changes in \p loop is an index of a private array.
static bool indexesPrivateArray(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
        if (llvm::any_of(address->indices(),
                         [&](const llvm::Use &index) {
                           return !loop.isLoopInvariant(index);
                         }) &&
            llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)))
          return true;
  return false;
}

/// That a loop is to be unrolled, not how often, changes nothing before 10.0 if
/// nobody knows how often it runs: LLVM makes as many copies as turns there are
/// at most.
static void forgetWishes(llvm::Loop &loop, unsigned trips) {
  if (trips == 0 && llvm::findOptionMDForLoop(&loop, Enabled) &&
      archOf(*loop.getHeader()->getModule()) < OptimizedByNewer)
    removeMarks({Enabled}, loop);
}

/// Whether the loops of \p function are looked at again in what it is inlined
/// into: what its arguments point to may be an array there.
static bool isSeenAgain(const llvm::Function &function) {
  return !isKernel(function) &&
         !function.hasFnAttribute(llvm::Attribute::NoInline);
}

/// As many turns as \p loop may have at most by one of its ends, where that is
/// a constant; data may end it before. 0 if none is.
static unsigned mostTurns(const llvm::Loop &loop,
                          llvm::ScalarEvolution &evolution) {
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  unsigned most = 0;
  for (const llvm::BasicBlock *block : exiting)
    if (unsigned turns = evolution.getSmallConstantTripCount(&loop, block))
      most = most == 0 ? turns : std::min(most, turns);
  return most;
}

namespace {
/// How far a counter goes from a number that nobody knows.
struct Span {
  /// Turns, if the number further on has not wrapped.
  uint64_t trips = 0;
  /// It goes on up to that number, and not below a greater one.
  bool isToBound = false;
};
} // namespace

/// The constant in the sum \p value.
static llvm::APInt constantIn(const llvm::SCEV *value,
                              llvm::ScalarEvolution &evolution) {
  if (auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(value))
    value = sum->getOperand(0);
  if (auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(value))
    return constant->getAPInt();
  return llvm::APInt::getZero(evolution.getTypeSizeInBits(value->getType()));
}

/// Whether nvcc knows where a counter begins, or at least that it does not
/// wrap: multiples of what it goes \p over do not.
static bool isStartKnown(const llvm::SCEV *start, uint64_t over,
                         llvm::ScalarEvolution &evolution) {
  if (llvm::isPowerOf2_64(over) &&
      evolution.getMinTrailingZeros(start) >= llvm::Log2_64(over))
    return true;
  while (auto *outer = llvm::dyn_cast<llvm::SCEVAddRecExpr>(start))
    start = outer->getStart();
  return llvm::isa<llvm::SCEVConstant>(start);
}

/// The span of \p loop, of which nvcc cannot tell before 10.0 how often it
/// runs; none of others. Its counter has 32 bits and goes up, from \p one
/// operand of its test to the \p other.
static std::optional<Span> spanOf(const llvm::Loop &loop,
                                  llvm::CmpInst::Predicate goesOn,
                                  llvm::Value &one, llvm::Value &other,
                                  llvm::ScalarEvolution &evolution) {
  using llvm::ICmpInst;
  auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&one));
  const llvm::SCEV *bound = evolution.getSCEV(&other);
  constexpr unsigned Bits = 32;
  if (!counter || counter->getLoop() != &loop || !counter->isAffine() ||
      evolution.getTypeSizeInBits(counter->getType()) != Bits ||
      !evolution.isLoopInvariant(bound, &loop))
    return std::nullopt;
  auto *step =
      llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution));
  auto *further = llvm::dyn_cast<llvm::SCEVConstant>(
      evolution.getMinusSCEV(bound, counter->getStart()));
  bool isUp = goesOn == ICmpInst::ICMP_NE || ICmpInst::isLT(goesOn) ||
              ICmpInst::isLE(goesOn);
  if (!step || !step->getAPInt().isStrictlyPositive() || !further ||
      further->getAPInt().isNegative() || !isUp)
    return std::nullopt;
  uint64_t by = step->getAPInt().getZExtValue(),
           to = further->getAPInt().getZExtValue() + ICmpInst::isLE(goesOn);
  Span span;
  span.trips = llvm::divideCeil(to, by) + 1;
  auto *next = llvm::dyn_cast<llvm::BinaryOperator>(&one);
  const llvm::SCEV *start =
      next ? evolution.getMinusSCEV(counter->getStart(), step)
           : counter->getStart();
  if (isStartKnown(start, span.trips * by, evolution))
    return std::nullopt;
  // nvcc tests the counter before it goes on: `i + 1 < n + 2` is `i <= n`.
  llvm::APInt beyond = constantIn(bound, evolution) + ICmpInst::isLE(goesOn);
  span.isToBound =
      next ? next->hasNoSignedWrap() && beyond == 1 + by : beyond == 1;
  return span;
}

static std::optional<Span> spanOf(const llvm::Loop &loop,
                                  llvm::ScalarEvolution &evolution) {
  const llvm::ICmpInst *test = loop.getLatchCmpInst();
  if (!test || archOf(*loop.getHeader()->getModule()) >= OptimizedByNewer)
    return std::nullopt;
  auto *branch =
      llvm::cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  llvm::CmpInst::Predicate goesOn = branch->getSuccessor(0) == loop.getHeader()
                                        ? test->getPredicate()
                                        : test->getInversePredicate();
  llvm::Value &left = *test->getOperand(0), &right = *test->getOperand(1);
  if (auto span = spanOf(loop, goesOn, left, right, evolution))
    return span;
  return spanOf(loop, llvm::CmpInst::getSwappedPredicate(goesOn), right, left,
                evolution);
}

llvm::PreservedAnalyses
KeepLoopsAsNvcc::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                     llvm::LoopStandardAnalysisResults &analyses,
                     llvm::LPMUpdater &) {
  forgetKept(loop);
  if (llvm::DebugLoc start = loop.getStartLoc();
      start && llvm::findOptionMDForLoop(&loop, Disabled) && isUnhinted(*start))
    removeMarks({Disabled}, loop);
  unsigned trips = analyses.SE.getSmallConstantTripCount(&loop);
  bool isLast = !isSeenAgain(*loop.getHeader()->getParent()),
       isForArrays = isLast && indexesPrivateArray(loop);
  if (isLast)
    forgetWishes(loop, trips);
  if (llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified)
    return llvm::PreservedAnalyses::all();
  unsigned most = mostTurns(loop, analyses.SE);
  bool isWhole =
      most == 0 || isForArrays || isShortAsAWhole(loop, most, analyses.SE);
  if (auto span = spanOf(loop, analyses.SE)) {
    // It can tell if there are no more turns than a few.
    constexpr uint64_t MostCopied = 8, MostLeft = 20;
    isWhole = span->trips <= MostCopied && !span->isToBound &&
              isShortAsAWhole(loop, span->trips, analyses.SE);
    bool isOnce =
        span->isToBound || (span->trips <= MostLeft && !loop.getParentLoop());
    if (!isWhole)
      llvm::addStringMetadataToLoop(&loop, Spans.data(), isOnce);
  }
  if (!isWhole) {
    llvm::addStringMetadataToLoop(&loop, Disabled.data(), 1);
    llvm::addStringMetadataToLoop(&loop, Kept.data(), 1);
  }
  return llvm::PreservedAnalyses::all();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccUnrolling.h"

#include "Target.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace auspex;

/// What loops are marked with.
static constexpr llvm::StringLiteral Twice = "auspex.unrolled.twice",
                                     Kept = "auspex.kept.for.nvcc",
                                     MayWrap = "auspex.counter.may.wrap",
                                     Uncounted = "auspex.uncounted",
                                     Enabled = "llvm.loop.unroll.enable",
                                     Disabled = "llvm.loop.unroll.disable",
                                     Whole = "llvm.loop.unroll.full",
                                     Count = "llvm.loop.unroll.count";

/// Below it nvcc's optimiser is LLVM 7, and a newer one from it on.
static constexpr unsigned OptimizedByNewer = 100;

/// What a turn costs, in instructions; none if it cannot be copied. An address
/// that is next to another one is an addition in its index.
static std::optional<unsigned> lengthOf(const llvm::Loop &loop) {
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
static bool mayWrap(const llvm::PHINode &counter, const llvm::ICmpInst &test,
                    const llvm::Loop &loop) {
  using namespace llvm::PatternMatch;
  const llvm::Value *next =
      counter.getIncomingValueForBlock(loop.getLoopLatch());
  const llvm::Value *step = nullptr;
  if (!match(next, m_c_Add(m_Specific(&counter), m_Value(step))))
    return llvm::isa<llvm::TruncInst>(next);
  if (match(step, m_One()) || match(step, m_AllOnes()))
    return false;
  bool mayMissLast =
      test.isNonStrictPredicate() && !llvm::isa<llvm::Constant>(step);
  return test.isUnsigned() || mayMissLast || llvm::isa<llvm::ZExtInst>(step) ||
         !llvm::cast<llvm::BinaryOperator>(next)->hasNoSignedWrap();
}

static bool mayWrap(const llvm::BasicBlock &exiting, const llvm::Loop &loop) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  auto *test =
      branch ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  return test && llvm::any_of(test->operands(), [&](const llvm::Use &operand) {
           const llvm::PHINode *counter = counterOf(operand, loop);
           return counter && mayWrap(*counter, *test, loop);
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
          return mayWrap(*block, *loop);
        }))
      llvm::addStringMetadataToLoop(loop, MayWrap.data(), 1);
  }
  return llvm::PreservedAnalyses::all();
}

//===----------------------------------------------------------------------===//
// Unrolling whole
//===----------------------------------------------------------------------===//

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

/// What nvcc takes \p instruction to cost when it unrolls whole loops: an
/// address that is next to another one nothing, a product that is added to
/// something nothing.
static unsigned costOf(const llvm::Instruction &instruction) {
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

static bool isKept(const llvm::Loop &loop) {
  return llvm::findOptionMDForLoop(&loop, Kept) != nullptr;
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
        cost += costOf(instruction);
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
        cost += costOf(instruction);
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

static void remove(llvm::ArrayRef<llvm::StringRef> marks, llvm::Loop &loop) {
  llvm::MDNode *id = loop.getLoopID();
  loop.setLoopID(
      llvm::makePostTransformationMetadata(id->getContext(), id, marks, {}));
}

/// Makes what was kept a loop like others.
static void forget(llvm::Loop &loop) {
  if (isKept(loop))
    remove({Disabled, Kept}, loop);
}

/// That a loop is to be unrolled, not how often, changes nothing before 10.0 if
/// nobody knows how often it runs: LLVM makes as many copies as turns there are
/// at most.
static void forgetWishes(llvm::Loop &loop, unsigned trips) {
  if (trips == 0 && llvm::findOptionMDForLoop(&loop, Enabled) &&
      archOf(*loop.getHeader()->getModule()) < OptimizedByNewer)
    remove({Enabled}, loop);
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

llvm::PreservedAnalyses
KeepLoopsAsNvcc::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                     llvm::LoopStandardAnalysisResults &analyses,
                     llvm::LPMUpdater &) {
  forget(loop);
  if (llvm::DebugLoc start = loop.getStartLoc();
      start && llvm::findOptionMDForLoop(&loop, Disabled) && isUnhinted(*start))
    remove({Disabled}, loop);
  unsigned trips = analyses.SE.getSmallConstantTripCount(&loop);
  bool isLast = !isSeenAgain(*loop.getHeader()->getParent()),
       isForArrays = isLast && indexesPrivateArray(loop);
  if (isLast)
    forgetWishes(loop, trips);
  if (unsigned most = mostTurns(loop, analyses.SE);
      most != 0 && !isForArrays &&
      llvm::hasUnrollTransformation(&loop) == llvm::TM_Unspecified &&
      !isShortAsAWhole(loop, most, analyses.SE)) {
    llvm::addStringMetadataToLoop(&loop, Disabled.data(), 1);
    llvm::addStringMetadataToLoop(&loop, Kept.data(), 1);
  }
  return llvm::PreservedAnalyses::all();
}

/// Whether nothing branches in \p loop but \p inner, a loop in it, and what
/// ends it.
static bool isStraightAround(const llvm::Loop &inner, const llvm::Loop &loop) {
  return loop.getSubLoops().size() == 1 && loop.getExitingBlock() &&
         llvm::all_of(loop.blocks(), [&](const llvm::BasicBlock *block) {
           return inner.contains(block) || loop.isLoopExiting(block) ||
                  block->getSingleSuccessor();
         });
}

void auspex::unrollTilesAsPtxas(llvm::Function &kernel, unsigned arch,
                                llvm::FunctionAnalysisManager &functions) {
  constexpr unsigned KeptSince = 90, Most = 4800;
  if (arch >= KeptSince)
    return;
  auto &evolution = functions.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  for (llvm::Loop *loop :
       functions.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder()) {
    unsigned trips = evolution.getSmallConstantTripCount(loop);
    if (!loop->isInnermost() || !loop->getParentLoop() || trips == 0 ||
        !isStraightAround(*loop, *loop->getParentLoop()))
      continue;
    forget(*loop);
    std::optional<unsigned> turn = lengthOf(*loop);
    if (turn && 1ull * trips * *turn <= Most &&
        llvm::hasUnrollTransformation(loop) == llvm::TM_Unspecified)
      llvm::addStringMetadataToLoop(loop, Whole.data(), 1);
  }
}

//===----------------------------------------------------------------------===//
// Unrolling by a count
//===----------------------------------------------------------------------===//

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

static bool isUnrolledTwice(const llvm::Loop &loop, const llvm::ICmpInst &test,
                            llvm::ScalarEvolution &evolution) {
  constexpr unsigned WidestCounter = 32;
  if (test.getOperand(0)->getType()->getScalarSizeInBits() > WidestCounter)
    return false;
  uint64_t elements =
      std::max(constantStep(*test.getOperand(0), 1, loop, evolution),
               constantStep(*test.getOperand(1), 1, loop, evolution));
  if (elements == 0 || llvm::findOptionMDForLoop(&loop, Uncounted))
    return false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (sharesCounter(instruction, loop, elements, evolution))
        return false;
  return true;
}

/// How often the optimiser has a turn of \p length, which runs \p trips times
/// (0 if that is not known): as often as fits and leaves no rest, or by four.
static unsigned copiesOf(unsigned length, unsigned trips) {
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
firstCopies(const llvm::Loop &loop, const llvm::ICmpInst &test,
            llvm::ScalarEvolution &evolution,
            const llvm::TargetTransformInfo &target) {
  if (!loop.isInnermost())
    return 1;
  const llvm::SCEV *turns = evolution.getBackedgeTakenCount(&loop);
  std::optional<unsigned> length = lengthOf(loop);
  if (!length || llvm::isa<llvm::SCEVCouldNotCompute>(turns))
    return std::nullopt;
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
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
  return copiesOf(*length, trips);
}

void auspex::unrollAsNvcc(llvm::Function &kernel,
                          llvm::FunctionAnalysisManager &functions) {
  auto &evolution = functions.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  auto &target = functions.getResult<llvm::TargetIRAnalysis>(kernel);
  for (llvm::Loop *loop :
       functions.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder()) {
    forget(*loop);
    const llvm::ICmpInst *test = loop->getLatchCmpInst();
    if (!test || !loop->isLoopSimplifyForm() ||
        llvm::hasUnrollTransformation(loop) != llvm::TM_Unspecified)
      continue;
    if (llvm::findOptionMDForLoop(loop, MayWrap) &&
        !countsWithConstant(*test, *loop, evolution))
      llvm::addStringMetadataToLoop(loop, Uncounted.data(), 1);
    if (loop->isInnermost() &&
        (evolution.getSmallConstantTripCount(loop) != 0 ||
         ::isUnrolledTwice(*loop, *test, evolution)))
      llvm::addStringMetadataToLoop(loop, Twice.data(), 1);
    if (auto copies = firstCopies(*loop, *test, evolution, target))
      llvm::addStringMetadataToLoop(loop, Count.data(), *copies);
  }
}

/// Whether the loop that \p block ends is marked so.
static bool isMarked(const llvm::BasicBlock &block, llvm::StringRef mark) {
  const llvm::MDNode *loop =
      block.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop);
  return loop && llvm::findOptionMDForLoopID(const_cast<llvm::MDNode *>(loop),
                                             mark) != nullptr;
}

bool auspex::isUnrolledTwice(const llvm::BasicBlock &block) {
  return isMarked(block, Twice);
}

bool auspex::isNeverUnrolled(const llvm::BasicBlock &block) {
  return isMarked(block, Disabled) || isMarked(block, Uncounted);
}

//===----------------------------------------------------------------------===//
// What warps do together
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral Convergent = "auspex.convergent";

/// Of all calls in \p function and what they call an attribute becomes another
/// one.
static void replaceAttribute(llvm::Function &function, auto from, auto to) {
  llvm::LLVMContext &context = function.getContext();
  auto replace = [&](auto &holder) {
    llvm::AttributeList all = holder.getAttributes();
    if (all.hasFnAttr(from))
      holder.setAttributes(
          all.removeFnAttribute(context, from).addFnAttribute(context, to));
  };
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      replace(*call);
      if (llvm::Function *called = call->getCalledFunction())
        replace(*called);
    }
}

/// The function that a pass which unrolls loops is at; null for other passes.
static llvm::Function *unrolledBy(llvm::StringRef pass, const llvm::Any &code) {
  auto *function = llvm::any_cast<const llvm::Function *>(&code);
  return pass == "LoopUnrollPass" && function
             ? const_cast<llvm::Function *>(*function)
             : nullptr;
}

void auspex::unrollWhatWarpsDoTogether(
    llvm::PassInstrumentationCallbacks &callbacks) {
  constexpr auto Own = llvm::Attribute::Convergent;
  callbacks.registerBeforeNonSkippedPassCallback(
      [](llvm::StringRef pass, const llvm::Any &code) {
        if (llvm::Function *function = unrolledBy(pass, code))
          replaceAttribute(*function, Own, Convergent);
      });
  callbacks.registerAfterPassCallback([](llvm::StringRef pass,
                                         const llvm::Any &code,
                                         const llvm::PreservedAnalyses &) {
    if (llvm::Function *function = unrolledBy(pass, code))
      replaceAttribute(*function, Convergent, Own);
  });
}

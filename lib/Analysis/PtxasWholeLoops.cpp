// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole loops of the assembler.
#include "NvccWholeLoops.h"

#include "LoopMarks.h"
#include "NvccUnrolling.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <cmath>

using namespace auspex;
using namespace auspex::loopmarks;

/// Whether nothing branches in \p loop but \p inner, a loop in it, and what
/// ends it.
static bool isStraightAround(const llvm::Loop &inner, const llvm::Loop &loop) {
  return loop.getSubLoops().size() == 1 && loop.getExitingBlock() &&
         llvm::all_of(loop.blocks(), [&](const llvm::BasicBlock *block) {
           return inner.contains(block) || loop.isLoopExiting(block) ||
                  block->getSingleSuccessor();
         });
}

namespace {
/// What ptxas weighs before it unrolls a loop whole.
struct TurnWeight {
  /// Of a turn: what computes with data or accesses memory, a dozen more for
  /// addresses and for the loop itself.
  uint64_t instructions = 12;
  uint64_t sharedLoads = 0;
};
} // namespace

/// The loads of \p loop that come with another one's: they are in the bytes to
/// which an address before theirs is aligned, as the members of a float2 are.
static llvm::SmallPtrSet<const llvm::Value *, 16>
loadsOfMembers(const llvm::Loop &loop) {
  struct Place {
    const llvm::LoadInst *load;
    int64_t offset;
  };
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Place>> places;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        int64_t offset = 0;
        const llvm::Value *base = llvm::GetPointerBaseWithConstantOffset(
            load->getPointerOperand(), offset, load->getDataLayout());
        places[base].push_back({load, offset});
      }
  llvm::SmallPtrSet<const llvm::Value *, 16> members;
  for (const auto &[base, loads] : places)
    for (const Place &member : loads)
      if (llvm::any_of(loads, [&](const Place &first) {
            return first.offset < member.offset &&
                   member.offset - first.offset <
                       int64_t(first.load->getAlign().value());
          }))
        members.insert(member.load);
  return members;
}

/// What names a part of a register is no instruction of the assembler's.
static bool isName(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::CastInst, llvm::ExtractElementInst,
                   llvm::InsertElementInst, llvm::ExtractValueInst,
                   llvm::InsertValueInst>(instruction);
}

/// The address space of the object that \p pointer points into.
static unsigned spaceOf(const llvm::Value &pointer) {
  return llvm::getUnderlyingObject(&pointer)
      ->getType()
      ->getPointerAddressSpace();
}

static TurnWeight weightOfTurn(const llvm::Loop &loop) {
  TurnWeight weight;
  llvm::SmallPtrSet<const llvm::Value *, 16> data,
      members = loadsOfMembers(loop);
  auto isOfData = [&](const llvm::Value *value) {
    return data.contains(value) || value->getType()->isFPOrFPVectorTy();
  };
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      const llvm::Value *pointer =
          llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer && !isOfData(&instruction) &&
          llvm::none_of(instruction.operands(), isOfData))
        continue;
      data.insert(&instruction);
      if (isName(instruction) || members.contains(&instruction))
        continue;
      weight.instructions += costInWholeLoop(instruction);
      weight.sharedLoads +=
          llvm::isa<llvm::LoadInst>(instruction) &&
          spaceOf(*pointer) == llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
    }
  return weight;
}

/// Whether ptxas makes \p trips copies of a turn and keeps no loop: the fewer
/// instructions there are to a load from shared memory, whose address is a
/// constant then, the more of them. Tried with 30 sizes of a tiled product, of
/// 47 to 588 instructions a turn with up to 64 such loads, of eight or sixteen
/// turns: the bound is between 28.4 and 29.6 thousand; 11.8 does as 13 does.
static bool areCopiesWorthwhile(const TurnWeight &turn, uint64_t trips) {
  constexpr uint64_t Most = 29000;
  return trips * turn.instructions * turn.instructions <=
         Most * turn.sharedLoads;
}

namespace {
/// What ptxas weighs of a loop whose trip count it knows.
struct LoopWeight {
  /// Of a turn: one for what computes, two for what accesses memory, nothing
  /// for the counter and addresses.
  double plain = 0;
  /// Accesses whose address is a constant once there is no counter any more.
  double atConstants = 0;

  double all() const { return plain + atConstants; }
  /// What whole loops are shorter by, in per cent, as it expects.
  double gain() const {
    return std::floor(100 * (3 + 5 * atConstants) /
                      (plain + 3 + 2 * atConstants));
  }
};
} // namespace

/// Whether all that \p pointer is made of besides the counters of \p loop and
/// of those inside is a variable and constants.
static bool isConstantButFor(const llvm::Loop &loop, llvm::Value &pointer,
                             llvm::ScalarEvolution &evolution) {
  const llvm::SCEV *address = evolution.getSCEV(&pointer);
  auto isOther = [&](const llvm::SCEV *part) {
    if (auto *steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
      return !loop.contains(steps->getLoop());
    auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    return unknown && !llvm::isa<llvm::GlobalVariable>(
                          unknown->getValue()->stripPointerCasts());
  };
  return !llvm::SCEVExprContains(address, isOther);
}

/// Whether ptxas calls a function, or branches to a slow path, for
/// \p instruction, or lanes wait for each other there: it unrolls nothing then.
static bool keepsFromUnrolling(const llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return call->isConvergent() || !llvm::isa<llvm::IntrinsicInst>(call);
  const llvm::Type *type = instruction.getType();
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FDiv:
    return !instruction.hasAllowReciprocal() && !instruction.hasApproxFunc();
  case llvm::Instruction::FRem:
    return true;
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
    return type->getScalarSizeInBits() > 32 &&
           !llvm::isa<llvm::Constant>(instruction.getOperand(1));
  default:
    return false;
  }
}

/// A turn of \p loop, in which all loops are unrolled whole as \p unrolled is,
/// the same or one around it; none where ptxas unrolls nothing.
static std::optional<LoopWeight> weigh(const llvm::Loop &loop,
                                       const llvm::Loop &unrolled,
                                       unsigned arch,
                                       llvm::ScalarEvolution &evolution) {
  constexpr unsigned SharedIsPlainSince = 90;
  using namespace llvm::NVPTXAS;
  LoopWeight weight;
  auto isIndex = [&](const llvm::Instruction &instruction) {
    if (!instruction.getType()->isIntegerTy() &&
        !llvm::isa<llvm::GetElementPtrInst>(instruction))
      return false;
    const llvm::SCEV *value =
        evolution.getSCEV(const_cast<llvm::Instruction *>(&instruction));
    return llvm::isa<llvm::SCEVAddRecExpr>(value) ||
           evolution.isLoopInvariant(value, &loop);
  };
  for (const llvm::Loop *inner : loop.getSubLoops()) {
    auto turn = weigh(*inner, unrolled, arch, evolution);
    if (!turn)
      return std::nullopt;
    double trips = evolution.getSmallConstantTripCount(inner);
    weight.plain += trips * turn->plain;
    weight.atConstants += trips * turn->atConstants;
  }
  auto isInner = [&](const llvm::BasicBlock *block) {
    return llvm::any_of(loop.getSubLoops(), [&](const llvm::Loop *inner) {
      return inner->contains(block);
    });
  };
  for (const llvm::BasicBlock *block : loop.blocks()) {
    if (isInner(block))
      continue;
    for (const llvm::Instruction &instruction : *block) {
      if (keepsFromUnrolling(instruction))
        return std::nullopt;
      if (const llvm::Value *pointer =
              llvm::getLoadStorePointerOperand(&instruction)) {
        unsigned space = spaceOf(*pointer);
        bool canBeConstant =
            space == ADDRESS_SPACE_CONST ||
            (space == ADDRESS_SPACE_SHARED && arch < SharedIsPlainSince);
        bool isAtConstant =
            canBeConstant &&
            isConstantButFor(unrolled, const_cast<llvm::Value &>(*pointer),
                             evolution);
        if (isAtConstant)
          weight.atConstants += 1;
        else
          weight.plain += 2;
        continue;
      }
      bool isOfLoop =
          instruction.isTerminator() || &instruction == loop.getLatchCmpInst();
      if (!isOfLoop && !isName(instruction) && !isIndex(instruction))
        weight.plain += costInWholeLoop(instruction);
    }
  }
  return weight;
}

/// The instructions of \p kernel besides \p loop, those that fetch parameters
/// among them.
static double lengthBesides(const llvm::Loop &loop,
                            const llvm::Function &kernel) {
  constexpr double AtLeast = 20;
  double length = AtLeast + static_cast<double>(kernel.arg_size());
  for (const llvm::BasicBlock &block : kernel)
    if (!loop.contains(&block))
      for (const llvm::Instruction &instruction : block)
        length += costInWholeLoop(instruction);
  return length;
}

/// Whether ptxas makes \p trips copies of \p loop and keeps none. The further
/// the more is gained by it, and several times as far in the first loop of a
/// kernel that has little else. Found with loops that were generated for it, of
/// 1 to 128 instructions a turn with up to 64 accesses at constants: exact
/// where there are none of these and a loop is around, a fit to some per cent
/// elsewhere. 11.8 does as 13 does.
static bool isUnrolledWhole(const llvm::Loop &loop, unsigned trips,
                            bool isFirst, unsigned arch,
                            llvm::ScalarEvolution &evolution) {
  // Longer ones would take seconds to look at.
  constexpr double Longest = 12000;
  constexpr double LeastShare = 0.25;
  std::optional<LoopWeight> weight = weigh(loop, loop, arch, evolution);
  if (!weight || weight->all() == 0)
    return false;
  std::optional<unsigned> length = lengthOf(loop);
  unsigned copies =
      loop.isInnermost() && length ? nvccCopies(*length, trips) : 1;
  LoopWeight turn{weight->plain * copies, weight->atConstants * copies};
  double most = 149 + 46 * turn.gain();
  double besides = lengthBesides(loop, *loop.getHeader()->getParent());
  if (isFirst && turn.all() >= LeastShare * (turn.all() + besides))
    most = 123 + turn.gain() * (61 + 62.7 * std::pow(turn.atConstants, 0.81) *
                                         std::pow(turn.plain, -0.41));
  return trips * weight->all() <= std::min(most, Longest);
}

/// Since when what a tile's products weigh is known, 5.2 to 8.6; before it the
/// length counts, and LLVM decides of the others, as long as nothing better is
/// known.
static constexpr unsigned WeighedSince = 50;

/// Whether \p loop is like the products of a tile: all that branches in the
/// loop around it.
static bool isOfTile(const llvm::Loop &loop) {
  return loop.isInnermost() && loop.getParentLoop() &&
         isStraightAround(loop, *loop.getParentLoop());
}

static bool isUnrolledTile(const llvm::Loop &loop, unsigned trips,
                           unsigned arch) {
  constexpr unsigned KeptSince = 90, MostBefore = 4800;
  std::optional<unsigned> length = lengthOf(loop);
  if (arch >= KeptSince || !length || !isOfTile(loop))
    return false;
  return arch >= WeighedSince ? areCopiesWorthwhile(weightOfTurn(loop), trips)
                              : 1ull * trips * *length <= MostBefore;
}

/// Whether ptxas unrolls \p loop whole, after those inside.
static bool unrollWhole(llvm::Loop &loop, bool isFirst, unsigned arch,
                        llvm::ScalarEvolution &evolution) {
  bool areInnerWhole = true;
  for (llvm::Loop *inner : llvm::reverse(loop.getSubLoops()))
    areInnerWhole &= unrollWhole(*inner, /*isFirst=*/false, arch, evolution);
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (!areInnerWhole || trips == 0 || llvm::findOptionMDForLoop(&loop, Spans))
    return false;
  bool isWhole = isUnrolledTile(loop, trips, arch) ||
                 (arch >= WeighedSince &&
                  isUnrolledWhole(loop, trips, isFirst, arch, evolution));
  if (isWhole || (arch < WeighedSince && isOfTile(loop)))
    forgetKept(loop);
  if (isWhole && llvm::hasUnrollTransformation(&loop) == llvm::TM_Unspecified)
    llvm::addStringMetadataToLoop(&loop, Whole.data(), 1);
  return isWhole;
}

void auspex::unrollWholeAsPtxas(llvm::Function &kernel, unsigned arch,
                                llvm::FunctionAnalysisManager &functions) {
  auto &evolution = functions.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  bool isFirst = true;
  for (llvm::Loop *loop :
       llvm::reverse(functions.getResult<llvm::LoopAnalysis>(kernel)))
    isFirst &= unrollWhole(*loop, isFirst, arch, evolution);
}

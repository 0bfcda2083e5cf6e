// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ValueTranslator.h"

#include "BaseObjects.h"
#include "LaneMasks.h"
#include "MachineIntegers.h"
#include "TripCounts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

using namespace auspex;

SourceLocation auspex::sourceLocation(const llvm::DILocation *location) {
  SourceLocation result;
  if (!location)
    return result;
  result.file = location->getFilename().str();
  result.line = location->getLine();
  // What is merged from several places of a line has no column.
  result.column = std::max(1u, location->getColumn());
  for (const llvm::DILocation *at = location->getInlinedAt(); at;
       at = at->getInlinedAt())
    result.inlinedAt.push_back(
        {at->getFilename().str(), at->getLine(), at->getColumn(), {}});
  return result;
}

static const llvm::DILocation *locationOf(const llvm::Instruction &instruction,
                                          unsigned depth) {
  const llvm::DILocation *own = instruction.getDebugLoc().get();
  if (own && own->getLine())
    return own;
  const llvm::DILocation *first = nullptr;
  if (depth)
    for (const llvm::User *user : instruction.users())
      if (auto *use = llvm::dyn_cast<llvm::Instruction>(user))
        if (const llvm::DILocation *location = locationOf(*use, depth - 1))
          if (!first || std::pair(location->getLine(), location->getColumn()) <
                            std::pair(first->getLine(), first->getColumn()))
            first = location;
  return first;
}

const llvm::DILocation *
auspex::locationOf(const llvm::Instruction &instruction) {
  // What uses it may have been moved as well.
  constexpr unsigned MostSteps = 4;
  bool hasLines = instruction.getFunction()->getSubprogram();
  return hasLines ? ::locationOf(instruction, MostSteps) : nullptr;
}

ValueTranslator::ValueTranslator(llvm::Function &function,
                                 llvm::ScalarEvolution &evolution,
                                 llvm::LoopInfo &loops,
                                 llvm::DominatorTree &dominators,
                                 llvm::UniformityInfo &uniformity)
    : function(function), evolution(evolution), loopInfo(loops),
      dominators(dominators), uniformity(uniformity) {
  llvm::SmallVector<llvm::Loop *> top(loops.rbegin(), loops.rend());
  numberLoops(top);
}

/// Numbers loops in program order, outer before inner.
void ValueTranslator::numberLoops(llvm::ArrayRef<llvm::Loop *> siblings) {
  for (llvm::Loop *loop : siblings) {
    loopNumbers[loop] = order.size();
    order.push_back(loop);
    llvm::SmallVector<llvm::Loop *> inner(loop->rbegin(), loop->rend());
    numberLoops(inner);
  }
}

std::string ValueTranslator::counterName(const llvm::Loop *loop) const {
  return "i" + std::to_string(loopNumber(loop));
}

Interval auspex::launchRange(llvm::StringRef symbol) {
  LaunchLimits limits;
  bool isSide = symbol.consume_front("n");
  if (isThreadIndex(symbol))
    return isSide ? Interval{1, limits.threadsPerBlock}
                  : Interval{0, limits.threadsPerBlock - 1};
  if (isBlockIndex(symbol)) {
    int64_t most = symbol.ends_with(".x") ? limits.grid.x : limits.grid.y;
    return isSide ? Interval{1, most} : Interval{0, most - 1};
  }
  if (isSetByHost(symbol) || isData(symbol))
    return {};
  return {0, INT32_MAX};
}

Interval auspex::sizeRange(llvm::StringRef symbol) {
  return isSetByHost(symbol) ? Interval{1, INT32_MAX} : launchRange(symbol);
}

Expr ValueTranslator::addDataSymbol(llvm::StringRef reason,
                                    llvm::Value *value) {
  DataSymbol symbol;
  symbol.reason = reason.str();
  if (value)
    symbol.uniform = isUniformValue(*value);
  if (auto *instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value))
    symbol.location = sourceLocation(instruction->getDebugLoc().get());
  symbol.name = "data" + std::to_string(symbols.size());
  symbols.push_back(symbol);
  symbolValues.push_back(value);
  return Expr::symbol(symbol.name);
}

bool ValueTranslator::isUniform(const Expr &expr) const {
  return expr.isValid() && !expr.usesAny([&](llvm::StringRef name) {
    const DataSymbol *symbol = findDataSymbol(name);
    return symbol ? !symbol->uniform : isThreadIndex(name);
  });
}

/// Whether \p call gives all lanes of a warp what one of them has.
bool ValueTranslator::isBroadcast(const llvm::CallBase &call) {
  constexpr unsigned Lane = 2, Segment = 3, WholeWarp = 31;
  auto *segment =
      llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(Segment));
  return segment && segment->getZExtValue() == WholeWarp &&
         isUniform(translate(call.getArgOperand(Lane), call.getParent()));
}

/// Whether the lanes of a warp make \p value together: votes, reductions and
/// broadcasts.
bool ValueTranslator::isOfWholeWarp(const llvm::Value &value) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isIntrinsic())
    return false;
  llvm::StringRef name = callee->getName();
  if (name.starts_with("llvm.nvvm.shfl.sync.idx."))
    return isBroadcast(*call);
  return name.starts_with("llvm.nvvm.vote.") ||
         name.starts_with("llvm.nvvm.redux.sync.") || isActiveMask(value);
}

/// Uniformity analysis takes every call for divergent, even that of the block
/// index, so loads are looked at by their address here.
bool ValueTranslator::isUniformValue(llvm::Value &value) {
  if (uniformity.isUniform(&value) || isOfWholeWarp(value))
    return true;
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return load && isUniformAddress(*load->getPointerOperand());
}

bool ValueTranslator::isUniformAddress(llvm::Value &pointer) {
  if (!evolution.isSCEVable(pointer.getType()))
    return false;
  const llvm::SCEV *address = evolution.getSCEV(&pointer);
  auto *base =
      llvm::dyn_cast<llvm::SCEVUnknown>(evolution.getPointerBase(address));
  if (!base)
    return false;
  llvm::Value *object = base->getValue()->stripPointerCasts();
  bool isOne = llvm::isa<llvm::Argument, llvm::GlobalValue>(object) ||
               (llvm::isa<llvm::LoadInst>(object) && isUniformValue(*object));
  return isOne && isUniform(translate(evolution.removePointerBase(address)));
}

void ValueTranslator::setProbability(llvm::StringRef name, double probability) {
  if (const DataSymbol *symbol = findDataSymbol(name))
    symbols[symbol - symbols.data()].probability = probability;
}

const DataSymbol *ValueTranslator::findDataSymbol(llvm::StringRef name) const {
  unsigned number;
  if (!name.consume_front("data") || name.getAsInteger(10, number) ||
      number >= symbols.size())
    return nullptr;
  return &symbols[number];
}

Interval ValueTranslator::rangeOfData(llvm::StringRef name) const {
  const llvm::Value *value =
      symbolValues[findDataSymbol(name) - symbols.data()];
  constexpr unsigned Widest = 32;
  if (!value || !value->getType()->isIntegerTy() ||
      value->getType()->getIntegerBitWidth() > Widest)
    return {};
  unsigned bits = value->getType()->getIntegerBitWidth();
  auto isUsedBy = [&](auto &&isMeant) {
    return llvm::any_of(value->users(), isMeant);
  };
  bool isSigned = isUsedBy(
      [](const llvm::User *user) { return llvm::isa<llvm::SExtInst>(user); });
  bool isUnsigned = isUsedBy([](const llvm::User *user) {
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
    return llvm::isa<llvm::ZExtInst>(user) ||
           (operation && (operation->getOpcode() == llvm::Instruction::LShr ||
                          operation->getOpcode() == llvm::Instruction::UDiv));
  });
  int64_t half = int64_t(1) << (bits - 1);
  return {isUnsigned && !isSigned ? 0 : -half,
          isSigned && !isUnsigned ? half - 1 : 2 * half - 1};
}

bool ValueTranslator::isSearched(llvm::StringRef name,
                                 const llvm::BasicBlock &block) {
  const DataSymbol *symbol = findDataSymbol(name);
  const llvm::Loop *loop = loopInfo.getLoopFor(&block);
  if (!symbol || !loop || !tripCounts)
    return false;
  auto *phi = llvm::dyn_cast_or_null<llvm::PHINode>(
      symbolValues[symbol - symbols.data()]);
  if (!phi || phi->getParent() != loop->getHeader())
    return false;
  MaybeExpr trips = tripCounts->of(*loop);
  return trips.isKnown() && trips.expr.usesLog2();
}

std::string ValueTranslator::dataReason(const Expr &expr) const {
  std::string reason;
  expr.forEachSymbol([&](llvm::StringRef name) {
    if (const DataSymbol *symbol = findDataSymbol(name);
        symbol && reason.empty())
      reason = symbol->reason;
  });
  return reason;
}

//===----------------------------------------------------------------------===//
// Scalar evolution
//===----------------------------------------------------------------------===//

Expr ValueTranslator::translate(llvm::Value *value,
                                const llvm::BasicBlock *block) {
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return constant->getValue().getSignificantBits() <= 64
               ? Expr(constant->getSExtValue())
               : Expr::invalid();
  if (!evolution.isSCEVable(value->getType()))
    return translateOpaque(value);
  return translate(scevIn(value, block), block);
}

Expr ValueTranslator::translate(const llvm::SCEV *value,
                                const llvm::BasicBlock *block) {
  return leaveLoops(translate(value), block);
}

/// The number of the iteration in which a loop is left.
Expr ValueTranslator::lastIteration(const llvm::Loop &loop) {
  auto [entry, isNew] = lastIterations.try_emplace(&loop, Expr::invalid());
  if (!isNew && entry->second.isValid())
    return entry->second;
  MaybeExpr trips =
      tripCounts ? tripCounts->of(loop) : MaybeExpr::unknown("phi");
  // Lanes that leave together have the same last iteration.
  llvm::BasicBlock *exiting = loop.getExitingBlock();
  auto *branch =
      exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator())
              : nullptr;
  Expr last = trips.isKnown() ? trips.expr - Expr(1)
                              : addDataSymbol(trips.reason,
                                              branch && branch->isConditional()
                                                  ? branch->getCondition()
                                                  : nullptr);
  // During a trial symbols are not there to stay.
  if (active.empty())
    lastIterations[&loop] = last;
  return last;
}

/// Outside of a loop its counter has its last value.
Expr ValueTranslator::leaveLoops(const Expr &expr,
                                 const llvm::BasicBlock *block) {
  Expr result = expr;
  for (unsigned step = 0; step <= order.size(); ++step) {
    const llvm::Loop *left = nullptr;
    result.forEachSymbol([&](llvm::StringRef name) {
      unsigned number;
      if (!left && name.consume_front("i") && !name.getAsInteger(10, number) &&
          !order[number]->contains(block))
        left = order[number];
    });
    if (!left)
      return result;
    std::string counter = counterName(left);
    Expr last = lastIteration(*left);
    result = result.substitute([&](llvm::StringRef name) {
      return name == counter ? std::optional(last) : std::nullopt;
    });
  }
  return addDataSymbol("complex", nullptr);
}

const llvm::SCEV *ValueTranslator::scevIn(llvm::Value *value,
                                          const llvm::BasicBlock *block) {
  return evolution.getSCEVAtScope(value, loopInfo.getLoopFor(block));
}

Expr ValueTranslator::translate(const llvm::SCEV *value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  // Rounds of a hash go over all of its steps for each word of its state.
  constexpr unsigned MostInTrials = 1 << 15;
  if (depth > MaxDepth || (nestedTrials && ++triedValues > MostInTrials))
    return Expr::invalid();
  ++depth;
  Expr result = translateUncached(value);
  --depth;
  known[value] = result;
  return result;
}

Expr ValueTranslator::translateNumber(llvm::Value *value,
                                      const llvm::BasicBlock *block,
                                      bool isSigned) {
  return asNumber(translate(value, block),
                  value->getType()->getScalarSizeInBits(), isSigned);
}

Expr ValueTranslator::translateUncached(const llvm::SCEV *value) {
  auto bitsOf = [&](const llvm::SCEV *scev) {
    return evolution.getTypeSizeInBits(scev->getType());
  };
  auto fold = [&](auto read, auto combine) {
    llvm::ArrayRef<const llvm::SCEV *> operands = value->operands();
    Expr result = read(operands[0]);
    for (const llvm::SCEV *operand : operands.drop_front())
      result = combine(result, read(operand));
    return result;
  };
  auto plain = [&](const llvm::SCEV *scev) { return translate(scev); };
  auto number = [&](const llvm::SCEV *scev) {
    return asUnsigned(translate(scev), bitsOf(scev));
  };
  auto signedNumber = [&](const llvm::SCEV *scev) {
    return asSigned(translate(scev), bitsOf(scev));
  };
  switch (value->getSCEVType()) {
  case llvm::scConstant: {
    const llvm::APInt &number =
        llvm::cast<llvm::SCEVConstant>(value)->getAPInt();
    return number.getSignificantBits() <= 64 ? Expr(number.getSExtValue())
                                             : Expr::invalid();
  }
  case llvm::scVScale:
    return Expr::invalid();
  case llvm::scTruncate: {
    Expr operand = translate(value->operands()[0]);
    uint64_t bits = bitsOf(value);
    return isNaturalWidth(bits) ? operand
                                : Expr::mod(operand, Expr::pow2(Expr(bits)));
  }
  case llvm::scZeroExtend:
    return number(value->operands()[0]);
  case llvm::scSignExtend:
    if (auto *part =
            llvm::dyn_cast<llvm::SCEVTruncateExpr>(value->operands()[0]))
      if (Expr whole = translate(part->getOperand());
          isSmallCounter(whole, bitsOf(part)))
        return whole;
    return signedNumber(value->operands()[0]);
  case llvm::scPtrToInt:
    // Arrays of shared memory are taken to begin at 0: what a swizzle of their
    // addresses looks at are bits below their alignment.
    if (auto *pointer = llvm::dyn_cast<llvm::SCEVUnknown>(value->operands()[0]))
      if (isSharedArray(*pointer->getValue()->stripPointerCasts()))
        return Expr(0);
    return translate(value->operands()[0]);
  case llvm::scAddExpr:
    return fold(plain, [](const Expr &a, const Expr &b) { return a + b; });
  case llvm::scMulExpr:
    return fold(plain, [](const Expr &a, const Expr &b) { return a * b; });
  case llvm::scUDivExpr:
    return fold(number, Expr::floorDiv);
  case llvm::scUMaxExpr:
    return fold(number, Expr::max);
  case llvm::scSMaxExpr:
    return fold(signedNumber, Expr::max);
  case llvm::scUMinExpr:
  case llvm::scSequentialUMinExpr:
    return fold(number, Expr::min);
  case llvm::scSMinExpr:
    return fold(signedNumber, Expr::min);
  case llvm::scAddRecExpr:
    return translateRecurrence(llvm::cast<llvm::SCEVAddRecExpr>(value));
  case llvm::scUnknown:
    return translateOpaque(llvm::cast<llvm::SCEVUnknown>(value)->getValue());
  case llvm::scCouldNotCompute:
    return Expr::invalid();
  }
  llvm_unreachable("covered switch");
}

Expr ValueTranslator::translateRecurrence(
    const llvm::SCEVAddRecExpr *recurrence) {
  Expr counter = Expr::symbol(counterName(recurrence->getLoop()));
  Expr result = translate(recurrence->getStart());
  // {a,+,b,+,c}: a + b*i + c*i*(i-1)/2.
  if (recurrence->getNumOperands() > 3)
    return addDataSymbol("phi", nullptr);
  result = result + translate(recurrence->getOperand(1)) * counter;
  if (recurrence->getNumOperands() == 3)
    result = result + translate(recurrence->getOperand(2)) *
                          Expr::floorDiv(counter * (counter - Expr(1)), 2);
  return result;
}

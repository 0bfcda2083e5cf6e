// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions as expressions that are 0 or 1.
#include "ValueTranslator.h"

#include "HostValues.h"
#include "LaneMasks.h"
#include "MachineIntegers.h"
#include "auspex/Footprint/LaunchShape.h"
#include "auspex/Kernel/FloatOrder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace auspex;
namespace PM = llvm::PatternMatch;

Expr ValueTranslator::translateCondition(llvm::Value *condition,
                                         const llvm::BasicBlock *block) {
  return leaveLoops(translateCondition(condition), block);
}

Expr ValueTranslator::translateCondition(llvm::Value *condition) {
  if (auto found = knownConditions.find(condition);
      found != knownConditions.end())
    return found->second;
  if (depth > MaxDepth)
    return addUnknownCondition("complex", condition);
  ++depth;
  Expr result = translateConditionUncached(condition).simplify(launchRange);
  --depth;
  if (!result.isValid())
    result = addUnknownCondition("complex", condition);
  knownConditions[condition] = result;
  return result;
}

/// The place of a floating-point constant or argument among numbers; invalid if
/// \p value is made in another way.
static Expr placeOfFloat(const llvm::Value *value) {
  while (auto *wider = llvm::dyn_cast<llvm::FPExtInst>(value))
    value = wider->getOperand(0);
  if (auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value)) {
    llvm::APFloat number = constant->getValueAPF();
    bool losesInfo = false;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return number.isNaN() ? Expr::invalid()
                          : Expr(floatPlace(number.convertToDouble()));
  }
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(value))
    return Expr::symbol(symbolOf(*argument));
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
    if (std::string member = hostValue(*load); !member.empty())
      return Expr::symbol(member);
  return Expr::invalid();
}

std::optional<std::pair<Expr, Expr>>
ValueTranslator::translateSides(const llvm::FCmpInst &comparison) {
  llvm::Value *first = comparison.getOperand(0),
              *second = comparison.getOperand(1);
  Expr a = placeOfFloat(first), b = placeOfFloat(second);
  if (a.isValid() && b.isValid())
    return std::pair(a, b);
  const llvm::BasicBlock *block = comparison.getParent();
  auto left = fractionOf(first, block);
  auto right = left ? fractionOf(second, block) : std::nullopt;
  if (!right)
    return std::nullopt;
  return std::pair(left->numerator * right->denominator,
                   right->numerator * left->denominator);
}

llvm::CmpInst::Predicate
auspex::ofIntegers(llvm::CmpInst::Predicate predicate) {
  using llvm::CmpInst;
  switch (llvm::FCmpInst::getOrderedPredicate(predicate)) {
  case CmpInst::FCMP_OEQ:
    return CmpInst::ICMP_EQ;
  case CmpInst::FCMP_ONE:
    return CmpInst::ICMP_NE;
  case CmpInst::FCMP_OLT:
    return CmpInst::ICMP_SLT;
  case CmpInst::FCMP_OLE:
    return CmpInst::ICMP_SLE;
  case CmpInst::FCMP_OGT:
    return CmpInst::ICMP_SGT;
  case CmpInst::FCMP_OGE:
    return CmpInst::ICMP_SGE;
  default:
    return CmpInst::BAD_ICMP_PREDICATE;
  }
}

/// Invalid for the predicates of other numbers.
static Expr compareSigned(llvm::CmpInst::Predicate predicate, const Expr &a,
                          const Expr &b) {
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return Expr::isEqual(a, b);
  case llvm::CmpInst::ICMP_NE:
    return Expr::isNotEqual(a, b);
  case llvm::CmpInst::ICMP_SLT:
    return Expr::isLess(a, b);
  case llvm::CmpInst::ICMP_SLE:
    return Expr::isLessOrEqual(a, b);
  case llvm::CmpInst::ICMP_SGT:
    return Expr::isLess(b, a);
  case llvm::CmpInst::ICMP_SGE:
    return Expr::isLessOrEqual(b, a);
  default:
    return Expr::invalid();
  }
}

/// A comparison of numbers none of which is expected to be NaN; invalid if they
/// are made in a way that no expression tells.
Expr ValueTranslator::translateFloatComparison(
    const llvm::FCmpInst &comparison) {
  auto sides = translateSides(comparison);
  if (!sides || !sides->first.isValid() || !sides->second.isValid())
    return Expr::invalid();
  const auto &[a, b] = *sides;
  return compareSigned(ofIntegers(comparison.getPredicate()), a, b);
}

Expr ValueTranslator::translateConditionUncached(llvm::Value *condition) {
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(condition))
    return Expr(constant->isOne());
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(condition);
  auto operand = [&](llvm::Value *value) {
    return translateCondition(value, instruction->getParent());
  };
  llvm::Value *a, *b;
  if (PM::match(condition, PM::m_LogicalAnd(PM::m_Value(a), PM::m_Value(b))))
    return Expr::conjunction(operand(a), operand(b));
  if (PM::match(condition, PM::m_LogicalOr(PM::m_Value(a), PM::m_Value(b))))
    return Expr::disjunction(operand(a), operand(b));
  if (PM::match(condition, PM::m_Not(PM::m_Value(a))))
    return Expr::negate(operand(a));
  if (auto *freeze = llvm::dyn_cast<llvm::FreezeInst>(condition))
    return operand(freeze->getOperand(0));
  if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(condition))
    return translateComparison(*comparison);
  if (auto *comparison = llvm::dyn_cast<llvm::FCmpInst>(condition))
    if (Expr compared = translateFloatComparison(*comparison);
        compared.isValid())
      return compared;
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(condition))
    return Expr::isNotEqual(Expr::symbol(symbolOf(*argument)), 0);
  if (PM::match(condition, PM::m_Trunc(PM::m_Value(a))))
    return Expr::isNotEqual(
        Expr::mod(translate(a, instruction->getParent()), 2), 0);
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(condition)) {
    if (loopInfo.isLoopHeader(phi->getParent()))
      return translateCarriedCondition(*phi);
    auto choice = choiceOf(*phi);
    return choice ? chooseCondition(*choice, phi->getParent())
                  : addUnknownCondition(reasonOfJoin(*phi), phi);
  }
  llvm::StringRef reason = opaqueReason(condition);
  return addUnknownCondition(reason.empty() ? "complex" : reason, condition);
}

/// The same as foldChoice() of conditions.
Expr ValueTranslator::chooseCondition(const Choice &choice,
                                      const llvm::BasicBlock *block) {
  Expr result = translateCondition(choice.otherwise, block);
  for (const auto &[condition, arm] : llvm::reverse(choice.arms))
    result = Expr::disjunction(
        Expr::conjunction(condition, translateCondition(arm, block)),
        Expr::conjunction(Expr::negate(condition), result));
  return result;
}

/// The symbol of a pointer that the host gives; empty for others.
static std::string pointerOfHost(const llvm::Value &pointer) {
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(&pointer))
    return symbolOf(*argument);
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&pointer);
  return load ? hostValue(*load) : "";
}

std::optional<std::pair<Expr, Expr>>
ValueTranslator::translateSides(llvm::ICmpInst &comparison,
                                const llvm::BasicBlock *block) {
  llvm::Value *left = comparison.getOperand(0),
              *right = comparison.getOperand(1);
  // Which constants are large ones isUnsignedLess() knows.
  auto sideOf = [&](llvm::Value *value) {
    bool isPlain = llvm::isa<llvm::ConstantInt>(value) &&
                   isNaturalWidth(value->getType()->getIntegerBitWidth());
    return isPlain ? translate(value, block)
                   : translateNumber(value, block, comparison.isSigned());
  };
  if (left->getType()->isIntegerTy()) {
    Expr a = sideOf(left), b = sideOf(right);
    return std::pair(a, b);
  }
  if (!left->getType()->isPointerTy())
    return std::nullopt;
  if (llvm::isa<llvm::ConstantPointerNull>(right->stripPointerCasts()))
    if (std::string symbol = pointerOfHost(*left->stripPointerCasts());
        !symbol.empty())
      return std::pair(Expr::symbol(symbol), Expr(0));
  PointerValue a = translatePointer(left, block),
               b = translatePointer(right, block);
  if (!a.base || a.base != b.base)
    return std::nullopt;
  return std::pair(a.offset, b.offset);
}

/// a < b of unsigned numbers of natural width, as expressions that may be
/// negative: those are the large ones. Merging two comparisons makes such code,
/// (x + c) <u n for 0 <= x + c < n. What is compared with a constant decides;
/// of two that vary the smaller one alone is taken to be negative at times.
static Expr isUnsignedLess(const Expr &a, const Expr &b) {
  Expr less = Expr::isLess(a, b);
  bool isLarge = b.constant().value_or(0) < 0;
  if (a.isConstant())
    return a.constant() < 0 ? Expr::conjunction(Expr::isLess(b, 0), less)
                            : Expr::disjunction(Expr::isLess(b, 0), less);
  return isLarge ? Expr::disjunction(Expr::isAtLeastZero(a), less)
                 : Expr::conjunction(Expr::isAtLeastZero(a), less);
}

bool ValueTranslator::isOfActiveLanes(const Expr &expr) const {
  return llvm::all_of(llvm::zip(symbols, symbolValues), [&](const auto &each) {
    const auto &[symbol, value] = each;
    return !expr.uses(symbol.name) || (value && isActiveMask(*value));
  });
}

/// The first lane that the conditions around \p block let in, as far as they
/// go by the thread's index.
int64_t ValueTranslator::firstLaneIn(const llvm::BasicBlock *block) {
  std::vector<Expr> conditions;
  for (const auto *node = dominators.getNode(block); node && node->getIDom();
       node = node->getIDom()) {
    const llvm::BasicBlock *from = node->getIDom()->getBlock();
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
    for (unsigned side = 0; branch && side < branch->getNumSuccessors(); ++side)
      if (branch->isConditional() &&
          dominators.dominates({from, branch->getSuccessor(side)}, block)) {
        Expr taken = translateCondition(branch->getCondition(), from);
        conditions.push_back(side ? Expr::negate(taken) : taken);
      }
  }
  for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane) {
    auto ofLane = [&](llvm::StringRef name) -> std::optional<int64_t> {
      if (name == "tid.x")
        return lane;
      return name.starts_with("tid.") ? std::optional(0) : std::nullopt;
    };
    if (llvm::all_of(conditions, [&](const Expr &condition) {
          return condition.evaluate(ofLane).value_or(1) != 0;
        }))
      return lane;
  }
  return 0;
}

/// Lanes that run code together elect one of them: that with the number they
/// find in their mask, or the one that has none of them before it. Which it is
/// makes no difference, so it is the first. A number that the lanes agree on
/// otherwise is that of one lane at most.
Expr ValueTranslator::translateElection(llvm::ICmpInst &comparison) {
  const llvm::BasicBlock *block = comparison.getParent();
  llvm::Value *left = comparison.getOperand(0),
              *right = comparison.getOperand(1), *mask, *before;
  if (!comparison.isEquality() || !left->getType()->isIntegerTy(32))
    return Expr::invalid();
  if (PM::match(right, PM::m_Zero()) &&
      PM::match(left, PM::m_And(PM::m_Value(mask), PM::m_Value(before)))) {
    if (isActiveMask(*before))
      std::swap(mask, before);
    return isActiveMask(*mask) && isMaskOfLanesBefore(translate(before, block))
               ? Expr::isEqual(laneOfThread(), firstLaneIn(block))
               : Expr::invalid();
  }
  Expr lane = translate(left, block), elected = translate(right, block);
  if (dataReason(elected).empty())
    std::swap(lane, elected);
  if (dataReason(elected).empty() || !isUniform(elected) || !isLane(lane))
    return Expr::invalid();
  Expr first = Expr::isEqual(lane, firstLaneIn(block));
  if (isOfActiveLanes(elected))
    return first;
  Expr isAny = addUnknownCondition(dataReason(elected), &comparison);
  symbols.back().uniform = true;
  return Expr::conjunction(isAny, first);
}

Expr ValueTranslator::translateComparison(llvm::ICmpInst &comparison) {
  if (Expr isElected = translateElection(comparison); isElected.isValid())
    return comparison.getPredicate() == llvm::CmpInst::ICMP_EQ
               ? isElected
               : Expr::negate(isElected);
  auto sides = translateSides(comparison, comparison.getParent());
  if (!sides)
    return addUnknownCondition("pointer", &comparison);
  auto &[a, b] = *sides;
  // A comparison with something unknown is one unknown, not an expression of
  // one: whether it holds is all that matters.
  for (const Expr *operand : {&a, &b}) {
    const DataSymbol *unknown = nullptr;
    operand->forEachSymbol([&](llvm::StringRef name) {
      if (!unknown && isData(name))
        unknown = findDataSymbol(name);
    });
    if (!unknown)
      continue;
    Expr condition =
        addUnknownCondition(std::string(unknown->reason), &comparison);
    symbols.back().uniform |= isUniform(a) && isUniform(b);
    return condition;
  }
  switch (comparison.getPredicate()) {
  case llvm::CmpInst::ICMP_ULT:
    return isUnsignedLess(a, b);
  case llvm::CmpInst::ICMP_ULE:
    return Expr::negate(isUnsignedLess(b, a));
  case llvm::CmpInst::ICMP_UGT:
    return isUnsignedLess(b, a);
  case llvm::CmpInst::ICMP_UGE:
    return Expr::negate(isUnsignedLess(a, b));
  default:
    return compareSigned(comparison.getPredicate(), a, b);
  }
}

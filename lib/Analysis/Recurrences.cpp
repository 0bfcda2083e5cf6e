// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phis at the entry of a loop: what changes around it in another way than
// scalar evolution knows. The value after the next iteration is translated with
// a symbol in the place of the phi; its form tells the value after any number
// of them (auspex/Expr/Recurrence.h).
#include "ValueTranslator.h"

#include "MachineIntegers.h"
#include "auspex/Expr/Recurrence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace auspex;
namespace PM = llvm::PatternMatch;

/// i = start; i shifted by a constant each time round: start / 2^(c*iv) or
/// start * 2^(c*iv).
std::optional<Expr> ValueTranslator::translateGeometric(llvm::PHINode &phi) {
  auto carried = carriedValue(phi);
  if (!carried)
    return std::nullopt;
  llvm::Value *next = carried->next;
  const llvm::APInt *factor;
  bool grows =
      PM::match(next, PM::m_Shl(PM::m_Specific(&phi), PM::m_APInt(factor)));
  bool shrinks =
      PM::match(next, PM::m_Shr(PM::m_Specific(&phi), PM::m_APInt(factor)));
  uint64_t shift = grows || shrinks ? factor->getZExtValue() : 0;
  if (!grows && !shrinks) {
    // x / 2 of a signed number is a division, x + x a sum.
    shrinks = PM::match(next, PM::m_IDiv(PM::m_Specific(&phi),
                                         PM::m_APInt(factor))) &&
              factor->isPowerOf2();
    grows =
        PM::match(next, PM::m_Mul(PM::m_Specific(&phi), PM::m_APInt(factor))) &&
        factor->isPowerOf2();
    if (!grows && !shrinks)
      return std::nullopt;
    shift = factor->logBase2();
  }
  Expr start = translate(carried->start, carried->before);
  Expr power = Expr::pow2(Expr(static_cast<int64_t>(shift)) *
                          Expr::symbol(counterName(carried->loop)));
  return grows ? start * power : Expr::floorDiv(start, power);
}

std::string ValueTranslator::selfName() const {
  return "self" + std::to_string(nestedTrials);
}

bool ValueTranslator::tryWith(const StandIns &standIns,
                              llvm::function_ref<void()> translateWith) {
  // Nothing of it may stay: not the symbols in caches, nor data symbols.
  constexpr unsigned MostTrials = 128, MostNested = 3;
  if (nestedTrials >= MostNested || ++trials > MostTrials)
    return false;
  auto savedKnown = std::exchange(known, decltype(known)());
  auto savedConditions =
      std::exchange(knownConditions, decltype(knownConditions)());
  auto savedOpaque = std::exchange(opaque, decltype(opaque)());
  auto savedPointers = std::exchange(knownPointers, decltype(knownPointers)());
  size_t symbolCount = symbols.size(), activeCount = active.size();
  for (llvm::Value *value : active)
    opaque[value] = Expr::invalid();
  for (const auto &[value, stand] : standIns) {
    active.push_back(value);
    opaque[value] = stand;
  }
  ++nestedTrials;
  translateWith();
  --nestedTrials;
  symbols.resize(symbolCount);
  symbolValues.resize(symbolCount);
  active.resize(activeCount);
  known = std::move(savedKnown);
  knownConditions = std::move(savedConditions);
  opaque = std::move(savedOpaque);
  knownPointers = std::move(savedPointers);
  return true;
}

std::optional<Expr> ValueTranslator::tryWith(
    llvm::PHINode &phi, const Expr &stand,
    llvm::function_ref<std::optional<Expr>()> translateNext,
    std::string &reason) {
  std::optional<Expr> next;
  tryWith({{&phi, stand}}, [&] {
    next = translateNext();
    if (next && !next->isValid())
      next.reset();
    if (next)
      reason = dataReason(*next);
    if (!reason.empty())
      next.reset();
  });
  return next;
}

/// The entry and the end of the loop that \p phi is carried around; nothing if
/// there are several.
std::optional<ValueTranslator::CarriedValue>
ValueTranslator::carriedValue(llvm::PHINode &phi) {
  const llvm::Loop *loop = loopInfo.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopLatch() ||
      !loop->getLoopPredecessor())
    return std::nullopt;
  return CarriedValue{loop, loop->getLoopPredecessor(), loop->getLoopLatch(),
                      phi.getIncomingValueForBlock(loop->getLoopPredecessor()),
                      phi.getIncomingValueForBlock(loop->getLoopLatch())};
}

llvm::SmallVector<ValueTranslator::CarriedValue, 2>
ValueTranslator::rotation(llvm::PHINode &phi) {
  constexpr size_t Most = 4;
  llvm::SmallVector<CarriedValue, 2> circle;
  llvm::PHINode *place = &phi;
  do {
    auto carried = carriedValue(*place);
    if (!carried || circle.size() == Most)
      return {};
    circle.push_back(*carried);
    place = llvm::dyn_cast<llvm::PHINode>(carried->next);
    if (!place || place->getParent() != phi.getParent())
      return {};
  } while (place != &phi);
  if (circle.size() == 1)
    return {};
  return circle;
}

Expr ValueTranslator::rotated(const llvm::Loop &loop,
                              llvm::ArrayRef<Expr> starts) const {
  Expr turn = Expr::mod(Expr::symbol(counterName(&loop)), starts.size());
  if (starts.size() == 2)
    return starts[0] + turn * (starts[1] - starts[0]);
  Expr value = starts[0];
  for (size_t i = 1; i < starts.size(); ++i)
    value = value + Expr::isEqual(turn, i) * (starts[i] - starts[0]);
  return value;
}

std::optional<Expr>
ValueTranslator::solveRecurrence(const CarriedValue &carried, const Expr &start,
                                 const Expr &next) {
  // What the loops around carry may be anything.
  std::string self = selfName();
  auto range = [&](llvm::StringRef symbol) {
    return symbol.starts_with("self") && symbol != self ? Interval()
                                                        : sizeRange(symbol);
  };
  return solve({start, next, self, counterName(carried.loop),
                llvm::isa<llvm::UndefValue>(carried.start)},
               range);
}

/// Whether each turn of \p loop mixes the bits of \p phi to make \p next, as a
/// generator of pseudo-random numbers does: by a product with an odd number, or
/// by an exclusive or with what is shifted.
static bool isMixed(const llvm::PHINode &phi, const llvm::Value *next,
                    const llvm::Loop &loop) {
  constexpr unsigned Most = 32;
  constexpr uint64_t LeastFactor = 5;
  llvm::SmallSetVector<const llvm::Value *, 16> made;
  made.insert(next);
  bool shifts = false, combines = false, returns = false;
  for (size_t i = 0; i < made.size() && i < Most; ++i) {
    auto *step = llvm::dyn_cast<llvm::Instruction>(made[i]);
    returns |= step == &phi;
    if (!step || !loop.contains(step) || llvm::isa<llvm::PHINode>(step))
      continue;
    if (step->mayReadFromMemory())
      return false;
    const llvm::APInt *factor = nullptr;
    if (PM::match(step, PM::m_Mul(PM::m_Value(), PM::m_APInt(factor))) &&
        (*factor)[0] && factor->uge(LeastFactor) && !factor->isAllOnes())
      shifts = combines = true;
    shifts |= PM::match(step, PM::m_Shift(PM::m_Value(), PM::m_Value())) ||
              PM::match(step, PM::m_FShl(PM::m_Value(), PM::m_Value(),
                                         PM::m_Value()));
    combines |= PM::match(step, PM::m_Xor(PM::m_Value(), PM::m_Value())) &&
                !PM::match(step, PM::m_Not(PM::m_Value()));
    for (const llvm::Value *operand : step->operands())
      made.insert(operand);
  }
  return returns && shifts && combines;
}

Expr ValueTranslator::translateCarried(llvm::PHINode &phi) {
  std::string reason;
  auto carried = carriedValue(phi);
  if (carried && !llvm::is_contained(active, &phi)) {
    if (auto circle = rotation(phi); !circle.empty()) {
      llvm::SmallVector<Expr, 2> starts;
      for (const CarriedValue &place : circle)
        starts.push_back(translate(place.start, place.before));
      return rotated(*carried->loop, starts);
    }
    if (isMixed(phi, carried->next, *carried->loop))
      return addDataSymbol("random", &phi);
    auto translateNext = [&] {
      return std::optional(translate(carried->next, carried->latch));
    };
    auto next = tryWith(phi, Expr::symbol(selfName()), translateNext, reason);
    Expr start = translate(carried->start, carried->before);
    if (next)
      if (auto value = solveRecurrence(*carried, start, *next))
        return *value;
    if (reason.empty())
      reason = dataReason(start);
  }
  return addDataSymbol(reason.empty() ? "phi" : reason, &phi);
}

Expr ValueTranslator::translateCarriedCondition(llvm::PHINode &phi) {
  std::string reason;
  auto carried = carriedValue(phi);
  if (carried && !llvm::is_contained(active, &phi)) {
    std::string self = selfName();
    auto translateNext = [&] {
      knownConditions[&phi] = Expr::isNotEqual(Expr::symbol(self), 0);
      return std::optional(translateCondition(carried->next, carried->latch));
    };
    if (auto next = tryWith(phi, Expr::symbol(self), translateNext, reason)) {
      Expr start = translateCondition(carried->start, carried->before);
      if (auto value = solveRecurrence(*carried, start, *next);
          value && !next->uses(self))
        return *value;
    }
  }
  return addUnknownCondition(reason.empty() ? "phi" : reason, &phi);
}

Expr ValueTranslator::translatePhi(llvm::PHINode &phi) {
  if (std::optional<Expr> geometric = translateGeometric(phi))
    return *geometric;
  const llvm::Loop *loop = loopInfo.getLoopFor(phi.getParent());
  if (loop && loop->getHeader() == phi.getParent())
    return translateCarried(phi);
  auto choice = choiceOf(phi);
  if (!choice)
    return addDataSymbol(reasonOfJoin(phi), &phi);
  return foldChoice(*choice, [&](llvm::Value *arm) {
    return translate(arm, phi.getParent());
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers as an object and bytes from there, through casts, selects, phis and
// recurrences.
#include "ValueTranslator.h"

#include "BaseObjects.h"
#include "HostValues.h"
#include "KeptPointers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace auspex;

/// Casts between address spaces hide the object.
static bool isPointerCast(const llvm::Operator &operation) {
  return operation.getOpcode() == llvm::Instruction::AddrSpaceCast ||
         operation.getOpcode() == llvm::Instruction::BitCast;
}

PointerValue ValueTranslator::translatePointer(llvm::Value *pointer,
                                               const llvm::BasicBlock *block) {
  Expr offset;
  llvm::Value *current = pointer;
  constexpr unsigned MostSteps = 16;
  for (unsigned step = 0; step < MostSteps; ++step) {
    if (evolution.isSCEVable(current->getType())) {
      const llvm::SCEV *whole = scevIn(current, block);
      auto *base =
          llvm::dyn_cast<llvm::SCEVUnknown>(evolution.getPointerBase(whole));
      if (!base)
        return {};
      offset = offset + translate(evolution.removePointerBase(whole), block);
      current = base->getValue();
    }
    if (auto *element = llvm::dyn_cast<llvm::GEPOperator>(current)) {
      llvm::APInt constant(64, 0);
      llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> scaled;
      if (!element->collectOffset(layout(), 64, scaled, constant))
        return {};
      offset = offset + Expr(constant.getSExtValue());
      for (const auto &[index, scale] : scaled)
        offset = offset + Expr(scale.getSExtValue()) * translate(index, block);
      current = element->getPointerOperand();
      continue;
    }
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(current)) {
      PointerValue inner =
          translateOpaquePointer(*llvm::cast<llvm::Instruction>(current));
      return {inner.base, offset + leaveLoops(inner.offset, block)};
    }
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(current))
      if (PointerValue kept = translateKeptPointer(*load); kept.base)
        return {kept.base, offset + leaveLoops(kept.offset, block)};
    if (llvm::Value *here = ofOtherBlock(current)) {
      current = here;
      continue;
    }
    auto *operation = llvm::dyn_cast<llvm::Operator>(current);
    if (!operation || !isPointerCast(*operation))
      break;
    current = operation->getOperand(0);
  }
  return {firstOfMember(current), offset};
}

PointerValue
ValueTranslator::translateOpaquePointer(llvm::Instruction &instruction) {
  auto [entry, isNew] = knownPointers.try_emplace(&instruction, PointerValue());
  if (!isNew)
    return entry->second;
  PointerValue result;
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
  if (phi && loopInfo.isLoopHeader(phi->getParent()))
    result = translateCarriedPointer(*phi);
  else if (auto choice = choiceOf(instruction))
    result = translateChosenPointer(*choice, instruction);
  knownPointers[&instruction] = result;
  return result;
}

/// From one place of a private array to the next, in each of which is a
/// pointer to the same object: the bytes between what they point to, and
/// between the places. Nothing where that is not the same everywhere.
static std::optional<std::pair<Expr, int64_t>>
stepOfKept(llvm::ArrayRef<KeptPointer> kept, llvm::ArrayRef<Expr> offsets) {
  if (kept.size() < 2)
    return std::nullopt;
  Expr step = offsets[1] - offsets[0];
  int64_t apart = kept[1].place - kept[0].place;
  for (size_t i = 2; i < kept.size(); ++i)
    if (offsets[i] - offsets[i - 1] != step ||
        kept[i].place - kept[i - 1].place != apart)
      return std::nullopt;
  return std::pair(step, apart);
}

/// What \p load reads of a private array whose pointers all go to one object,
/// as those to stages of shared memory do, and are stored outside of loops.
PointerValue ValueTranslator::translateKeptPointer(llvm::LoadInst &load) {
  auto [entry, isNew] = knownPointers.try_emplace(&load, PointerValue());
  if (!isNew)
    return entry->second;
  llvm::SmallVector<KeptPointer, 4> kept = keptPointers(load);
  llvm::SmallVector<Expr, 4> offsets;
  llvm::Value *base = nullptr;
  for (const KeptPointer &each : kept) {
    llvm::BasicBlock *block = each.store->getParent();
    PointerValue value = translatePointer(each.store->getValueOperand(), block);
    if (!value.base || value.base != (base ? base : value.base) ||
        llvm::isa<llvm::PHINode, llvm::SelectInst>(value.base) ||
        loopInfo.getLoopFor(block))
      return {};
    base = value.base;
    offsets.push_back(value.offset);
  }
  if (!base)
    return {};
  Expr offset = offsets.front();
  if (auto step = stepOfKept(kept, offsets)) {
    PointerValue place =
        translatePointer(load.getPointerOperand(), load.getParent());
    offset = offset +
             step->first * Expr::floorDiv(place.offset - Expr(kept[0].place),
                                          Expr(step->second));
  } else if (kept.size() > 1) {
    offset = addDataSymbol("indirect", &load);
  }
  return knownPointers[&load] = {base, offset};
}

/// Where \p pointer points to, from the first of several objects that lie
/// DistanceOfObjects apart; its own may be one more of \p bases.
static Expr offsetAmong(llvm::SmallVectorImpl<llvm::Value *> &bases,
                        const PointerValue &pointer) {
  auto place = llvm::find(bases, pointer.base);
  int64_t number = place - bases.begin();
  if (place == bases.end())
    bases.push_back(pointer.base);
  return pointer.offset + Expr(number * DistanceOfObjects);
}

/// \p offset in the one object there is, or in those that \p choice chooses
/// between.
PointerValue ValueTranslator::among(llvm::ArrayRef<llvm::Value *> bases,
                                    llvm::Instruction &choice,
                                    const Expr &offset) {
  if (bases.size() == 1)
    return {bases.front(), offset};
  chosenObjects[&choice].assign(bases.begin(), bases.end());
  return {&choice, offset};
}

/// The base that all ways lead to, or several.
PointerValue
ValueTranslator::translateChosenPointer(const Choice &choice,
                                        llvm::Instruction &instruction) {
  llvm::SmallVector<llvm::Value *, 4> bases;
  bool areKnown = true;
  Expr offset = foldChoice(choice, [&](llvm::Value *arm) {
    PointerValue value = translatePointer(arm, instruction.getParent());
    // One that a loop carries around may stay what it was.
    areKnown &=
        value.base && (llvm::is_contained(active, value.base) ||
                       !llvm::isa<llvm::PHINode, llvm::SelectInst>(value.base));
    return offsetAmong(bases, value);
  });
  if (!areKnown)
    return translateAnyOf(instruction);
  return among(bases, instruction, offset);
}

/// One of the objects that phis and selects lead to as they are: two buffers
/// that a loop swaps. Which one is data.
PointerValue ValueTranslator::translateAnyOf(llvm::Instruction &instruction) {
  llvm::SmallSetVector<llvm::Value *, 8> ways;
  llvm::SmallSetVector<llvm::Value *, 2> objects;
  ways.insert(&instruction);
  constexpr unsigned Most = 32;
  for (unsigned i = 0; i < ways.size(); ++i) {
    if (ways.size() > Most)
      return {};
    for (llvm::Value *way : llvm::cast<llvm::User>(ways[i])->operands()) {
      if (!way->getType()->isPointerTy())
        continue;
      auto *operation = llvm::dyn_cast<llvm::Operator>(way);
      if (operation && isPointerCast(*operation))
        way = operation->getOperand(0);
      way = firstOfMember(way);
      if (llvm::isa<llvm::PHINode, llvm::SelectInst>(way))
        ways.insert(way);
      else if (llvm::isa<llvm::Argument, llvm::GlobalVariable, llvm::LoadInst>(
                   way))
        objects.insert(way);
      else
        return {};
    }
  }
  Expr number =
      objects.size() == 1 ? Expr() : addDataSymbol("phi", &instruction);
  return among(objects.getArrayRef(), instruction,
               Expr(DistanceOfObjects) * number);
}

/// A member of a struct is one object, however often it is read.
llvm::Value *ValueTranslator::firstOfMember(llvm::Value *pointer) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(pointer))
    if (std::string member = hostValue(*load); !member.empty())
      return members.try_emplace(member, load).first->second;
  return pointer;
}

Expr ValueTranslator::placeOf(llvm::Value &base, llvm::StringRef reason) {
  auto [place, isNew] = places.try_emplace(&base, Expr());
  if (isNew)
    place->second = Expr(AlignmentOfObjects) * addDataSymbol(reason, &base);
  return place->second;
}

/// One of the pointers that go around with \p phi.
PointerValue
ValueTranslator::translateRotatedPointer(llvm::PHINode &phi,
                                         llvm::ArrayRef<CarriedValue> circle) {
  llvm::SmallVector<llvm::Value *, 2> bases;
  llvm::SmallVector<Expr, 2> offsets;
  for (const CarriedValue &carried : circle) {
    PointerValue start = translatePointer(carried.start, carried.before);
    if (!start.base || llvm::isa<llvm::PHINode, llvm::SelectInst>(start.base))
      return {};
    offsets.push_back(offsetAmong(bases, start));
  }
  return among(bases, phi, rotated(*circle.front().loop, offsets));
}

PointerValue ValueTranslator::translateCarriedPointer(llvm::PHINode &phi) {
  auto carried = carriedValue(phi);
  if (!carried || llvm::is_contained(active, &phi))
    return {};
  if (auto circle = rotation(phi); !circle.empty())
    if (PointerValue value = translateRotatedPointer(phi, circle); value.base)
      return value;
  PointerValue start = translatePointer(carried->start, carried->before);
  llvm::Value *nextBase = nullptr;
  std::string reason;
  Expr self = Expr::symbol(selfName());
  auto translateNext = [&]() -> std::optional<Expr> {
    knownPointers[&phi] = {&phi, self};
    PointerValue next = translatePointer(carried->next, carried->latch);
    nextBase = next.base;
    return next.offset;
  };
  auto next = tryWith(phi, self, translateNext, reason);
  if (!start.base || (nextBase != &phi && nextBase != start.base))
    return translateAnyOf(phi);
  if (next)
    if (auto offset = solveRecurrence(*carried, start.offset, *next))
      return {start.base, *offset};
  return {start.base, addDataSymbol(reason.empty() ? "phi" : reason, &phi)};
}

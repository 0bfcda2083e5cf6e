// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers as an object and bytes from there, through casts, selects, phis and
// recurrences.
#include "ValueTranslator.h"

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
    auto *operation = llvm::dyn_cast<llvm::Operator>(current);
    if (!operation || !isPointerCast(*operation))
      break;
    current = operation->getOperand(0);
  }
  // A member of a struct is one object, however often it is read.
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(current))
    if (std::string member = structMember(*load); !member.empty())
      current = members.try_emplace(member, load).first->second;
  return {current, offset};
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
    auto place = llvm::find(bases, value.base);
    int64_t number = place - bases.begin();
    if (place == bases.end())
      bases.push_back(value.base);
    return value.offset + Expr(number * DistanceOfObjects);
  });
  if (!areKnown)
    return {};
  if (bases.size() == 1)
    return {bases.front(), offset};
  chosenObjects[&instruction].assign(bases.begin(), bases.end());
  return {&instruction, offset};
}

PointerValue ValueTranslator::translateCarriedPointer(llvm::PHINode &phi) {
  auto carried = carriedValue(phi);
  if (!carried || llvm::is_contained(active, &phi))
    return {};
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
    return {};
  if (next)
    if (auto offset = solveRecurrence(*carried, start.offset, *next))
      return {start.base, *offset};
  return {start.base, addDataSymbol(reason.empty() ? "phi" : reason, &phi)};
}

std::string ValueTranslator::structMember(const llvm::LoadInst &load) {
  const llvm::DataLayout &layout = load.getDataLayout();
  llvm::APInt offset(
      layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  const llvm::Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true);
  auto *argument = llvm::dyn_cast<llvm::Argument>(base);
  if (!argument || !argument->hasByValAttr())
    return "";
  return argumentName(argument->getArgNo(), offset.getZExtValue(),
                      /*isStruct=*/true);
}

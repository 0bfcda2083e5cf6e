// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BaseObjects.h"

#include "HostValues.h"
#include "KeptPointers.h"
#include "ValueTranslator.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace auspex;

bool auspex::isSharedArray(const llvm::Value &value) {
  auto *array = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  return array &&
         array->getAddressSpace() == llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
}

static MemorySpace spaceOf(unsigned addressSpace) {
  switch (addressSpace) {
  case llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return MemorySpace::Global;
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED:
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return MemorySpace::Shared;
  case llvm::NVPTXAS::ADDRESS_SPACE_CONST:
  case llvm::NVPTXAS::ADDRESS_SPACE_PARAM:
    return MemorySpace::Constant;
  case llvm::NVPTXAS::ADDRESS_SPACE_LOCAL:
    return MemorySpace::Local;
  default:
    return MemorySpace::Unknown;
  }
}

llvm::Value *auspex::ofOtherBlock(const llvm::Value *pointer) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(pointer);
  bool isMapped =
      call &&
      (call->getIntrinsicID() == llvm::Intrinsic::nvvm_mapa ||
       call->getIntrinsicID() == llvm::Intrinsic::nvvm_mapa_shared_cluster);
  return isMapped ? call->getArgOperand(0) : nullptr;
}

/// Casts between address spaces hide the object.
static llvm::Value *stripCasts(llvm::Value *value) {
  while (auto *operation = llvm::dyn_cast<llvm::Operator>(value)) {
    if (llvm::Value *here = ofOtherBlock(value)) {
      value = here;
      continue;
    }
    unsigned opcode = operation->getOpcode();
    if (opcode != llvm::Instruction::AddrSpaceCast &&
        opcode != llvm::Instruction::BitCast &&
        opcode != llvm::Instruction::GetElementPtr)
      break;
    value = operation->getOperand(0);
  }
  return value;
}

static llvm::Value *scevBase(llvm::Value *pointer,
                             llvm::ScalarEvolution &evolution) {
  if (!evolution.isSCEVable(pointer->getType()))
    return pointer;
  auto *base = llvm::dyn_cast<llvm::SCEVUnknown>(
      evolution.getPointerBase(evolution.getSCEV(pointer)));
  return base ? base->getValue() : pointer;
}

/// Why nothing is known of where \p base points to: the word for what it was
/// read from or came out of, on any way that leads to it.
static llvm::StringRef reasonOf(llvm::Value *base) {
  llvm::SmallSetVector<llvm::Value *, 8> values;
  values.insert(base);
  constexpr unsigned Most = 32;
  for (unsigned i = 0; i < values.size() && i < Most; ++i) {
    llvm::Value *value = values[i];
    if (llvm::StringRef reason = ValueTranslator::opaqueReason(value);
        !reason.empty())
      return reason;
    auto *operation = llvm::dyn_cast<llvm::Operator>(value);
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(value) ||
        (operation && stripCasts(value) != value))
      for (llvm::Value *operand : llvm::cast<llvm::User>(value)->operands())
        if (operand->getType()->isPointerTy())
          values.insert(operand);
  }
  return "pointer";
}

/// The space that \p pointers point to in common.
static MemorySpace commonSpace(llvm::ArrayRef<llvm::Value *> pointers,
                               llvm::ScalarEvolution &evolution) {
  std::optional<MemorySpace> common;
  for (llvm::Value *pointer : pointers) {
    MemorySpace space = describeBase(nullptr, pointer, evolution).space;
    if (space != common.value_or(space))
      return MemorySpace::Unknown;
    common = space;
  }
  return common.value_or(MemorySpace::Unknown);
}

static MemorySpace spaceOfChoice(const llvm::User &choice,
                                 llvm::ScalarEvolution &evolution) {
  llvm::SmallVector<llvm::Value *, 4> arms;
  for (llvm::Value *arm : choice.operands())
    if (arm->getType()->isPointerTy())
      arms.push_back(arm);
  return commonSpace(arms, evolution);
}

/// Of what \p load reads from a private array that was given pointers to
/// variables and arguments.
static MemorySpace spaceOfKept(llvm::LoadInst &load,
                               llvm::ScalarEvolution &evolution) {
  llvm::SmallVector<llvm::Value *, 4> pointers;
  for (const KeptPointer &kept : keptPointers(load)) {
    pointers.push_back(kept.store->getValueOperand());
    if (!llvm::isa<llvm::GlobalVariable, llvm::Argument>(
            llvm::getUnderlyingObject(pointers.back())))
      return MemorySpace::Unknown;
  }
  return commonSpace(pointers, evolution);
}

/// Where \p pointer comes from as far as one way leads there: a cast may hide
/// another recurrence, and so on; each step comes closer.
static llvm::Value *nearestBase(llvm::Value *pointer,
                                llvm::ScalarEvolution &evolution) {
  llvm::Value *base = scevBase(pointer, evolution);
  for (llvm::Value *stripped = stripCasts(base); stripped != base;
       stripped = stripCasts(base))
    base = scevBase(stripped, evolution);
  return base;
}

std::string auspex::nameOfChoice(llvm::ArrayRef<llvm::Value *> objects,
                                 llvm::ScalarEvolution &evolution) {
  std::string name;
  for (llvm::Value *each : objects) {
    BaseObject object = describeBase(each, each, evolution);
    if (object.name.empty() || object.space != MemorySpace::Global)
      return "";
    name += (name.empty() ? "" : "|") + object.name;
  }
  return name;
}

/// "arg0[]" for what pointers point to that are read from arg0, or by way of
/// such pointers; empty if \p load reads what has no name.
static std::string nameOfPointee(llvm::LoadInst &load,
                                 llvm::ScalarEvolution &evolution) {
  std::string name =
      describeBase(nullptr, load.getPointerOperand(), evolution).name;
  bool isPointee = llvm::StringRef(name).ends_with(PointeeMark);
  return name.empty() || isPointee ? name : name + PointeeMark;
}

BaseObject auspex::describeBase(llvm::Value *base, llvm::Value *pointer,
                                llvm::ScalarEvolution &evolution) {
  BaseObject object;
  object.space = spaceOf(pointer->getType()->getPointerAddressSpace());
  bool isChoice = base && llvm::isa<llvm::PHINode, llvm::SelectInst>(base);
  bool isPlaced = true;
  if (!base)
    base = nearestBase(pointer, evolution);
  MemorySpace space = spaceOf(base->getType()->getPointerAddressSpace());
  if (space != MemorySpace::Unknown)
    object.space = space;
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(base)) {
    object.name = symbolOf(*argument);
    if (argument->hasByValAttr())
      object.space = MemorySpace::Constant;
    else if (object.space == MemorySpace::Unknown)
      object.space = MemorySpace::Global;
  } else if (auto *global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    object.name = ("@" + global->getName()).str();
    object.space = spaceOf(global->getAddressSpace());
    if (object.space == MemorySpace::Unknown)
      object.space = MemorySpace::Global;
    // Dynamic shared memory is declared without a size.
    if (object.space == MemorySpace::Shared ||
        ((object.space == MemorySpace::Global ||
          object.space == MemorySpace::Constant) &&
         global->hasInitializer()))
      object.sizeInBytes =
          global->getDataLayout().getTypeAllocSize(global->getValueType());
  } else if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(base)) {
    object.name = slot->hasName() ? ("%" + slot->getName()).str() : "%local";
    object.space = MemorySpace::Local;
  } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(base)) {
    object.name = hostValue(*load);
    isPlaced = !object.name.empty();
    if (!isPlaced && object.space == MemorySpace::Unknown)
      object.space = spaceOfKept(*load, evolution);
    if (!isPlaced && object.space == MemorySpace::Unknown)
      object.name = nameOfPointee(*load, evolution);
  } else if (isChoice) {
    if (object.space == MemorySpace::Unknown)
      object.space = spaceOfChoice(*llvm::cast<llvm::User>(base), evolution);
    object.isChoice = object.space != MemorySpace::Unknown;
  }
  isPlaced &= !object.name.empty();
  object.reason = isPlaced ? "" : reasonOf(base);
  // A pointer that is read from somewhere points to global memory as good as
  // always.
  if (object.space == MemorySpace::Unknown &&
      (!object.name.empty() || object.reason == "indirect"))
    object.space = MemorySpace::Global;
  return object;
}

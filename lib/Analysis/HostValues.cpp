// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostValues.h"

#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace auspex;

std::string auspex::symbolOf(const llvm::Argument &argument) {
  return "arg" + std::to_string(argument.getArgNo());
}

/// Whether \p user is the compiler's list of what has to stay in the module.
static bool isListOfUsed(const llvm::User &user) {
  return llvm::isa<llvm::ConstantAggregate>(user) &&
         llvm::all_of(user.users(), [](const llvm::User *list) {
           return list->getName() == "llvm.used" ||
                  list->getName() == "llvm.compiler.used";
         });
}

/// Whether code of the GPU does no more with \p address than to read there.
static bool isOnlyRead(const llvm::Value &address) {
  return llvm::all_of(address.users(), [](const llvm::User *user) {
    bool leadsOn =
        llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user);
    return llvm::isa<llvm::LoadInst>(user) || isListOfUsed(*user) ||
           (leadsOn && isOnlyRead(*user));
  });
}

static bool isHostVariable(const llvm::GlobalVariable &variable) {
  // Large ones are tables, of which no single number counts.
  constexpr uint64_t Largest = 4096;
  llvm::Type *type = variable.getValueType();
  if (!type->isSized() ||
      variable.getDataLayout().getTypeAllocSize(type) > Largest)
    return false;
  switch (variable.getAddressSpace()) {
  case llvm::NVPTXAS::ADDRESS_SPACE_CONST:
    return true;
  case llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return isOnlyRead(variable);
  default:
    return false;
  }
}

/// The load behind \p value and how many bytes into what it reads that is; no
/// load for other values.
static std::pair<const llvm::LoadInst *, uint64_t>
loadBehind(const llvm::Value &value) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (load)
    return {load, 0};
  auto *element = llvm::dyn_cast<llvm::ExtractElementInst>(&value);
  auto *index =
      element ? llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand())
              : nullptr;
  if (!index)
    return {nullptr, 0};
  load = llvm::dyn_cast<llvm::LoadInst>(element->getVectorOperand());
  uint64_t size = element->getDataLayout().getTypeStoreSize(element->getType());
  return {load, index->getZExtValue() * size};
}

/// Where \p load reads: the object, and bytes from there.
static std::pair<const llvm::Value *, uint64_t>
placeRead(const llvm::LoadInst &load) {
  const llvm::DataLayout &layout = load.getDataLayout();
  const llvm::Value *pointer = load.getPointerOperand();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value *object = pointer->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  return {object, offset.getZExtValue()};
}

std::string auspex::hostValue(const llvm::Value &value) {
  auto [load, part] = loadBehind(value);
  if (!load)
    return "";
  auto [object, offset] = placeRead(*load);
  std::string byte = "." + std::to_string(offset + part);
  auto *argument = llvm::dyn_cast<llvm::Argument>(object);
  if (argument && argument->hasByValAttr())
    return symbolOf(*argument) + byte;
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  bool isOne = variable && !value.getType()->isVectorTy();
  return isOne && isHostVariable(*variable)
             ? ("@" + sourceName(variable->getName())).str() + byte
             : "";
}

Argument auspex::describe(llvm::StringRef name, llvm::Type &type,
                          const llvm::DataLayout &layout) {
  Argument result;
  result.name = name.str();
  result.sizeInBytes = layout.getTypeAllocSize(&type).getFixedValue();
  result.kind = type.isPointerTy()         ? Argument::Kind::Pointer
                : type.isIntegerTy()       ? Argument::Kind::Integer
                : type.isFloatingPointTy() ? Argument::Kind::Float
                                           : Argument::Kind::Struct;
  return result;
}

std::vector<Argument> auspex::hostVariables(const llvm::Function &function) {
  llvm::SmallSetVector<const llvm::GlobalVariable *, 4> variables;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::LoadInst *load = loadBehind(instruction).first;
    auto *variable =
        load ? llvm::dyn_cast<llvm::GlobalVariable>(placeRead(*load).first)
             : nullptr;
    if (variable && isHostVariable(*variable))
      variables.insert(variable);
  }
  std::vector<Argument> result;
  for (const llvm::GlobalVariable *variable : variables)
    result.push_back(describe(sourceName(variable->getName()),
                              *variable->getValueType(),
                              variable->getDataLayout()));
  return result;
}

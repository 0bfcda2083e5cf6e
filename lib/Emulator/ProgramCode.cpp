// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProgramCode.h"

#include "Decoder.h"
#include "auspex/Support/Error.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <cstdlib>

using namespace auspex;
using namespace auspex::emulator;

ProgramCode::~ProgramCode() {
  for (void *pointer : owned) {
    memory.remove(pointer);
    std::free(pointer);
  }
}

void emulator::forScalars(
    llvm::Type *type, uint64_t offset, const llvm::DataLayout &layout,
    llvm::function_ref<void(const llvm::Type *, uint64_t)> visit) {
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout *members = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      forScalars(structure->getElementType(i),
                 offset + members->getElementOffset(i), layout, visit);
  } else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t stride = layout.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      forScalars(array->getElementType(), offset + i * stride, layout, visit);
  } else {
    visit(type, offset);
  }
}

std::vector<ParameterPlace>
emulator::placeParameters(const llvm::Function &kernel) {
  const llvm::DataLayout &layout = kernel.getDataLayout();
  std::vector<ParameterPlace> places;
  uint64_t offset = 0;
  for (const llvm::Argument &argument : kernel.args()) {
    bool isStruct = argument.hasByValAttr();
    llvm::Type *type =
        isStruct ? argument.getParamByValType() : argument.getType();
    llvm::Align align = layout.getABITypeAlign(type);
    if (isStruct)
      align = std::max(align, argument.getParamAlign().valueOrOne());
    offset = llvm::alignTo(offset, align);
    uint64_t size = layout.getTypeAllocSize(type);
    places.push_back({offset, size});
    offset += size;
  }
  places.push_back({offset, 0});
  return places;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Code &ProgramCode::shellOf(const llvm::Function &function) {
  auto &code = codes[&function];
  if (!code) {
    code = std::make_unique<Code>();
    code->function = &function;
    code->isKernel = function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
    undecoded.push_back(&function);
  }
  return *code;
}

/// What is missing in a function is missing to the kernel that calls it.
static llvm::Error inCallee(llvm::Error error, const llvm::Function &kernel) {
  return llvm::handleErrors(
      std::move(error),
      [&](std::unique_ptr<EmulationFault> fault) -> llvm::Error {
        fault->message = "calls '" + llvm::demangle(fault->kernel) +
                         "', which " + fault->message;
        fault->kernel = kernel.getName().str();
        return llvm::Error(std::move(fault));
      });
}

llvm::Expected<Code *> ProgramCode::decode(const llvm::Function &function) {
  Code &code = shellOf(function);
  if (code.operations.empty())
    undecoded.push_back(&function);
  // With all that it calls, so that what is missing is known at once. What
  // cannot be decoded stays a shell: pointers to it may be anywhere.
  llvm::Error problem = llvm::Error::success();
  while (!undecoded.empty()) {
    const llvm::Function *next = undecoded.back();
    undecoded.pop_back();
    if (next->isDeclaration() || !codes[next]->operations.empty())
      continue;
    Code &nextCode = *codes[next];
    if (llvm::Error error = Decoder(*this, nextCode).run()) {
      bool isKernel = nextCode.isKernel;
      nextCode = Code();
      nextCode.function = next;
      nextCode.isKernel = isKernel;
      if (problem)
        llvm::consumeError(std::move(error));
      else if (next == &function)
        problem = std::move(error);
      else
        problem = inCallee(std::move(error), function);
    }
  }
  if (problem)
    return std::move(problem);
  return &code;
}

uint64_t ProgramCode::addressOf(const llvm::Function &function) {
  return reinterpret_cast<uint64_t>(&shellOf(function));
}

Code *ProgramCode::codeAt(uint64_t address) const {
  for (const auto &[function, code] : codes)
    if (reinterpret_cast<uint64_t>(code.get()) == address &&
        !function->isDeclaration())
      return code.get();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static bool isShared(const llvm::GlobalVariable &variable) {
  return variable.getAddressSpace() == llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
}

llvm::Error ProgramCode::placeVariables() {
  for (const llvm::GlobalVariable &variable : module.globals()) {
    if (isShared(variable) || variable.getName().starts_with("llvm."))
      continue;
    if (variable.isDeclaration() && !variable.use_empty())
      return makeInputError({module.getModuleIdentifier(), 0, ""},
                            "the variable '" + variable.getName() +
                                "' is used but not defined; link the module "
                                "that defines it");
    if (variable.isDeclaration())
      continue;
    Allocation allocation;
    allocation.name = variable.getName().str();
    allocation.sizeInBytes = layout().getTypeAllocSize(variable.getValueType());
    allocation.begin = DeviceMemory::place(allocation.sizeInBytes);
    if (!allocation.begin)
      return makeInputError({module.getModuleIdentifier(), 0, ""},
                            "there is no memory for the variable '" +
                                variable.getName() + "'");
    std::memset(allocation.begin, 0, allocation.sizeInBytes);
    owned.push_back(allocation.begin);
    memory.add(allocation);
    variables[&variable] = std::move(allocation);
  }
  // Values may be addresses of others.
  for (const llvm::GlobalVariable &variable : module.globals())
    if (auto place = variables.find(&variable); place != variables.end())
      if (llvm::Error error =
              initialize(*variable.getInitializer(), place->second.begin))
        return error;
  return llvm::Error::success();
}

llvm::Error ProgramCode::initialize(const llvm::Constant &value, char *at) {
  llvm::Type *type = value.getType();
  uint64_t size = layout().getTypeStoreSize(type);
  if (llvm::isa<llvm::UndefValue>(value) || value.isNullValue()) {
    std::memset(at, 0, size);
    return llvm::Error::success();
  }
  if (auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
    llvm::StringRef bytes = data->getRawDataValues();
    std::memcpy(at, bytes.data(), bytes.size());
    return llvm::Error::success();
  }
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout *members = layout().getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      if (llvm::Error error =
              initialize(*value.getAggregateElement(i),
                         at + members->getElementOffset(i).getFixedValue()))
        return error;
    return llvm::Error::success();
  }
  if (type->isArrayTy() || type->isVectorTy()) {
    bool isArray = type->isArrayTy();
    llvm::Type *element =
        isArray ? type->getArrayElementType() : type->getScalarType();
    uint64_t stride = isArray
                          ? layout().getTypeAllocSize(element).getFixedValue()
                          : layout().getTypeStoreSize(element).getFixedValue();
    uint64_t count =
        isArray ? type->getArrayNumElements()
                : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    for (unsigned i = 0; i < count; ++i)
      if (llvm::Error error =
              initialize(*value.getAggregateElement(i), at + i * stride))
        return error;
    return llvm::Error::success();
  }
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    llvm::APInt bits =
        integer->getValue().zext(llvm::alignTo(integer->getBitWidth(), 64));
    std::memcpy(at, bits.getRawData(), size);
    return llvm::Error::success();
  }
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(&value)) {
    llvm::APInt bits = number->getValueAPF().bitcastToAPInt();
    std::memcpy(at, bits.getRawData(), size);
    return llvm::Error::success();
  }
  std::optional<ConstantAddress> address = evaluate(value);
  if (!address || address->shared)
    return makeInputError({module.getModuleIdentifier(), 0, ""},
                          "a variable's first value cannot be evaluated");
  std::memcpy(at, &address->value, std::min<uint64_t>(size, 8));
  return llvm::Error::success();
}

std::optional<ConstantAddress>
ProgramCode::evaluate(const llvm::Constant &constant) {
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return ConstantAddress{integer->getValue().extractBitsAsZExtValue(
                               std::min(64u, integer->getBitWidth()), 0),
                           nullptr};
  if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant))
    return ConstantAddress{};
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    if (isShared(*variable))
      return ConstantAddress{0, variable};
    auto place = variables.find(variable);
    if (place == variables.end())
      return std::nullopt;
    return ConstantAddress{reinterpret_cast<uint64_t>(place->second.begin),
                           nullptr};
  }
  if (auto *function = llvm::dyn_cast<llvm::Function>(&constant))
    return ConstantAddress{addressOf(*function), nullptr};
  if (auto *alias = llvm::dyn_cast<llvm::GlobalAlias>(&constant))
    return evaluate(*alias->getAliasee());
  if (auto *element = llvm::dyn_cast<llvm::GEPOperator>(&constant)) {
    llvm::APInt offset(64, 0);
    std::optional<ConstantAddress> base =
        evaluate(*llvm::cast<llvm::Constant>(element->getPointerOperand()));
    if (!base || !element->accumulateConstantOffset(layout(), offset))
      return std::nullopt;
    base->value += static_cast<uint64_t>(offset.getSExtValue());
    return base;
  }
  auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  if (!expression)
    return std::nullopt;
  std::optional<ConstantAddress> first = evaluate(*expression->getOperand(0));
  if (!first)
    return std::nullopt;
  switch (expression->getOpcode()) {
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
    return first;
  case llvm::Instruction::Trunc:
    return first->shared && expression->getType()->getIntegerBitWidth() < 32
               ? std::nullopt
               : first;
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub: {
    std::optional<ConstantAddress> second =
        evaluate(*expression->getOperand(1));
    if (!second || second->shared)
      return std::nullopt;
    first->value += expression->getOpcode() == llvm::Instruction::Add
                        ? second->value
                        : 0 - second->value;
    return first;
  }
  default:
    return std::nullopt;
  }
}

std::optional<Allocation> ProgramCode::variable(llvm::StringRef name) const {
  const llvm::GlobalVariable *variable = module.getNamedGlobal(name);
  auto place = variables.find(variable);
  if (!variable || place == variables.end())
    return std::nullopt;
  return place->second;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The shared arrays that \p kernel uses, itself or through what it calls.
static llvm::SmallSetVector<const llvm::GlobalVariable *, 8>
usedArrays(const llvm::Function &kernel) {
  llvm::SmallSetVector<const llvm::GlobalVariable *, 8> arrays;
  llvm::SmallSetVector<const llvm::Value *, 32> seen;
  seen.insert(&kernel);
  for (size_t i = 0; i < seen.size(); ++i) {
    const llvm::Value *value = seen[i];
    auto visit = [&](const llvm::User &user) {
      for (const llvm::Value *operand : user.operands())
        if (llvm::isa<llvm::Constant>(operand))
          seen.insert(operand);
    };
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
      if (isShared(*variable))
        arrays.insert(variable);
    } else if (auto *function = llvm::dyn_cast<llvm::Function>(value)) {
      for (const llvm::BasicBlock &block : *function)
        for (const llvm::Instruction &instruction : block)
          visit(instruction);
    } else {
      visit(*llvm::cast<llvm::User>(value));
    }
  }
  return arrays;
}

const SharedLayout &ProgramCode::sharedLayout(const llvm::Function &kernel) {
  auto [entry, isNew] = layouts.try_emplace(&kernel);
  SharedLayout &result = entry->second;
  if (!isNew)
    return result;
  auto arrays = usedArrays(kernel);
  uint64_t end = 0, alignment = 16;
  for (const llvm::GlobalVariable *array : arrays) {
    uint64_t size = layout().getTypeAllocSize(array->getValueType());
    uint64_t align = array->getAlign().valueOrOne().value();
    if (size == 0) {
      alignment = std::max(alignment, align);
      continue;
    }
    // Counts are of offsets from a base that lines and banks begin at.
    result.staticInBytes = llvm::alignTo(result.staticInBytes, align) + size;
    end = llvm::alignTo(end, std::max(align, DeviceMemory::Alignment));
    result.offsets[array] = end;
    result.arrays.emplace_back(end, end + size);
    end += size;
  }
  result.dynamicOffset =
      llvm::alignTo(end, std::max(alignment, DeviceMemory::Alignment));
  for (const llvm::GlobalVariable *array : arrays)
    if (layout().getTypeAllocSize(array->getValueType()) == 0)
      result.offsets[array] = result.dynamicOffset;
  if (result.staticInBytes == 0)
    result.dynamicOffset = 0;
  return result;
}

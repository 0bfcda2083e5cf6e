// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MachineMemory.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <numeric>

using namespace auspex;

InstructionClass auspex::memoryClass(const llvm::MachineInstr &instruction) {
  unsigned space = llvm::NVPTXAS::ADDRESS_SPACE_GENERIC;
  for (const llvm::MachineMemOperand *operand : instruction.memoperands())
    space = std::max(space, operand->getAddrSpace());
  bool load = instruction.mayLoad(), store = instruction.mayStore();
  using enum InstructionClass;
  switch (space) {
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED:
  case llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return load && store ? AtomicShared : load ? LoadShared : StoreShared;
  case llvm::NVPTXAS::ADDRESS_SPACE_LOCAL:
    return load ? LoadLocal : StoreLocal;
  case llvm::NVPTXAS::ADDRESS_SPACE_CONST:
    return LoadConstant;
  case llvm::NVPTXAS::ADDRESS_SPACE_PARAM:
    return Move;
  default:
    return load && store ? AtomicGlobal : load ? LoadGlobal : StoreGlobal;
  }
}

bool auspex::isReadOnlyLoad(llvm::StringRef opcode) {
  return opcode.starts_with("LD_GLOBAL_NC") || opcode.starts_with("LDU");
}

static bool readsRegister(const llvm::MachineInstr &instruction) {
  return llvm::any_of(
      instruction.all_uses(),
      [](const llvm::MachineOperand &use) { return use.getReg().isVirtual(); });
}

bool auspex::readsParameter(const llvm::MachineInstr &instruction) {
  return instruction.mayLoad() &&
         memoryClass(instruction) == InstructionClass::Move;
}

bool auspex::readsConstantPlace(const llvm::MachineInstr &instruction) {
  return instruction.mayLoad() && !readsRegister(instruction) &&
         memoryClass(instruction) == InstructionClass::LoadConstant;
}

bool auspex::isLaunchSize(llvm::StringRef opcode) {
  return opcode.starts_with("INT_PTX_SREG_NTID") ||
         opcode.starts_with("INT_PTX_SREG_NCTAID");
}

const llvm::Value *
auspex::privateArrayOf(const llvm::MachineInstr &instruction) {
  for (const llvm::MachineMemOperand *operand : instruction.memoperands())
    if (operand->getValue())
      if (const auto *array = llvm::dyn_cast<llvm::AllocaInst>(
              llvm::getUnderlyingObject(operand->getValue())))
        return array;
  return nullptr;
}

/// The lowest power of two by which \p value may differ from its other values.
static uint64_t stepOf(const llvm::Value *value,
                       const llvm::DataLayout &layout) {
  llvm::KnownBits bits = llvm::computeKnownBits(value, layout);
  return uint64_t(1) << std::min(32u, (bits.Zero | bits.One).countr_one());
}

/// The same of the offset of \p place in its alloca; 0 if it is constant.
static uint64_t stepOfPlace(const llvm::Value *place,
                            const llvm::DataLayout &layout) {
  uint64_t step = 0;
  while (!llvm::isa<llvm::AllocaInst>(place)) {
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(place)) {
      place = cast->getPointerOperand();
      continue;
    }
    auto *element = llvm::dyn_cast<llvm::GEPOperator>(place);
    unsigned width = layout.getIndexTypeSizeInBits(place->getType());
    llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> indices;
    llvm::APInt constant(width, 0);
    if (!element || !element->collectOffset(layout, width, indices, constant))
      return 1;
    for (const auto &[index, scale] : indices)
      step = std::gcd(step, scale.getZExtValue() * stepOf(index, layout));
    place = element->getPointerOperand();
  }
  return step & -step;
}

uint64_t auspex::stepInPrivateArray(const llvm::MachineInstr &instruction) {
  const llvm::DataLayout &layout =
      instruction.getMF()->getFunction().getDataLayout();
  uint64_t step = 0;
  for (const llvm::MachineMemOperand *operand : instruction.memoperands())
    step = std::gcd(step, operand->getValue()
                              ? stepOfPlace(operand->getValue(), layout)
                              : 1);
  return step;
}

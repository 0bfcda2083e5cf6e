// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MachineMemory.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

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

const llvm::Value *
auspex::privateArrayOf(const llvm::MachineInstr &instruction) {
  for (const llvm::MachineMemOperand *operand : instruction.memoperands())
    if (operand->getValue())
      if (const auto *array = llvm::dyn_cast<llvm::AllocaInst>(
              llvm::getUnderlyingObject(operand->getValue())))
        return array;
  return nullptr;
}

bool auspex::isAtKnownPlace(const llvm::MachineInstr &instruction) {
  const llvm::DataLayout &layout =
      instruction.getMF()->getFunction().getDataLayout();
  return llvm::all_of(
      instruction.memoperands(), [&](const llvm::MachineMemOperand *operand) {
        const llvm::Value *place = operand->getValue();
        if (!place)
          return false;
        llvm::APInt offset(layout.getIndexTypeSizeInBits(place->getType()), 0);
        return llvm::isa<llvm::AllocaInst>(
            place->stripAndAccumulateConstantOffsets(layout, offset, true));
      });
}

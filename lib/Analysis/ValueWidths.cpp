// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ValueWidths.h"

#include "HalfFusion.h"
#include "MachineMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace auspex;

ValueWidths::ValueWidths(const llvm::MachineFunction &machine)
    : MachineValues(machine), known(registers.getNumVirtRegs()) {
  findSharing(machine);
}

void ValueWidths::findSharing(const llvm::MachineFunction &machine) {
  HalfFusion halfFusion(machine);
  for (const llvm::MachineBasicBlock &block : machine) {
    HalfPairs pairs(machine, halfFusion);
    for (const llvm::MachineInstr &instruction : block) {
      bool isUpper =
          pairs.isGone(instruction) && halfFusion.calculatesHalves(instruction);
      if (instruction.isCopyLike() || nameOf(instruction) == "MOV_B16_r")
        isUpper = sharing.contains(instruction.getOperand(1).getReg());
      if (isUpper)
        for (const llvm::MachineOperand &operand : instruction.all_defs())
          sharing.insert(operand.getReg());
    }
  }
}

llvm::Register ValueWidths::holderOf(llvm::Register reg) const {
  std::optional<llvm::Register> &holder = knownOf(reg).holder;
  if (!holder)
    holder = findHolder(reg);
  return *holder;
}

unsigned ValueWidths::of(llvm::Register reg) const {
  std::optional<unsigned> &width = knownOf(reg).width;
  if (!width)
    width = findWidth(reg);
  return *width;
}

bool ValueWidths::isUniform(llvm::Register reg) const {
  constexpr unsigned MostSteps = 6;
  std::optional<bool> &uniform = knownOf(reg).isUniform;
  if (!uniform)
    uniform = isUniform(reg, MostSteps);
  return *uniform;
}

llvm::Register ValueWidths::findHolder(llvm::Register reg) const {
  while (const llvm::MachineInstr *step = baseStepOf(reg))
    reg = step->getOperand(1).getReg();
  const llvm::MachineInstr *source = registers.getUniqueVRegDef(reg);
  return source && isOperand(*source) ? llvm::Register() : reg;
}

unsigned ValueWidths::findWidth(llvm::Register reg) const {
  unsigned bits = registers.getTargetRegisterInfo()
                      ->getRegSizeInBits(*registers.getRegClass(reg))
                      .getFixedValue();
  if (bits == 1 || sharing.contains(reg))
    return 0;
  if (bits == 64 && isNarrowAddress(reg))
    return 1;
  return (bits + 31) / 32;
}

/// Whether \p reg, of 32 bits, goes to loads, stores and inline assembly alone,
/// which is there to load and store.
bool ValueWidths::isOnlyAddress(llvm::Register reg) const {
  return llvm::all_of(registers.use_nodbg_instructions(reg),
                      [](const llvm::MachineInstr &use) {
                        return use.isInlineAsm() || !use.memoperands_empty();
                      });
}

/// What makes \p reg from another value by adding a constant; null if nothing
/// does.
const llvm::MachineInstr *ValueWidths::baseStepOf(llvm::Register reg) const {
  const llvm::MachineInstr *source = registers.getUniqueVRegDef(reg);
  if (!source)
    return nullptr;
  llvm::StringRef opcode = nameOf(*source);
  bool isStep = opcode == "ADD64ri" || opcode.starts_with("cvta") ||
                (opcode == "ADD32ri" && isOnlyAddress(reg));
  return isStep && source->getOperand(1).isReg() &&
                 source->getOperand(1).getReg().isVirtual()
             ? source
             : nullptr;
}

bool ValueWidths::isOperand(const llvm::MachineInstr &source) const {
  llvm::StringRef opcode = nameOf(source);
  return opcode.starts_with("MOV_") || isLaunchSize(opcode) ||
         readsParameter(source) || readsConstantPlace(source);
}

bool ValueWidths::isUniform(llvm::Register reg, unsigned depth) const {
  auto [known, isNew] = uniform.insert({reg, false});
  if (!isNew)
    return known->second;
  const llvm::MachineInstr *source = registers.getUniqueVRegDef(reg);
  if (!source || depth == 0)
    return false;
  llvm::StringRef opcode = nameOf(*source);
  bool isUniformOne =
      isOperand(*source) || opcode.starts_with("INT_PTX_SREG_CTAID") ||
      (!opcode.starts_with("INT_PTX_SREG") && !source->mayLoad() &&
       !source->isCall() && !source->isPHI() &&
       llvm::all_of(source->all_uses(), [&](const llvm::MachineOperand &use) {
         return !use.getReg().isVirtual() || isUniform(use.getReg(), depth - 1);
       }));
  return uniform[reg] = isUniformOne;
}

bool ValueWidths::isNarrowAddress(llvm::Register reg, unsigned depth) const {
  // A value that comes back to itself adds nothing to the answer.
  auto [known, isNew] = narrow.insert({reg, true});
  if (!isNew)
    return known->second;
  bool isNarrow = depth > 0 && !registers.use_nodbg_empty(reg) &&
                  llvm::all_of(registers.use_nodbg_instructions(reg),
                               [&](const llvm::MachineInstr &use) {
                                 return usesAsNarrowAddress(use, reg, depth);
                               });
  return narrow[reg] = isNarrow;
}

bool ValueWidths::usesAsNarrowAddress(const llvm::MachineInstr &use,
                                      llvm::Register reg,
                                      unsigned depth) const {
  llvm::StringRef opcode = nameOf(use);
  if (opcode == "ADD64ri" || opcode == "ADD64rr" || opcode == "COPY") {
    llvm::Register result = use.getOperand(0).getReg();
    return result.isVirtual() &&
           (result == reg || isNarrowAddress(result, depth - 1));
  }
  return !use.memoperands_empty() &&
         llvm::all_of(use.memoperands(),
                      [](const llvm::MachineMemOperand *operand) {
                        unsigned space = operand->getAddrSpace();
                        return space == llvm::NVPTXAS::ADDRESS_SPACE_SHARED ||
                               space == llvm::NVPTXAS::ADDRESS_SPACE_LOCAL;
                      });
}

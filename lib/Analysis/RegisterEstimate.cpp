// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FunctionReader.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#include <algorithm>

using namespace auspex;

namespace {
/// Registers that hold a value at some point.
using LiveSet = llvm::DenseSet<unsigned>;

/// Liveness of virtual registers, by data flow over blocks.
class Liveness {
public:
  explicit Liveness(const llvm::MachineFunction &machine)
      : machine(machine), registers(machine.getRegInfo()),
        opcodes(*machine.getSubtarget().getInstrInfo()) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const llvm::MachineBasicBlock &block : llvm::reverse(machine)) {
        LiveSet live = liveAtStart(block);
        if (live.size() != liveIn[&block].size()) {
          liveIn[&block] = std::move(live);
          changed = true;
        }
      }
    }
  }

  /// The most 32-bit values alive at once.
  unsigned most() {
    unsigned most = 0;
    for (const llvm::MachineBasicBlock &block : machine)
      liveAtStart(block, &most);
    return most;
  }

  /// The same if ptxas issues the loads of a block together that wait for no
  /// other load of it: at its start, and after each barrier.
  unsigned mostWithLoadsTogether() {
    unsigned most = 0;
    for (const llvm::MachineBasicBlock &block : machine) {
      unsigned width = 0;
      for (unsigned reg : liveAtStart(block))
        width += widthOf(llvm::Register(reg));
      most = std::max(most, width + loadsTogether(block));
    }
    return most;
  }

private:
  const llvm::MachineFunction &machine;
  const llvm::MachineRegisterInfo &registers;
  const llvm::TargetInstrInfo &opcodes;
  llvm::DenseMap<const llvm::MachineBasicBlock *, LiveSet> liveIn;

  /// Walks a block backwards; \p most, if given, is raised to the widest point.
  LiveSet liveAtStart(const llvm::MachineBasicBlock &block,
                      unsigned *most = nullptr) {
    LiveSet live;
    for (const llvm::MachineBasicBlock *next : block.successors())
      live.insert_range(liveIn[next]);
    unsigned width = 0;
    for (unsigned reg : live)
      width += widthOf(llvm::Register(reg));
    for (const llvm::MachineInstr &instruction : llvm::reverse(block)) {
      if (instruction.isDebugInstr())
        continue;
      for (const llvm::MachineOperand &operand : instruction.all_defs())
        if (operand.getReg().isVirtual() && live.erase(operand.getReg().id()))
          width -= widthOf(operand.getReg());
      for (const llvm::MachineOperand &operand : instruction.all_uses()) {
        llvm::Register reg = operand.getReg();
        if (reg.isVirtual() && !isRematerialized(reg) &&
            live.insert(reg.id()).second)
          width += widthOf(reg);
      }
      if (most)
        *most = std::max(*most, width);
    }
    return live;
  }

  /// Registers of the loads between two barriers that wait for no other.
  unsigned loadsTogether(const llvm::MachineBasicBlock &block) const {
    LiveSet fromLoads;
    unsigned most = 0, width = 0;
    for (const llvm::MachineInstr &instruction : block) {
      if (instruction.isDebugInstr())
        continue;
      if (nameOf(instruction).contains("BAR")) {
        fromLoads.clear();
        width = 0;
      }
      bool waits = llvm::any_of(
          instruction.all_uses(), [&](const llvm::MachineOperand &operand) {
            return operand.getReg().isVirtual() &&
                   fromLoads.contains(operand.getReg().id());
          });
      bool isLoad = instruction.mayLoad() && !instruction.mayStore() &&
                    !readsParameter(instruction);
      if (!isLoad && !waits)
        continue;
      for (const llvm::MachineOperand &operand : instruction.all_defs()) {
        if (!operand.getReg().isVirtual())
          continue;
        fromLoads.insert(operand.getReg().id());
        if (!waits)
          width += widthOf(operand.getReg());
      }
      most = std::max(most, width);
    }
    return most;
  }

  /// 32-bit registers of a virtual register; predicates have their own.
  unsigned widthOf(llvm::Register reg) const {
    unsigned bits = registers.getTargetRegisterInfo()
                        ->getRegSizeInBits(*registers.getRegClass(reg))
                        .getFixedValue();
    return bits == 1 ? 0 : (bits + 31) / 32;
  }

  /// Parameters and constants are operands wherever they are used.
  bool isRematerialized(llvm::Register reg) const {
    const llvm::MachineInstr *source = registers.getUniqueVRegDef(reg);
    while (source && nameOf(*source).starts_with("cvta"))
      source = registers.getUniqueVRegDef(source->getOperand(1).getReg());
    if (!source)
      return false;
    llvm::StringRef name = nameOf(*source);
    return name.starts_with("MOV_") || name.starts_with("INT_PTX_SREG_NTID") ||
           name.starts_with("INT_PTX_SREG_NCTAID") || readsParameter(*source);
  }

  llvm::StringRef nameOf(const llvm::MachineInstr &instruction) const {
    return opcodes.getName(instruction.getOpcode());
  }
};
} // namespace

/// About 7.3 + 0.81 for each live 32-bit value, and half of what loads that are
/// issued together add to these, up to the 32 registers with which an SM is
/// full. Fitted on some 400 kernels assembled by ptxas (median error 15 %).
unsigned auspex::estimateRegisters(const llvm::MachineFunction &machine) {
  constexpr double Fixed = 7.3, PerValue = 0.81, PerEarlyLoad = 0.5;
  constexpr unsigned Most = 255, Full = 32;
  Liveness liveness(machine);
  unsigned live = liveness.most();
  unsigned early =
      std::max(live, std::min(Full, liveness.mostWithLoadsTogether()));
  double registers = Fixed + PerValue * live + PerEarlyLoad * (early - live);
  return std::min(Most, static_cast<unsigned>(registers + 0.5));
}

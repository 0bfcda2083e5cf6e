// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RegisterEstimate.h"

#include "FunctionReader.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
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
    auto widen = [&](unsigned width, const LiveSet &) {
      most = std::max(most, width);
    };
    for (const llvm::MachineBasicBlock &block : machine)
      liveAtStart(block, widen);
    return most;
  }

  /// Spills values until no more than \p most 32-bit values are alive at once:
  /// of those alive where there are more, the ones that are accessed least, by
  /// \p costOf. Says which, and how many 32-bit values they hold.
  std::vector<std::pair<llvm::Register, unsigned>>
  spill(unsigned most, llvm::function_ref<double(llvm::Register)> costOf) {
    std::vector<std::pair<llvm::Register, unsigned>> chosen;
    llvm::DenseMap<unsigned, double> costs;
    auto costPerWidth = [&](unsigned reg) {
      auto [cost, isNew] = costs.insert({reg, 0});
      if (isNew)
        cost->second =
            costOf(llvm::Register(reg)) / widthOf(llvm::Register(reg));
      return std::pair(cost->second, reg);
    };
    auto spillOver = [&](unsigned &width, const LiveSet &live) {
      while (width > most) {
        std::optional<std::pair<double, unsigned>> cheapest;
        for (unsigned reg : live)
          if (widthOf(llvm::Register(reg)) &&
              (!cheapest || costPerWidth(reg) < *cheapest))
            cheapest = costPerWidth(reg);
        if (!cheapest)
          break;
        llvm::Register reg(cheapest->second);
        chosen.emplace_back(reg, widthOf(reg));
        width -= widthOf(reg);
        spilled.insert(reg.id());
      }
    };
    for (const llvm::MachineBasicBlock &block : machine)
      liveAtStart(block, spillOver);
    return chosen;
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
  LiveSet spilled;

  using Visitor = llvm::function_ref<void(unsigned &width, const LiveSet &)>;

  /// Walks a block backwards; \p visit, if given, sees what is alive before
  /// each instruction.
  LiveSet liveAtStart(const llvm::MachineBasicBlock &block,
                      Visitor visit = nullptr) {
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
      if (visit)
        visit(width, live);
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
    if (spilled.contains(reg.id()))
      return 0;
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
static constexpr double Fixed = 7.3, PerValue = 0.81, PerEarlyLoad = 0.5;

static unsigned unlimitedRegisters(Liveness &liveness) {
  constexpr unsigned Full = 32;
  unsigned live = liveness.most();
  unsigned early =
      std::max(live, std::min(Full, liveness.mostWithLoadsTogether()));
  double registers = Fixed + PerValue * live + PerEarlyLoad * (early - live);
  return static_cast<unsigned>(registers + 0.5);
}

namespace {
/// Where values are stored and loaded once they have no register: each block
/// that defines one stores it once, each that uses it loads it once.
class SpillPlaces {
public:
  using Blocks = llvm::SmallSetVector<const llvm::MachineBasicBlock *, 4>;

  explicit SpillPlaces(const llvm::MachineFunction &machine)
      : registers(machine.getRegInfo()) {}

  Blocks stores(llvm::Register reg) const {
    return blocksOf(registers.def_instructions(reg));
  }
  Blocks loads(llvm::Register reg) const {
    return blocksOf(registers.use_nodbg_instructions(reg));
  }

private:
  const llvm::MachineRegisterInfo &registers;

  template <class Instructions> static Blocks blocksOf(Instructions range) {
    Blocks blocks;
    for (const llvm::MachineInstr &instruction : range)
      blocks.insert(instruction.getParent());
    return blocks;
  }
};
} // namespace

RegisterUse auspex::estimateRegisters(
    const llvm::MachineFunction &machine, unsigned allowed,
    const AssembledKernel *assembled,
    llvm::function_ref<double(const llvm::MachineBasicBlock &)> weightOf) {
  Liveness liveness(machine);
  RegisterUse use;
  use.unlimited = unlimitedRegisters(liveness);
  use.registers = std::min(use.unlimited, allowed);
  if (assembled)
    use.registers = assembled->registers;
  bool spills =
      assembled
          ? assembled->spillStoresInBytes + assembled->spillLoadsInBytes > 0
          : use.unlimited > use.registers;
  if (!spills)
    return use;
  SpillPlaces places(machine);
  auto costOf = [&](llvm::Register reg) {
    double cost = 0;
    for (const llvm::MachineBasicBlock *block : places.stores(reg))
      cost += weightOf(*block);
    for (const llvm::MachineBasicBlock *block : places.loads(reg))
      cost += weightOf(*block);
    return cost;
  };
  auto capacity =
      static_cast<unsigned>(std::max(0.0, use.registers - Fixed) / PerValue);
  // What ptxas spills has a place, also where the estimate would have room.
  if (assembled)
    capacity = std::min(capacity, std::max(1u, liveness.most()) - 1);
  Spills bytes;
  constexpr unsigned BytesPerValue = 4;
  for (const auto &[reg, width] : liveness.spill(capacity, costOf)) {
    use.spilledValues += width;
    for (const llvm::MachineBasicBlock *block : places.stores(reg)) {
      use.spills[block].stores += 1;
      bytes.stores += BytesPerValue * width;
    }
    for (const llvm::MachineBasicBlock *block : places.loads(reg)) {
      use.spills[block].loads += 1;
      bytes.loads += BytesPerValue * width;
    }
  }
  if (assembled)
    for (auto &[block, spills] : use.spills) {
      if (bytes.stores > 0)
        spills.stores *= assembled->spillStoresInBytes / bytes.stores;
      if (bytes.loads > 0)
        spills.loads *= assembled->spillLoadsInBytes / bytes.loads;
    }
  return use;
}

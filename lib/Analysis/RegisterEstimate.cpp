// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RegisterEstimate.h"

#include "FunctionReader.h"
#include "PressureOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

#include <algorithm>

using namespace auspex;

namespace {
/// What is alive in the blocks of a function whose instructions are in the
/// order that keeps few values alive.
class Liveness {
public:
  explicit Liveness(const llvm::MachineFunction &machine)
      : machine(machine), widths(machine) {
    for (const llvm::MachineBasicBlock &block : machine)
      for (const llvm::MachineInstr &instruction : block)
        if (!instruction.isDebugInstr())
          orders[&block].push_back(&instruction);
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
    for (const llvm::MachineBasicBlock &block : machine)
      orders[&block] = orderForPressure(block, liveAtEnd(block), widths);
  }

  /// The most 32-bit values alive at once in \p block.
  unsigned most(const llvm::MachineBasicBlock &block) {
    unsigned most = 0;
    liveAtStart(block, [&](unsigned width, const LiveSet &) {
      most = std::max(most, width);
    });
    return most;
  }

  /// The same if as many loads as possible are issued before the first value is
  /// used, in \p copies of the block one after the other.
  unsigned mostWithLoadsTogether(const llvm::MachineBasicBlock &block,
                                 unsigned copies) {
    unsigned width = 0;
    for (llvm::Register reg : liveAtStart(block))
      width += widths.of(reg);
    // Loads of the next copy do not pass the stores of this one.
    bool stores = llvm::any_of(
        block, [](const llvm::MachineInstr &each) { return each.mayStore(); });
    return width + loadsTogether(block) * (stores ? 1 : copies);
  }

  /// Spills values until no more than \p most 32-bit values are alive at once:
  /// of those alive where there are more, the ones that are accessed least, by
  /// \p costOf. Says which, and how many 32-bit values they hold.
  std::vector<std::pair<llvm::Register, unsigned>>
  spill(unsigned most, llvm::function_ref<double(llvm::Register)> costOf) {
    std::vector<std::pair<llvm::Register, unsigned>> chosen;
    llvm::DenseMap<llvm::Register, double> costs;
    auto costPerWidth = [&](llvm::Register reg) {
      auto [cost, isNew] = costs.insert({reg, 0});
      if (isNew)
        cost->second = costOf(reg) / widths.of(reg);
      return std::pair(cost->second, reg.id());
    };
    auto spillOver = [&](unsigned &width, const LiveSet &live) {
      while (width > most) {
        std::optional<std::pair<double, unsigned>> cheapest;
        for (llvm::Register reg : live)
          if (widths.of(reg) && (!cheapest || costPerWidth(reg) < *cheapest))
            cheapest = costPerWidth(reg);
        if (!cheapest)
          break;
        llvm::Register reg(cheapest->second);
        chosen.emplace_back(reg, widths.of(reg));
        width -= widths.of(reg);
        widths.keepInMemory(reg);
      }
    };
    for (const llvm::MachineBasicBlock &block : machine)
      liveAtStart(block, spillOver);
    return chosen;
  }

private:
  const llvm::MachineFunction &machine;
  ValueWidths widths;
  llvm::DenseMap<const llvm::MachineBasicBlock *, InstructionOrder> orders;
  llvm::DenseMap<const llvm::MachineBasicBlock *, LiveSet> liveIn;

  LiveSet liveAtEnd(const llvm::MachineBasicBlock &block) {
    LiveSet live;
    for (const llvm::MachineBasicBlock *next : block.successors())
      live.insert_range(liveIn[next]);
    return live;
  }

  using Visitor = llvm::function_ref<void(unsigned &width, const LiveSet &)>;

  /// Walks a block backwards; \p visit, if given, sees what is alive before
  /// each instruction.
  LiveSet liveAtStart(const llvm::MachineBasicBlock &block,
                      Visitor visit = nullptr) {
    LiveSet live = liveAtEnd(block);
    unsigned width = 0;
    for (llvm::Register reg : live)
      width += widths.of(reg);
    for (const llvm::MachineInstr *instruction :
         llvm::reverse(orders[&block])) {
      stepBackwards(*instruction, widths, live, width);
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
      llvm::StringRef opcode = widths.opcodeOf(instruction);
      if (opcode.contains("BAR")) {
        fromLoads.clear();
        width = 0;
      }
      bool waits = llvm::any_of(instruction.all_uses(),
                                [&](const llvm::MachineOperand &operand) {
                                  return fromLoads.contains(operand.getReg());
                                });
      bool isLoad =
          isReadOnlyLoad(opcode) ||
          (instruction.mayLoad() && !instruction.mayStore() &&
           !readsParameter(instruction) && !readsConstantPlace(instruction));
      if (!isLoad && !waits)
        continue;
      for (const llvm::MachineOperand &operand : instruction.all_defs()) {
        if (!operand.getReg().isVirtual())
          continue;
        fromLoads.insert(operand.getReg());
        if (!waits)
          width += widths.of(operand.getReg());
      }
      most = std::max(most, width);
    }
    return most;
  }
};

/// What ptxas makes of values that are alive: 5 registers and 1.05 for each; in
/// a block with many loads most of those that 40 more values take, issued
/// early, up to 56 registers. What calls has 24 for the callee's sake. Fitted
/// to about 1100 kernels assembled by ptxas 13 for 7.5 and 150 tuned ones by
/// an older one.
constexpr double Fixed = 5, PerValue = 1.05, PerEarlyLoad = 0.9;
constexpr unsigned MostEarly = 40, EarlyUpTo = 56, OfCall = 24;

struct Demand {
  /// 32-bit values alive at once.
  unsigned alive = 0;
  /// Registers for them, and with loads that are issued early.
  unsigned least = 0, wanted = 0;
};
} // namespace

static unsigned rounded(double registers) {
  return static_cast<unsigned>(registers + 0.5);
}

static Demand demandOf(
    const llvm::MachineFunction &machine, Liveness &liveness,
    llvm::function_ref<unsigned(const llvm::MachineBasicBlock &)> copiesOf) {
  Demand demand;
  for (const llvm::MachineBasicBlock &block : machine) {
    unsigned live = liveness.most(block);
    unsigned together = liveness.mostWithLoadsTogether(block, copiesOf(block));
    unsigned early = std::min(MostEarly, std::max(live, together) - live);
    double least = Fixed + PerValue * live;
    if (llvm::any_of(block, [](const llvm::MachineInstr &each) {
          return each.isCall();
        }))
      least = std::max<double>(least, OfCall);
    double wanted = std::min<double>(least + PerEarlyLoad * early, EarlyUpTo);
    demand.alive = std::max(demand.alive, live);
    demand.least = std::max(demand.least, rounded(least));
    demand.wanted = std::max({demand.wanted, demand.least, rounded(wanted)});
  }
  return demand;
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
    llvm::function_ref<double(const llvm::MachineBasicBlock &)> weightOf,
    llvm::function_ref<unsigned(const llvm::MachineBasicBlock &)> copiesOf) {
  Liveness liveness(machine);
  Demand demand = demandOf(machine, liveness, copiesOf);
  RegisterUse use;
  use.unlimited = demand.wanted;
  use.registers = std::min(use.unlimited, allowed);
  if (assembled)
    use.registers = assembled->registers;
  bool spills =
      assembled
          ? assembled->spillStoresInBytes + assembled->spillLoadsInBytes > 0
          : demand.least > use.registers;
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
    capacity = std::min(capacity, std::max(1u, demand.alive) - 1);
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

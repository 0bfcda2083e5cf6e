// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RegisterEstimate.h"

#include "MachineClasses.h"
#include "MachineMemory.h"
#include "PressureOrder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

#include <algorithm>
#include <limits>

using namespace auspex;

namespace {
/// What is alive in the blocks of a function whose instructions are in the
/// order that keeps few values alive.
class Liveness {
public:
  explicit Liveness(const llvm::MachineFunction &machine)
      : machine(machine), widths(machine), blocks(machine.getNumBlockIDs()) {
    for (const llvm::MachineBasicBlock &block : machine)
      readEffects(block);
    for (const llvm::MachineBasicBlock &block : machine)
      for (llvm::Register reg : of(block).reads)
        markAlive(block, reg);
    putInOrder();
  }

  /// Instructions that compute values anew, in the blocks that use these.
  using ComputedAnew =
      llvm::DenseMap<const llvm::MachineBasicBlock *, unsigned>;

  /// Keeps no value that one instruction gives, from a value that others of
  /// them are computed from too, until blocks later: these compute it anew, so
  /// that one is alive for several.
  ComputedAnew computeAnew() {
    ComputedAnew computed;
    llvm::DenseMap<llvm::Register, BlockSet> users;
    auto usersOf = [&](llvm::Register reg) -> BlockSet & {
      auto [entry, isNew] = users.try_emplace(reg);
      if (isNew)
        for (const llvm::MachineInstr &use :
             machine.getRegInfo().use_nodbg_instructions(reg))
          entry->second.insert(use.getParent());
      return entry->second;
    };
    llvm::MapVector<llvm::Register, llvm::SmallVector<llvm::Register>> groups;
    do {
      groups = valuesByInput(usersOf);
      for (const auto &[input, values] : groups)
        for (llvm::Register value : values) {
          for (const llvm::MachineBasicBlock *user : usersOf(value)) {
            usersOf(input).insert(user);
            markAlive(*user, input);
            ++computed[user];
          }
          widths.takeNoRegister(value);
        }
    } while (!groups.empty());
    putInOrder();
    return computed;
  }

  /// Calls \p visit with what is alive before each instruction of \p block.
  using Visitor = llvm::function_ref<void(Pressure &, const LiveSet &)>;
  void visit(const llvm::MachineBasicBlock &block, Visitor visit) const {
    visitIn(of(block).order, block, visit);
  }

  /// The 32-bit values that are not uniform and alive at once in \p block, with
  /// its instructions as they stand.
  unsigned aliveAsItStands(const llvm::MachineBasicBlock &block) const {
    unsigned most = 0;
    visitIn(orderOf(block), block, [&](Pressure &pressure, const LiveSet &) {
      most = std::max(most, pressure.values - pressure.uniform);
    });
    return most;
  }

  /// The 32-bit values alive where \p block starts.
  unsigned valuesAtStart(const llvm::MachineBasicBlock &block) const {
    return pressureOf(of(block).liveIn, widths).values;
  }

  /// Registers of the loads between two barriers, or branches to slow paths,
  /// that wait for no other, in \p copies of the block one after the other;
  /// \p mostOfShared of those from shared memory at most.
  unsigned loadsTogether(const llvm::MachineBasicBlock &block, unsigned copies,
                         unsigned mostOfShared) const {
    // Loads of the next copy do not pass the stores and branches of this one.
    bool stores = llvm::any_of(
        block, [](const llvm::MachineInstr &each) { return each.mayStore(); });
    return loadsOfCopy(block, mostOfShared) *
           (stores || hasSlowPath(block) ? 1 : copies);
  }

  bool hasSlowPath(const llvm::MachineBasicBlock &block) const {
    return of(block).hasSlowPath;
  }

  /// Spills values until no more than \p most 32-bit values that are not
  /// uniform are alive at once: of those alive where there are more, the ones
  /// that are accessed least, by \p costOf. Says which, and how many 32-bit
  /// values they hold.
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
    auto spillOver = [&](Pressure &pressure, const LiveSet &live) {
      while (pressure.values - pressure.uniform > most) {
        std::optional<std::pair<double, unsigned>> cheapest;
        for (llvm::Register reg : live)
          if (widths.of(reg) && !widths.isUniform(reg) &&
              (!cheapest || costPerWidth(reg) < *cheapest))
            cheapest = costPerWidth(reg);
        if (!cheapest)
          break;
        llvm::Register reg(cheapest->second);
        chosen.emplace_back(reg, widths.of(reg));
        pressure.remove(reg, widths);
        widths.takeNoRegister(reg);
      }
    };
    for (const llvm::MachineBasicBlock &block : machine)
      visit(block, spillOver);
    return chosen;
  }

  /// The most 32-bit values of \p spilled that are alive at once: others take
  /// turns in the same place.
  unsigned
  placesFor(llvm::ArrayRef<std::pair<llvm::Register, unsigned>> spilled) const {
    llvm::DenseMap<llvm::Register, unsigned> widthOf(spilled.begin(),
                                                     spilled.end());
    unsigned most = 0;
    auto count = [&](const Pressure &, const LiveSet &live) {
      unsigned places = 0;
      for (llvm::Register reg : live)
        places += widthOf.lookup(reg);
      most = std::max(most, places);
    };
    for (const llvm::MachineBasicBlock &block : machine)
      visit(block, count);
    return most;
  }

private:
  using BlockSet = llvm::SmallSetVector<const llvm::MachineBasicBlock *, 4>;
  struct Block {
    /// What it reads before it writes it, and what it writes.
    LiveSet reads, writes;
    LiveSet liveIn;
    InstructionOrder order;
    bool hasSlowPath = false;
  };

  const llvm::MachineFunction &machine;
  ValueWidths widths;
  /// By the block's number.
  std::vector<Block> blocks;

  Block &of(const llvm::MachineBasicBlock &block) {
    return blocks[block.getNumber()];
  }
  const Block &of(const llvm::MachineBasicBlock &block) const {
    return blocks[block.getNumber()];
  }

  void visitIn(const InstructionOrder &order,
               const llvm::MachineBasicBlock &block, Visitor visit) const {
    LiveSet live = liveAtEnd(block);
    Pressure pressure = pressureOf(live, widths);
    for (const llvm::MachineInstr *instruction : llvm::reverse(order)) {
      stepBackwards(*instruction, widths, live, pressure);
      visit(pressure, live);
    }
  }

  void putInOrder() {
    for (const llvm::MachineBasicBlock &block : machine)
      of(block).order = orderForPressure(block, liveAtEnd(block), widths);
  }

  /// The one value that \p instruction makes another one of, alone and with one
  /// instruction of the integer unit; none for others.
  llvm::Register onlyInput(const llvm::MachineInstr &instruction) const {
    auto expansion = classifyOpcode(widths.nameOf(instruction));
    using enum InstructionClass;
    if (!expansion || expansion->size() != 1 || expansion->front().count != 1 ||
        !llvm::is_contained({IntAdd, Logic, Shift}, expansion->front().id))
      return {};
    llvm::Register only;
    for (const llvm::MachineOperand &use : instruction.all_uses()) {
      if (!use.getReg().isVirtual())
        continue;
      llvm::Register holder = widths.holderOf(use.getReg());
      if (holder && only && holder != only)
        return {};
      only = holder ? holder : only;
    }
    return only;
  }

  /// Values that can be computed anew where they are used, by what of; only
  /// where they are several and take more registers.
  llvm::MapVector<llvm::Register, llvm::SmallVector<llvm::Register>>
  valuesByInput(llvm::function_ref<BlockSet &(llvm::Register)> usersOf) const {
    llvm::MapVector<llvm::Register, llvm::SmallVector<llvm::Register>> groups;
    const llvm::MachineRegisterInfo &registers = machine.getRegInfo();
    for (const llvm::MachineBasicBlock &block : machine)
      for (const llvm::MachineInstr &instruction : block) {
        llvm::Register input = onlyInput(instruction);
        if (!input || instruction.getNumDefs() != 1)
          continue;
        llvm::Register value = instruction.getOperand(0).getReg();
        if (widths.of(value) == 0 || !registers.hasOneDef(value) ||
            widths.holderOf(value) != value ||
            usersOf(value).contains(&block) ||
            llvm::any_of(
                registers.use_nodbg_instructions(value),
                [](const llvm::MachineInstr &use) { return use.isPHI(); }))
          continue;
        groups[input].push_back(value);
      }
    groups.remove_if([&](const auto &group) {
      unsigned together = 0;
      for (llvm::Register value : group.second)
        together += widths.of(value);
      return together <= widths.of(group.first);
    });
    return groups;
  }

  bool branchesAway(const llvm::MachineInstr &instruction) const {
    auto expansion = classifyOpcode(widths.nameOf(instruction));
    return expansion && auspex::hasSlowPath(*expansion);
  }

  void readEffects(const llvm::MachineBasicBlock &block) {
    Block &effects = of(block);
    for (const llvm::MachineInstr &instruction : llvm::reverse(block)) {
      if (instruction.isDebugInstr())
        continue;
      effects.hasSlowPath |= branchesAway(instruction);
      for (const llvm::MachineOperand &operand : instruction.all_defs())
        if (operand.getReg().isVirtual()) {
          effects.reads.erase(operand.getReg());
          effects.writes.insert(operand.getReg());
        }
      for (const llvm::MachineOperand &operand : instruction.all_uses())
        if (operand.getReg().isVirtual())
          if (llvm::Register holder = widths.holderOf(operand.getReg()))
            effects.reads.insert(holder);
    }
  }

  /// \p reg is alive at the start of \p block, and from where it is written.
  void markAlive(const llvm::MachineBasicBlock &block, llvm::Register reg) {
    std::vector<const llvm::MachineBasicBlock *> work = {&block};
    while (!work.empty()) {
      const llvm::MachineBasicBlock &next = *work.back();
      work.pop_back();
      if (!of(next).liveIn.insert(reg).second)
        continue;
      for (const llvm::MachineBasicBlock *before : next.predecessors())
        if (!of(*before).writes.contains(reg))
          work.push_back(before);
    }
  }

  LiveSet liveAtEnd(const llvm::MachineBasicBlock &block) const {
    LiveSet live;
    for (const llvm::MachineBasicBlock *next : block.successors())
      live.insert_range(of(*next).liveIn);
    return live;
  }

  /// The same of one copy.
  unsigned loadsOfCopy(const llvm::MachineBasicBlock &block,
                       unsigned mostOfShared) const {
    LiveSet fromLoads;
    unsigned most = 0, width = 0, ofShared = 0;
    for (const llvm::MachineInstr &instruction : block) {
      if (instruction.isDebugInstr())
        continue;
      llvm::StringRef opcode = widths.nameOf(instruction);
      if (opcode.contains("BAR") ||
          (hasSlowPath(block) && branchesAway(instruction))) {
        fromLoads.clear();
        width = ofShared = 0;
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
      bool isShared = memoryClass(instruction) == InstructionClass::LoadShared;
      for (const llvm::MachineOperand &operand : instruction.all_defs()) {
        if (!operand.getReg().isVirtual())
          continue;
        fromLoads.insert(operand.getReg());
        if (!waits)
          (isShared ? ofShared : width) += widths.of(operand.getReg());
      }
      most = std::max(most, width + std::min(ofShared, mostOfShared));
    }
    return most;
  }
};

/// What ptxas makes of values that are alive: 6 registers and 1.05 for each, of
/// uniform ones half as much, and 5 in blocks with divisions and square roots;
/// in a block with many loads most of those that 40 more values take, issued
/// early, or a part of them where registers are scarce. What calls has 24 for
/// the callee's sake. Fitted to 2862 kernels that ptxas 13 assembled
/// for 7.5, 8.0 and 8.6, templates counted once. Of loads from shared memory,
/// which are soon there, it issues fewer early: matrix products with a bound of
/// one block took no more than 20 registers for them, on 8.0 and 8.6.
constexpr double Fixed = 6, PerValue = 1.05, OfSlowPath = 5,
                 ShareOfUniform = 0.5, PerEarlyLoad = 0.9,
                 PerEarlyLoadIfScarce = 0.15;
constexpr unsigned MostEarly = 40, MostEarlyOfShared = 20, OfCall = 24;

/// Loads that are to be issued early, and the registers of the block besides.
struct EarlyLoads {
  const llvm::MachineBasicBlock *block;
  unsigned loads = 0, early = 0;
  double besides = 0;

  /// With \p registers: what is not issued early waits for what is.
  double rounds(unsigned registers) const {
    constexpr double Rounding = 0.5;
    double fits =
        std::max(0.0, (registers + Rounding - besides) / PerEarlyLoad);
    double together = std::max(1.0, loads - std::max(0.0, early - fits));
    return loads / together;
  }
};

struct Demand {
  /// 32-bit values alive at once that are not uniform.
  unsigned alive = 0;
  /// Registers for what is alive, and with loads that are issued early; for as
  /// little of it as possible, and with some of these loads.
  double usual = 0, wanted = 0, least = 0, scarce = 0;
  std::vector<EarlyLoads> early{};
};
} // namespace

static Demand demandOf(const llvm::MachineFunction &machine,
                       const Liveness &liveness, const RegisterBudget &budget,
                       BlockFactsOf factsOf) {
  Demand demand;
  for (const llvm::MachineBasicBlock &block : machine) {
    unsigned values = 0, single = 0;
    double weighted = 0;
    liveness.visit(block, [&](const Pressure &pressure, const LiveSet &) {
      values = std::max(values, pressure.values);
      single = std::max(single, pressure.values - pressure.uniform);
      weighted = std::max(weighted, pressure.values - (1 - ShareOfUniform) *
                                                          pressure.uniform);
    });
    BlockFacts facts = factsOf(block);
    auto earlyOf = [&](unsigned loads) {
      unsigned together = liveness.valuesAtStart(block) + loads;
      return std::max(values, together) - values;
    };
    auto loadsTogether = [&](unsigned mostOfShared) {
      return liveness.loadsTogether(block, facts.copies, mostOfShared);
    };
    unsigned loads = loadsTogether(std::numeric_limits<unsigned>::max());
    unsigned allEarly = earlyOf(loads);
    unsigned early = std::min(
        MostEarly,
        budget.isStated ? earlyOf(loadsTogether(MostEarlyOfShared)) : allEarly);
    double fixed = Fixed + facts.arrayWords +
                   (liveness.hasSlowPath(block) ? OfSlowPath : 0);
    bool calls = llvm::any_of(
        block, [](const llvm::MachineInstr &each) { return each.isCall(); });
    double forCall = calls ? OfCall : 0;
    double usual = std::max(fixed + PerValue * weighted, forCall);
    demand.alive = std::max(demand.alive, single);
    demand.usual = std::max(demand.usual, usual);
    double least = std::max(fixed + PerValue * single, forCall);
    demand.least = std::max(demand.least, least);
    demand.scarce =
        std::max(demand.scarce,
                 least + PerEarlyLoadIfScarce * std::min(MostEarly, allEarly));
    demand.wanted = std::max(demand.wanted, usual + PerEarlyLoad * early);
    if (early > 0)
      demand.early.push_back({&block, loads, allEarly, usual});
  }
  return demand;
}

/// Registers that keep no warp from an SM cost nothing, and ptxas takes what it
/// wants; more it avoids, also by computing values anew, and takes only if it
/// would need many more.
static unsigned registersFor(const Demand &demand, unsigned atWantedOccupancy) {
  constexpr double Squeezed = 1.3;
  double registers = demand.scarce;
  if (demand.usual <= atWantedOccupancy)
    registers = std::min<double>(demand.wanted, atWantedOccupancy);
  else if (demand.scarce <= Squeezed * atWantedOccupancy)
    registers = atWantedOccupancy;
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

/// The most values that are alive at once in a long block unless its
/// instructions are put in order, which ptxas does not always do there; 0 if
/// \p registers hold them, or no block is long. Seen with
/// convolutions unrolled as a whole, assembled by ptxas 13 for 8.6: shorter
/// blocks had 40 registers, longer ones of the same kind all there are, and
/// spilled as many values as that was too few, or none.
static unsigned aliveUnlessOrdered(const llvm::MachineFunction &machine,
                                   const Liveness &liveness,
                                   BlockFactsOf factsOf, unsigned registers) {
  constexpr double SurelyOrdered = 4150;
  unsigned most = 0;
  for (const llvm::MachineBasicBlock &block : machine)
    if (factsOf(block).instructions > SurelyOrdered)
      most = std::max(most, liveness.aliveAsItStands(block));
  return most > registers ? most : 0;
}

RegisterUse auspex::estimateRegisters(const llvm::MachineFunction &machine,
                                      const RegisterBudget &budget,
                                      const AssembledKernel *assembled,
                                      BlockFactsOf factsOf) {
  Liveness liveness(machine);
  Demand demand = demandOf(machine, liveness, budget, factsOf);
  RegisterUse use;
  if (!assembled && demand.least > budget.allowed) {
    use.computedAnew = liveness.computeAnew();
    demand = demandOf(machine, liveness, budget, factsOf);
  }
  use.unlimited = registersFor(demand, budget.atWantedOccupancy);
  use.registers = std::min(use.unlimited, budget.allowed);
  if (assembled)
    use.registers = assembled->registers;
  if (demand.usual <= budget.atWantedOccupancy)
    for (const EarlyLoads &loads : demand.early)
      if (double rounds = loads.rounds(use.registers); rounds > 1)
        use.rounds[loads.block] = rounds;
  bool spills =
      assembled
          ? assembled->spillStoresInBytes + assembled->spillLoadsInBytes > 0
          : std::min<double>(use.unlimited, demand.least) > budget.allowed;
  if (!spills) {
    if (!assembled)
      use.aliveUnlessOrdered =
          aliveUnlessOrdered(machine, liveness, factsOf, budget.allowed);
    return use;
  }
  SpillPlaces places(machine);
  auto costOf = [&](llvm::Register reg) {
    double cost = 0;
    for (const llvm::MachineBasicBlock *block : places.stores(reg))
      cost += factsOf(*block).weight;
    for (const llvm::MachineBasicBlock *block : places.loads(reg))
      cost += factsOf(*block).weight;
    return cost;
  };
  unsigned arrayWords = 0;
  for (const llvm::MachineBasicBlock &block : machine)
    arrayWords = std::max(arrayWords, factsOf(block).arrayWords);
  auto capacity = static_cast<unsigned>(
      std::max(0.0, use.registers - Fixed - arrayWords) / PerValue);
  // What ptxas spills has a place, also where the estimate would have room.
  if (assembled)
    capacity = std::min(capacity, std::max(1u, demand.alive) - 1);
  Spills bytes;
  auto spilled = liveness.spill(capacity, costOf);
  use.spillPlaces = liveness.placesFor(spilled);
  for (const auto &[reg, width] : spilled) {
    use.spilledValues += width;
    for (const llvm::MachineBasicBlock *block : places.stores(reg)) {
      use.spills[block].stores += 1;
      bytes.stores += RegisterInBytes * width;
    }
    for (const llvm::MachineBasicBlock *block : places.loads(reg)) {
      use.spills[block].loads += 1;
      bytes.loads += RegisterInBytes * width;
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

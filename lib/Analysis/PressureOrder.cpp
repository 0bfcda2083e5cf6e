// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PressureOrder.h"

#include "MachineMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <set>

using namespace auspex;

void Pressure::add(llvm::Register holder, const ValueWidths &widths) {
  unsigned width = widths.of(holder);
  values += width;
  if (widths.isUniform(holder))
    uniform += width;
}

void Pressure::remove(llvm::Register holder, const ValueWidths &widths) {
  unsigned width = widths.of(holder);
  values -= width;
  if (widths.isUniform(holder))
    uniform -= width;
}

Pressure auspex::pressureOf(const LiveSet &live, const ValueWidths &widths) {
  Pressure pressure;
  for (llvm::Register reg : live)
    pressure.add(reg, widths);
  return pressure;
}

void auspex::stepBackwards(const llvm::MachineInstr &instruction,
                           const ValueWidths &widths, LiveSet &live,
                           Pressure &pressure) {
  for (const llvm::MachineOperand &operand : instruction.all_defs())
    if (operand.getReg().isVirtual() && live.erase(operand.getReg()))
      pressure.remove(operand.getReg(), widths);
  for (const llvm::MachineOperand &operand : instruction.all_uses()) {
    if (!operand.getReg().isVirtual())
      continue;
    llvm::Register holder = widths.holderOf(operand.getReg());
    if (holder && live.insert(holder).second)
      pressure.add(holder, widths);
  }
}

namespace {

/// A value that the block defines or uses.
struct Value {
  unsigned width = 0;
  llvm::SmallVector<unsigned, 4> users;
  /// Those since the last instruction that defines it.
  llvm::SmallVector<unsigned, 4> usersOfSource;
  /// The last instruction so far that defines it; -1 for none.
  int source = -1;
  /// After the block.
  bool isAlive = false;
};

struct Node {
  const llvm::MachineInstr *instruction;
  /// Nodes that come before, and how many come after.
  llvm::SmallVector<unsigned, 6> before = {};
  unsigned after = 0;
  llvm::SmallVector<unsigned, 2> defines = {};
  llvm::SmallVector<unsigned, 4> uses = {};
  bool isLoad = false, isStore = false;
  /// That it loads from or stores to.
  unsigned space = llvm::NVPTXAS::ADDRESS_SPACE_GENERIC;
  /// Its one result serves one address.
  bool isForAddress = false;
  /// The first store that no load passes which this needs the result of; -1 for
  /// none. And the nodes of which it is that store.
  int storeAfterLoads = -1;
  llvm::SmallVector<unsigned, 0> needLoadsBefore = {};
};

/// What decides which instruction comes next.
enum class Preference {
  /// What it costs, with a part of a value that several share.
  ShareOfValue,
  /// The same with all of a value that is loaded.
  WholeOfLoads,
  /// First those that need no load which a store keeps away from them.
  StoresOfLoads
};

/// Of memory that \p instruction accesses.
unsigned spaceOf(const llvm::MachineInstr &instruction) {
  return instruction.memoperands_empty()
             ? llvm::NVPTXAS::ADDRESS_SPACE_GENERIC
             : (*instruction.memoperands_begin())->getAddrSpace();
}

/// The dependences between the instructions of a block.
class Dependences {
public:
  std::vector<Node> nodes;
  std::vector<Value> values;

  Dependences(const llvm::MachineBasicBlock &block, const LiveSet &liveOut,
              const ValueWidths &widths)
      : widths(widths) {
    nodes.reserve(block.size());
    for (const llvm::MachineInstr &instruction : block)
      if (!instruction.isDebugInstr())
        add(instruction);
    for (llvm::Register reg : liveOut)
      values[valueOf(reg)].isAlive = true;
    markAddresses();
    passOnStores();
  }

private:
  const ValueWidths &widths;
  llvm::DenseMap<llvm::Register, unsigned> ids;
  /// Since the last instruction that nothing passes.
  int fence = -1;
  struct Accesses {
    unsigned space;
    int store = -1;
    std::vector<unsigned> loads = {};
  };
  std::vector<Accesses> accesses;

  unsigned valueOf(llvm::Register reg) {
    auto [id, isNew] = ids.insert({reg, static_cast<unsigned>(values.size())});
    if (isNew) {
      values.emplace_back();
      values.back().width = widths.of(reg);
    }
    return id->second;
  }

  void order(unsigned first, unsigned second) {
    if (first == second)
      return;
    nodes[second].before.push_back(first);
    ++nodes[first].after;
  }

  void add(const llvm::MachineInstr &instruction) {
    unsigned id = nodes.size();
    nodes.push_back({&instruction});
    for (const llvm::MachineOperand &operand : instruction.all_uses())
      if (operand.getReg().isVirtual())
        addUse(id, widths.holderOf(operand.getReg()));
    for (const llvm::MachineOperand &operand : instruction.all_defs())
      if (operand.getReg().isVirtual())
        addDefinition(id, operand.getReg());
    bool isReadOnly = isReadOnlyLoad(widths.nameOf(instruction));
    nodes[id].isLoad = isReadOnly;
    bool isAccess = instruction.mayLoad() || instruction.mayStore();
    bool isFence =
        instruction.isTerminator() || instruction.isCall() ||
        (instruction.hasUnmodeledSideEffects() && !isAccess && !isReadOnly);
    bool isStore = instruction.mayStore();
    nodes[id].space = spaceOf(instruction);
    if (instruction.isInlineAsm()) {
      AssemblyEffect effect =
          assemblyEffect(instruction.getOperand(0).getSymbolName());
      using enum AssemblyEffect;
      isFence &= effect == Other;
      isAccess &= effect == Other;
      if (effect == ReadsShared || effect == ReadsGlobal) {
        isAccess = true;
        isStore = false;
        nodes[id].space = effect == ReadsShared
                              ? llvm::NVPTXAS::ADDRESS_SPACE_SHARED
                              : llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL;
      }
    }
    if (isFence) {
      for (unsigned i = std::max(0, fence); i < id; ++i)
        order(i, id);
      fence = static_cast<int>(id);
      accesses.clear();
      return;
    }
    if (fence != -1)
      order(fence, id);
    if (isAccess && !readsParameter(instruction)) {
      nodes[id].isStore = isStore;
      addAccess(id);
    }
  }

  void addUse(unsigned id, llvm::Register holder) {
    if (!holder)
      return;
    unsigned value = valueOf(holder);
    if (llvm::is_contained(nodes[id].uses, value))
      return;
    if (values[value].source != -1)
      order(values[value].source, id);
    nodes[id].uses.push_back(value);
    values[value].users.push_back(id);
    values[value].usersOfSource.push_back(id);
  }

  void addDefinition(unsigned id, llvm::Register reg) {
    unsigned value = valueOf(reg);
    for (unsigned user : values[value].usersOfSource)
      order(user, id);
    values[value].usersOfSource.clear();
    if (values[value].source != -1)
      order(values[value].source, id);
    nodes[id].defines.push_back(value);
    values[value].source = static_cast<int>(id);
  }

  /// Reads pass reads; nothing passes a write to memory that may be the same.
  void addAccess(unsigned id) {
    Node &node = nodes[id];
    const llvm::MachineInstr &instruction = *node.instruction;
    node.isLoad = !node.isStore;
    if (node.isLoad && instruction.isDereferenceableInvariantLoad())
      return;
    constexpr unsigned Generic = llvm::NVPTXAS::ADDRESS_SPACE_GENERIC;
    unsigned space = node.space;
    if (llvm::none_of(accesses, [&](const Accesses &known) {
          return known.space == space;
        }))
      accesses.push_back({space});
    for (Accesses &other : accesses) {
      if (other.space != space && other.space != Generic && space != Generic)
        continue;
      if (other.store != -1)
        order(other.store, id);
      if (node.isStore) {
        for (unsigned load : other.loads) {
          order(load, id);
          int &first = nodes[load].storeAfterLoads;
          first = first == -1 ? static_cast<int>(id) : first;
        }
        other.loads.clear();
      }
      if (other.space == space && node.isStore)
        other.store = static_cast<int>(id);
      else if (other.space == space)
        other.loads.push_back(id);
    }
  }

  /// What needs a result needs the loads behind it.
  void passOnStores() {
    for (unsigned id = 0; id < nodes.size(); ++id) {
      Node &node = nodes[id];
      for (unsigned use : node.uses) {
        int source = values[use].source;
        int store = source == -1 ? -1 : nodes[source].storeAfterLoads;
        bool isFirst = node.storeAfterLoads == -1 ||
                       (store != -1 && store < node.storeAfterLoads);
        if (isFirst && !node.isLoad && !node.isStore)
          node.storeAfterLoads = store;
      }
      if (node.storeAfterLoads != -1)
        nodes[node.storeAfterLoads].needLoadsBefore.push_back(id);
    }
  }

  void markAddresses() {
    for (Node &node : llvm::reverse(nodes)) {
      if (node.isLoad || node.defines.size() != 1)
        continue;
      const Value &result = values[node.defines.front()];
      if (result.users.size() != 1)
        continue;
      const Node &user = nodes[result.users.front()];
      node.isForAddress = user.isLoad || user.isStore || user.isForAddress;
    }
  }
};

/// Places the instructions from the last to the first.
class ListScheduler {
public:
  /// \p dependences have to outlive this.
  ListScheduler(const Dependences &dependences, Preference preference)
      : nodes(dependences.nodes), values(dependences.values),
        preference(preference), costs(nodes.size()), isPlaced(nodes.size()),
        prices(values.size(), -1) {
    order.reserve(nodes.size());
    for (const Value &value : values) {
      isAlive.push_back(value.isAlive);
      width += value.isAlive ? value.width : 0;
    }
    most = width;
    for (unsigned value = 0; value < values.size(); ++value)
      priceOf(value);
    for (const Node &node : nodes)
      after.push_back(node.after);
    blocked = after;
    for (unsigned id = 0; id < nodes.size(); ++id)
      if (after[id] == 0)
        makeReady(id);
    while (!ready.empty())
      place(ready.begin()->second);
    std::reverse(order.begin(), order.end());
  }

  InstructionOrder order;
  /// 32-bit values that are alive at once.
  unsigned most = 0;

private:
  /// Costs count in parts of a register.
  static constexpr int Register = 64;

  llvm::ArrayRef<Node> nodes;
  llvm::ArrayRef<Value> values;
  Preference preference;
  unsigned width = 0;
  std::vector<int> costs;
  std::vector<bool> isPlaced;
  std::vector<int> prices;
  /// By value.
  std::vector<bool> isAlive;
  /// Of the nodes that come after each node, how many have no place yet, and
  /// how many could not be placed now.
  std::vector<unsigned> after, blocked;
  struct CheapestThenLast {
    bool operator()(std::pair<int, unsigned> a,
                    std::pair<int, unsigned> b) const {
      return std::pair(a.first, b.second) < std::pair(b.first, a.second);
    }
  };
  std::set<std::pair<int, unsigned>, CheapestThenLast> ready;

  bool isReady(unsigned id) const { return ready.count({costs[id], id}) > 0; }

  /// What it costs to make a value alive. An address that serves one access is
  /// computed right before it, and costs what that needs.
  int priceOf(unsigned id) {
    if (prices[id] != -1)
      return prices[id];
    const Value &value = values[id];
    const Node *source = value.source == -1 ? nullptr : &nodes[value.source];
    bool isWhole =
        preference != Preference::ShareOfValue && source && source->isLoad;
    size_t sharers = std::max<size_t>(1, isWhole ? 1 : value.users.size());
    int price =
        Register * static_cast<int>(value.width) / static_cast<int>(sharers);
    prices[id] = price;
    if (source && source->isForAddress) {
      int operands = 0;
      for (unsigned use : source->uses)
        operands += priceOf(use);
      price = std::min(price, operands);
    }
    return prices[id] = price;
  }

  /// Once all that use a load can be placed, it can follow them.
  bool closesAtOnce(const Value &value) const {
    return value.source != -1 && nodes[value.source].isLoad &&
           blocked[value.source] == 0;
  }

  /// Whether a store that comes after its loads has no place yet.
  bool isTooFarBack(const Node &node) const {
    return node.storeAfterLoads != -1 && !isPlaced[node.storeAfterLoads];
  }

  int costOf(const Node &node) {
    constexpr int Late = 1 << 24;
    bool isLate = preference == Preference::StoresOfLoads && isTooFarBack(node);
    int cost = isLate ? Late : 0;
    // What an instruction changes in place stays alive.
    for (unsigned id : node.defines)
      if (isAlive[id] && !llvm::is_contained(node.uses, id))
        cost -= Register * static_cast<int>(values[id].width);
    for (unsigned id : node.uses)
      if (!isAlive[id] && !closesAtOnce(values[id]))
        cost += prices[id];
    return cost;
  }

  void makeReady(unsigned id) {
    costs[id] = costOf(nodes[id]);
    ready.insert({costs[id], id});
    for (unsigned before : nodes[id].before)
      if (--blocked[before] == 0 && nodes[before].isLoad)
        for (unsigned value : nodes[before].defines)
          updateCosts(values[value].users);
  }

  void updateCosts(llvm::ArrayRef<unsigned> ids) {
    for (unsigned id : ids)
      if (isReady(id)) {
        ready.erase({costs[id], id});
        costs[id] = costOf(nodes[id]);
        ready.insert({costs[id], id});
      }
  }

  void place(unsigned id) {
    ready.erase({costs[id], id});
    const Node &node = nodes[id];
    order.push_back(node.instruction);
    isPlaced[id] = true;
    if (preference == Preference::StoresOfLoads)
      updateCosts(node.needLoadsBefore);
    for (unsigned value : node.defines)
      if (isAlive[value]) {
        isAlive[value] = false;
        width -= values[value].width;
      }
    for (unsigned value : node.uses)
      if (!isAlive[value]) {
        isAlive[value] = true;
        width += values[value].width;
        updateCosts(values[value].users);
      }
    most = std::max(most, width);
    for (unsigned before : node.before)
      if (--after[before] == 0)
        makeReady(before);
  }
};
} // namespace

InstructionOrder auspex::orderOf(const llvm::MachineBasicBlock &block) {
  InstructionOrder order;
  for (const llvm::MachineInstr &instruction : block)
    if (!instruction.isDebugInstr())
      order.push_back(&instruction);
  return order;
}

InstructionOrder auspex::orderForPressure(const llvm::MachineBasicBlock &block,
                                          const LiveSet &liveOut,
                                          const ValueWidths &widths) {
  InstructionOrder order = orderOf(block);
  LiveSet live = liveOut;
  Pressure pressure = pressureOf(live, widths);
  unsigned atEnd = pressure.values, most = atEnd;
  for (const llvm::MachineInstr *instruction : llvm::reverse(order)) {
    stepBackwards(*instruction, widths, live, pressure);
    most = std::max(most, pressure.values);
  }
  // No order keeps fewer values alive than there are at either end.
  unsigned least = std::max(atEnd, pressure.values);
  if (most <= least)
    return order;
  Dependences dependences(block, liveOut, widths);
  for (Preference preference :
       {Preference::ShareOfValue, Preference::WholeOfLoads,
        Preference::StoresOfLoads}) {
    ListScheduler scheduler(dependences, preference);
    if (scheduler.most < most) {
      most = scheduler.most;
      order = std::move(scheduler.order);
    }
    if (most <= least)
      break;
  }
  return order;
}

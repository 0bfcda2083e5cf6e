// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causes come in two steps. What each kind of demand costs is asked of the
// model: base with the demand of head, and head with that of base; of two
// bottlenecks that grew together either shows in one of the two. Then the
// accesses, lines, loops and branches of the documents say where it is.
#include "auspex/Gate/Cause.h"

#include "Demands.h"
#include "PlaceChanges.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace auspex;
using enum InstructionClass;

/// What is less than this share of another is not of its size.
static constexpr double ShareOfSize = 0.25;

namespace {
/// Explains one pair.
class Explainer {
public:
  Explainer(const RecordPair &pair, const GPU *gpu)
      : pair(pair), base(*pair.base), head(*pair.head), gpu(gpu) {}

  std::vector<Cause> run();

private:
  const RecordPair &pair;
  const KernelRecord &base, &head;
  /// Null if it cannot be asked.
  const GPU *gpu;

  bool differs(const Demand &demand) const;
  std::vector<Cause> describe(const Demand &demand) const;
  std::vector<Cause> describeAccesses(const Demand &demand) const;
  Cause describeInstructions(const Demand &demand) const;
  Cause describeTraffic(const Demand &demand) const;
  Cause describeOccupancy() const;
  std::vector<std::string> launchDifferences() const;
  Cause describeLaunch() const;
  Cause describeLocal() const;
  bool takesRegisters() const;
  double weightOf(const Demand &demand, double cost, bool isGrown) const;
  void addRoots(std::vector<Cause> &causes, size_t firstOfChain) const;
  void putBarriersBeforeLoads(std::vector<Cause> &causes) const;
  void putLaunchFirst(std::vector<Cause> &causes) const;

  /// The kernel's line, or nothing.
  SourceLocation place() const { return head.location; }
  Cause cause(const Demand &demand, llvm::StringRef remark,
              const llvm::Twine &message,
              const SourceLocation &location) const {
    return {demand.id.str(), remark.str(), message.str(), location,
            std::nullopt};
  }
};
} // namespace

static llvm::StringRef remarkOf(const AccessVolume &access) {
  const RequestCounts &counts = access.counts;
  if (!access.isKnown)
    return "UnknownAccess";
  if (access.space == MemorySpace::Shared) {
    if (access.kind == AccessKind::Atomic &&
        counts.sameAddress > RequestCounts::Noteworthy * counts.requests)
      return "SharedAtomicContention";
    return counts.haveBankConflict() ? "BankConflict" : "SharedAccess";
  }
  if (counts.sectors >= RequestCounts::Uncoalesced * counts.fewestSectors)
    return "UncoalescedAccess";
  return counts.sectors > RequestCounts::Noteworthy * counts.fewestSectors
             ? "MisalignedAccess"
             : "GlobalAccess";
}

std::vector<Cause> Explainer::describeAccesses(const Demand &demand) const {
  bool isForGlobal = demand.id == "global-memory";
  bool isForShared = demand.id == "shared-memory";
  bool isForAtomics = demand.id == "shared-atomics";
  auto counts = [&](const AccessVolume &access) {
    if (access.space == MemorySpace::Shared)
      return access.kind == AccessKind::Atomic ? isForAtomics : isForShared;
    return isForGlobal && (access.space == MemorySpace::Global ||
                           access.space == MemorySpace::Unknown);
  };
  // The largest, and others of its size.
  constexpr size_t Most = 3;
  std::vector<Cause> causes;
  std::vector<AccessChange> changes = accessChanges(base, head, counts);
  for (const AccessChange &change : changes)
    if (causes.size() < Most &&
        change.growth >= ShareOfSize * changes[0].growth)
      causes.push_back(cause(demand, remarkOf(*change.head), change.message,
                             change.head->location));
  return causes;
}

static double threadsOf(const LaunchConfig &launch) {
  double threads = 1;
  for (const auto &size : {launch.grid, launch.block})
    threads *= size ? size->value.count() : 1;
  return threads;
}

/// The object of which a thread moves more than before, by most; null if none
/// is known.
static const ObjectTraffic *mostGrown(const KernelRecord &base,
                                      const KernelRecord &head) {
  const ObjectTraffic *found = nullptr;
  double most = 0;
  for (const ObjectTraffic &object : head.traffic) {
    auto before = llvm::find_if(base.traffic, [&](const ObjectTraffic &other) {
      return other.name == object.name;
    });
    double growth = 0;
    for (double ObjectTraffic::*bytes : VolumesBehindL1) {
      double now = object.*bytes / threadsOf(head.launch);
      double then = before == base.traffic.end()
                        ? 0
                        : (*before).*bytes / threadsOf(base.launch);
      growth += std::max(now - then, 0.0);
    }
    if (growth > most * (1 + 1e-6)) {
      most = growth;
      found = &object;
    }
  }
  return base.traffic.empty() ? nullptr : found;
}

/// Where \p object is asked for most.
static SourceLocation busiestAccess(const KernelRecord &record,
                                    llvm::StringRef object) {
  const AccessVolume *busiest = nullptr;
  for (const AccessVolume &access : record.accesses)
    if (access.object == object && access.location.isKnown() &&
        (!busiest || access.counts.sectors > busiest->counts.sectors))
      busiest = &access;
  return busiest ? busiest->location : record.location;
}

/// The requests are the same, and what the caches keep of them is not.
Cause Explainer::describeTraffic(const Demand &demand) const {
  llvm::SmallVector<std::string, 4> parts;
  auto compare = [&](llvm::StringRef what, double OperationalInput::*bytes) {
    double before = *base.input.*bytes, after = *head.input.*bytes;
    if (after > before * 1.001)
      parts.push_back(formatBytes(after) + " " + what.str() + " a warp, " +
                      formatBytes(before) + " before");
  };
  if (base.input && head.input) {
    compare("loaded from L2", &OperationalInput::l2LoadInBytes);
    compare("stored to L2", &OperationalInput::l2StoreInBytes);
    compare("loaded from DRAM", &OperationalInput::dramLoadInBytes);
    compare("stored to DRAM", &OperationalInput::dramStoreInBytes);
    compare("that DRAM could have moved as it opens rows",
            &OperationalInput::dramIdleInBytes);
  }
  if (parts.empty())
    return describeInstructions(demand);
  const ObjectTraffic *object = mostGrown(base, head);
  std::string name = !object                     ? ""
                     : !object->argument.empty() ? " of " + object->argument
                                                 : " of " + object->name;
  return cause(demand, "",
               "less" + name +
                   " is used again in the caches: " + llvm::join(parts, "; "),
               object ? busiestAccess(head, object->name) : place());
}

/// "fp64 12 (none before), int_add 5 (4 before)", the largest growth first.
static std::string classText(const Demand &demand, const InstructionMix &before,
                             const InstructionMix &after) {
  llvm::SmallVector<std::pair<double, std::string>, 4> parts;
  for (const InstructionClassInfo &info : instructionClassInfos()) {
    double growth = after[info.id] - before[info.id];
    if (!demand.counts(info.id) || growth <= 1e-6)
      continue;
    std::string was =
        before[info.id] > 0 ? formatNumber(before[info.id]) : "none";
    parts.emplace_back(growth, info.name.str() + " " +
                                   formatNumber(after[info.id]) + " (" + was +
                                   " before)");
  }
  llvm::stable_sort(
      parts, [](const auto &a, const auto &b) { return a.first > b.first; });
  // A twentieth of the most says nothing.
  llvm::erase_if(parts,
                 [most = parts.empty() ? 0 : parts.front().first](
                     const auto &part) { return part.first < most / 20; });
  if (parts.size() > 3)
    parts.resize(3);
  std::string text;
  for (const auto &[growth, part] : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

Cause Explainer::describeInstructions(const Demand &demand) const {
  std::string text;
  if (base.input && head.input) {
    std::string all =
        classText(demand, base.input->instructions, head.input->instructions);
    std::string chain = classText(demand, base.input->path, head.input->path);
    if (!all.empty())
      text = "more instructions a warp: " + all;
    else if (!chain.empty())
      text = "more instructions a warp wait for the one before: " + chain;
    else if (std::string longest = classText(demand, base.input->longestPath,
                                             head.input->longestPath);
             !longest.empty())
      text = "the block that has most to do waits for more: " + longest;
  }
  if (text.empty())
    text = "more instructions, or in a longer chain";
  SourceLocation location = place();
  if (auto line = lineChange(base, head, demand.counts))
    location = line->location;
  else if (auto busiest = lineChange(KernelRecord(), head, demand.counts))
    location = busiest->location;
  llvm::StringRef remark = demand.id == "local-memory" ? "LocalMemory" : "";
  return cause(demand, remark, text, location);
}

Cause Explainer::describeLocal() const {
  Cause result = describeInstructions(demandOf("local-memory"));
  if (const FindingRecord *finding = head.find("LocalMemory")) {
    const FindingRecord *before = base.find("LocalMemory");
    auto bytes = [](const FindingRecord *finding) {
      return formatNumber(finding ? finding->arg("LocalBytesPerThread") : 0, 6);
    };
    result.message = "local memory, for spills or arrays: " + bytes(finding) +
                     " B a thread, " + bytes(before) + " before; " +
                     result.message;
    // What is spilled has no line of its own.
    if (!lineChange(base, head, demandOf("local-memory").counts))
      result.location = finding->location;
  }
  return result;
}

Cause Explainer::describeOccupancy() const {
  std::string text = formatCount(head.activeBlocksPerSM, "block") + " an SM, " +
                     std::to_string(base.activeBlocksPerSM) + " before";
  text += ", limited by " + head.occupancyLimiter;
  if (head.registers != base.registers)
    text += "; " + std::to_string(head.registers) + " registers a thread, " +
            std::to_string(base.registers) + " before";
  return cause(demandOf("occupancy"), "Occupancy", text, place());
}

std::vector<std::string> Explainer::launchDifferences() const {
  std::vector<std::string> parts = pair.differences();
  llvm::erase_if(parts, [](llvm::StringRef difference) {
    return difference.starts_with("signature");
  });
  return parts;
}

static Dim3 sizeOf(const std::optional<Stated<Dim3>> &size) {
  return size ? size->value : Dim3();
}

Cause Explainer::describeLaunch() const {
  const SourceLocation &launch = head.launch.location;
  bool isOtherBlock = sizeOf(base.launch.block) != sizeOf(head.launch.block);
  return cause(demandOf("launch"), isOtherBlock ? "BlockSize" : "",
               "the launch differs: " + llvm::join(launchDifferences(), ", "),
               launch.isKnown() ? launch : place());
}

std::vector<Cause> Explainer::describe(const Demand &demand) const {
  if (demand.id == "launch")
    return {describeLaunch()};
  if (demand.id == "occupancy")
    return {describeOccupancy()};
  if (demand.id == "local-memory")
    return {describeLocal()};
  if (demand.id == "global-memory" || demand.id.starts_with("shared-")) {
    std::vector<Cause> causes = describeAccesses(demand);
    if (!causes.empty())
      return causes;
    // Spills and private arrays share the way to memory.
    const ObjectTraffic *object = mostGrown(base, head);
    if (demand.id == "global-memory" && object &&
        object->name == ObjectTraffic::LocalMemory)
      return {describeLocal()};
    if (demand.id == "global-memory")
      return {describeTraffic(demand)};
  }
  return {describeInstructions(demand)};
}

static bool isOfInstructions(const Cause &cause) {
  return cause.id == "floating-point" || cause.id == "special-functions" ||
         cause.id == "other-instructions";
}

/// Whether the source asks for more work: of what does not hang on how often a
/// loop is unrolled.
static bool isMoreWork(const KernelRecord &base, const KernelRecord &head) {
  static constexpr InstructionClass work[] = {
      Fp32, Fp64, Fp16, Tensor, TensorFp32, Sfu, Barrier, Shuffle};
  return base.input && head.input &&
         llvm::any_of(work, [&](InstructionClass id) {
           return head.input->instructions[id] >
                  1.01 * base.input->instructions[id];
         });
}

static auto findCause(std::vector<Cause> &causes, llvm::StringRef id) {
  return llvm::find_if(causes,
                       [&](const Cause &cause) { return cause.id == id; });
}

/// Loaded from or stored to shared memory by all lanes.
static double sharedBytes(const KernelRecord &record) {
  double bytes = 0;
  for (const AccessVolume &access : record.accesses)
    if (access.space == MemorySpace::Shared)
      bytes += access.counts.lanes * access.bytesPerLane;
  return bytes;
}

static double requestedGlobalBytes(const KernelRecord &record) {
  return record.input->requestedLoadInBytes +
         record.input->requestedStoreInBytes;
}

/// Loads are split, or wait for each other, where a barrier comes in between:
/// the same bytes in more requests, or in more that are one after the other.
void Explainer::putBarriersBeforeLoads(std::vector<Cause> &causes) const {
  auto putBefore = [&](llvm::StringRef id,
                       double (*bytes)(const KernelRecord &)) {
    auto loads = findCause(causes, id);
    auto barriers = findCause(causes, "barriers");
    if (loads < barriers && barriers != causes.end() &&
        bytes(head) < 1.01 * bytes(base))
      std::rotate(loads, barriers, barriers + 1);
  };
  putBefore("shared-memory", sharedBytes);
  putBefore("global-memory", requestedGlobalBytes);
}

/// What lies behind others stands before them: more instructions and accesses
/// run since lanes part, more instructions since a loop is not unrolled.
/// From \p firstOfChain on, causes may be chains that became longer.
void Explainer::addRoots(std::vector<Cause> &causes,
                         size_t firstOfChain) const {
  auto unrolling = lostUnrolling(base, head);
  if (unrolling && !unrolling->isNewLoop && isMoreWork(base, head)) {
    // The loop became too large, or has a barrier now: that is the cause.
    auto others = std::stable_partition(
        causes.begin(), causes.end(),
        [](const Cause &cause) { return cause.id != "other-instructions"; });
    if (others != causes.end())
      causes.insert(others, std::move(unrolling->cause));
  } else if (unrolling) {
    // Of a loop that was none, indices and addresses were constants.
    auto first = llvm::find_if(causes, [&](const Cause &cause) {
      return &cause - causes.data() == ptrdiff_t(firstOfChain) ||
             isOfInstructions(cause) ||
             (unrolling->isNewLoop &&
              (cause.id == "global-memory" || cause.id == "shared-memory" ||
               cause.id == "local-memory"));
    });
    if (first != causes.end())
      causes.insert(first, std::move(unrolling->cause));
  }
  bool areFewerLanes = base.input && head.input &&
                       head.input->activeLanes < 0.98 * base.input->activeLanes;
  if (areFewerLanes && !causes.empty())
    if (auto divergence = newDivergence(base, head))
      causes.insert(causes.begin(), std::move(*divergence));
}

/// Of the same code, what changed is the launch, whatever grew with it. Of
/// other code it stands first if it is of the size of the others: code may hang
/// on the block, and never the other way around.
void Explainer::putLaunchFirst(std::vector<Cause> &causes) const {
  if (launchDifferences().empty())
    return;
  bool isOnlyLaunch = isSameCode(base, head);
  auto launch = findCause(causes, "launch");
  if (launch != causes.end()) {
    double cost = launch->costInUs.value_or(0);
    bool isOfSize = llvm::all_of(causes, [&](const Cause &cause) {
      return ShareOfSize * cause.costInUs.value_or(0) <= cost;
    });
    if (isOnlyLaunch || isOfSize)
      std::rotate(causes.begin(), launch, launch + 1);
  } else if (isOnlyLaunch) {
    causes.insert(causes.begin(), describeLaunch());
  }
}

/// By the model's input; where a document has none, by what else it says.
bool Explainer::differs(const Demand &demand) const {
  if (base.input && head.input)
    return with(*base.input, *head.input, demand) != *base.input;
  if (demand.id == "launch")
    return !base.isSameLaunch(head);
  if (demand.id == "occupancy")
    return base.activeBlocksPerSM != head.activeBlocksPerSM;
  return !describeAccesses(demand).empty();
}

/// Whether there are fewer blocks since a thread needs more registers.
bool Explainer::takesRegisters() const {
  return head.registers > base.registers &&
         llvm::StringRef(head.occupancyLimiter).contains("registers");
}

double Explainer::weightOf(const Demand &demand, double cost,
                           bool isGrown) const {
  // A longer chain is more often a consequence of something else.
  if (!isGrown)
    return cost / 2;
  // It is code that takes registers: what grew in it stands before.
  return demand.id == "occupancy" && takesRegisters() ? ShareOfSize * cost
                                                      : cost;
}

std::vector<Cause> Explainer::run() {
  struct Weighted {
    double cost, weight;
    /// More is asked for, not the same in a longer chain.
    bool isGrown;
    const Demand *demand;
  };
  std::vector<Weighted> weighted;
  bool canAsk = gpu && base.input && head.input;
  std::optional<DemandCosts> costs;
  if (canAsk)
    costs.emplace(*base.input, *head.input, *gpu);
  for (const Demand &demand : allDemands()) {
    if (!differs(demand))
      continue;
    double cost = costs ? costs->of(demand) : 0;
    bool grown = !canAsk || hasGrown(demand, *base.input, *head.input);
    weighted.push_back({cost, weightOf(demand, cost, grown), grown, &demand});
  }
  llvm::stable_sort(weighted, [](const Weighted &a, const Weighted &b) {
    return a.weight > b.weight;
  });
  // What costs a tenth of the most important says nothing about the rest.
  constexpr double Share = 0.1;
  constexpr size_t Most = 4;
  std::vector<Cause> causes;
  size_t kinds = 0, firstOfChain = std::numeric_limits<size_t>::max();
  for (const Weighted &kind : weighted) {
    if (kinds++ == Most ||
        (canAsk &&
         (kind.cost <= 0 || kind.weight < Share * weighted[0].weight)))
      break;
    if (!kind.isGrown)
      firstOfChain = std::min(firstOfChain, causes.size());
    std::vector<Cause> some = describe(*kind.demand);
    bool isSaid = llvm::any_of(causes, [&](const Cause &cause) {
      return cause.id == some.front().id &&
             cause.message == some.front().message;
    });
    if (isSaid)
      continue;
    if (canAsk)
      some.front().costInUs = kind.cost;
    llvm::append_range(causes, std::move(some));
  }
  putBarriersBeforeLoads(causes);
  addRoots(causes, firstOfChain);
  putLaunchFirst(causes);
  if (causes.empty())
    causes.push_back({"unknown", "", "the documents do not say what changed",
                      place(), std::nullopt});
  return causes;
}

std::vector<Cause> auspex::explain(const RecordPair &pair, const GPU *gpu) {
  return Explainer(pair, gpu).run();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Alignment.h"
#include "PlaceChanges.h"

#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace auspex;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// The share of the instructions of two lines that they do not have in common.
static double distanceOf(const LineVolume &a, const LineVolume &b) {
  double different = 0, all = 0;
  for (const InstructionClassInfo &info : instructionClassInfos()) {
    double before = a.instructions[info.id], after = b.instructions[info.id];
    different += std::abs(before - after);
    all += std::max(before, after);
  }
  // Lines without anything in common are still a pair at the same place.
  return all > 0 ? 0.95 * different / all : 0;
}

/// Instructions of one class do not make up for those of another: doubles in
/// place of floats are more of one, and as many altogether.
static double growthOf(const InstructionMix &before,
                       const InstructionMix &after,
                       llvm::function_ref<bool(InstructionClass)> counts) {
  double growth = 0;
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (counts(info.id))
      growth += std::max(0.0, after[info.id] - before[info.id]);
  return growth;
}

std::optional<LineChange>
auspex::lineChange(const KernelRecord &base, const KernelRecord &head,
                   llvm::function_ref<bool(InstructionClass)> counts) {
  auto distance = [&](size_t a, size_t b) {
    return distanceOf(base.lines[a], head.lines[b]);
  };
  std::optional<LineChange> most;
  auto consider = [&](const LineVolume &line, double growth) {
    if (growth > 1e-6 && (!most || growth > most->growth))
      most = LineChange{line.location, growth};
  };
  for (AlignedPair pair : align(base.lines.size(), head.lines.size(), distance))
    if (pair.head != AlignedPair::None)
      consider(head.lines[pair.head],
               growthOf(pair.base == AlignedPair::None
                            ? InstructionMix()
                            : base.lines[pair.base].instructions,
                        head.lines[pair.head].instructions, counts));
  return most;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static double distanceOf(const LoopVolume &a, const LoopVolume &b) {
  double most = std::max({1.0, a.iterations, b.iterations});
  double distance = 0.8 * std::abs(a.iterations - b.iterations) / most;
  return distance + (a.unroll == b.unroll ? 0 : 0.1);
}

std::optional<LostUnrolling> auspex::lostUnrolling(const KernelRecord &base,
                                                   const KernelRecord &head) {
  auto distance = [&](size_t a, size_t b) {
    return distanceOf(base.loops[a], head.loops[b]);
  };
  auto cause = [](const LoopVolume &loop, const std::string &message,
                  bool isNewLoop) {
    return LostUnrolling{
        {"unrolling", "", message, loop.location, std::nullopt}, isNewLoop};
  };
  // A baseline knows no loops, nor do documents of older versions.
  if (base.lines.empty())
    return std::nullopt;
  for (AlignedPair pair :
       align(base.loops.size(), head.loops.size(), distance)) {
    if (pair.head == AlignedPair::None)
      continue;
    const LoopVolume &after = head.loops[pair.head];
    if (pair.base == AlignedPair::None) {
      if (head.loops.size() > base.loops.size() && after.location.isKnown())
        return cause(after,
                     "a loop of " + formatNumber(after.iterations, 4) +
                         " iterations a warp that was not there "
                         "before, or was unrolled altogether",
                     true);
      continue;
    }
    const LoopVolume &before = base.loops[pair.base];
    if (after.unroll < before.unroll)
      return cause(after,
                   (after.unroll > 1 ? "the loop is unrolled " +
                                           std::to_string(after.unroll) +
                                           " times; it was unrolled "
                                     : std::string("the loop is no longer "
                                                   "unrolled; it was ")) +
                       std::to_string(before.unroll) + " times before",
                   false);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

static bool haveSameColumn(const SourceLocation &a, const SourceLocation &b) {
  // Baselines have none.
  return !a.isKnown() || !b.isKnown() || a.column == b.column;
}

static bool isSame(const AccessVolume &a, const AccessVolume &b) {
  return a.kind == b.kind && a.space == b.space && a.operation == b.operation &&
         a.bytesPerLane == b.bytesPerLane && a.object == b.object &&
         haveSameColumn(a.location, b.location);
}

static bool isSame(const LineVolume &a, const LineVolume &b) {
  return llvm::all_of(
      instructionClassInfos(), [&](const InstructionClassInfo &info) {
        return (a.instructions[info.id] > 0) == (b.instructions[info.id] > 0);
      });
}

static bool isSame(const LoopVolume &a, const LoopVolume &b) {
  return a.unroll == b.unroll && haveSameColumn(a.location, b.location);
}

bool auspex::isSameCode(const KernelRecord &base, const KernelRecord &head) {
  auto areSame = [](const auto &before, const auto &after) {
    return std::equal(
        before.begin(), before.end(), after.begin(), after.end(),
        [](const auto &a, const auto &b) { return isSame(a, b); });
  };
  if (!areSame(base.accesses, head.accesses))
    return false;
  return base.lines.empty() ||
         (areSame(base.lines, head.lines) && areSame(base.loops, head.loops));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

std::optional<Cause> auspex::newDivergence(const KernelRecord &base,
                                           const KernelRecord &head) {
  auto parted = [](const FindingRecord &finding) {
    return finding.arg("Executions") * finding.arg("DivergentShare");
  };
  auto branches = [](const KernelRecord &record) {
    std::vector<const FindingRecord *> found;
    for (const FindingRecord &finding : record.findings)
      if (finding.id == "DivergentBranch")
        found.push_back(&finding);
    return found;
  };
  std::vector<const FindingRecord *> before = branches(base),
                                     after = branches(head);
  auto distance = [&](size_t a, size_t b) {
    double most = std::max({1.0, parted(*before[a]), parted(*after[b])});
    return 0.9 * std::abs(parted(*before[a]) - parted(*after[b])) / most;
  };
  std::optional<Cause> worst;
  double most = 0;
  for (AlignedPair pair : align(before.size(), after.size(), distance)) {
    if (pair.head == AlignedPair::None)
      continue;
    const FindingRecord &branch = *after[pair.head];
    bool isNew = pair.base == AlignedPair::None;
    double growth = parted(branch) - (isNew ? 0 : parted(*before[pair.base]));
    if (growth <= most * (1 + 1e-6) || growth <= 1e-3 * parted(branch))
      continue;
    most = growth;
    worst = Cause{
        "divergence", "DivergentBranch",
        "lanes part in " + formatShare(branch.arg("DivergentShare")) +
            " of the warps that come to this branch" +
            (isNew ? ", which was not there or did not divide warps "
                     "before"
                   : ", " +
                         formatShare(before[pair.base]->arg("DivergentShare")) +
                         " before"),
        branch.location, std::nullopt};
  }
  return worst;
}

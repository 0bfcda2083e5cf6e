// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All lanes of a warp update one word: they can be reduced in registers first,
// and one lane updates the word.
#include "Common.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

/// Of a known word, by several lanes at once.
static bool allUpdateOneWord(const BoundAccess &bound) {
  const RequestCounts &counts = bound.counts;
  return bound.isKnown && counts.requests > 0 &&
         counts.sameAddress >= 2 * counts.requests &&
         counts.sameAddress == counts.lanes;
}

/// One lane of each request does what all of them did.
static RequestCounts ofOneLane(const RequestCounts &counts) {
  RequestCounts once = counts;
  once.lanes = once.sameAddress = once.lanesOnBank = once.bankPasses =
      counts.requests;
  return once;
}

/// Replaces what access \p number asks of the unit that updates its word.
static void updateOnce(const FixContext &context, size_t number,
                       OperationalInput &input) {
  const BoundKernel &kernel = context.kernel;
  const Access &access = kernel.summary->accesses[number];
  const RequestCounts &counts = kernel.accesses[number].counts;
  RequestCounts once = ofOneLane(counts);
  double warps = std::max(1.0, kernel.warps());
  if (access.space == MemorySpace::Shared) {
    input.sharedAtomics.add(sharedAtomicDemand(access, counts, context.gpu),
                            -1 / warps);
    input.sharedAtomics.add(sharedAtomicDemand(access, once, context.gpu),
                            1 / warps);
    return;
  }
  input.globalAtomicSteps =
      globalAtomicSteps(kernel, context.gpu,
                        [&](const Access &other, const BoundAccess &bound) {
                          return &other == &access ? once : bound.counts;
                        }) /
      warps;
}

namespace auspex::fixes {

void findWarpReduction(const FixContext &context,
                       std::vector<Variant> &variants) {
  using enum InstructionClass;
  const BoundKernel &kernel = context.kernel;
  const KernelSummary &summary = *kernel.summary;
  double warps = std::max(1.0, kernel.warps());
  for (size_t i = 0; i < summary.accesses.size(); ++i) {
    const Access &access = summary.accesses[i];
    const RequestCounts &counts = kernel.accesses[i].counts;
    bool hasUnit = access.space == MemorySpace::Shared ||
                   (access.space == MemorySpace::Global &&
                    context.input.globalAtomicSteps > 0);
    if (!hasUnit || access.kind != AccessKind::Atomic || !isReduction(access) ||
        !allUpdateOneWord(kernel.accesses[i]))
      continue;
    OperationalInput input = context.input;
    updateOnce(context, i, input);
    // A tree over the lanes.
    double steps = std::log2(LaunchShape::WarpSize) * counts.requests / warps;
    InstructionClass combine = access.operation == "fadd" ? Fp32 : IntAdd;
    for (InstructionClass id : {Shuffle, combine}) {
      input.instructions[id] += steps;
      input.path[id] += steps;
    }
    variants.push_back({"", access.location,
                        "reduce over the warp with __shfl_down_sync and let "
                        "one lane update " +
                            objectName(summary, access.base) + ": all " +
                            std::to_string(static_cast<unsigned>(std::lround(
                                counts.sameAddress / counts.requests))) +
                            " lanes update the same word",
                        std::move(input)});
  }
}

} // namespace auspex::fixes
